// Where sets of matrices explore whose extreme points are of higher rank: random frames.

#pragma once

#include <cstddef>
#include <memory>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// size P with P the orthogonal projector onto a uniformly random k-dimensional subspace of n
/// dimensions, 1 <= k < n. For k = 1: size w w' with w uniform on the unit sphere.
[[nodiscard]] std::unique_ptr<Exploration> random_projectors(std::size_t n, std::size_t k,
                                                             double size);

/// radius W with W uniform on the m x n matrices whose singular values are all 1.
[[nodiscard]] std::unique_ptr<Exploration> random_isometries(std::size_t m, std::size_t n,
                                                             double radius);

}  // namespace keyhole::sets
