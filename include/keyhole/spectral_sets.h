#pragma once

#include <cstddef>

#include "keyhole/set.h"
#include "keyhole/sets.h"

/// Sets of matrices that only the eigenvalues or the singular values decide, besides those of
/// keyhole/sets.h. Matrices are vectors, row by row.

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// {X = X' positive semidefinite, tr X = trace}, n x n matrices, n >= 2: density matrices for
/// trace = 1; flat, of hull dimension n (n + 1)/2 - 1. Directions are made symmetric and lose their
/// trace.
///
/// Oracle trace v v' for the smallest eigenvalue of the direction; ties are resolved by the
/// arithmetic, and 0 gives trace e_1 e_1'. p = trace/n I, r = trace / sqrt(n (n - 1)), R = trace
/// sqrt((n - 1)/n), D = trace sqrt 2: the simplex of the eigenvalues, all exact. Projection: the
/// eigenvalues onto that simplex, whose digits are those of the build. Explored at trace w w', w
/// uniform on the sphere. O(n^3) up to n = 100, above by Lanczos's method as for nuclear_ball.
/// Refused: n < 2, a trace that is not a number from 1e-50 to 1e50.
///
/// Hazan: Sparse approximate solutions to semidefinite programs, LATIN 2008.
[[nodiscard]] SetPtr spectraplex(std::size_t n, double trace = 1,
                                 const MatrixOracleOptions& options = {});

/// {X = X' : 0 <= X <= I, tr X = k}, n x n matrices, 1 <= k < n: the convex hull of the orthogonal
/// projectors onto k-dimensional subspaces; flat, of hull dimension n (n + 1)/2 - 1. Directions are
/// made symmetric and lose their trace.
///
/// Oracle: the projector onto the eigenvectors of the k smallest eigenvalues of the direction, by a
/// dense decomposition, O(n^3), whose digits are those of the build; ties are resolved by the
/// arithmetic, and 0 gives diag(1, ..., 1, 0, ..., 0). p = k/n I and, with l = min(k, n - k),
/// r = l/n sqrt(n/(n - 1)), R = sqrt(k (n - k)/n), D = sqrt(2 l): the hypersimplex of the
/// eigenvalues, all exact. Projection: the eigenvalues onto that hypersimplex. Explored at the
/// projectors onto uniformly random subspaces. Refused: n < 2, and k outside 1, ..., n - 1.
///
/// Overton, Womersley: On the sum of the largest eigenvalues of a symmetric matrix, SIAM Journal on
/// Matrix Analysis and Applications 13 (1992). Vu, Cho, Lei, Rohe: Fantope projection and
/// selection, NIPS 2013.
[[nodiscard]] SetPtr fantope(std::size_t n, std::size_t k);

/// {X : the largest singular value of X is at most radius}, m x n matrices.
///
/// Oracle -radius U V' for the direction U S V', with as many singular vectors as the shorter side
/// has, so that all singular values of the answer are radius; for those of rank-deficient
/// directions that are not determined, and of the direction 0, by the arithmetic. A dense
/// decomposition, O(m n min(m, n)), whose digits are those of the build. p = 0, r = radius,
/// R = radius sqrt(min(m, n)), D = 2 R, all exact. Projection: singular values above the radius
/// become the radius. Gauge: the largest singular value over the radius. Explored at uniformly
/// random matrices whose singular values are all radius. Refused: no rows or columns, a radius that
/// is not a number from 1e-50 to 1e50.
///
/// Higham: Computing the polar decomposition, with applications, SIAM Journal on Scientific and
/// Statistical Computing 7 (1986).
[[nodiscard]] SetPtr operator_norm_ball(std::size_t m, std::size_t n, double radius = 1);

/// {X : (sum of s_i(X)^p)^(1/p) <= radius}, s_i the singular values, m x n matrices, p from 1.01 to
/// 100: between nuclear_ball (p = 1) and operator_norm_ball (p = inf), which those are for.
///
/// Oracle, projection and gauge: those of lp_ball(min(m, n), p, radius) on the singular values, the
/// singular vectors stay; for directions of lower rank, and for 0, the vectors that are not
/// determined are those of the arithmetic. A dense decomposition, O(m n min(m, n)), whose digits
/// are those of the build. p = 0, r and R of that lp ball, D = 2 R, all exact. Explored, for p < 2,
/// at radius a b', a and b uniform on the unit spheres; for p = 2, where it is a ball, on its
/// sphere; for p > 2 at uniformly random matrices whose singular values are all the same.
///
/// Schatten: A theory of cross-spaces, 1950; von Neumann: Some matrix-inequalities and metrization
/// of matric-space, 1937.
[[nodiscard]] SetPtr schatten_ball(std::size_t m, std::size_t n, double p, double radius = 1);

}  // namespace sets

using sets::spectraplex, sets::fantope, sets::operator_norm_ball, sets::schatten_ball;

}  // namespace keyhole
#pragma GCC visibility pop
