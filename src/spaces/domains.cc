#include "spaces/domains.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/require.h"
#include "math/elementary.h"

namespace keyhole::spaces {
namespace {

using Vector = std::vector<double>;

constexpr std::int64_t largest_whole = std::int64_t{1} << 53U;  // all up to here are doubles
// The logarithms of n and n + 1 differ by 1 / n. Up to here that is four roundings of them.
constexpr std::int64_t largest_whole_of_log = std::int64_t{1} << 46U;

/// One number each: those given, the only one given, or the default.
Vector one_each(const Vector& given, std::size_t count, double otherwise) {
  if (given.size() == count) return given;
  return Vector(count, given.empty() ? otherwise : given[0]);
}

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

/// Whether a value is a known one, is its text, or has it for its text.
bool is_same(const Value& known, const Value& value) {
  if (is_number(known)) return number_in(value) == number_in(known);
  const auto* const text = std::get_if<std::string>(&value);
  const auto* const yes = std::get_if<bool>(&known);
  if (yes == nullptr && text == nullptr) return known == Value(text_of(value));
  if (yes == nullptr || text == nullptr) return known == value;
  return *text == text_of(known) || *text == (*yes ? "True" : "False");  // the latter is Python's
}

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

/// Checks one parameter, context or limit; every message begins with its name.
class Check {
 public:
  Check(const std::string& what, const std::string& name)
      : begin_("the " + what + " '" + name + "': ") {
    base::require(is_name(name), "the " + what + " '" + name +
                                     "' must have a name of letters, digits and underscores that "
                                     "does not begin with a digit");
  }

