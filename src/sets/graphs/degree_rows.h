// What matchings of all graphs keep: edges carry x >= 0, and at most a limit, 1, at each node.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/polytope.h"
#include "keyhole/sets.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless there is an edge, and at most `most`, each between nodes that
/// there are.
void require_graph_to_match(std::size_t nodes, std::span<const Edge> edges, std::size_t most);

/// {x >= 0 : x(v) <= limit of v for each node v}, x(v) the sum over the edges at v. Thread-safe.
class DegreeRows {
 public:
  /// With limits of 1.
  DegreeRows(std::size_t nodes, std::span<const Edge> edges);
  DegreeRows(std::span<const Edge> edges, std::vector<double> limits);

  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// The number of edges at a node, and the most at any.
  [[nodiscard]] std::size_t degree(std::size_t node) const { return degrees_[node]; }
  [[nodiscard]] std::size_t largest_degree() const;
  /// Of each node.
  [[nodiscard]] std::span<const double> limits() const { return limits_; }

  /// x(v) for each node.
  void sums(std::span<const double> x, std::span<double> of_nodes) const;

  /// Whether x is in it, the sums to that error for each edge.
  [[nodiscard]] bool contains(std::span<const double> x, double tolerance) const;

  /// The same as constraints.
  [[nodiscard]] PolytopeConstraints description() const;

  /// The distance of p from the nearest of these bounds: min p_e, (limit - p(v)) /
  /// sqrt(degree v).
  [[nodiscard]] double inner_radius(std::span<const double> p) const;

  /// The gauge about p, with its subgradient: the first, edges before nodes, of
  /// (p_e - w_e) / p_e and (w(v) - p(v)) / (limit - p(v)). `scratch` holds two numbers a node.
  double gauge(std::span<const double> p, std::span<const double> w, std::span<double> subgradient,
               std::span<double> scratch) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::size_t> degrees_;
  std::vector<double> limits_;
};

}  // namespace keyhole::sets
