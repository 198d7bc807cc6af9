#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Baselines: well-known methods of other fields, told the set and nothing else, to compare with.
/// They play any number of rounds, and none has a regret bound with a number.

/// Options of linear_thompson.
struct LinearThompsonOptions {
  /// x_1: what you run today, a point of the set, which is recommended until something is known.
  /// Default: the centre.
  std::vector<double> start = {};
};

/// Options of spsa.
struct SpsaOptions {
  /// How many of the latest pairs can still be told the half that is missing, from 1 to 2^24; a
  /// half told later is counted as late and not learned from. Costs 32 bytes a pair.
  std::uint64_t pending_pairs = 1024;
  /// x_1: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
};

/// Options of cma_es.
struct CmaEsOptions {
  /// The first mean: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Thompson sampling for losses that are linear but for noise (Agrawal, Goyal, "Thompson sampling
/// for contextual bandits with linear payoffs", ICML 2013): for those who know that they are. With
/// z the m coordinates of the hull in which the set's exploration is equally wide every way:
///
///   model  loss = level + <slopes, z> + noise; ridge regression on (1, z), A = ridge + sum phi
///   phi' play   draws of the exploration until max(16, m + 2) losses are in; then the vertex that
///          minimises a sample of N(mean, noise^2 A^-1): one linear minimisation a round
///   noise  of what the model got wrong before it learned it, over about the last fifth
///
/// The paper's samples are wider, by the factor sqrt(9 m log(t / delta)) of its theorem, so that
/// its bound does not hold here. It recommends the vertex that is best by the mean, found again
/// whenever there are a tenth more losses. Plays do not change if all losses are multiplied by a
/// power of two, nor (up to rounding) by any other positive number or if a constant is added.
/// Losses may come late: the latest 1024 plays are kept. Where losses are curved it plays vertices
/// all the same. Memory and time a round grow with the square of m: at most 512, else
/// InvalidArgument.
[[nodiscard]] std::unique_ptr<Algorithm> linear_thompson(SetPtr set,
                                                         const LinearThompsonOptions& options = {});

/// Simultaneous perturbation stochastic approximation (Spall, IEEE Trans. Automatic Control 1992)
/// with projection (Sadegh 1997) and the gains of Spall, "Implementation of the simultaneous
/// perturbation algorithm", 1998. Plays come in pairs; the set must project. s_i is the width of
/// coordinate i, the standard deviation of the set's exploration; d_i = +-s_i at random, within the
/// hull:
///
///   y+ = P(x + c_k d), y- = P(x - c_k d), P the projection,  c_k = 0.2 / (k + 1)^0.101
///   x <- P(x - a_j q d),  q = (f(y+) - f(y-)) / (2 c_k),  a_j = a / (101 + j)^0.602
///
/// k counts the pairs played, j the steps made. The first ten differences that are not 0 make no
/// step but choose a: one of their mean size would move a coordinate by a tenth of its width. No
/// step moves one by more than its width. Plays do not depend on the unit of the losses (exactly so
/// for powers of two). A pair is learned from when both its plays have been told; see
/// SpsaOptions::pending_pairs.
[[nodiscard]] std::unique_ptr<Algorithm> spsa(SetPtr set, const SpsaOptions& options = {});

/// The evolution strategy CMA-ES with a diagonal covariance (Ros, Hansen, "A simple modification in
/// CMA-ES achieving linear time and space complexity", PPSN 2008), on a set that projects: points
/// outside are replaced by their projections. The constants are those of Hansen, "The CMA evolution
/// strategy: a tutorial", 2016, the learning rates times (m + 2) / 3, m the dimension of the hull.
/// Coordinates count in widths, the standard deviations of the set's exploration.
///
///   population  4 + floor(3 log m); the better half makes the next mean, by log weights
///   first       mean x_1, step size 0.3; the step size stays within 1e-6 and 1
///
/// A generation ends when as many losses are in as the population has. Until then plays are drawn
/// from the same distribution; after twice as many plays four losses are enough, and make a smaller
/// population. Losses of generations that have ended are late. Only the order of the losses counts.
/// It recommends the mean.
[[nodiscard]] std::unique_ptr<Algorithm> cma_es(SetPtr set, const CmaEsOptions& options = {});

}  // namespace algorithms

using algorithms::linear_thompson, algorithms::spsa, algorithms::cma_es;

}  // namespace keyhole
#pragma GCC visibility pop
