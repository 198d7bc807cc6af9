#include "spaces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arrays.h"

namespace keyhole::python {
namespace {

Scale scale_of(const std::string& word) {
  if (word == "linear") return Scale::linear;
  if (word == "log") return Scale::log;
  throw InvalidArgument("the scale must be 'linear' or 'log', not '" + word + "'");
}

const char* scale_text(Scale scale) { return scale == Scale::log ? "log" : "linear"; }

/// One number for all, one each, or none.
std::vector<double> limits(py::handle given) {
  if (given.is_none()) return {};
  const Array array = numbers(given, "a limit of shares");
  if (array.ndim() > 1) throw InvalidArgument("a limit of shares is one number, or one each");
  return {array.data(), array.data() + array.size()};
}

py::object limits_object(const std::vector<double>& limits) {
  return limits.empty() ? py::object(py::none()) : py::object(py::cast(limits));
}

const SpaceParameter* find(const Space& space, const std::string& name) {
  for (const SpaceParameter& parameter : space.parameters()) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

py::dict shares_dict(const Shares& shares, const std::vector<double>& amounts) {
  py::dict result;
  for (std::size_t i = 0; i < amounts.size(); ++i) result[py::str(shares.names[i])] = amounts[i];
  return result;
}

std::vector<double> read_shares(const std::string& name, const Shares& shares, py::handle given) {
  if (!py::isinstance<py::dict>(given)) return given.cast<std::vector<double>>();
  const auto dict = given.cast<py::dict>();
  std::vector<double> amounts;
  for (const std::string& share : shares.names) {
    if (!dict.contains(share)) {
      throw InvalidArgument("the parameter '" + name + "': there is no share for '" + share + "'");
    }
    amounts.push_back(dict[py::str(share)].cast<double>());
  }
  if (dict.size() != amounts.size()) {
    throw InvalidArgument("the parameter '" + name + "': there are more shares than names");
  }
  return amounts;
}

/// numpy.generic. It is never let go: the interpreter may end first.
py::handle numpy_generic;

/// A number, a whole number, a text, or true or false, of Python or of NumPy.
Value any_value(py::handle given) {
  if (py::isinstance(given, numpy_generic)) {
    const py::object item = given.attr("item")();
    // That of a long double is one again.
    if (!py::isinstance(item, numpy_generic)) return any_value(item);
  }
  if (py::isinstance<py::bool_>(given)) return given.cast<bool>();
  if (py::isinstance<py::str>(given)) return given.cast<std::string>();
  if (py::isinstance<py::int_>(given)) return given.cast<std::int64_t>();
  return given.cast<double>();
}

/// The same of what is measured, which may be a whole number of more than 64 bits.
Value measured_value(py::handle given) {
  try {
    return any_value(given);
  } catch (const py::cast_error&) {
    return given.cast<double>();
  }
}

/// A list of such; `what` is what they are called.
std::vector<Value> any_values(const py::object& given, const char* what) {
  try {
    std::vector<Value> values;
    if (py::isinstance<py::sequence>(given) && !py::isinstance<py::str>(given)) {
      for (const py::handle each : given) values.push_back(any_value(each));
      return values;
    }
  } catch (const py::cast_error&) {  // it says which below
  }
  throw InvalidArgument(std::string(what) +
                        " must be a list of texts, numbers, or True and False, "
                        "not " +
                        std::string(py::repr(given)));
}

Value read_value(const SpaceParameter& parameter, py::handle given) {
  try {
    if (const auto* const shares = std::get_if<Shares>(&parameter.domain)) {
      return read_shares(parameter.name, *shares, given);
    }
    if (std::holds_alternative<Integer>(parameter.domain)) return given.cast<std::int64_t>();
    if (std::holds_alternative<Number>(parameter.domain)) return given.cast<double>();
    return any_value(given);
  } catch (const py::cast_error&) {
    throw InvalidArgument("the parameter '" + parameter.name + "' cannot be " +
                          std::string(py::repr(given)));
  }
}

std::string name_of(py::handle name) {
  if (py::isinstance<py::str>(name)) return name.cast<std::string>();
  throw py::type_error("the name of a parameter is a text, not " + std::string(py::repr(name)));
}

/// A limit without the name of its metric.
struct Bound {
  Limit limit;
  std::string unit;

  bool operator==(const Bound&) const = default;
};

py::object number_or_none(const std::optional<double>& number) {
  return number ? py::object(py::float_(*number)) : py::none();
}

py::object over_of(const Bound& bound) {
  return bound.limit.over_all ? py::object(py::str("all")) : py::none();
}

std::vector<SpaceLimit> bounds_of(const py::object& given) {
  std::vector<SpaceLimit> bounds;
  if (given.is_none()) return bounds;
  for (const auto& [key, bound] : py::dict(given)) {
    const std::string name = name_of(key);
    if (!py::isinstance<Bound>(bound)) {
      throw InvalidArgument("the limit '" + name + "' must be a limit, as limit(most=200), not " +
                            std::string(py::repr(bound)));
    }
    const auto& [limit, unit] = bound.cast<const Bound&>();
    bounds.push_back({name, limit, unit});
  }
  return bounds;
}

py::dict bounds_dict(const Space& space) {
  py::dict result;
  for (const auto& [name, limit, unit] : space.limits()) {
    result[py::str(name)] = py::cast(Bound{limit, unit});
  }
  return result;
}

/// Numbers, names, and true and false by name, of a dict or None; what is None in it is NaN. `what`
/// is what one of them is called.
Values read_named(const py::object& given, const std::string& what) {
  Values values;
  if (given.is_none()) return values;
  for (const auto& [key, value] : py::dict(given)) {
    const std::string name = name_of(key);
    if (value.is_none()) {
      values.emplace_back(name, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    try {
      values.emplace_back(name, measured_value(value));
    } catch (const py::cast_error&) {
      throw InvalidArgument("the " + what + " '" + name + "' cannot be " +
                            std::string(py::repr(value)));
    }
  }
  return values;
}

std::vector<SpaceContext> contexts_of(const py::object& given) {
  std::vector<SpaceContext> contexts;
  if (given.is_none()) return contexts;
  for (const auto& [key, domain] : py::dict(given)) {
    const std::string name = name_of(key);
    try {
      contexts.push_back({name, domain.cast<std::variant<Number, Cyclic, Choice, Clock>>()});
    } catch (const py::cast_error&) {
      throw InvalidArgument("the context '" + name +
                            "' must be a number, cyclic, choice or clock, not " +
                            std::string(py::repr(domain)));
    }
  }
  return contexts;
}

Space make_space(const py::object& parameters, const std::vector<std::string>& constraints,
                 const py::object& contexts, const py::object& limits, const py::kwargs& named) {
  std::vector<SpaceParameter> all;
  const auto add = [&](const py::dict& given) {
    for (const auto& [name, domain] : given) {
      py::detail::make_caster<decltype(SpaceParameter::domain)> caster;
      if (!caster.load(domain, false)) {
        throw py::type_error("the parameter " + std::string(py::repr(name)) +
                             " must be a number(), integer(), choice(), shares(), levels() or "
                             "fixed(), not " +
                             std::string(py::repr(domain)));
      }
      all.push_back({name_of(name),
                     py::detail::cast_op<decltype(SpaceParameter::domain)>(std::move(caster))});
    }
  };
  if (!parameters.is_none()) add(py::dict(parameters));
  add(named);
  return Space(std::move(all), constraints, contexts_of(contexts), bounds_of(limits));
}

/// Domains by name, in order.
template <class Named>
py::dict domains_dict(const std::vector<Named>& all) {
  py::dict result;
  for (const Named& each : all) result[py::str(each.name)] = py::cast(each.domain);
  return result;
}

/// What makes a space again.
py::tuple arguments_of(const Space& space) {
  return py::make_tuple(domains_dict(space.parameters()), space.constraints(),
                        domains_dict(space.contexts()), bounds_dict(space));
}

std::span<const double> point_of(const Space& space, const Array& point) {
  if (point.ndim() != 1 || static_cast<std::size_t>(point.size()) != space.set()->dimension()) {
    throw InvalidArgument("the point must have " + std::to_string(space.set()->dimension()) +
                          " coordinates");
  }
  return {point.data(), static_cast<std::size_t>(point.size())};
}

/// Equality, text and pickling by the arguments that make it again.
template <class Domain, class Arguments>
void by_arguments(py::class_<Domain>& type, Arguments arguments) {
  type.def("__eq__",
           [](const Domain& a, py::handle b) {
             return py::isinstance<Domain>(b) && a == b.cast<const Domain&>();
           })
      .def("__hash__", [arguments](const Domain& d) { return py::hash(py::repr(arguments(d))); })
      .def("__repr__",
           [arguments](py::object self) {
             return py::str("{}{!r}").format(py::type::of(self).attr("__name__"),
                                             arguments(self.cast<const Domain&>()));
           })
      .def("__reduce__", [arguments](py::object self) {
        return py::make_tuple(py::type::of(self), arguments(self.cast<const Domain&>()));
      });
}

void bind_domains(py::module_& module) {
  using namespace py::literals;
  py::class_<Number> number(module, "Number",
                            "Any number of a range, from `low` to `high`; scale \"log\" for "
                            "ratios. `unit` is shown with it.");
  number
      .def(py::init([](double low, double high, const std::string& scale, std::string unit) {
             return Number{low, high, scale_of(scale), std::move(unit)};
           }),
           "low"_a, "high"_a, "scale"_a = "linear", "unit"_a = "")
      .def_readonly("low", &Number::from)
      .def_readonly("high", &Number::to)
      .def_property_readonly("scale", [](const Number& d) { return scale_text(d.scale); })
      .def_readonly("unit", &Number::unit);
  by_arguments(number, [](const Number& d) {
    return py::make_tuple(d.from, d.to, scale_text(d.scale), d.unit);
  });
  py::class_<Integer> integer(module, "Integer",
                              "A whole number of a range, from `low` to `high`; scale \"log\" "
                              "for decades, `step` for every so many. `unit` is shown with it. A "
                              "play rounds what the learner sees up or down at random.");
  integer
      .def(py::init([](std::int64_t low, std::int64_t high, const std::string& scale,
                       std::string unit, std::int64_t step) {
             return Integer{low, high, scale_of(scale), step, std::move(unit)};
           }),
           "low"_a, "high"_a, "scale"_a = "linear", "unit"_a = "", "step"_a = 1)
      .def_readonly("low", &Integer::from)
      .def_readonly("high", &Integer::to)
      .def_property_readonly("scale", [](const Integer& d) { return scale_text(d.scale); })
      .def_readonly("unit", &Integer::unit)
      .def_readonly("step", &Integer::step);
  by_arguments(integer, [](const Integer& d) {
    return py::make_tuple(d.from, d.to, scale_text(d.scale), d.unit, d.step);
  });
  py::class_<Choice> choice(module, "Choice",
                            "One of several names, numbers, or True and False. A play draws one, "
                            "with the probabilities that the learner sees.");
  const auto names_of = [](const Choice& d) {
    return d.values.empty() ? py::object(py::cast(d.names)) : py::object(py::cast(d.values));
  };
  choice
      .def(py::init([](const py::object& names) { return Choice::of(any_values(names, "names")); }),
           "names"_a)
      .def_property_readonly("names", names_of);
  by_arguments(choice, [names_of](const Choice& d) { return py::make_tuple(names_of(d)); });
  py::class_<Levels> levels(module, "Levels",
                            "One of several levels that have an order: numbers that rise, or "
                            "names. `unit` is shown with them. The learner sees the place among "
                            "them, and a play rounds it up or down at random.");
  levels
      .def(py::init([](const py::object& given, std::string unit) {
             return Levels{any_values(given, "levels"), std::move(unit)};
           }),
           "levels"_a, "unit"_a = "")
      .def_readonly("levels", &Levels::levels)
      .def_readonly("unit", &Levels::unit);
  by_arguments(levels, [](const Levels& d) { return py::make_tuple(d.levels, d.unit); });
  py::class_<Fixed> fixed(module, "Fixed",
                          "A `value` that every play gets as it is: a number, a text, True or "
                          "False. The learner does not see it.");
  fixed
      .def(py::init([](const py::object& value) {
             return Fixed{any_values(py::make_tuple(value), "what is fixed")[0]};
           }),
           "value"_a)
      .def_readonly("value", &Fixed::value);
  by_arguments(fixed, [](const Fixed& d) { return py::make_tuple(d.value); });
  py::class_<Shares> shares(module, "Shares",
                            "A total that is divided among several names. `least` and `most` "
                            "are limits of the shares, one for all or one each.");
  shares
      .def(py::init([](const py::object& names, double total, const py::object& least,
                       const py::object& most) {
             return Shares{texts(names, "names"), total, limits(least), limits(most)};
           }),
           "names"_a, "total"_a = 1.0, "least"_a = py::none(), "most"_a = py::none())
      .def_readonly("names", &Shares::names)
      .def_readonly("total", &Shares::total)
      .def_property_readonly("least", [](const Shares& d) { return limits_object(d.least); })
      .def_property_readonly("most", [](const Shares& d) { return limits_object(d.most); });
  by_arguments(shares, [](const Shares& d) {
    return py::make_tuple(d.names, d.total, limits_object(d.least), limits_object(d.most));
  });
  py::class_<Cyclic> cyclic(
      module, "Cyclic",
      "A number that goes round after each `period`, for a context: cyclic(24) "
      "for the hour. `unit` is what it counts, for people.");
  cyclic
      .def(py::init([](double period, std::string unit) {
             return Cyclic{period, std::move(unit)};
           }),
           "period"_a, "unit"_a = "")
      .def_readonly("period", &Cyclic::period)
      .def_readonly("unit", &Cyclic::unit);
  by_arguments(cyclic, [](const Cyclic& d) { return py::make_tuple(d.period, d.unit); });
  py::class_<Clock> clock(module, "Clock",
                          "The time, for a context that a study looks at itself when it is asked. "
                          "It goes round `every` \"day\", in hours, or \"week\", in days since "
                          "Monday, in UTC.");
  const auto every = [](const Clock& d) { return d.every == Clock::Every::day ? "day" : "week"; };
  clock
      .def(
          py::init([](const std::string& word) {
            if (word != "day" && word != "week") {
              throw InvalidArgument("a clock goes round every 'day' or 'week', not '" + word + "'");
            }
            return Clock{word == "day" ? Clock::Every::day : Clock::Every::week};
          }),
          "every"_a = "day")
      .def_property_readonly("every", every);
  by_arguments(clock, [every](const Clock& d) { return py::make_tuple(every(d)); });
  py::class_<Bound> limit(
      module, "Limit",
      "A bound on a metric, which is told with the loss: limit(most=200, unit=\"ms\"). It is kept "
      "from above (`most`) or below (`least`), in `each` round with that probability, or with "
      "`over` \"all\" by the mean of all rounds. `unit` is what the metric counts, for people.");
  limit
      .def(py::init([](std::optional<double> most, std::optional<double> least, double each,
                       const py::object& over, std::string unit) {
             if (!over.is_none() && !over.equal(py::str("all"))) {
               throw InvalidArgument("over must be 'all' or None, not " +
                                     std::string(py::repr(over)));
             }
             return Bound{{most, least, each, !over.is_none()}, std::move(unit)};
           }),
           "most"_a = py::none(), "least"_a = py::none(), "each"_a = Limit().each,
           "over"_a = py::none(), "unit"_a = "")
      .def_property_readonly("most", [](const Bound& b) { return number_or_none(b.limit.most); })
      .def_property_readonly("least", [](const Bound& b) { return number_or_none(b.limit.least); })
      .def_property_readonly("each", [](const Bound& b) { return b.limit.each; })
      .def_property_readonly("over", over_of)
      .def_readonly("unit", &Bound::unit);
  by_arguments(limit, [](const Bound& b) {
    return py::make_tuple(number_or_none(b.limit.most), number_or_none(b.limit.least), b.limit.each,
                          over_of(b), b.unit);
  });
}

}  // namespace

Values read_context(const py::object& given) { return read_named(given, "context"); }
Values read_metrics(const py::object& given) { return read_named(given, "metric"); }

py::dict context_dict(const Values& context) {
  py::dict result;
  for (const auto& [name, value] : context) {
    const auto* const number = std::get_if<double>(&value);
    if (number == nullptr || !std::isnan(*number)) result[py::str(name)] = py::cast(value);
  }
  return result;
}

py::dict values_dict(const Space& space, const Values& values) {
  py::dict result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& [name, value] = values[i];
    const auto* const shares = std::get_if<Shares>(&space.parameters()[i].domain);
    result[py::str(name)] = shares != nullptr
                                ? shares_dict(*shares, std::get<std::vector<double>>(value))
                                : py::cast(value);
  }
  return result;
}

Values read_values(const Space& space, const py::dict& given) {
  Values values;
  for (const auto& [key, value] : given) {
    const std::string name = name_of(key);
    const SpaceParameter* const parameter = find(space, name);
    // The space itself says what is wrong with a name that it does not have.
    values.emplace_back(name, parameter != nullptr ? read_value(*parameter, value) : Value(0.0));
  }
  return values;
}

void bind_spaces(py::module_& module) {
  using namespace py::literals;
  py::object generic = py::module_::import("numpy").attr("generic");
  numpy_generic = generic.release();
  bind_domains(module);
  py::class_<Space> space(
      module, "Space",
      "Named parameters as a convex set, and the points of the set as values. They are given as a "
      "dict or by name. `constraints` are linear: \"cpu + 2*memory <= 10\". `contexts` are what is "
      "known when a play is asked for, by name: number, cyclic, choice, clock. `limits` are bounds "
      "on "
      "metrics by name, which are told with the loss: limit(most=200).");
  space
      .def(py::init(&make_space), "parameters"_a = py::none(), py::kw_only(),
           "constraints"_a = py::tuple(), "contexts"_a = py::none(), "limits"_a = py::none())
      .def_property_readonly(
          "parameters", [](const Space& s) { return domains_dict(s.parameters()); },
          "The parameters by name, in order.")
      .def_property_readonly(
          "contexts", [](const Space& s) { return domains_dict(s.contexts()); },
          "What is known when a play is asked for, by name, in order.")
      .def_property_readonly("limits", bounds_dict, "The bounds on metrics, by name, in order.")
      .def_property_readonly(
          "constraints", [](const Space& s) { return s.constraints(); },
          "The constraints, as they were given.")
      .def_property_readonly(
          "set", [](const Space& s) { return SetHandle{.set = s.set(), .text = s.set()->spec()}; },
          "The set of the points.")
      .def(
          "values",
          [](const Space& s, const Array& point, std::uint64_t seed, std::uint64_t play,
             std::uint64_t stream) {
            return values_dict(s, s.values(point_of(s, point), seed, play, stream));
          },
          "point"_a, "seed"_a, "play"_a, "stream"_a = 0,
          "The values of a play at a point, of a learner with that seed and stream.")
      .def(
          "likeliest",
          [](const Space& s, const Array& point) {
            return values_dict(s, s.likeliest(point_of(s, point)));
          },
          "point"_a, "What a point stands for, with nothing drawn.")
      .def(
          "point",
          [](const Space& s, const py::object& given, const py::kwargs& named) {
            Values values = given.is_none() ? Values() : read_values(s, py::dict(given));
            const Values more = read_values(s, named);
            values.insert(values.end(), more.begin(), more.end());
            const std::vector<double> point = s.point(values);
            return py::array_t<double>(static_cast<py::ssize_t>(point.size()), point.data());
          },
          "values"_a = py::none(),
          "The point that stands for the values. A parameter without one is at its centre.")
      .def("__eq__",
           [](const Space& a, py::handle b) {
             return py::isinstance<Space>(b) && a == b.cast<const Space&>();
           })
      .def("__hash__", [](const Space& s) { return py::hash(py::repr(arguments_of(s))); })
      .def("__repr__",
           [](const Space& s) {
             py::str text = py::str("Space({!r}").format(domains_dict(s.parameters()));
             if (!s.constraints().empty()) {
               text = py::str("{}, constraints={!r}").format(text, s.constraints());
             }
             if (!s.contexts().empty()) {
               text = py::str("{}, contexts={!r}").format(text, domains_dict(s.contexts()));
             }
             if (!s.limits().empty()) {
               text = py::str("{}, limits={!r}").format(text, bounds_dict(s));
             }
             return py::str("{})").format(text);
           })
      .def("_repr_html_", html_by("of_space"))
      .def(py::pickle([](const Space& s) { return arguments_of(s); },
                      [](const py::tuple& state) {
                        const auto at = [&](std::size_t i) {
                          py::object item = py::none();
                          if (state.size() > i) item = state[i];
                          return item;
                        };
                        return make_space(state[0], state[1].cast<std::vector<std::string>>(),
                                          at(2), at(3), {});
                      }));
}

}  // namespace keyhole::python
