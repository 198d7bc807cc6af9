#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/list.h"
#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

namespace sets {

/// {x : ||x|| <= radius} in dimension n >= 1.
///
/// Oracle -radius d / ||d||, and -radius e_1 for d = 0. p = 0, r = R = radius, D = 2 radius.
/// Projection: radius x / ||x|| from outside. O(n).
[[nodiscard]] SetPtr ball(std::size_t n, double radius = 1);

/// {x : lower_i <= x_i <= upper_i} with lower_i < upper_i in every coordinate, as
/// box({1, 5}, {256, 500}).
///
/// Oracle upper_i where d_i < 0, else lower_i. p = (lower + upper) / 2, r = min (upper - lower) /
/// 2, R = ||upper - lower|| / 2, D = ||upper - lower||. Projection by clamping. O(n).
[[nodiscard]] SetPtr box(List<double> lower, List<double> upper);
/// The box with the same bounds in each of n coordinates.
[[nodiscard]] SetPtr box(double lower, double upper, std::size_t n);

/// {x >= 0, sum x <= total} in dimension n >= 1.
///
/// Oracle total e_i for the first i of smallest d_i if that is negative, else 0.
/// p = r 1 with r = total / (n + sqrt n), R = total sqrt(1 - 2/(n + sqrt n) + 1/(1 + sqrt n)^2),
/// D = total sqrt 2 (total for n = 1). Projection by Michelot's method (1986). O(n).
[[nodiscard]] SetPtr solid_simplex(std::size_t n, double total = 1);

/// {x >= 0, sum x = total} in dimension n >= 2; flat, of hull dimension n - 1.
///
/// Oracle total e_i for the first i of smallest d_i. p = total/n 1, r = total / sqrt(n (n - 1)),
/// R = total sqrt((n - 1)/n), D = total sqrt 2. Projection by Michelot's method (1986). O(n).
[[nodiscard]] SetPtr simplex(std::size_t n, double total = 1);

/// {x : |x_1| + ... + |x_n| <= radius} in dimension n >= 1.
///
/// Oracle -radius sign(d_i) e_i for the first i of largest |d_i|, and -radius e_1 for d = 0. p = 0,
/// r = radius / sqrt n, R = radius, D = 2 radius. Projection: of the magnitudes onto the solid
/// simplex (Duchi, Shalev-Shwartz, Singer, Chandra 2008). O(n).
[[nodiscard]] SetPtr l1_ball(std::size_t n, double radius = 1);

}  // namespace sets

/// A directed edge between two nodes, counted from 0.
struct Edge {
  /// Where it begins.
  std::size_t from = 0;
  /// Where it ends.
  std::size_t to = 0;
};

namespace sets {

/// {f >= 0 : one unit flows from the source to the sink}, a number for each edge of a directed
/// graph without cycles; parallel edges are allowed. Its vertices are the paths. Flat, of hull
/// dimension edges - nodes + 1 (nodes with an edge).
///
/// Oracle: a shortest path (1 on its edges, sparse), by dynamic programming in topological order;
/// of several edges that leave a node at the same cost the first is taken. p = the mean of a random
/// path: an edge, each as likely as the others, then onwards to the sink and back to the source, at
/// each node any edge; so p_e >= 1 / edges. r = min p_e / ||P e_e||, P the projection onto the
/// circulations; R^2 = ||p||^2 + max over paths of sum (1 - 2 p_e); D <= sqrt(2 longest path), an
/// upper bound. It projects up to 1000 edges, as flow does. O(edges); flatten O(nodes^2 + edges).
/// Up to 400 edges it is explored by those random paths, with their covariance exactly.
///
/// Refused, with the edge or node named: cycles, edges on no path, a sink that cannot be reached, a
/// single path, more than 5000 nodes.
[[nodiscard]] SetPtr unit_flow(std::size_t nodes, List<Edge> edges, std::size_t source,
                               std::size_t sink);

}  // namespace sets

