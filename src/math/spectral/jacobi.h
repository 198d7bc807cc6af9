// Eigenvalues and eigenvectors of small symmetric matrices, in a fixed order: equal numbers in,
// equal digits out, on every processor.

#pragma once

#include <span>

namespace keyhole::math {

// A = Q' diag(values) Q for a symmetric matrix A of the order of `values`, row by row, by Jacobi's
// rotations (1846), in sweeps over all pairs. Row k of Q, from k times the order on, is the
// eigenvector of value k. Overwrites A. Some ten sweeps of order^3 operations: for matrices up to a
// few hundred.
void jacobi(std::span<double> a, std::span<double> values, std::span<double> vectors);

}  // namespace keyhole::math
