#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "keyhole/algorithms.h"
#include "keyhole/set.h"
#include "math/elementary.h"

namespace keyhole::algorithms {

/// The sizes of two_point for one horizon T, and what theorems say of them: of gradient descent
/// Zhao, Wang, Zhang, Zhou: "Bandit Convex Optimization in Non-stationary Environments", AISTATS
/// 2020, Theorem 2; of conditional gradient Hazan: "Introduction to Online Convex Optimization",
/// 2nd ed., Theorem 7.3.
struct TwoPointConstants {
  TwoPointConstants(const Set& set, const TwoPointOptions& options, std::uint64_t horizon)
      : descends(options.step == TwoPointStep::gradient_descent),
        r(set.inner_radius()),
        R(set.outer_radius()),
        D(set.diameter()),
        G(*options.gradient_bound),
        n(static_cast<double>(set.hull_dimension())),
        N(std::ceil(static_cast<double>(horizon) / 2)),
        delta(options.delta.value_or(std::min(r / 2, r / std::sqrt(N)))),
        eta(options.eta.value_or(descends ? std::sqrt(3.5) * R / (n * G * std::sqrt(N))
                                          : D / (2 * n * G) * math::pow(N, -0.75))) {}

  /// Twice the regret of the means of the pairs, which is that of x_k on the smoothed losses and
  /// (3 + R/r) G delta a pair. From the centre ||x_1 - x||^2 / 2 is at most R^2 / 2, from another
  /// start 2 R^2: Zhao et al. have 7/4 R^2.
  [[nodiscard]] RegretBound regret_bound(const TwoPointOptions& options) const {
    const std::string condition = ", if both plays of a pair meet the same loss";
    const double of_smoothing = (3 + R / r) * G * delta * N;
    if (descends) {
      const double of_start = options.start.empty() ? 1.75 : 2;
      const double value = of_start * R * R / eta + eta * (n * G) * (n * G) * N / 2 + of_smoothing;
      return {2 * value, true, "Zhao et al. 2020, Theorem 2" + condition};
    }
    if (options.eta) return {.note = "no bound: eta was overridden, and the theorem sets it"};
    const double value = 8 * D * (n * G) * math::pow(N, 0.75) + of_smoothing;
    return {2 * value, true, "Hazan 2022, Theorem 7.3" + condition};
  }

  bool descends;
  double r;
  double R;
  double D;
  double G;
  double n;
  double N;      // the number of pairs
  double delta;  // how far plays are from the iterate
  double eta;    // the step, or the factor of the sum of gradients
};

}  // namespace keyhole::algorithms
