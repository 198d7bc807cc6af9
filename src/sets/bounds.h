// Lower and upper bounds of coordinates, as several sets take them.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace keyhole::sets {

/// Throws InvalidArgument unless there are as many lower as upper bounds, at least one of each, all
/// are moderate numbers, and each lower bound is below its upper bound; `what` names the set, as in
/// "a box".
void require_bounds(const std::string& what, std::span<const double> lower,
                    std::span<const double> upper);

/// Throws InvalidArgument unless the centre has n coordinates, all moderate numbers.
void require_centre(const std::string& what, std::size_t n, std::span<const double> centre);

/// The side of the box that is first met from p on the way to w.
struct FarthestSide {
  /// The gauge of the box about p: (w_i - p_i) / room.
  double gauge = 0;
  /// From p to the side; negative for a lower bound.
  double room = 0;
  /// i; the dimension if no side has a gauge above the least one asked for.
  std::size_t coordinate = 0;
};
[[nodiscard]] FarthestSide farthest_side(std::span<const double> p, std::span<const double> w,
                                         std::span<const double> lower,
                                         std::span<const double> upper, double least = 0);

/// The centre of a largest ball inside, of radius r <= most: the point of [lower + r, upper - r]
/// nearest to `about`, where fits(point, r) holds for all smaller r if it does for one.
template <class Fits>
std::vector<double> centre_in_box(std::span<const double> lower, std::span<const double> upper,
                                  std::span<const double> about, double most, Fits fits) {
  std::vector<double> p(lower.size());
  const auto try_radius = [&](double r) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = std::clamp(about[i], lower[i] + r, std::max(lower[i] + r, upper[i] - r));
    }
    return fits(p, r);
  };
  double low = 0;
  double high = most;
  for (std::size_t i = 0; i < p.size(); ++i) high = std::min(high, (upper[i] - lower[i]) / 2);
  if (try_radius(high)) return p;
  constexpr int halvings = 80;
  for (int k = 0; k < halvings; ++k) {
    const double middle = low + (high - low) / 2;
    (try_radius(middle) ? low : high) = middle;
  }
  (void)try_radius(low);
  return p;
}

/// "lower, upper" of a spec: two numbers and the dimension, "0, 1, 3", if all bounds are the same,
/// else two lists.
[[nodiscard]] std::string bounds_text(std::span<const double> lower, std::span<const double> upper);

}  // namespace keyhole::sets
