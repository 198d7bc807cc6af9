#include "keyhole/options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "keyhole/catalogue.h"

namespace keyhole {
namespace {

/// Makes a parameter of each option.
class ToParameters final : public OptionVisitor {
 public:
  void required(const options::Option& option, std::optional<double>& /*value*/) override {
    add(option, ParameterType::number);
  }
  void number(const options::Option& option, double& value) override {
    add(option, ParameterType::number, base::number_text(value));
  }
  void number(const options::Option& option, std::optional<double>& /*value*/) override {
    add(option, ParameterType::number);
  }
  void whole(const options::Option& option, std::uint64_t& value) override {
    add(option, ParameterType::whole, std::to_string(value));
  }
  void whole(const options::Option& option, std::optional<std::uint64_t>& /*value*/) override {
    add(option, ParameterType::whole);
  }
  void seed(const options::Option& option, std::uint64_t& value) override {
    add(option, ParameterType::seed, std::to_string(value));
  }
  void flag(const options::Option& option, bool& value) override {
    add(option, ParameterType::flag, value ? "true" : "false");
  }
  void word(const options::Option& option, std::size_t& value,
            const std::vector<std::string>& words) override {
    add(option, ParameterType::word, words.at(value));
    parameters_.back().words = words;
  }
  void coordinates(const options::Option& option, std::vector<double>& /*value*/) override {
    add(option, ParameterType::coordinates);
  }
  void text(const options::Option& option, std::string& /*value*/) override {
    add(option, ParameterType::text);
  }
  void file(const options::Option& option, std::string& /*value*/) override {
    add(option, ParameterType::text);
  }
  void texts(const options::Option& option, std::vector<std::string>& /*value*/) override {
    add(option, ParameterType::texts, "[]");
  }

  [[nodiscard]] std::vector<Parameter> take() && { return std::move(parameters_); }

 private:
  /// Words for the default count before its value, and without either it is required.
  void add(const options::Option& option, ParameterType type, const std::string& value = {}) {
    const Parameter parameter{option.key, type, option.meaning, {}, {}, option.range};
    parameters_.push_back(!option.otherwise.empty() ? parameter.or_else(option.otherwise)
                          : !value.empty()          ? parameter.or_value(value)
                                                    : parameter);
  }

  std::vector<Parameter> parameters_;
};

/// Sets each option to its argument.
class FromArguments final : public OptionVisitor {
 public:
  FromArguments(const Arguments& given, const AlgorithmContext& context)
      : given_(given), context_(context) {}

  void required(const options::Option& option, std::optional<double>& value) override {
    value = find(option);
    if (!value) {
      given_.refuse(option.key + " is missing, and the problem does not know it: write " +
                    option.key + "=1, or what it is");
    }
  }
  void number(const options::Option& option, double& value) override {
    value = given_.number(option.key);
  }
  void number(const options::Option& option, std::optional<double>& value) override {
    value = find(option);
  }
  void whole(const options::Option& option, std::uint64_t& value) override {
    value = given_.whole(option.key);
  }
  void whole(const options::Option& option, std::optional<std::uint64_t>& value) override {
    value = given_.optional_whole(option.key);
    if (value || option.from != options::From::horizon) return;
    value = context_.horizon;
    if (!value) {
      given_.refuse(option.key + " is missing: write " + option.key +
                    "=1000, or wrap the learner in anytime");
    }
  }
  void seed(const options::Option& option, std::uint64_t& value) override {
    value = given_.seed(option.key);
  }
  void flag(const options::Option& option, bool& value) override {
    value = given_.flag(option.key);
  }
  void word(const options::Option& option, std::size_t& value,
            const std::vector<std::string>& words) override {
    const auto found = std::find(words.begin(), words.end(), given_.word(option.key));
    value = static_cast<std::size_t>(found - words.begin());
  }
  void coordinates(const options::Option& option, std::vector<double>& value) override {
    value = given_.coordinates(option.key, context_.set->dimension());
  }
  void text(const options::Option& option, std::string& value) override {
    value = given_.text(option.key);
  }
  void file(const options::Option& option, std::string& value) override {
    value = given_.file(option.key);
  }
  void texts(const options::Option& option, std::vector<std::string>& value) override {
    value = given_.texts(option.key);
    // The texts of algorithms, which alone have a set, are contexts.
    const bool of_problem = value == std::vector<std::string>{"problem"};
    if (of_problem && context_.set != nullptr) value = context_.contexts;
  }

 private:
  /// What the text says, or the context; a problem may say that it knows no bound.
  [[nodiscard]] std::optional<double> find(const options::Option& option) const {
    if (const auto value = given_.optional_number(option.key)) return value;
    const auto bound = option.from == options::From::loss_bound       ? context_.loss_bound
                       : option.from == options::From::gradient_bound ? context_.gradient_bound
                                                                      : std::nullopt;
    return bound && std::isfinite(*bound) ? bound : std::nullopt;
  }

  const Arguments& given_;
  const AlgorithmContext& context_;
};

}  // namespace

std::vector<Parameter> parameters_of(const ListedOptions& options) {
  ToParameters parameters;
  options(parameters);
  return std::move(parameters).take();
}

void Arguments::read(const ListedOptions& options, const AlgorithmContext& context) const {
  FromArguments reader(*this, context);
  options(reader);
}

}  // namespace keyhole
