#include "sets/bisected_gauge.h"

#include <cmath>

#include "math/sums.h"

namespace keyhole::sets {

double bisected_gauge(const Set& set, std::span<const double> w, std::span<double> scratch) {
  const std::vector<double>& p = set.centre();
  const double* const from = p.data();
  const double length = std::sqrt(
      math::reduce(w.size(), [&](std::size_t i) { return (w[i] - from[i]) * (w[i] - from[i]); }));
  double low = length / set.outer_radius();   // outside, or at the farthest point of K
  double high = length / set.inner_radius();  // inside, but for rounding
  while (high - low > 1e-13 * high) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;  // of denormal numbers
    for (std::size_t i = 0; i < w.size(); ++i) scratch[i] = p[i] + (w[i] - p[i]) / middle;
    (set.contains(scratch) ? high : low) = middle;
  }
  return high;
}

}  // namespace keyhole::sets
