// What a list of vectors spans.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// An orthonormal basis of the span of the rows of n numbers each, row by row: by Gram and Schmidt,
// the longest of what is left first, until none is longer than `nothing`.
[[nodiscard]] std::vector<double> orthonormal_basis(std::vector<double> rows, std::size_t n,
                                                    double nothing);

// x = the orthogonal projection of x onto the span of orthonormal rows. No allocation for up to
// 1024 of them.
void project_onto_span(std::span<const double> basis, std::span<double> x);

// x = the orthogonal projection of x onto what is orthogonal to orthonormal rows.
void subtract_span(std::span<const double> basis, std::span<double> x);

// An orthonormal basis, row by row, of the vectors that a positive semidefinite matrix of order k
// takes to 0: by Cholesky's factorisation, which leaves out a coordinate where what is left of its
// entry of the diagonal is at most `nothing` times the entry. k^3 / 3 operations, and k^2 / 2 more
// for each vector. Only the lower triangle of `a` is read; what is left there is the factor.
[[nodiscard]] std::vector<double> null_space(std::span<double> a, std::size_t k, double nothing);

// x = the orthogonal projection of x onto {sum x = 0}.
void subtract_mean(std::span<double> x);

}  // namespace keyhole::math
