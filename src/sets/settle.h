// Puts points that rounding has moved back on bounds that contains() takes exactly.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace keyhole::sets {

/// A coordinate goes to the nearest number in [low, high] if that is no more than `slack` away.
inline void settle_between(double& coordinate, double low, double high, double slack) {
  const double nearest = std::clamp(coordinate, low, high);
  if (std::abs(coordinate - nearest) <= slack) coordinate = nearest;
}

/// Whether is_outside(i) holds for some i < count. Looks at all, which vector instructions do; a
/// look mostly finds nothing to settle, and is quicker than writing.
template <class IsOutside>
bool any_outside(std::size_t count, IsOutside is_outside) {
  std::uint64_t outside = 0;
  for (std::size_t i = 0; i < count; ++i) outside |= is_outside(i) ? 1U : 0U;
  return outside != 0;
}

/// The same for all coordinates.
inline void settle_between(std::span<double> point, double low, double high, double slack) {
  const double* const x = point.data();
  if (!any_outside(point.size(), [=](std::size_t i) { return (x[i] < low) | (x[i] > high); })) {
    return;
  }
  for (double& coordinate : point) settle_between(coordinate, low, high, slack);
}

/// The same with bounds for each.
inline void settle_between(std::span<double> point, std::span<const double> low,
                           std::span<const double> high, double slack) {
  const double* const x = point.data();
  const double* const l = low.data();
  const double* const h = high.data();
  if (!any_outside(point.size(), [=](std::size_t i) { return (x[i] < l[i]) | (x[i] > h[i]); })) {
    return;
  }
  for (std::size_t i = 0; i < point.size(); ++i) settle_between(point[i], low[i], high[i], slack);
}

/// Coordinates go to 0 that are negative, by no more than `slack`.
inline void settle_signs(std::span<double> point, double slack) {
  const double* const x = point.data();
  if (!any_outside(point.size(), [=](std::size_t i) { return x[i] < 0; })) return;
  for (double& coordinate : point) {
    if (coordinate < 0 && coordinate >= -slack) coordinate = 0;
  }
}

}  // namespace keyhole::sets