  void operator()(const Number& number) const {
    require(base::is_moderate(number.from) && base::is_moderate(number.to),
            "from and to must be numbers of magnitude up to 1e50");
    require(number.from < number.to, "from (" + base::number_text(number.from) +
                                         ") must be below to (" + base::number_text(number.to) +
                                         ")");
    require(number.scale == Scale::linear || number.from >= smallest_number,
            "on a log scale from must be at least 1e-50, not " + base::number_text(number.from));
    require(number.scale == Scale::linear || math::log(number.from) < math::log(number.to),
            "on a log scale from and to must be further apart");
  }
  void operator()(const Integer& integer) const {
    require(integer.from < integer.to, "from (" + std::to_string(integer.from) +
                                           ") must be below to (" + std::to_string(integer.to) +
                                           ")");
    require(integer.from >= -largest_whole && integer.to <= largest_whole,
            "whole numbers must be from -2^53 to 2^53");
    const std::int64_t range = integer.to - integer.from;
    require(integer.step >= 1, "the step must be at least 1, not " + std::to_string(integer.step));
    require(integer.step <= range, "the step must be at most to - from (" + std::to_string(range) +
                                       "), not " + std::to_string(integer.step));
    const std::int64_t over = range % integer.step;
    require(over == 0, "to (" + std::to_string(integer.to) + ") must be some steps of " +
                           std::to_string(integer.step) + " from " + std::to_string(integer.from) +
                           ", such as " + std::to_string(integer.to - over) + " or " +
                           std::to_string(integer.to - over + integer.step));
    require(
        integer.scale == Scale::linear || (integer.from >= 1 && integer.to <= largest_whole_of_log),
        "on a log scale whole numbers must be from 1 to 2^46");
  }
  void operator()(const Choice& choice) const {
    check_names(choice.names, "a choice");
    if (choice.values.empty()) return;
    for (const Value& value : choice.values) check_value(value);
    require(choice.names == Choice::of(choice.values).names,
            "the names of a choice must be the texts of its values: make it with Choice::of");
  }
  void operator()(const Levels& levels) const {
    const std::vector<Value>& all = levels.levels;
    check_names(Choice::of(all).names, "a parameter with levels", "level");
    for (const Value& level : all) check_value(level);
    const bool are_names = std::all_of(all.begin(), all.end(), [](const Value& level) {
      return std::holds_alternative<std::string>(level);
    });
    const auto rises = [](const Value& a, const Value& b) {
      return is_number(a) && is_number(b) && *number_in(a) < *number_in(b);
    };
    const bool rise = std::adjacent_find(all.begin(), all.end(), std::not_fn(rises)) == all.end();
    require(are_names || rise, "levels must be numbers that rise, or names, not " + text_of(all));
  }
  void operator()(const Fixed& fixed) const { check_value(fixed.value); }
  void operator()(const Cyclic& cyclic) const {
    require(
        base::is_moderate_positive(cyclic.period),
        "the period must be a number from 1e-50 to 1e50, not " + base::number_text(cyclic.period));
  }
  void operator()(const Clock& /*clock*/) const {}
  void operator()(const SpaceLimit& limit) const {
    const auto& [most, least, each, over_all] = limit.limit;
    for (const char* const taken : {"loss", "count", "error"}) {
      require(limit.name != taken, "the name means something else where a loss is told");
    }
    require(most.has_value() != least.has_value(), "give most or least, one of the two");
    require(base::is_moderate(most ? *most : *least),
            "most and least must be numbers of magnitude up to 1e50");
    require(each >= 0.5 && each <= 1 - 1e-9,
            "each must be a probability from 0.5 to 1 - 1e-9, not " + base::number_text(each));
    require(!over_all || each == Limit().each,
            "a limit over all rounds is on their mean, and each is of those of each round");
  }
  void operator()(const Shares& shares) const {
    check_names(shares.names, "a division into shares");
    const std::size_t n = shares.names.size();
    require(
        base::is_moderate_positive(shares.total),
        "the total must be a number from 1e-50 to 1e50, not " + base::number_text(shares.total));
    for (const auto& [word, bounds] : {std::pair{"least", &shares.least}, {"most", &shares.most}}) {
      require(bounds->empty() || bounds->size() == 1 || bounds->size() == n,
              word + (" must be one number, or one for each of the " + std::to_string(n)) +
                  " names, not " + std::to_string(bounds->size()));
    }
    const Vector least = one_each(shares.least, n, 0);
    const Vector most = one_each(shares.most, n, shares.total);
    for (std::size_t i = 0; i < n; ++i) {
      require(least[i] >= 0 && least[i] < most[i] && most[i] <= shares.total,
              "the share of '" + shares.names[i] + "' must be from least to most within 0 to " +
                  base::number_text(shares.total) + ", not from " + base::number_text(least[i]) +
                  " to " + base::number_text(most[i]));
    }
    const double sum_least = std::accumulate(least.begin(), least.end(), 0.0);
    const double sum_most = std::accumulate(most.begin(), most.end(), 0.0);
    require(sum_least < shares.total, "the least shares sum to " + base::number_text(sum_least) +
                                          ", which leaves nothing of the total " +
                                          base::number_text(shares.total) + " to decide");
    require(sum_most > shares.total, "the largest shares sum to " + base::number_text(sum_most) +
                                         ", which leaves nothing to decide: the total is " +
                                         base::number_text(shares.total));
  }

  void require(bool condition, const std::string& message) const {
    base::require(condition, begin_ + message);
  }

 private:
  void check_names(std::vector<std::string> names, const std::string& what,
                   const std::string& each = "name") const {
    require(names.size() >= 2, what + " needs at least two " + each + "s");
    for (const std::string& name : names) require(!name.empty(), "a " + each + " is empty");
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) require(false, "the " + each + " '" + *twice + "' is there twice");
  }
  void check_value(const Value& value) const {
    require(!std::holds_alternative<Vector>(value),
            "a value must be a number, a name, or true or false, not a list");
    const auto* const number = std::get_if<double>(&value);
    require(number == nullptr || base::is_moderate(*number),
            "a number must be of magnitude up to 1e50, not " + text_of(value));
  }

  std::string begin_;
};

Vector ends(const SpaceParameter& parameter, bool upper) {
  struct Ends {
    Vector operator()(const Number& number) const {
      const double end = up ? number.to : number.from;
      return {number.scale == Scale::log ? math::log(end) : end};
    }
    Vector operator()(const Integer& integer) const {
      const auto end = static_cast<double>(up ? integer.to : integer.from);
      return {integer.scale == Scale::log ? math::log(end) : end};
    }
    Vector operator()(const Choice& choice) const {
      return Vector(choice.names.size(), up ? 1.0 : 0.0);
    }
    Vector operator()(const Levels& levels) const {
      return {up ? static_cast<double>(levels.levels.size() - 1) : 0.0};
    }
    Vector operator()(const Fixed& /*fixed*/) const { return {}; }
    Vector operator()(const Shares& shares) const {
      return up ? one_each(shares.most, shares.names.size(), shares.total)
                : one_each(shares.least, shares.names.size(), 0);
    }
    bool up;
  };
  return of_domain(parameter, Ends{upper});
}

}  // namespace

