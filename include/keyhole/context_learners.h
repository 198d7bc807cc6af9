#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Options of levelled.
struct LevelledOptions {
  /// What is known when a play is asked for: as PosteriorOptions::contexts.
  std::vector<std::string> contexts = {};
};

namespace algorithms {

/// Tells an algorithm its losses less what the context says of them: alpha . (l(c) - mean l), with
/// alpha from a regression of the losses so far on (1, l(c)), where l(c) are the numbers of the
/// context, squares of numbers and second harmonics of angles. A context that moves the losses,
/// whatever is played, is noise to an algorithm that does not know it: this takes the noise away,
/// as control variates do (Deng, Xu, Kohavi, Walker 2013). What the best point is in a context, it
/// does not learn: posterior() does.
///
/// What is subtracted is known before the play is drawn, and is the same for both plays of a pair.
/// So the regret is that of the algorithm, one-point estimates of gradients stay unbiased, and its
/// bound holds if its losses, levelled, are within its M. It is never more than the largest
/// difference of two losses so far: for losses up to M give the algorithm 3 M.
///
/// The algorithm must take no contexts itself. A loss that comes more than 4096 plays late is
/// counted as late.
[[nodiscard]] std::unique_ptr<Algorithm> levelled(std::unique_ptr<Algorithm> algorithm,
                                                  const LevelledOptions& options);

/// Policies for a context of one number u (of about unit size, as a "number" of posterior()): a
/// point for each of J anchors, and plays between them. With knots at J equal distances from
/// -sqrt 3 to sqrt 3, the ends of a uniform number of unit size, and weights w_j(u) >= 0 of sum 1,
/// which are linear between the knots:
///
///   play    sum_j w_j(u) X_j,  X = (X_1, ..., X_J) the play of an algorithm on K^J
///
/// A loss f(x) is f(sum_j w_j X_j) to that algorithm, convex in X, with the same M and no larger G.
/// So its bound holds, against the best policy of this kind. A number that is not known counts
/// as 0.
///
/// @code
/// const auto set = keyhole::box(0, 1, 3);
/// auto algorithm = keyhole::anchored(
///     set, keyhole::parameter_free(keyhole::product({set, set, set})));  // three anchors
/// @endcode
[[nodiscard]] std::unique_ptr<Algorithm> anchored(const SetPtr& set,
                                                  std::unique_ptr<Algorithm> on_power);

}  // namespace algorithms

using algorithms::anchored, algorithms::levelled;

}  // namespace keyhole
#pragma GCC visibility pop
