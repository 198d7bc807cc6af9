// The hulls of sets of symmetric matrices, n x n row by row.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::sets {

/// X <- (X + X') / 2, symmetric to the last bit.
void symmetrise(std::span<double> x, std::size_t n) noexcept;

/// tr X.
[[nodiscard]] double trace_of(std::span<const double> x, std::size_t n) noexcept;

/// Adds a multiple of the identity: tr X becomes `trace`.
void set_trace(std::span<double> x, std::size_t n, double trace) noexcept;

/// Whether ||X - (X + X') / 2|| <= tolerance. `scratch` holds n^2 numbers.
[[nodiscard]] bool is_symmetric(std::span<const double> x, std::size_t n, double tolerance,
                                std::span<double> scratch) noexcept;

/// diagonal I, as a vector.
[[nodiscard]] std::vector<double> multiple_of_identity(std::size_t n, double diagonal);

}  // namespace keyhole::sets