void check(const SpaceParameter& parameter) {
  of_domain(parameter, Check("parameter", parameter.name));
}

void check(const SpaceContext& context) {
  std::visit(Check("context", context.name), context.domain);
}

void check(const SpaceLimit& limit) { Check("limit", limit.name)(limit); }

std::vector<std::string> names_of(const SpaceParameter& parameter) {
  if (const auto* choice = std::get_if<Choice>(&parameter.domain)) return choice->names;
  if (const auto* shares = std::get_if<Shares>(&parameter.domain)) return shares->names;
  return {};
}

Value value_of(const Choice& choice, std::size_t place) {
  return choice.values.empty() ? Value(choice.names[place]) : choice.values[place];
}

std::optional<std::size_t> place_of(const std::vector<Value>& values, const Value& value) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_same(values[i], value)) return i;
  }
  return {};
}

std::optional<std::size_t> place_of(const Choice& choice, const Value& value) {
  if (!choice.values.empty()) return place_of(choice.values, value);
  return place_of(std::vector<Value>(choice.names.begin(), choice.names.end()), value);
}

std::optional<double> number_in(const Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? std::nullopt : base::read_number(*text);
}

std::string text_of(const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* const list = std::get_if<Vector>(&value)) return base::whole_list_text(*list);
  return base::number_text(*number_in(value));
}

std::string text_of(const std::vector<Value>& values) {
  return base::joined(Choice::of(values).names);
}

std::size_t width(const SpaceParameter& parameter) {
  if (std::holds_alternative<Fixed>(parameter.domain)) return 0;
  return std::max<std::size_t>(1, names_of(parameter).size());
}

Vector lower_bounds(const SpaceParameter& parameter) { return ends(parameter, false); }
Vector upper_bounds(const SpaceParameter& parameter) { return ends(parameter, true); }

bool is_log(const SpaceParameter& parameter) {
  const auto* const number = std::get_if<Number>(&parameter.domain);
  const auto* const integer = std::get_if<Integer>(&parameter.domain);
  return (number != nullptr && number->scale == Scale::log) ||
         (integer != nullptr && integer->scale == Scale::log);
}

double Ladder::at(std::int64_t place) const {
  // In whole numbers, for a place may be beyond 2^53.
  const auto value = static_cast<double>(static_cast<std::int64_t>(from) +
                                         place * static_cast<std::int64_t>(step));
  return scale == Scale::log ? math::log(value) : value;
}

std::int64_t Ladder::below(double x) const {
  const double value = scale == Scale::log ? math::exp(x) : x;
  auto place = static_cast<std::int64_t>(
      std::clamp(std::floor((value - from) / step), 0.0, static_cast<double>(last)));
  while (place < last && at(place + 1) <= x) ++place;
  while (place > 0 && at(place) > x) --place;
  return place;
}

std::optional<Ladder> ladder_of(const SpaceParameter& parameter) {
  if (const auto* const levels = std::get_if<Levels>(&parameter.domain)) {
    return Ladder{.last = static_cast<std::int64_t>(levels->levels.size()) - 1};
  }
  const auto* const integer = std::get_if<Integer>(&parameter.domain);
  if (integer == nullptr) return {};
  return Ladder{.from = static_cast<double>(integer->from),
                .last = (integer->to - integer->from) / integer->step,
                .step = static_cast<double>(integer->step),
                .scale = integer->scale};
}

double total(const SpaceParameter& parameter) {
  const auto* shares = std::get_if<Shares>(&parameter.domain);
  return shares == nullptr ? 1 : shares->total;
}

}  // namespace keyhole::spaces

namespace keyhole {

Choice Choice::of(std::vector<Value> values) {
  Choice choice;
  for (const Value& value : values) choice.names.push_back(spaces::text_of(value));
  const bool are_names = std::all_of(values.begin(), values.end(), [](const Value& value) {
    return std::holds_alternative<std::string>(value);
  });
  if (!are_names) choice.values = std::move(values);
  return choice;
}

}  // namespace keyhole
