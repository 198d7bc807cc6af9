#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "instances.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"

namespace keyhole::tests {

/// {lower <= x <= upper} and {x >= 0, sum x = total} or {x >= 0, sum x <= total}: the cheapest
/// coordinates are filled first.
inline Instance random_intersection(std::size_t wanted, Random& random) {
  const std::size_t n = std::min<std::size_t>(wanted, 12);  // projections take long
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  for (std::size_t j = 0; j < n; ++j) {
    lower[j] = random.uniform(-1, 0.5);
    upper[j] = std::max(lower[j], 0.0) + random.uniform(0.2, 1);
  }
  const auto least = [lower](std::size_t j) { return std::max(lower[j], 0.0); };
  double low = 0;
  double high = 0;
  for (std::size_t j = 0; j < n; ++j) {
    low += least(j);
    high += upper[j];
  }
  const double total = low + random.uniform(0.3, 0.7) * (high - low);
  const bool solid = random.integer(0, 1) == 0;
  const SetPtr of_sum = solid ? solid_simplex(n, total) : simplex(n, total);
  return {intersection({box(lower, upper), of_sum}), [=](std::span<const double> d) {
            std::vector<std::size_t> order(n);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::sort(order.begin(), order.end(),
                      [&](std::size_t i, std::size_t j) { return d[i] < d[j]; });
            double left = total - low;
            double value = 0;
            for (std::size_t j = 0; j < n; ++j) value += d[j] * least(j);
            for (const std::size_t j : order) {
              const double more = solid && d[j] >= 0 ? 0 : std::min(left, upper[j] - least(j));
              value += d[j] * more;
              left -= more;
            }
            return value;
          }};
}

inline std::vector<InstanceFamily> set_algebra_instances() {
  return {{"intersection", random_intersection}};
}

}  // namespace keyhole::tests
