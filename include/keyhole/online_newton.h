#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The largest hull_dimension() that online_newton plays in: a round takes n^3 operations.
inline constexpr std::size_t most_newton_dimensions = 64;

/// Options of online_newton.
struct OnlineNewtonOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required: losses are
  /// divided by G rho, which makes them 1-Lipschitz in lengths of rho. Noise should not be larger
  /// than G rho.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// rho: no farther than this from the start is the best point looked for; the unit of length.
  /// Default: min(D, R + ||start - p||), R for the start at the centre.
  std::optional<double> radius = {};
  /// Overrides eta, for every horizon, in units of rho and G. Default: sqrt(n / T) / (1 + 1/n).
  std::optional<double> eta = {};
  /// lambda, the weight of the curvature. Default: 1/n.
  std::optional<double> lambda = {};
  /// b, in multiples of G R: how steeply the losses are continued outside the set. From 3 on the
  /// continuation of a convex loss without noise is convex.
  double penalty = 3;
  /// mu_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Lattimore and Gyorgy, "A second-order method for stochastic bandit convex optimisation" (COLT
/// 2023), for few dimensions: a yardstick for the rate T^(1/2), which its authors prove for losses
/// that are stationary but for noise, defined everywhere and Lipschitz. Here plays must stay in K,
/// which makes it a heuristic: X is drawn, K's gauge brings it in, and the loss is continued to X.
/// All points are meant from p on and in lengths of rho, losses f in units of G rho; n is the
/// hull's dimension, P the inverse of Sigma, gamma_t = max(1, gauge(X_t)), b as in the options.
///
///   mu_1 = start, P = n^2;  X_t ~ N(mu, Sigma);  play y_t = X_t / gamma_t;  Y_t = f_t(y_t)
///   D = gamma_t (Y_t - Y_{t-1}) + b R / rho (gamma_t - gamma_{t-1});  v = P (X_t - mu)
///   P <- P + eta lambda / 4 D (v v' - P);  mu <- mu - eta D Sigma v
///
/// No eigenvalue of P falls below n^2 / 2. D is clipped where it would change P by more than half.
/// Works on every set of at most most_newton_dimensions; without a closed gauge by bisection on
/// contains(), about 45 calls a play. No regret bound.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> online_newton(SetPtr set,
                                                              const OnlineNewtonOptions& options);

}  // namespace algorithms

using algorithms::online_newton;

}  // namespace keyhole
#pragma GCC visibility pop
