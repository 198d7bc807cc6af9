// What a set is like that tells nothing but the minimisers of linear functions.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/set.h"
#include "sets/explored_points.h"
#include "sets/nearest_point.h"

namespace keyhole::sets {

/// Up to so many coordinates the axes of the covariance, and a basis of the hull, are found: 0.5 s
/// at 400 (bench_start), and with the cube of the coordinates.
inline constexpr std::size_t most_decomposed_coordinates = 400;

/// What minimising linear functions shows of a convex set K in n dimensions.
struct EstimatedShape {
  std::size_t hull_dimension = 0;
  /// Orthonormal directions of the hull of K, row by row, or, above most_decomposed_coordinates,
  /// those across it; in either case none if it has all dimensions.
  std::shared_ptr<const std::vector<double>> along = nullptr;
  std::shared_ptr<const std::vector<double>> across = nullptr;
  /// Vertices v_j that span it, and the weights w_j > 0 of a design, which sum to 1; and, above
  /// most_decomposed_coordinates, these as points to explore.
  std::vector<std::vector<double>> vertices;
  std::vector<double> weights;
  SharedPoints points = nullptr;
  /// p = sum w_j v_j, r as Spread tells it within the hull. R and D are those of a box around K,
  /// upper bounds.
  Geometry geometry;

  /// Projects onto the directions of the hull.
  void flatten(std::span<double> direction) const;
};

/// Explores the vertices of the shape of a set, or the inscribed sphere if it has none.
[[nodiscard]] std::unique_ptr<Exploration> explore(const Set& set, const EstimatedShape& shape);

/// From the answers to +-e_i, to random_directions(n) of a fixed key (sets/sampled_vertices.h), and
/// to +- the axes of Sigma, along which the box lies. The weights are those of a D-optimal design.
/// The hull is complete if two normal directions orthogonal to what was found show no width (1e-9
/// of the size), which is so with probability 1. Throws InvalidArgument if an answer is not finite,
/// or if K is a single point.
///
/// Above most_decomposed_coordinates from the random directions alone, and +-e_i for the box. The
/// weights are equal: then no leverage is above the number of vertices. What is across the hull is
/// what Sigma takes to 0, but for directions that show a width.
///
/// Without a box R and D are not told.
[[nodiscard]] EstimatedShape estimate_shape(std::size_t n, const NearestPoint::Minimise& minimise,
                                            bool wants_box = true);

}  // namespace keyhole::sets
