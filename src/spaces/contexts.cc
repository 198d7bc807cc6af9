#include "spaces/contexts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/require.h"
#include "math/elementary.h"
#include "spaces/domains.h"
#include "spaces/named.h"
#include "spaces/values.h"

namespace keyhole::spaces {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double clip_at = 3;  // the range itself ends at sqrt 3

double period_of(const Clock& clock) { return clock.every == Clock::Every::day ? 24 : 7; }

/// The number of a value.
class NumberOf {
 public:
  NumberOf(const std::string& name, const Value& value) : name_(name), value_(value) {}

  double operator()(const Choice& choice) const {
    const auto* const number = std::get_if<double>(&value_);
    if (number != nullptr && std::isnan(*number)) return not_known;
    const auto* const text = std::get_if<std::string>(&value_);
    const std::optional<std::size_t> place = place_of(choice, value_);
    base::require(text != nullptr || place || !choice.values.empty(),
                  "the context '" + name_ + "' must be a name, such as '" + choice.names.front() +
                      "', and is no text");
    base::require(!std::holds_alternative<std::vector<double>>(value_),
                  "the context '" + name_ + "' must be one of its values, not a list");
    if (text != nullptr && text->empty()) return not_known;
    return static_cast<double>(place.value_or(choice.names.size()));  // "another" is the last
  }
  template <class Numeric>
  double operator()(const Numeric& /*any*/) const {
    return number_of("the context '" + name_ + "'", value_);
  }

 private:
  const std::string& name_;
  const Value& value_;
};

/// What a learner takes of a number.
struct Encode {
  double operator()(const Number& range) const {
    const bool is_log = range.scale == Scale::log;
    if (is_log && !(number > 0)) return -std::numeric_limits<double>::infinity();
    const double from = is_log ? math::log(range.from) : range.from;
    const double to = is_log ? math::log(range.to) : range.to;
    const double at = is_log ? math::log(number) : number;
    return (at - (from + to) / 2) * std::sqrt(12.0) / (to - from);
  }
  double operator()(const Cyclic& cyclic) const { return turns(cyclic.period); }
  double operator()(const Clock& clock) const { return turns(period_of(clock)); }
  double operator()(const Choice& /*choice*/) const { return number; }
  [[nodiscard]] double turns(double period) const {
    return number / period - std::floor(number / period);
  }

  double number;
};

/// A text that is none of the names, in place of all that were never listed.
std::string another(const Choice& choice) {
  std::string text = "another";
  while (place_of(choice, text)) text += '_';
  return text;
}

struct WordOf {
  std::string operator()(const Number& /*number*/) const { return "number"; }
  std::string operator()(const Cyclic& /*cyclic*/) const { return "cyclic"; }
  std::string operator()(const Clock& /*clock*/) const { return "cyclic"; }
  std::string operator()(const Choice& choice) const {
    return "choice(" + std::to_string(choice.names.size()) + ")";
  }
};

}  // namespace

std::size_t slopes_of(const SpaceContext& context) {
  if (const auto* const choice = std::get_if<Choice>(&context.domain)) return choice->names.size();
  return std::holds_alternative<Number>(context.domain) ? 1 : 2;
}

std::vector<double> context_numbers(const Space& space, const Values& values) {
  const std::vector<SpaceContext>& contexts = space.contexts();
  std::vector<double> numbers(contexts.size(), not_known);
  require_each_once(values, "context");
  for (const auto& [name, value] : values) {
    const std::size_t place = place_of(contexts, name, "context");
    numbers[place] = std::visit(NumberOf(name, value), contexts[place].domain);
  }
  return numbers;
}

Values context_values(const Space& space, std::span<const double> numbers) {
  Values values;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& [name, domain] = space.contexts()[i];
    if (std::isnan(numbers[i])) continue;
    const auto* const choice = std::get_if<Choice>(&domain);
    if (choice == nullptr) {
      values.emplace_back(name, numbers[i]);
    } else if (numbers[i] >= 0) {
      const bool is_listed = numbers[i] < static_cast<double>(choice->names.size());
      values.emplace_back(name, is_listed ? value_of(*choice, static_cast<std::size_t>(numbers[i]))
                                          : Value(another(*choice)));
    }
  }
  return values;
}

Context context_of(const Space& space, std::span<const double> numbers, std::uint64_t& clipped) {
  Context context;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& domain = space.contexts()[i].domain;
    context.push_back(std::isnan(numbers[i]) ? not_known : std::visit(Encode{numbers[i]}, domain));
    const auto* const choice = std::get_if<Choice>(&domain);
    if (choice != nullptr && numbers[i] >= static_cast<double>(choice->names.size())) ++clipped;
    if (!std::holds_alternative<Number>(domain) || !(std::abs(context.back()) > clip_at)) continue;
    context.back() = std::clamp(context.back(), -clip_at, clip_at);
    ++clipped;
  }
  return context;
}

double clock_number(const Clock& clock, double seconds) {
  constexpr double day = 24 * 3600;
  if (clock.every == Clock::Every::day) return (seconds / day - std::floor(seconds / day)) * 24;
  const double days = seconds / day + 3;  // 1970 began on a Thursday
  return days - 7 * std::floor(days / 7);
}

}  // namespace keyhole::spaces

namespace keyhole {

std::vector<std::string> Space::context_words() const {
  std::vector<std::string> words;
  for (const SpaceContext& context : contexts_) {
    words.push_back(std::visit(spaces::WordOf(), context.domain));
  }
  return words;
}

std::vector<std::string> Space::choice_words() const {
  std::vector<std::string> words;
  if (!constraints_.empty()) return words;
  std::size_t of_context = 1;
  for (const SpaceContext& context : contexts_) of_context += spaces::slopes_of(context);
  std::size_t of_point = set_->hull_dimension() + 1;
  std::size_t combinations = 1;
  std::size_t first = 0;
  for (const SpaceParameter& parameter : parameters_) {
    const std::size_t behind = first + spaces::width(parameter);
    if (const auto* const choice = std::get_if<Choice>(&parameter.domain)) {
      const std::size_t names = choice->names.size();
      const std::size_t left = of_point - (names - 1);
      if (left > 1 && combinations * names <= 32 && left * (of_context + names) <= 256) {
        words.push_back(std::to_string(first) + "-" + std::to_string(behind - 1));
        combinations *= names;
        of_point = left;
        of_context += names;
      }
    }
    first = behind;
  }
  return words;
}

Context Space::context(const Values& values) const {
  std::uint64_t clipped = 0;
  return spaces::context_of(*this, spaces::context_numbers(*this, values), clipped);
}

std::size_t Space::clipped(const Values& values) const {
  std::uint64_t clipped = 0;
  (void)spaces::context_of(*this, spaces::context_numbers(*this, values), clipped);
  return clipped;
}

}  // namespace keyhole
