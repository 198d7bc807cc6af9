// Symmetric matrices made from others, for the direct methods. Their rows are `stride` apart, the
// order or one more, with a zero behind if it is one more. Pure functions, thread-safe; they
// allocate nothing.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// to = (A + A') / 2 for A of order n, row by row. Returns the largest magnitude, or what is not a
// number.
double symmetric_part(std::span<const double> a, std::size_t n, std::span<double> to,
                      std::size_t stride) noexcept;

// to = -B'B for B with rows of size k, one after the other: an entry is the sum over the rows in
// their order, four at a time. Returns the largest magnitude, which is on the diagonal, or what is
// not a number.
double negated_gram(std::span<const double> b, std::size_t k, std::span<double> to,
                    std::size_t stride) noexcept;

}  // namespace keyhole::math
