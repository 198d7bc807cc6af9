#pragma once

#include <cstddef>

#include "keyhole/set.h"
#include "keyhole/sets.h"

/// Sets of matrices besides those of keyhole/sets.h: those that only the eigenvalues or the
/// singular values decide, correlation matrices, and the ball of the max norm. Matrices are
/// vectors, row by row.

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// Density matrices.
///
/// - Set: {X = X' positive semidefinite, tr X = trace}, n x n matrices, n >= 2. Directions are made
///   symmetric and lose their trace.
/// - Oracle: trace v v' for the smallest eigenvalue of the direction (Hazan 2008); ties are
///   resolved by the arithmetic, and 0 gives trace e_1 e_1'.
/// - Geometry: p = trace/n I, r = trace / sqrt(n (n - 1)), R = trace sqrt((n - 1)/n), D = trace
///   sqrt 2: the simplex of the eigenvalues, all exact; flat, of hull dimension n (n + 1)/2 - 1.
/// - Projection: the eigenvalues onto that simplex, whose digits are those of the build.
/// - Cost: O(n^3) up to n = 100, above by Lanczos's method as for nuclear_ball().
/// - Refuses: n < 2; a trace outside 1e-50 to 1e50; more than 1e9 entries; 0 or more than 256
///   threads; a residual outside 1e-12 to 1e-2.
///
/// Hazan: Sparse approximate solutions to semidefinite programs, LATIN 2008.
///
/// @code
/// const auto set = keyhole::spectraplex(2);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.25, 0.25, 0.5});  // true
/// // keyhole::spectraplex(1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr spectraplex(std::size_t n, double trace = 1,
                                 const MatrixOracleOptions& options = {});

/// Mixtures of the orthogonal projectors onto k-dimensional subspaces.
///
/// - Set: {X = X' : 0 <= X <= I, tr X = k}, n x n matrices, 1 <= k < n. Directions are made
///   symmetric and lose their trace.
/// - Oracle: the projector onto the eigenvectors of the k smallest eigenvalues of the direction, by
///   a dense decomposition, whose digits are those of the build; ties are resolved by the
///   arithmetic, and 0 gives diag(1, ..., 1, 0, ..., 0).
/// - Geometry: p = k/n I and, with l = min(k, n - k), r = l/n sqrt(n/(n - 1)), R = sqrt(k (n -
///   k)/n), D = sqrt(2 l): the hypersimplex of the eigenvalues, all exact; flat, of hull dimension
///   n (n + 1)/2 - 1.
/// - Projection: the eigenvalues onto that hypersimplex.
/// - Cost: O(n^3).
/// - Refuses: n < 2; k outside 1 to n - 1; more than 1e9 entries.
///
/// Overton, Womersley: On the sum of the largest eigenvalues of a symmetric matrix, SIAM Journal on
/// Matrix Analysis and Applications 13 (1992). Vu, Cho, Lei, Rohe: Fantope projection and
/// selection, NIPS 2013.
///
/// @code
/// const auto set = keyhole::fantope(3, 2);
/// const bool inside = set->contains(std::vector<double>{1, 0, 0, 0, 0.5, 0, 0, 0, 0.5});  // true
/// // keyhole::fantope(3, 3) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr fantope(std::size_t n, std::size_t k);

/// Matrices that lengthen no vector by more than the radius.
///
/// - Set: {X : the largest singular value of X is at most radius}, m x n matrices.
/// - Oracle: -radius U V' for the direction U S V', with as many singular vectors as the shorter
///   side has, so that all singular values of the answer are radius; for those of rank-deficient
///   directions that are not determined, and of the direction 0, by the arithmetic. A dense
///   decomposition, whose digits are those of the build.
/// - Geometry: p = 0, r = radius, R = radius sqrt(min(m, n)), D = 2 R, all exact.
/// - Projection: singular values above the radius become the radius. Gauge: the largest singular
///   value over the radius.
/// - Cost: O(m n min(m, n)).
/// - Refuses: no rows or columns; a radius outside 1e-50 to 1e50; more than 1e9 entries.
///
/// Higham: Computing the polar decomposition, with applications, SIAM Journal on Scientific and
/// Statistical Computing 7 (1986).
///
/// @code
/// const auto set = keyhole::operator_norm_ball(2, 2);
/// const bool inside = set->contains(std::vector<double>{0, 1, -1, 0});  // true
/// // keyhole::operator_norm_ball(0, 2) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr operator_norm_ball(std::size_t m, std::size_t n, double radius = 1);

