// The smallest eigenvalue of a symmetric tridiagonal matrix T, and an eigenvector.
//
// T has the diagonal d_1 .. d_n and the off-diagonal e_1 .. e_{n-1}. With
//
//   q_1 = d_1 - x,  q_i = d_i - x - e_{i-1}^2 / q_{i-1}
//
// T - x = L diag(q) L', so the number of negative q_i is the number of eigenvalues below x (Sturm),
// and x is below all of them exactly if every q_i is positive. Pure functions, thread-safe; they
// allocate nothing. Times a power of two, T gives the same digits.

#pragma once

#include <cstddef>
#include <span>

namespace keyhole::math {

// The smallest eigenvalue, from below, to n 2^-50 max_i (|d_i| + |e_{i-1}| + |e_i|) and mostly to
// a hundredth of that. Laguerre's method climbs from Gershgorin's bound: it never passes the
// smallest eigenvalue, and converges with order three; the Sturm count keeps a bracket, which is
// halved wherever rounding would break this.
double smallest_eigenvalue(std::span<const double> d, std::span<const double> e) noexcept;

// A unit vector z for an eigenvalue that smallest_eigenvalue() found: T z = lambda z up to
// rounding, tied and clustered eigenvalues included, by the twisted factorisation of T - lambda
// (Dhillon, Parlett 2004). `scratch` holds 2 n numbers.
void smallest_eigenvector(std::span<const double> d, std::span<const double> e, double lambda,
                          std::span<double> scratch, std::span<double> z) noexcept;

}  // namespace keyhole::math
