// Who goes with whom, of two sides, at the least cost.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/sets.h"
#include "sets/graphs/min_cost_flow.h"

namespace keyhole::sets {

/// min <costs, x> over 0 <= x <= capacities with at most limits[v] at each node v of a bipartite
/// graph: every left node sends its limit, over its edges and on to the sink, or to the sink at
/// once; a right node passes on its limit. After construction nothing allocates. One a thread.
class Pairing {
 public:
  /// Edges are from left nodes 0, 1, ... to right nodes, which follow them; a limit for each of
  /// them, and a capacity for each edge.
  Pairing(std::size_t left, std::span<const Edge> edges, std::span<const double> limits,
          std::span<const double> capacities);

  /// What is on the edges. It holds until the next call.
  std::span<const double> cheapest(std::span<const double> costs);

 private:
  static MinCostFlow network(std::size_t left, std::span<const Edge> edges,
                             std::span<const double> limits, std::span<const double> capacities);

  std::size_t edges_;
  MinCostFlow solver_;
  std::vector<std::size_t> ends_;  // of the edges
  std::vector<double> costs_;
  std::vector<double> flow_;
  std::vector<double> potentials_;
};

}  // namespace keyhole::sets
