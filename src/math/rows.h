// Products of dense matrices, row by row, with vectors, in a fixed order: the inner loops of
// Lanczos's method. Several rows are taken at once, which loads the vector less often and keeps
// vector units busy. Pure functions, thread-safe; they allocate nothing.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// y_i = <a_i, x> for the rows a_i of a, each of the size of x: the digits of dot().
void multiply(std::span<const double> a, std::span<const double> x, std::span<double> y) noexcept;

// y -= sum_i w_i a_i for the rows a_i of a, each of the size of y, one after the other.
void subtract_rows(std::span<const double> a, std::span<const double> w,
                   std::span<double> y) noexcept;

}  // namespace keyhole::math
