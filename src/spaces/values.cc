#include "spaces/values.h"

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/require.h"
#include "math/elementary.h"
#include "spaces/domains.h"

namespace keyhole::spaces {
namespace {

using Vector = std::vector<double>;

/// x within the range.
double within(double x, const SpaceParameter& parameter) {
  return std::clamp(x, lower_bounds(parameter)[0], upper_bounds(parameter)[0]);
}

/// The index at which the sums of the weights pass a share of their total.
std::size_t index_at(std::span<const double> weights, double share) {
  double sum = 0;
  for (const double weight : weights) sum += std::max(0.0, weight);
  double left = share * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    last = i;
    left -= weights[i];
    if (left < 0) return i;
  }
  return last;
}

/// The number of a logarithm. Several have the same one: one of few digits is taken, so that what a
/// user wrote comes back.
double number_of_log(double x, const Number& number) {
  const double value = std::clamp(math::exp(x), number.from, number.to);
  for (const int digits : {12, 15}) {
    const double shorter = base::rounded(value, digits);
    const bool inside = shorter >= number.from && shorter <= number.to;
    if (inside && math::log(shorter) == x) return shorter;
  }
  return value;
}

/// Reads the coordinates of a value.
class Read {
 public:
  Read(const SpaceParameter& parameter, std::span<const double> x, const Decide& decide)
      : parameter_(parameter), x_(x), decide_(decide) {}

  Value operator()(const Number& number) const {
    if (x_[0] <= lower_bounds(parameter_)[0]) return number.from;
    if (x_[0] >= upper_bounds(parameter_)[0]) return number.to;
    if (number.scale == Scale::linear) return x_[0];
    return number_of_log(x_[0], number);
  }
  Value operator()(const Integer& integer) const { return integer.from + integer.step * place(); }
  Value operator()(const Levels& levels) const {
    return levels.levels[static_cast<std::size_t>(place())];
  }
  Value operator()(const Fixed& fixed) const { return fixed.value; }
  Value operator()(const Choice& choice) const {
    if (const std::optional<double> share = decide_()) {
      return value_of(choice, index_at(x_, *share));
    }
    const auto likeliest = std::max_element(x_.begin(), x_.end()) - x_.begin();
    return value_of(choice, static_cast<std::size_t>(likeliest));
  }
  Value operator()(const Shares& /*shares*/) const { return Vector(x_.begin(), x_.end()); }

 private:
  /// The place on the ladder below or above, so that the mean of its coordinate is x.
  [[nodiscard]] std::int64_t place() const {
    const Ladder ladder = *ladder_of(parameter_);
    const double x = within(x_[0], parameter_);
    const std::int64_t below = ladder.below(x);
    const double share = decide_().value_or(0.5);
    if (below == ladder.last) return below;
    const double start = ladder.at(below);
    return below + (x - start > share * (ladder.at(below + 1) - start) ? 1 : 0);
  }

  const SpaceParameter& parameter_;
  std::span<const double> x_;
  const Decide& decide_;
};

/// Writes the coordinates of a value.
class Write {
 public:
  Write(const SpaceParameter& parameter, const Value& value, std::span<double> x, bool nearest)
      : parameter_(parameter), value_(value), x_(x), nearest_(nearest) {}

