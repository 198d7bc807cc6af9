// Gram and Schmidt's orthonormalisation, for rows that may be dependent.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// Makes row i of `rows`, `size` numbers each, a unit vector orthogonal to the rows 0, ..., i - 1
// that are so already: its own direction less theirs, or, where nothing but rounding is left of it,
// that of the first unit vector that has enough left. i < size.
void orthonormalise_row(std::span<double> rows, std::size_t size, std::size_t i) noexcept;

// All rows in turn; at most `size` of them. Of independent standard normal numbers it makes a
// uniformly random frame.
void orthonormalise_rows(std::span<double> rows, std::size_t size) noexcept;

}  // namespace keyhole::math
