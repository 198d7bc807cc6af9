#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Options of gauge.
struct GaugeOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required by delta's
  /// formula, and by the regret bound.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// Overrides delta, for every horizon; at most r.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Gradient descent on a ball around the set, lifted to the set by its gauge: Mhammedi, "Efficient
/// Projection-Free Online Convex Optimization with Membership Oracle" (COLT 2022), Algorithm 1, fed
/// with one-point estimates. A round takes one gauge, on polytopes one matrix-vector product, where
/// others take a projection or a linear program. The set must have a gauge. Expected regret
/// O(T^(3/4)). n is the hull's dimension, alpha = delta / r, gamma the gauge of
/// p + (1 - alpha) (K - p) about p and s its subgradient at w; all points are meant from p on.
///
///   x_t = w_t / max(1, gamma(w_t));  y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   h_t = g_t, less (g_t . x_t) s if gamma(w_t) >= 1 and g_t . w_t < 0
///   w_{t+1} = projection onto the ball of radius (1 - alpha) R of w_t - eta h_t
///
/// With L = min(D, R + ||start - p||), kappa = R / r:
/// delta = T^(-1/4) sqrt(L (1 + kappa) n M / (G (2 + kappa))), at most r/2,
/// eta = L delta / ((1 + kappa) n M sqrt T).
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> gauge(SetPtr set, const GaugeOptions& options);

}  // namespace algorithms

using algorithms::gauge;

}  // namespace keyhole
#pragma GCC visibility pop
