// What the kinds of parameters have in common: coordinates, their bounds, checks.

#pragma once

#include <cstddef>
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

/// The names of a choice or of shares; empty for numbers.
[[nodiscard]] std::vector<std::string> names_of(const SpaceParameter& parameter);

/// How many coordinates the parameter has.
[[nodiscard]] std::size_t width(const SpaceParameter& parameter);

/// The bounds of its coordinates.
[[nodiscard]] std::vector<double> lower_bounds(const SpaceParameter& parameter);
[[nodiscard]] std::vector<double> upper_bounds(const SpaceParameter& parameter);

/// What its coordinates sum to, for a choice and shares.
[[nodiscard]] double total(const SpaceParameter& parameter);

}  // namespace keyhole::spaces
