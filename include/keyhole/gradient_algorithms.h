#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/gradient_algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// The algorithms that are told gradients, to be handed to a GradientLearner.

/// Options of ogd.
struct OgdOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required; longer
  /// gradients are learned from all the same, and counted.
  std::optional<double> gradient_bound = {};
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Online gradient descent (Zinkevich, "Online convex programming and generalized infinitesimal
/// gradient ascent", ICML 2003). One projection a round: the set must be able to. It needs no
/// horizon. Regret at most 3/2 G D sqrt T.
///
///   play x_t;  x_{t+1} = projection onto K of x_t - eta_t g_t,  eta_t = D / (G sqrt t)
///
/// A gradient that comes late makes its step when it comes, with the eta of its own play.
[[nodiscard]] std::unique_ptr<GradientAlgorithm> ogd(SetPtr set, const OgdOptions& options);

}  // namespace algorithms

/// Which constants ocg uses.
enum class OcgConstants {
  /// Hazan, "Introduction to Online Convex Optimization", 2nd ed., Algorithm 27 and Theorem 7.3.
  classic,
  /// Weibel, Gaillard, Koolen and Taylor, "Optimized projection-free algorithms for online
  /// learning: construction and worst-case analysis", 2025, Theorem 2.1.
  optimized,
};

/// Options of ocg.
struct OcgOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required; longer
  /// gradients are learned from all the same, and counted.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// Overrides the theorem's eta, for every horizon. The regret bound is then void.
  std::optional<double> eta = {};
  /// The book's constants, or those of 2025, whose bound is less than a quarter of the book's.
  OcgConstants constants = OcgConstants::classic;
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Online conditional gradient. One linear minimisation a round, of which both kinds of constants
/// make a step
///
///   play x_t;  v_t = argmin over K of d_t . v;  x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t
///
/// With the classic constants the newest gradient joins the sum after the step, as in the book, and
/// the regret is at most 8 G D T^(3/4):
///
///   eta = D / (2 G T^(3/4)), sigma_t = min(1, 2 / sqrt t)
///   d_t = eta sum_{s<t} g_s + 2 (x_t - x_1)
///
/// With the optimized constants it joins the sum before the step, and the regret is at most
/// 4 / 3^(3/4) G D T^(3/4), about 1.75 G D T^(3/4):
///
///   eta = D / (2 G) (3 / T)^(3/4), sigma = min(1, sqrt(3 / T))
///   d_t = eta sum_{s<=t} g_s + (x_t - x_1)
[[nodiscard]] std::unique_ptr<HorizonGradientAlgorithm> ocg(SetPtr set, const OcgOptions& options);

}  // namespace algorithms

/// Options of stochastic_ocg: those of ocg, and the noise.
struct StochasticOcgOptions {
  /// G: as of ocg, of the gradients before the noise.
  std::optional<double> gradient_bound = {};
  /// The standard deviation of the noise in every direction of the hull, 0 or more. Default: the
  /// dimension of the hull, as in the paper's experiments.
  std::optional<double> standard_deviation = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// The baseline StochOCG of Chen, Zhang and Karbasi (AISTATS 2019): ocg that sees each gradient
/// with Gaussian noise, g_t + standard_deviation z_t (z_t of Noise), drawn by the learner. It has
/// no regret bound.
[[nodiscard]] std::unique_ptr<HorizonGradientAlgorithm> stochastic_ocg(
    SetPtr set, const StochasticOcgOptions& options);

}  // namespace algorithms

/// Options of one_shot. Without a start there is nothing to set: the numbers serve its bound alone.
struct OneShotOptions {
  /// M: the largest magnitude of the mean F of the losses; 0 or more.
  std::optional<double> loss_bound = {};
  /// The root of E ||g_t - grad F(x_t)||^2, at most; 0 or more. The longest gradient will do.
  std::optional<double> gradient_deviation = {};
  /// L: ||grad F(x) - grad F(y)|| <= L ||x - y|| on the set; 0 or more.
  std::optional<double> smoothness = {};
  /// ||grad F(x_1)||, at most; 0 or more. The longest gradient will do.
  std::optional<double> start_gradient = {};
  /// x_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// One-shot Frank-Wolfe, for losses drawn independently from one distribution with a smooth mean F
/// (Chen, Harshaw, Hassani and Karbasi, "Projection-Free Online Optimization with Stochastic
/// Gradient: From Convexity to Submodularity", ICML 2018, Algorithm 2). One linear minimisation a
/// round; it needs no horizon and no constant.
///
///   play x_t;  d_t = (1 - rho_t) d_{t-1} + rho_t g_t,  rho_t = 2 / (t + 3)^(2/3),  d_0 = 0
///   x_{t+1} = (1 - eta_t) x_t + eta_t argmin over K of d_t . v,  eta_t = 1 / (t + 3)
///
/// Where all four constants are given: expected sum of F(x_t) - min F at most (Theorem 2)
///
///   4 M log(T + 1) + 6 sqrt Q D T^(2/3) + 4/3 L D^2 log^2(T + 3)
///   Q = max(4^(2/3) ||grad F(x_1)||^2, 4 gradient_deviation^2 + 3/2 (L D)^2)
///
/// Gradients that come late or not at all: rho_k belongs to the k-th gradient received, eta_t to
/// the t-th play. Until there is a first gradient it plays x_1.
[[nodiscard]] std::unique_ptr<GradientAlgorithm> one_shot(SetPtr set,
                                                          const OneShotOptions& options = {});

/// The doubling trick around a gradient algorithm that takes a horizon, as for bandit algorithms
/// (keyhole/algorithms.h).
[[nodiscard]] std::unique_ptr<GradientAlgorithm> anytime(
    std::unique_ptr<HorizonGradientAlgorithm> algorithm);

/// Restarts a gradient algorithm every so many rounds, as for bandit algorithms
/// (keyhole/algorithms.h).
[[nodiscard]] std::unique_ptr<GradientAlgorithm> restarting(
    std::unique_ptr<GradientAlgorithm> algorithm, std::uint64_t every);

}  // namespace algorithms

using algorithms::ogd, algorithms::ocg, algorithms::stochastic_ocg, algorithms::one_shot,
    algorithms::anytime, algorithms::restarting;

}  // namespace keyhole
#pragma GCC visibility pop
