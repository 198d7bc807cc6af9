// Where the polytopes of uniform and partition matroids explore: random subsets of each group.

#pragma once

#include <memory>

#include "keyhole/exploration.h"
#include "sets/matroids/laminar_matroid.h"

namespace keyhole::sets {

/// Of each group of m elements with the limit k, independently of the other groups, a random subset
/// of a random size. Of the bases the size is k. Of the independent sets it is 0 with probability
/// 1 / (m + 1), k with the same if k > m / 2, and else min(k, floor(m / 2)). With q_1 and q_2 the
/// probabilities that one and that two given elements are drawn the covariance of a group is
/// (q_1 - q_2) 1 + (q_2 - q_1^2) 1 1'. The matroid must be a partition.
[[nodiscard]] std::unique_ptr<Exploration> random_subsets(const LaminarMatroid& matroid,
                                                          bool bases);

}  // namespace keyhole::sets
