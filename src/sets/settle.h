// Puts points that rounding has moved back on bounds that contains() takes exactly.

#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace keyhole {

/// A coordinate goes to the nearest number in [low, high] if that is no more than `slack` away.
inline void settle_between(double& coordinate, double low, double high, double slack) {
  const double nearest = std::clamp(coordinate, low, high);
  if (std::abs(coordinate - nearest) <= slack) coordinate = nearest;
}

/// The same for all coordinates.
inline void settle_between(std::span<double> point, double low, double high, double slack) {
  for (double& coordinate : point) settle_between(coordinate, low, high, slack);
}

/// The same with bounds for each.
inline void settle_between(std::span<double> point, std::span<const double> low,
                           std::span<const double> high, double slack) {
  for (std::size_t i = 0; i < point.size(); ++i) settle_between(point[i], low[i], high[i], slack);
}

/// Coordinates go to 0 that are negative, by no more than `slack`.
inline void settle_signs(std::span<double> point, double slack) {
  for (double& coordinate : point) {
    if (coordinate < 0 && coordinate >= -slack) coordinate = 0;
  }
}

}  // namespace keyhole
