// The point of a convex set nearest to another, by nothing but minimising linear functions.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// Wolfe's method ("Finding the nearest point in a polytope", 1976): x is the point nearest to z of
/// the hull of a few vertices, affinely independent and all with positive weight; a vertex v that
/// minimises <x - z, v> joins them unless it shows that x is nearest in K, and those that the next
/// x would give no weight leave. On a polytope it ends after finitely many steps; on a curved set
/// it converges. O(n^2) besides the oracle's own for a vertex that joins or leaves.
///
/// One a thread. Nothing allocates after construction.
class NearestPoint {
 public:
  /// Writes a minimiser v of <direction, v> over K.
  using Minimise = std::function<void(std::span<const double> direction, std::span<double> v)>;

  /// K in n dimensions, no two points of it farther apart than `diameter`.
  NearestPoint(std::size_t n, double diameter, Minimise minimise);
  /// By an oracle of the set.
  explicit NearestPoint(const Set& set);

  /// x, a convex combination of vertices; `nearest` may be `z`. Whether x is proved to be nearest:
  /// <z - x, v - x> <= 1e-10 D max(D, ||z - x||) for all v in K; if not, x is the best found.
  bool find(std::span<const double> z, std::span<double> nearest);

  /// Whether z is in K, or nearer to it than `tolerance`: decided as soon as a point of K is that
  /// near, or a vertex shows that none is. Where K is curved rounding can prevent both, since <x -
  /// z, v> is known to rounding only and the distance is about a root of that: then points up to
  /// 2.5e-9 D away count as near.
  [[nodiscard]] bool is_within(std::span<const double> z, double tolerance);

  // The method step by step.

  /// Starts from the vertex that lies farthest towards z.
  void start(std::span<const double> z);
  /// x - z.
  [[nodiscard]] std::span<const double> away() const { return away_; }
  /// Asks for the vertex v that minimises <x - z, v>, and returns <x - z, x - v>, which is at least
  /// 0 but for rounding.
  double gap();
  /// Lets v in and makes x nearest again; if that brings x no nearer, another vertex of about the
  /// same value, asked for by a direction that tilts away from v. False if rounding leaves x where
  /// it is.
  bool step();
  /// Lets in a point of K that was found in another way, if it lies beyond z seen from x. Whether
  /// that brings x nearer by a thousandth.
  bool offer(std::span<const double> v);
  /// On curved sets every step halves about what is left in one direction of n.
  [[nodiscard]] std::size_t most_steps() const { return 1000 + 60 * n_; }

 private:
  /// Lets v in and makes x nearest again; whether it is nearer.
  bool approach();
  [[nodiscard]] bool join();
  void leave(std::size_t k);
  /// Takes the difference of the k-th point to the first out of the basis, or that of the second if
  /// the first has left.
  void remove_difference(std::size_t k);
  /// Extends the orthonormal basis by what the k-th point adds to the span of those before it, less
  /// the first; false if that is nothing.
  [[nodiscard]] bool orthonormalise(std::size_t k);
  /// The weights, of any sign, of the point of the affine hull nearest to z.
  void affine_minimiser();
  /// x - z from the weights.
  void combine();

  [[nodiscard]] std::size_t count() const noexcept { return weights_.size(); }
  [[nodiscard]] std::span<double> point(std::size_t k) {
    return std::span(points_).subspan(k * n_, n_);
  }
  [[nodiscard]] std::span<double> basis(std::size_t k) {
    return std::span(basis_).subspan(k * n_, n_);
  }
  /// Entry l <= k of point k + 1 less point 0 in the basis.
  [[nodiscard]] double& triangle(std::size_t k, std::size_t l) {
    return triangle_[k * (k + 1) / 2 + l];
  }

  std::size_t n_;
  double diameter_;
  Minimise minimise_;
  std::vector<double> z_;
  std::vector<double> away_;    // x - z
  std::vector<double> vertex_;  // the last answer, less z
  std::vector<double> tilted_;
  std::vector<double> points_;    // the vertices of x, less z, row by row
  std::vector<double> weights_;   // of x, positive
  std::vector<double> basis_;     // orthonormal rows
  std::vector<double> triangle_;  // row by row
  std::vector<double> below_;     // the entries below it, when a point leaves
  std::vector<double> wanted_;    // the affine minimiser
};

}  // namespace keyhole::sets
