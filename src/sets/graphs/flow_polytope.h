// Which flows a network with capacities has.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "keyhole/sets.h"
#include "sets/circulations.h"
#include "sets/flow_projection.h"
#include "sets/graphs/min_cost_flow.h"

namespace keyhole::sets {

/// What was asked for.
struct FlowNetwork {
  std::size_t nodes;
  std::vector<Edge> edges;
  std::size_t source;
  std::size_t sink;
  std::vector<double> capacities;
  double amount;

  [[nodiscard]] MinCostFlow solver() const;
};

/// Vertices that attain the least and the largest flow of every edge.
struct FlowExtremes {
  std::vector<double> least;
  std::vector<double> largest;
  std::vector<double> mean;

  /// Throws InvalidArgument, naming the largest amount, if there is no flow.
  explicit FlowExtremes(const FlowNetwork& network);

  /// The edges that carry the same in every flow.
  [[nodiscard]] std::vector<bool> fixed() const;
};

/// The network, what its edges can carry, and the directions in which flows differ. Thread-safe.
class FlowPolytope {
 public:
  /// Throws InvalidArgument if there is not more than one flow.
  explicit FlowPolytope(FlowNetwork network);

  [[nodiscard]] const FlowNetwork& network() const { return network_; }
  [[nodiscard]] const Circulations& circulations() const { return circulations_; }
  /// A point inside: the mean of the extremes.
  [[nodiscard]] const std::vector<double>& mean() const { return extremes_.mean; }
  [[nodiscard]] const FlowExtremes& extremes() const { return extremes_; }
  [[nodiscard]] bool is_fixed(std::size_t e) const { return fixed_[e]; }
  /// Those of flow_graph.h: none if the graph has cycles.
  [[nodiscard]] std::span<const std::size_t> onward_edges() const { return onward_edges_; }

  /// Whether it is such a flow, its divergence to that error for each edge.
  [[nodiscard]] bool contains(std::span<const double> flow, double tolerance) const;

  /// A projection onto the set of these flows.
  [[nodiscard]] std::unique_ptr<FlowProjection> projection(const Set& set) const;

  /// r from the bounds; R and D may be upper bounds.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const;

 private:
  [[nodiscard]] double most_squares(std::span<const double> p) const;
  [[nodiscard]] bool has_no_middle() const;

  FlowNetwork network_;
  FlowExtremes extremes_;
  std::vector<bool> fixed_;
  Circulations circulations_;
  std::vector<double> axis_lengths_;
  std::vector<double> degrees_;  // of the nodes
  std::vector<std::size_t> onward_edges_;
};

}  // namespace keyhole::sets