/// How the oracle of a set of matrices finds its extreme pair; the default is the fastest way.
struct MatrixOracleOptions {
  /// Whether every pair that Lanczos's method finds is proved extreme: by Cholesky's factorisation,
  /// which exists exactly if no eigenvalue is beyond the one found (Sylvester's law of inertia; to
  /// 1e-9 of the matrix's norm, or twice the residual). If there is one, the pair is computed
  /// directly. It costs O(k^3) a call, and k^2 more numbers of memory, where Lanczos's method is
  /// used; elsewhere the pair is exact without it.
  bool certified = false;
  /// How many threads share the work of an oracle's call, the caller's being one of them; up to 8
  /// help, or as many as the system lets be started. They serve Lanczos's method from k = 512 on,
  /// sleep between calls and end with the oracle. The answers are the same to the last bit for any
  /// number, which is no part of the spec.
  unsigned threads = 1;
  /// To which share of ||A|| the residual ||A v - lambda v|| of the extreme pair is brought where
  /// Lanczos's method is used; A is the direction, or its smaller Gram matrix. From 1e-12 to 1e-2.
  /// Up to k = 100 the pair is exact to rounding whatever the residual.
  ///
  /// The vertex is one of the set whatever the residual: the size times unit vectors. The value of
  /// the linear function there is that of an eigenvalue up to residual min(1, residual ||A|| / gap)
  /// times size ||A||, the gap being that to the next eigenvalue; half as much of singular values.
  /// On directions of noise 1e-6 takes five to nine tenths of the time of 1e-10.
  double residual = 1e-10;
};

