// What the kinds of parameters have in common: coordinates, their bounds, checks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/space.h"

namespace keyhole::spaces {

/// What f(domain) is for the kind that it is.
template <class Function>
decltype(auto) of_domain(const SpaceParameter& parameter, Function f) {
  return std::visit(f, parameter.domain);
}

/// Throws InvalidArgument, which names the parameter, if it makes no sense.
void check(const SpaceParameter& parameter);
/// The same of a context.
void check(const SpaceContext& context);
/// The same of a limit.
void check(const SpaceLimit& limit);

/// The names of a choice or of shares; empty for others.
[[nodiscard]] std::vector<std::string> names_of(const SpaceParameter& parameter);

/// The value of a choice by its place.
[[nodiscard]] Value value_of(const Choice& choice, std::size_t place);

/// The place of a value among those of a choice or among levels; none if it is not there. A text
/// stands for the value that it is the text of, as in a table.
[[nodiscard]] std::optional<std::size_t> place_of(const Choice& choice, const Value& value);
[[nodiscard]] std::optional<std::size_t> place_of(const std::vector<Value>& values,
                                                  const Value& value);

/// The number that a value is, or that its text is.
[[nodiscard]] std::optional<double> number_in(const Value& value);

/// "64", "true", "zstd".
[[nodiscard]] std::string text_of(const Value& value);
/// "64, 128, 256".
[[nodiscard]] std::string text_of(const std::vector<Value>& values);

/// How many coordinates the parameter has.
[[nodiscard]] std::size_t width(const SpaceParameter& parameter);

/// The bounds of its coordinates.
[[nodiscard]] std::vector<double> lower_bounds(const SpaceParameter& parameter);
[[nodiscard]] std::vector<double> upper_bounds(const SpaceParameter& parameter);

/// Whether its coordinate is the logarithm of its value.
[[nodiscard]] bool is_log(const SpaceParameter& parameter);

/// The coordinates of a whole number's values, or of the places of levels: at(0) < at(1) < ... <
/// at(last).
struct Ladder {
  /// The first value.
  double from = 0;
  /// How many values follow, and how far each is from the one before.
  std::int64_t last = 1;
  double step = 1;
  Scale scale = Scale::linear;

  /// The coordinate of a value by its place.
  [[nodiscard]] double at(std::int64_t place) const;
  /// The last place whose coordinate is at most x, which is in the range.
  [[nodiscard]] std::int64_t below(double x) const;
};

/// None for what is neither a whole number nor has levels.
[[nodiscard]] std::optional<Ladder> ladder_of(const SpaceParameter& parameter);

/// What its coordinates sum to, for a choice and shares.
[[nodiscard]] double total(const SpaceParameter& parameter);

}  // namespace keyhole::spaces
