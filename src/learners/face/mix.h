#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "learners/face/hull.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {

/// w = argmin of <l, w> + c w'Qw over w >= 0, sum w <= 1: by pairwise conditional gradients
/// (Lacoste-Julien, Jaggi, "On the global linear convergence of Frank-Wolfe optimization variants",
/// 2015), the start being the vertex w = 0. A step takes O(k) operations. After construction
/// nothing allocates.
class Mix {
 public:
  /// For up to so many points.
  explicit Mix(std::size_t most) : gradient_(most) {}

  /// From w on. Returns the least value; squared is w'Qw.
  double find(const Hull& hull, std::span<const double> l, double c, std::span<double> w,
              double& squared) {
    const std::size_t k = w.size();
    const std::span<double> g = std::span(gradient_).first(k);
    std::copy(l.begin(), l.end(), g.begin());
    double at_start = 1;
    for (std::size_t j = 0; j < k; ++j) {
      if (w[j] == 0) continue;
      at_start -= w[j];
      math::add(g, 2 * c * w[j], hull.row(j));
    }
    at_start = std::max(at_start, 0.0);
    double first_gap = 0;
    for (int step = 0; step < most_steps; ++step) {
      std::size_t to = k;  // k is the start
      std::size_t from = k;
      double low = 0;
      double high = at_start > 1e-12 ? 0 : -1e300;
      for (std::size_t j = 0; j < k; ++j) {
        if (g[j] < low) {
          low = g[j];
          to = j;
        }
        if (w[j] > 0 && g[j] > high) {
          high = g[j];
          from = j;
        }
      }
      const double gap = high - low;
      if (step == 0) first_gap = gap;
      if (!(gap > tolerance * first_gap) || gap < 1e-12) break;
      double bend = to < k ? hull.row(to)[to] : 0;
      if (from < k) bend += hull.row(from)[from];
      if (to < k && from < k) bend -= 2 * hull.row(to)[from];
      double& has = from < k ? w[from] : at_start;
      const double s = std::min(has, gap / std::max(2 * c * bend, 1e-300));
      has = s == has ? 0 : has - s;
      (to < k ? w[to] : at_start) += s;
      if (to < k) math::add(g, 2 * c * s, hull.row(to));
      if (from < k) math::add(g, -2 * c * s, hull.row(from));
    }
    squared = math::reduce(k, [&](std::size_t j) { return w[j] * (g[j] - l[j]); }) / (2 * c);
    return math::dot(l, w) + c * squared;
  }

  /// The slopes there.
  [[nodiscard]] std::span<const double> gradient() const noexcept { return gradient_; }

 private:
  static constexpr int most_steps = 600;
  static constexpr double tolerance = 1e-3;  // of the gap at first

  std::vector<double> gradient_;
};

}  // namespace keyhole::algorithms
