// Where sets of matrices explore whose entries are products of signs at the farthest points.

#pragma once

#include <cstddef>
#include <memory>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// x x' with x uniform on the vectors of n signs.
[[nodiscard]] std::unique_ptr<Exploration> random_cuts(std::size_t n);

/// radius u v' with u and v uniform on the vectors of m and n signs.
[[nodiscard]] std::unique_ptr<Exploration> random_sign_products(std::size_t m, std::size_t n,
                                                                double radius);

}  // namespace keyhole::sets
