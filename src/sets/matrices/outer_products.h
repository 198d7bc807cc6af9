// Where sets of matrices explore: random matrices of rank one.

#pragma once

#include <cstddef>
#include <memory>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// radius a b' with a and b uniform on the unit spheres of m and n dimensions.
[[nodiscard]] std::unique_ptr<Exploration> random_outer_products(std::size_t m, std::size_t n,
                                                                 double radius);

/// +-radius w w' with w uniform on the unit sphere of n dimensions.
[[nodiscard]] std::unique_ptr<Exploration> random_signed_squares(std::size_t n, double radius);

/// 0 with probability 1 / (n + 1), else trace w w'.
[[nodiscard]] std::unique_ptr<Exploration> random_squares(std::size_t n, double trace);

}  // namespace keyhole::sets
