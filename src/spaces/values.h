// Points of a space as values, and values as points.

#pragma once

#include <functional>
#include <optional>
#include <span>

#include "keyhole/space.h"

namespace keyhole::spaces {

/// A number from 0 to 1 that rounds or chooses; none for what is nearest or likeliest.
using Decide = std::function<std::optional<double>()>;

/// The value of a parameter at its coordinates.
[[nodiscard]] Value value_at(const SpaceParameter& parameter, std::span<const double> x,
                             const Decide& decide);

/// Writes the coordinates of a value. Throws InvalidArgument, which names the parameter, if it does
/// not take the value.
void write_value(const SpaceParameter& parameter, const Value& value, std::span<double> x);

/// The same of the nearest value that it takes. Shares are written as they are.
void write_nearest(const SpaceParameter& parameter, const Value& value, std::span<double> x);

}  // namespace keyhole::spaces
