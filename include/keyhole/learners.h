#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Which constants of the paper to use (docs/paper.md lists the errata).
enum class Constants {
  /// With the errata fixed: the theorem then holds for every c <= r.
  corrected,
  /// As printed: eta lacks the factor c, and the theorem does not hold for c < 1.
  as_published,
};

/// Options of projection_free and unregularized.
struct ProjectionFreeOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Only the regret bound
  /// needs it.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// c, a length: delta = c T^(-1/5). Default r/2; c T^(-1/5) <= r is needed for every T played.
  std::optional<double> c = {};
  /// Overrides the theorem's eta, for every horizon. The regret bound is then void.
  std::optional<double> eta = {};
  /// The paper's constants with or without its errata.
  Constants constants = Constants::corrected;
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Algorithm 1 of Chen, Zhang and Karbasi, "Projection-Free Bandit Convex Optimization" (AISTATS
/// 2019): one linear minimisation a round, expected regret O(T^(4/5)). n is the hull's dimension.
///
///   delta = c T^(-1/5), alpha = delta / r, eta = c D / (sqrt2 n M) T^(-4/5), sigma_t = t^(-2/5)
///   y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   v_t = argmin over (1 - alpha) K of (eta sum_{s<t} g_s + 2 (x_t - x_1)) . v
///   x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> projection_free(
    SetPtr set, const ProjectionFreeOptions& options);

/// The paper's ablation: projection_free without the term 2 (x_t - x_1). It has no regret bound.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set,
                                                              const ProjectionFreeOptions& options);

}  // namespace algorithms

/// Which constants fkm uses.
enum class FkmConstants {
  /// Those that minimise the bound of Zhao, Wang, Zhang and Zhou (2020), Theorem 1:
  /// delta = T^(-1/4) sqrt(sqrt(7/2) R n M / (G (3 + R/r))), at most r/2,
  /// eta = sqrt(7/2) R delta / (n M sqrt T).
  zhao,
  /// The textbook's shape (Hazan, "Introduction to Online Convex Optimization", 2nd ed., Algorithm
  /// 23) with a length c: delta = c T^(-1/4), eta = D delta / (n M sqrt T).
  textbook,
};

/// Options of fkm.
struct FkmOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required by the
  /// constants `zhao`, and by every regret bound.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// The formulas of delta and eta.
  FkmConstants constants = FkmConstants::zhao;
  /// c of the constants `textbook`, a length; default r/2.
  std::optional<double> c = {};
  /// Overrides delta, for every horizon; at most r.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Flaxman, Kalai and McMahan, "Online convex optimization in the bandit setting: gradient descent
/// without a gradient" (SODA 2005): the baseline that projects. The set must be able to. Expected
/// regret O(T^(3/4)). n is the hull's dimension, alpha = delta / r.
///
///   y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   x_{t+1} = projection onto (1 - alpha) K of x_t - eta g_t
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> fkm(SetPtr set, const FkmOptions& options);

/// Algorithm 2 of Chen, Zhang and Karbasi (the doubling trick) around any algorithm that takes a
/// horizon: epochs of 1, 2, 4, 8, ... rounds, everything forgotten at the start of each. Feedback
/// for a play of an earlier epoch is counted as late, not learned from. The point recommended is
/// that of the epoch before until the current one is as long.
[[nodiscard]] std::unique_ptr<Algorithm> anytime(std::unique_ptr<HorizonAlgorithm> algorithm);

}  // namespace algorithms

using algorithms::projection_free, algorithms::unregularized, algorithms::fkm, algorithms::anytime;

}  // namespace keyhole
#pragma GCC visibility pop