/// Between nuclear_ball (p = 1) and operator_norm_ball (p = inf).
///
/// - Set: {X : (sum of s_i(X)^p)^(1/p) <= radius}, s_i the singular values, m x n matrices, p from
///   1.01 to 100.
/// - Oracle: that of lp_ball(min(m, n), p, radius) on the singular values, the singular vectors
///   stay; for directions of lower rank, and for 0, the vectors that are not determined are those
///   of the arithmetic. A dense decomposition, whose digits are those of the build.
/// - Geometry: p = 0, r and R of that lp ball, D = 2 R, all exact.
/// - Projection: that of the lp ball on the singular values, and so the gauge.
/// - Cost: O(m n min(m, n)).
/// - Refuses: p outside 1.01 to 100: for 1 use nuclear_ball(), for inf operator_norm_ball(); no
///   rows or columns; a radius outside 1e-50 to 1e50; more than 1e9 entries.
///
/// Schatten: A theory of cross-spaces, 1950; von Neumann: Some matrix-inequalities and metrization
/// of matric-space, 1937.
///
/// @code
/// const auto set = keyhole::schatten_ball(2, 2, 3);
/// const bool inside = set->contains(std::vector<double>{0.75, 0, 0, 0.75});  // true
/// // keyhole::schatten_ball(2, 2, 1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr schatten_ball(std::size_t m, std::size_t n, double p, double radius = 1);

/// Correlation matrices.
///
/// - Set: {X = X' positive semidefinite, X_ii = 1}, n x n matrices, n from 2 to 200. Directions are
///   made symmetric and lose their diagonal.
/// - Oracle: the semidefinite relaxation of Max-Cut, by a primal-dual interior-point method: the
///   value is within 1e-10 ||d|| of the least one, d without its diagonal. The answer is symmetric,
///   has ones on its diagonal and the least eigenvalue 0; of several optimal ones it is about the
///   analytic centre, and the direction 0 gives the matrix of ones.
/// - Geometry: p = I, r = sqrt(n/(n - 1)), R = sqrt(n (n - 1)), exact; D = n sqrt 2, exact for even
///   n, else an upper bound; flat, of hull dimension n (n - 1)/2.
/// - Projection: none. Gauge: minus the least eigenvalue of X - I.
/// - Cost: O(n^3) a step, about 20 steps.
/// - Refuses: n below 2 or above 200.
///
/// Helmberg, Rendl, Vanderbei, Wolkowicz: An interior-point method for semidefinite programming,
/// SIAM Journal on Optimization 6 (1996). Laurent, Poljak: On a positive semidefinite relaxation of
/// the cut polytope, Linear Algebra and its Applications 223 (1995).
///
/// @code
/// const auto set = keyhole::elliptope(2);
/// const bool inside = set->contains(std::vector<double>{1, -0.5, -0.5, 1});  // true
/// // keyhole::elliptope(1) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr elliptope(std::size_t n);

/// Matrices with factors of short rows: the ball of the max norm, or gamma_2.
///
/// - Set: {X = U V' : all rows of U and V have length sqrt(radius) or less}, m x n matrices, m + n
///   up to 200.
/// - Oracle: radius times the block beside the diagonal of the answer of elliptope(m + n) to the
///   direction in that block; 0 gives the matrix of radius.
/// - Geometry: p = 0, r = radius, R = radius sqrt(m n), D = 2 R, all exact.
/// - Projection: none. Gauge: the max norm over the radius, to 1e-10 of it, by Newton's method on
///   its dual; membership by the same.
/// - Cost: O((m + n)^3) a step, about 20 steps.
/// - Refuses: no rows or columns; m + n above 200; a radius outside 1e-50 to 1e50.
///
/// Srebro, Shraibman: Rank, trace-norm and max-norm, COLT 2005. Lee, Shraibman, Spalek: A direct
/// product theorem for discrepancy, CCC 2008.
///
/// @code
/// const auto set = keyhole::max_norm_ball(2, 2);
/// const bool inside = set->contains(std::vector<double>{0.7, 0.7, 0.7, -0.7});  // true
/// // keyhole::max_norm_ball(2, 0) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr max_norm_ball(std::size_t m, std::size_t n, double radius = 1);

}  // namespace sets

using sets::spectraplex, sets::fantope, sets::operator_norm_ball, sets::schatten_ball,
    sets::elliptope, sets::max_norm_ball;

}  // namespace keyhole
#pragma GCC visibility pop
