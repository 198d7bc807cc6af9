#pragma once

namespace keyhole::problems {

/// argmin of slope s + curvature s^2 / 2 over 0 <= s <= longest, for curvature >= 0.
inline double parabola_minimum(double slope, double curvature, double longest) {
  if (slope >= 0) return 0;
  // Also where there is no curvature.
  if (-slope >= curvature * longest) return longest;
  return -slope / curvature;
}

}  // namespace keyhole::problems
