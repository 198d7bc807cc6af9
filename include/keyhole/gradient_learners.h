#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/gradient_algorithm.h"

namespace keyhole {

/// Options of ogd.
struct OgdOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required; longer
  /// gradients are learned from all the same, and counted.
  double gradient_bound = std::numeric_limits<double>::quiet_NaN();
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

/// Online gradient descent (Zinkevich, "Online convex programming and generalized infinitesimal
/// gradient ascent", ICML 2003). One projection a round: the set must be able to. It needs no
/// horizon. Regret at most 3/2 G D sqrt T.
///
///   play x_t;  x_{t+1} = projection onto K of x_t - eta_t g_t,  eta_t = D / (G sqrt t)
///
/// A gradient that comes late makes its step when it comes, with the eta of its own play.
[[nodiscard]] std::unique_ptr<GradientAlgorithm> ogd(SetPtr set, const OgdOptions& options);

/// Options of ocg.
struct OcgOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required; longer
  /// gradients are learned from all the same, and counted.
  double gradient_bound = std::numeric_limits<double>::quiet_NaN();
  /// T: the number of rounds. anytime() chooses its own.
  std::uint64_t horizon = 1;
  /// Overrides the theorem's eta, for every horizon. The regret bound is then void.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

/// Online conditional gradient with the classic constants (Hazan, "Introduction to Online Convex
/// Optimization", 2nd ed., Algorithm 27 and Theorem 7.3). One linear minimisation a round. Regret
/// at most 8 D G T^(3/4).
///
///   eta = D / (2 G T^(3/4)), sigma_t = min(1, 2 / sqrt t)
///   play x_t;  v_t = argmin over K of (eta sum_{s<t} g_s + 2 (x_t - x_1)) . v
///   x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t
///
/// As in the book, the newest gradient joins the sum after the step.
[[nodiscard]] std::unique_ptr<HorizonGradientAlgorithm> ocg(SetPtr set, const OcgOptions& options);

/// Options of stochastic_ocg: those of ocg, and the noise.
struct StochasticOcgOptions {
  /// G: as of ocg, of the gradients before the noise.
  double gradient_bound = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of the noise in every direction of the hull, 0 or more. Default: the
  /// dimension of the hull, as in the paper's experiments.
  std::optional<double> standard_deviation = {};
  /// T: the number of rounds. anytime() chooses its own.
  std::uint64_t horizon = 1;
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

/// The baseline StochOCG of Chen, Zhang and Karbasi (AISTATS 2019): ocg that sees each gradient
/// with Gaussian noise, g_t + standard_deviation z_t (z_t of Noise), drawn by the learner. It has
/// no regret bound.
[[nodiscard]] std::unique_ptr<HorizonGradientAlgorithm> stochastic_ocg(
    SetPtr set, const StochasticOcgOptions& options);

/// The doubling trick around a gradient algorithm that takes a horizon, as for bandit algorithms
/// (keyhole/learners.h).
[[nodiscard]] std::unique_ptr<GradientAlgorithm> anytime(
    std::unique_ptr<HorizonGradientAlgorithm> algorithm);

}  // namespace keyhole
