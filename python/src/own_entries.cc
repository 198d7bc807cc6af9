#include "own_entries.h"

#include <cmath>

#include "callback.h"
#include "own_algorithms.h"
#include "own_problems.h"

namespace keyhole::python {
namespace {

py::object set_object(SetPtr set) {
  std::string spec = set->spec();
  return py::cast(SetHandle{.set = std::move(set), .text = std::move(spec)});
}

ParameterType type_of(const std::string& text) {
  if (text == "whole") return ParameterType::whole;
  if (text == "flag") return ParameterType::flag;
  if (text == "text") return ParameterType::text;
  if (text == "numbers") return ParameterType::numbers;
  if (text == "set") return ParameterType::set;
  return ParameterType::number;
}

std::vector<Parameter> read_parameters(const py::list& given) {
  std::vector<Parameter> parameters;
  for (const py::handle each : given) {
    const auto [name, type, otherwise] =
        each.cast<std::tuple<std::string, std::string, std::optional<std::string>>>();
    const Parameter parameter{
        .name = name, .type = type_of(type), .meaning = "as " + name + " in Python"};
    parameters.push_back(otherwise ? parameter.or_else(*otherwise) : parameter);
  }
  return parameters;
}

py::object value_of(const Arguments& given, const Parameter& parameter) {
  const std::string& name = parameter.name;
  switch (parameter.type) {
    case ParameterType::whole:
      return py::cast(given.whole(name));
    case ParameterType::flag:
      return py::cast(given.flag(name));
    case ParameterType::text:
      return py::cast(given.text(name));
    case ParameterType::numbers:
      return py::cast(given.numbers(name));
    case ParameterType::set:
      return set_object(given.set(name));
    default:
      return py::cast(given.number(name));
  }
}

/// What is called, and the parameters that it takes by name.
struct Maker {
  std::shared_ptr<py::object> make;
  std::vector<Parameter> parameters;

  /// The arguments that a text gives; Python knows the others.
  [[nodiscard]] py::dict arguments(const Arguments& given) const {
    py::dict result;
    for (const Parameter& parameter : parameters) {
      if (given.has(parameter.name)) result[py::str(parameter.name)] = value_of(given, parameter);
    }
    return result;
  }

  /// Adds what the problem knows, where it is taken and not given.
  void add(py::dict& arguments, const char* name, std::optional<double> value) const {
    if (!value || !std::isfinite(*value) || arguments.contains(name)) return;
    for (const Parameter& parameter : parameters) {
      if (parameter.name != name) continue;
      arguments[name] = parameter.type == ParameterType::whole
                            ? py::object(py::int_(py::float_(*value)))
                            : py::object(py::float_(*value));
    }
  }
};

SetPtr make_set_of(const Maker& maker, const Arguments& given) {
  const py::gil_scoped_acquire acquire;
  const py::object made = (*maker.make)(**maker.arguments(given));
  if (!py::isinstance<SetHandle>(made)) throw py::type_error("a set of your own must be a Set");
  return made.cast<const SetHandle&>().set;
}

AnyAlgorithm make_algorithm_of(const Maker& maker, const Arguments& given,
                               const AlgorithmContext& context) {
  const py::gil_scoped_acquire acquire;
  py::dict arguments = maker.arguments(given);
  maker.add(arguments, "loss_bound", context.loss_bound);
  maker.add(arguments, "gradient_bound", context.gradient_bound);
  if (context.horizon) maker.add(arguments, "horizon", static_cast<double>(*context.horizon));
  return own_algorithm(context.set, (*maker.make)(set_object(context.set), **arguments));
}

std::unique_ptr<Problem> make_problem_of(const Maker& maker, const Arguments& given,
                                         const ProblemContext& context) {
  const py::gil_scoped_acquire acquire;
  return own_problem((*maker.make)(**maker.arguments(given)), context.seed);
}

using Builder = decltype(SpecEntry::build);

Builder builder_of(const std::string& kind, const Maker& maker) {
  if (kind == "set") {
    return SetBuilder([maker](const Arguments& given) { return make_set_of(maker, given); });
  }
  if (kind == "learner") {
    return AlgorithmBuilder([maker](const Arguments& given, const AlgorithmContext& context) {
      return make_algorithm_of(maker, given, context);
    });
  }
  return ProblemBuilder([maker](const Arguments& given, const ProblemContext& context) {
    return make_problem_of(maker, given, context);
  });
}

}  // namespace

void add_own_entry(Catalogue& catalogue, const std::string& kind, const std::string& name,
                   const std::string& summary, const py::list& parameters, const py::object& make) {
  const Maker maker{shared_object(make), read_parameters(parameters)};
  catalogue.add({.name = name,
                 .summary = summary,
                 .parameters = maker.parameters,
                 .build = builder_of(kind, maker)});
}

}  // namespace keyhole::python