  void operator()(const Number& number) const {
    const double value = nearest_ ? std::clamp(a_number(), number.from, number.to) : a_number();
    require(value >= number.from && value <= number.to,
            "must be from " + base::number_text(number.from) + " to " +
                base::number_text(number.to) + ", not " + base::number_text(value));
    x_[0] = number.scale == Scale::log ? within(math::log(value), parameter_) : value;
  }
  void operator()(const Integer& integer) const {
    const auto from = static_cast<double>(integer.from);
    const auto to = static_cast<double>(integer.to);
    const auto step = static_cast<double>(integer.step);
    const double value =
        nearest_ ? std::clamp(from + step * std::round((a_number() - from) / step), from, to)
                 : a_number();
    const double place = (value - from) / step;
    const bool is_whole = value == std::floor(value);  // far from `from` its place is always
    require(is_whole && place == std::floor(place) && value >= from && value <= to,
            "must be a whole number from " + std::to_string(integer.from) + " to " +
                std::to_string(integer.to) +
                (integer.step == 1 ? "" : " in steps of " + std::to_string(integer.step)) +
                ", not " + base::number_text(value));
    x_[0] = integer.scale == Scale::log ? within(math::log(value), parameter_) : value;
  }
  void operator()(const Choice& choice) const {
    const std::optional<std::size_t> place = place_of(choice, value_);
    if (!place) {
      const auto* const name = std::get_if<std::string>(&value_);
      require(name != nullptr, choice.values.empty() ? "must be one of its names"
                                                     : "must be one of " + text_of(choice.values) +
                                                           ", not " + text_of(value_));
      require(false, "has no '" + *name + "'" + base::suggestion(*name, choice.names));
    }
    std::fill(x_.begin(), x_.end(), 0.0);
    x_[*place] = 1;
  }
  void operator()(const Levels& levels) const {
    std::optional<std::size_t> place = place_of(levels.levels, value_);
    const std::optional<double> number = number_in(value_);
    const bool are_names = std::holds_alternative<std::string>(levels.levels[0]);
    if (!place && nearest_ && number && std::isfinite(*number) && !are_names) {
      const auto distance = [&](const Value& level) {
        return std::abs(*number_in(level) - *number);
      };
      const auto nearest = std::min_element(
          levels.levels.begin(), levels.levels.end(),
          [&](const Value& a, const Value& b) { return distance(a) < distance(b); });
      place = static_cast<std::size_t>(nearest - levels.levels.begin());
    }
    require(place.has_value(),
            "must be one of " + text_of(levels.levels) + ", not " + text_of(value_));
    x_[0] = static_cast<double>(*place);
  }
  void operator()(const Fixed& fixed) const {
    require(nearest_ || place_of({fixed.value}, value_),
            "is fixed at " + text_of(fixed.value) + ", and cannot be " + text_of(value_));
  }
  void operator()(const Shares& shares) const {
    const auto* const list = std::get_if<Vector>(&value_);
    require(list != nullptr && list->size() == x_.size(),
            "must have a share for each of its " + std::to_string(x_.size()) + " names");
    if (nearest_) {
      std::copy(list->begin(), list->end(), x_.begin());
      return;
    }
    double sum = 0;
    for (const double share : *list) sum += share;
    require(std::abs(sum - shares.total) <= 1e-9 * shares.total,
            "must have shares that sum to " + base::number_text(shares.total) + ", not " +
                base::number_text(sum));
    const Vector least = lower_bounds(parameter_);
    const Vector most = upper_bounds(parameter_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = (*list)[i];
      require(x_[i] >= least[i] && x_[i] <= most[i],
              "must have a share of '" + shares.names[i] + "' from " + base::number_text(least[i]) +
                  " to " + base::number_text(most[i]) + ", not " + base::number_text(x_[i]));
    }
  }

 private:
  [[nodiscard]] double a_number() const {
    if (const auto* const whole = std::get_if<std::int64_t>(&value_)) {
      return static_cast<double>(*whole);
    }
    const auto* const number = std::get_if<double>(&value_);
    require(number != nullptr, "must be a number");
    return *number;
  }
  void require(bool condition, const std::string& message) const {
    base::require(condition, "the parameter '" + parameter_.name + "' " + message);
  }

  const SpaceParameter& parameter_;
  const Value& value_;
  std::span<double> x_;
  bool nearest_;
};

}  // namespace

void require_each_once(const Values& values, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw InvalidArgument("the " + what + " '" + *twice + "' is there twice");
}

double number_of(const std::string& what, const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) {
    throw InvalidArgument(what + " must be a number, not '" + *text + "'");
  }
  base::require(!std::holds_alternative<Vector>(value), what + " must be a number, not a list");
  const std::optional<double> number = number_in(value);
  base::require(number.has_value(), what + " must be a number, not " + text_of(value));
  const double given = *number;
  base::require(
      std::isnan(given) || base::is_moderate(given),
      what + " must be a number of magnitude up to 1e50, not " + base::number_text(given));
  return given;
}

Value value_at(const SpaceParameter& parameter, std::span<const double> x, const Decide& decide) {
  return of_domain(parameter, Read(parameter, x, decide));
}

void write_value(const SpaceParameter& parameter, const Value& value, std::span<double> x) {
  of_domain(parameter, Write(parameter, value, x, false));
}

void write_nearest(const SpaceParameter& parameter, const Value& value, std::span<double> x) {
  of_domain(parameter, Write(parameter, value, x, true));
}

}  // namespace keyhole::spaces