namespace sets {

/// {X : the singular values of X sum to at most radius}, matrices of m rows and n columns, as
/// vectors row by row.
///
/// Oracle -radius u v' for the top singular pair D v = sigma u of the direction D, and
/// -radius e_1 e_1' for D = 0. With k = min(m, n): p = 0, r = radius / sqrt k, R = radius,
/// D = 2 radius. Projection through the singular value decomposition, whose digits are those of
/// the build.
///
/// The pair of an oracle of matrices is exact to rounding up to k = 100 (tridiagonal form of the
/// smaller Gram matrix, O(m n k)). Above, Lanczos's method from a fixed pseudo-random start gives
/// an eigenpair of the Gram matrix with a residual of 1e-10 (the option `residual`), which except
/// with probability 1e-12 is within 5 % of the spectrum's spread from the extreme one whatever the
/// spectrum (Kuczynski, Wozniakowski 1992), and the extreme one itself wherever the start does not
/// happen to be nearly orthogonal to it; about 70 to 150 products with the matrix. The option
/// `certified` proves it.
[[nodiscard]] SetPtr nuclear_ball(std::size_t m, std::size_t n, double radius = 1,
                                  const MatrixOracleOptions& options = {});

/// {X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n matrices, as
/// vectors row by row; flat, of hull dimension n (n + 1)/2. Directions are made symmetric.
///
/// Oracle -radius sign(lambda) v v' for the eigenvalue of largest magnitude (of two, the negative
/// one), and -radius e_1 e_1' for the zero direction. p = 0, r = radius / sqrt n, R = radius, D = 2
/// radius. Projection through the eigenvalue decomposition. O(n^3) up to n = 100, above as for
/// nuclear_ball, both ends of the spectrum at once.
[[nodiscard]] SetPtr symmetric_nuclear_ball(std::size_t n, double radius = 1,
                                            const MatrixOracleOptions& options = {});

/// {X = X' positive semidefinite, tr X <= trace}, n x n matrices, as vectors row by row; flat, of
/// hull dimension n (n + 1)/2. Directions are made symmetric.
///
/// Oracle trace v v' for the smallest eigenvalue of the direction if it is negative, else 0.
/// p = r I with r = trace / (n + sqrt n), R = trace sqrt(1 - 2/(n + sqrt n) + 1/(1 + sqrt n)^2),
/// D = trace sqrt 2 (trace for n = 1): the eigenvalues' solid simplex. Projection through the
/// eigenvalue decomposition. O(n^3) up to n = 100, above as for nuclear_ball.
[[nodiscard]] SetPtr psd_trace_ball(std::size_t n, double trace = 1,
                                    const MatrixOracleOptions& options = {});

/// {scale x + shift : x in the set}, scale any number but 0. Oracle, projection, radii and hull
/// follow from the set's own. So does membership, but for the roundings of the map: a coordinate
/// y_i may break a bound of the set, if that is not 0, by 8 epsilon (|y_i| + |shift_i|). The
/// paper's enlarged portfolio region {-1 <= y_i <= 2n - 1, sum y <= n} is image(solid_simplex(n),
/// 2n, -1).
[[nodiscard]] SetPtr image(SetPtr set, double scale, List<double> shift);
/// The image with the same shift in every coordinate.
[[nodiscard]] SetPtr image(SetPtr set, double scale, double shift);
/// image(set, scale, 0).
[[nodiscard]] SetPtr scaled(SetPtr set, double scale);
/// image(set, 1, shift).
[[nodiscard]] SetPtr translated(SetPtr set, List<double> shift);

/// {A x + b : x in the set}, A = matrix row by row, of full column rank, b = shift: as many rows as
/// b has numbers, as many columns as the set has coordinates, and no fewer rows than columns. Flat
/// if there are more, or if the set is.
///
/// Oracle A v + b for the set's v of A'd. With sigma the singular values of A: p mapped, r = least
/// sigma r, R = largest sigma R, D = largest sigma D, all bounds. Membership by least squares and
/// the preimage's own, which is asked 1e-9 towards the centre. There is no projection. O(rows
/// columns) besides the set's own. Refused: dependent columns, singular values more than a factor
/// of 1e4 apart, images with r < 1e-6 R.
[[nodiscard]] SetPtr affine_image(SetPtr set, List<double> matrix, List<double> shift);

/// {(x_1, ..., x_k) : x_i in the i-th set}: the coordinates of the sets one after the other.
///
/// Everything is done set by set, ties and membership included. p is that of the sets side by side,
/// r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2; the hull's dimension is the sum. It projects if
/// all of them do. Where all vertices are sparse, so is theirs.
[[nodiscard]] SetPtr product(std::vector<SetPtr> sets);

/// {x_1 + ... + x_k : x_i in the i-th set}, sets of the same dimension.
///
/// Oracle: the sum of the sets' answers. p = sum p_i, R = sum R_i and D = sum D_i, upper bounds; r
/// = the sum over the sets whose hull is that of the sum, or, if there is none, the root of the
/// least eigenvalue of sum r_i^2 P_i, P_i the projections onto the hulls: a lower bound. Membership
/// by separation, from the oracle alone. There is no projection. The sum of the costs; flat sets
/// alone up to 1500 dimensions.
[[nodiscard]] SetPtr minkowski_sum(std::vector<SetPtr> sets);

/// The convex hull of the union of sets of the same dimension.
///
/// Oracle: the least of the sets' answers, the first of them, as sparse as that set gives it. p is
/// the centre of the set with the largest inner ball, of those whose hull is that of all, and r its
/// radius; or a mean of vertices and the radius of a ball that they hold, if that is larger (see
/// keyhole/own_set.h). R and D from the sets' centres and outer radii, upper bounds. Membership: in
/// one of the sets, or by separation. There is no projection. The sum of the costs; flat sets alone
/// up to 1500 dimensions.
[[nodiscard]] SetPtr hull_of_union(std::vector<SetPtr> sets);

/// How demands are split between their paths: for each demand k the shares of paths[k] >= 2 paths,
/// which are not negative and sum to 1. product(simplex(paths[0]), simplex(paths[1]), ...).
[[nodiscard]] SetPtr path_splits(List<std::size_t> paths);

/// The same set about another centre p in its relative interior: r and R are computed again.
[[nodiscard]] SetPtr recentred(SetPtr set, List<double> centre);

}  // namespace sets

using sets::ball, sets::box, sets::solid_simplex, sets::simplex, sets::l1_ball, sets::unit_flow,
    sets::nuclear_ball, sets::symmetric_nuclear_ball, sets::psd_trace_ball, sets::image,
    sets::scaled, sets::translated, sets::affine_image, sets::product, sets::minkowski_sum,
    sets::hull_of_union, sets::path_splits, sets::recentred;

}  // namespace keyhole
#pragma GCC visibility pop
