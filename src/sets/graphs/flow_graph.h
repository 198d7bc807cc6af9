// The graph behind a set of flows, and random paths through it.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// The edges in an order in which each comes after all that lead to its beginning; none if a way
/// along the edges comes back to where it began.
[[nodiscard]] std::vector<std::size_t> onward_edges(std::size_t nodes, std::span<const Edge> edges);

/// Which edges are on no path from the source to the sink, loops among them. Throws InvalidArgument
/// unless nodes and edges fit.
[[nodiscard]] std::vector<bool> edges_on_no_path(std::size_t nodes, std::span<const Edge> edges,
                                                 std::size_t source, std::size_t sink);

/// A directed acyclic graph in which every edge is on a path from the source to the sink. Nodes
/// without edges are left out; the others are numbered in a topological order, so the source is
/// node 0 and the sink the last.
class FlowGraph {
 public:
  /// Throws InvalidArgument, naming nodes and edges by the given numbers, unless it is one, with
  /// more than one path.
  FlowGraph(std::size_t nodes, std::span<const Edge> edges, std::size_t source, std::size_t sink);

  [[nodiscard]] std::size_t nodes() const { return out_.size(); }
  [[nodiscard]] std::size_t edges() const { return edges_.size(); }
  [[nodiscard]] const Edge& edge(std::size_t e) const { return edges_[e]; }
  [[nodiscard]] std::span<const Edge> all_edges() const { return edges_; }
  /// The edges that leave a node or enter it, in the order given.
  [[nodiscard]] const std::vector<std::size_t>& out(std::size_t node) const { return out_[node]; }
  [[nodiscard]] const std::vector<std::size_t>& in(std::size_t node) const { return in_[node]; }
  /// The number of edges of the longest path.
  [[nodiscard]] std::size_t longest() const { return longest_; }

  /// The edges of a path of least cost into `path`, and how many they are. Of several edges that
  /// leave a node at the same cost to the sink the first is taken. `scratch` has a number a node,
  /// `path` room for the longest.
  std::size_t shortest_path(std::span<const double> costs, std::span<double> scratch,
                            std::span<std::size_t> path) const noexcept;

  /// The most that the costs of a path sum to.
  [[nodiscard]] double longest_path_cost(std::span<const double> costs) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<std::vector<std::size_t>> in_;
  std::size_t longest_ = 0;
};

/// A random path: an edge, each as likely as the others, then from its end on to the sink and from
/// its beginning back to the source, at each node any edge, each as likely as the others. So every
/// edge is used with probability at least 1 / edges, however many paths there are.
struct PathLaw {
  /// The probability that the path uses an edge.
  std::vector<double> mean;
  /// Of mean: that the edge is the first one drawn or comes after it, or is it or comes before it.
  std::vector<double> from_start;
  std::vector<double> to_start;

  explicit PathLaw(const FlowGraph& graph);

  /// The covariance matrix of the edges, row by row. O(nodes^2 edges + edges^2).
  [[nodiscard]] std::vector<double> covariance(const FlowGraph& graph) const;
};

}  // namespace keyhole::sets
