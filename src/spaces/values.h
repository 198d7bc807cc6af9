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

/// The number that a value is. Throws InvalidArgument, which begins with what it is of ("the
/// context 'load'"), for a text, a list and a number beyond 1e50. NaN is one.
[[nodiscard]] double number_of(const std::string& what, const Value& value);

/// Throws InvalidArgument for a name that is there twice. `what` is what it is the name of:
/// "context".
void require_each_once(const Values& values, const std::string& what);

/// Writes the coordinates of a value. Throws InvalidArgument, which names the parameter, if it does
/// not take the value.
void write_value(const SpaceParameter& parameter, const Value& value, std::span<double> x);

/// The same of the nearest value that it takes. Shares are written as they are.
void write_nearest(const SpaceParameter& parameter, const Value& value, std::span<double> x);

/// What a play gets if whole numbers are rounded one by one, whatever the constraints: what
/// Space::values() gave until constraints held for whole numbers.
[[nodiscard]] Values drawn_one_by_one(const Space& space, std::span<const double> point,
                                      std::uint64_t seed, std::uint64_t play, std::uint64_t stream);
/// The same of Space::likeliest().
[[nodiscard]] Values likeliest_one_by_one(const Space& space, std::span<const double> point);

/// The point with the whole numbers of the values.
[[nodiscard]] std::vector<double> rounded(const Space& space, std::span<const double> point,
                                          const Values& values);

}  // namespace keyhole::spaces
