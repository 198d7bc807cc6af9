#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Options of bbcg.
struct BbcgOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. The default of c and
  /// the bounds need it.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// alpha: every loss is promised to be alpha-strongly convex within the hull, which earns a
  /// regret of order T^(2/3). Default: none, losses are convex.
  std::optional<double> strong_convexity = {};
  /// c, a length: delta = c T^(-1/4), or c T^(-1/3) with strong convexity; delta <= r is needed for
  /// every T played. Default: what minimises the leading terms of the theorem, sqrt(n M r / G) or
  /// (r (n M)^2 (1 + ln T) / (G R alpha))^(1/3), but delta at most r/2; r/2 if G is not given.
  std::optional<double> c = {};
  /// Overrides eta, for every horizon; the bounds are then for it. Not with strong convexity, which
  /// has none.
  std::optional<double> eta = {};
  /// Overrides epsilon, the tolerance of every leader, for every horizon; likewise.
  std::optional<double> epsilon = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - delta / r. Default: the centre.
  std::vector<double> start = {};
};

/// Block bandit conditional gradient; see bbcg().
class BbcgAlgorithm : public HorizonAlgorithm {
 public:
  using HorizonAlgorithm::HorizonAlgorithm;

  /// The theorem's bound on the expected number of linear minimisations in `horizon` rounds, every
  /// loss told before the next ask: of order T. NaN if G was not given.
  [[nodiscard]] virtual double expected_oracle_calls(std::uint64_t horizon) const = 0;
};

namespace algorithms {

/// Block bandit conditional gradient: Garber and Kretzu, "Improved Regret Bounds for
/// Projection-free Bandit Convex Optimization" (AISTATS 2020). Rounds come in blocks of L that
/// share an iterate; the leader of the blocks before is found by conditional gradients while a
/// block is played, and played a block later. Expected regret O(T^(3/4)) with O(T) linear
/// minimisations. n is the hull's dimension, K' = p + (1 - delta/r) (K - p).
///
///   delta = c T^(-1/4), eta = 2 c R / (n M) T^(-3/4), epsilon = 16 R^2 T^(-1/2), L = T^(1/2)
///   block m plays  y_t = x_{m-1} + delta u_t;  g_m = sum over the block of n / delta f_t(y_t) u_t
///   F_m(x) = eta (g_1 + ... + g_{m-1}) . x + ||x - x_1||^2
///   x_0 = x_1;  x_m in K' with F_m(x_m) <= min over K' of F_m + epsilon, found from x_{m-1}
///
/// L is rounded to the nearest whole number, and the last block may be shorter.
///
/// With strong_convexity alpha it is the algorithm of Kretzu and Garber, "Revisiting
/// Projection-free Online Learning: the Strongly Convex Case" (AISTATS 2021): expected regret
/// O(T^(2/3) log T), if every loss is alpha-strongly convex.
///
///   delta = c T^(-1/3), L = T^(2/3), T_0 = max(4 T^(2/3), 8 / alpha),
///   epsilon_m = 16 R^2 beta_m^(1/3), beta_m = alpha (m L + T_0)
///   F_m(x) = sum_{i<m} (g_i . x + L alpha / 2 ||x - x_{i-1}||^2) + T_0 alpha / 2 ||x - x_1||^2
///
/// Its constants are the paper's, which count alpha, M, G and R in units of about 1.
[[nodiscard]] std::unique_ptr<BbcgAlgorithm> bbcg(SetPtr set, const BbcgOptions& options);

}  // namespace algorithms

using algorithms::bbcg;

}  // namespace keyhole
#pragma GCC visibility pop
