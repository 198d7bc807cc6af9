// Whether a symmetric matrix is positive definite: the cheapest certificate of a bound on its
// spectrum.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// Whether sign (A + A') / 2 + shift is positive definite, that is, all eigenvalues are above -shift
// (below shift for sign = -1), for an n x n matrix A given row by row: whether Cholesky's
// factorisation L L' exists (Sylvester's law of inertia with the answer known). It decides rightly
// unless the smallest eigenvalue is within n^2 2^-52 ||A|| of -shift. n^3 / 3 operations. `scratch`
// holds n^2 numbers. Pure, thread-safe.
bool is_positive_definite(std::span<const double> a, std::size_t n, double shift,
                          std::span<double> scratch, double sign = 1) noexcept;

}  // namespace keyhole::math
