#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// What two_point does with its gradients.
enum class TwoPointStep {
  /// A step of online conditional gradient: a linear minimisation a pair.
  conditional_gradient,
  /// A step of projected gradient descent: the set must project.
  gradient_descent,
};

/// Options of two_point.
struct TwoPointOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required.
  std::optional<double> gradient_bound = {};
  /// T: the number of plays, two a pair. anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// What is done with the gradients.
  TwoPointStep step = TwoPointStep::conditional_gradient;
  /// Overrides delta, for every horizon; at most r. Noise in the losses is divided by delta: where
  /// there is any, or where the two plays of a pair do not meet the same loss, choose a delta over
  /// which losses change by more than that.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// How many of the latest pairs can still be told the half that is missing, from 1 to 2^24; a
  /// half told later is counted as late and not learned from. Costs 9 bytes a pair.
  std::uint64_t pending_pairs = 1024;
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - delta / r. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Two-point bandit feedback (Agarwal, Dekel, Xiao, "Optimal algorithms for online convex
/// optimization with multi-point bandit feedback", COLT 2010): for losses that can be seen at two
/// points. Plays 2k - 1 and 2k are a pair, to be told values of the same loss f_k; no theorem
/// covers other losses. Play::pair says which plays of a learner these are: within anytime() play 1
/// is alone and the pairs are 2 and 3, 4 and 5, and so on. n is the hull's dimension, alpha = delta
/// / r, N = T / 2 pairs (rounded up).
///
///   delta = r N^(-1/2), at most r/2
///   y_{2k-1} = x_k + delta u_k;  y_{2k} = x_k - delta u_k
///   g_k = n / (2 delta) (f_k(y_{2k-1}) - f_k(y_{2k})) u_k, of norm n G at most
///
/// gradient_descent, of expected regret O(T^(1/2)) (constants and bound: Zhao, Wang, Zhang, Zhou,
/// "Bandit Convex Optimization in Non-stationary Environments", AISTATS 2020, Theorem 2):
///
///   x_{k+1} = projection onto (1 - alpha) K of x_k - eta g_k,  eta = sqrt(7/2) R / (n G sqrt N)
///
/// conditional_gradient, of expected regret O(T^(3/4)): ocg, told g_k (Hazan, "Introduction to
/// Online Convex Optimization", 2nd ed., Algorithm 27 and Theorem 7.3, with n G for G):
///
///   v_k = argmin over (1 - alpha) K of (eta sum_{j<k} g_j + 2 (x_k - x_1)) . v
///   x_{k+1} = (1 - sigma_k) x_k + sigma_k v_k
///   eta = D / (2 n G N^(3/4)), sigma_k = min(1, 2 / sqrt k)
///
/// A pair is learned from when both its plays have been told, a pair of which one is never told not
/// at all. Both plays of a pair are made about the same x_k, whatever is told in between.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> two_point(SetPtr set,
                                                          const TwoPointOptions& options);

}  // namespace algorithms

using algorithms::two_point;

}  // namespace keyhole
#pragma GCC visibility pop
