// The blocks of a graph, its largest parts that no single node separates: the connected components
// of the matroid of its forests.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// By depth-first search (Tarjan 1972), O(nodes + edges).
struct GraphBlocks {
  /// Tree edge `leaves` is on the cycle that `enters` closes: they can be exchanged.
  struct Exchange {
    std::size_t leaves = 0;
    std::size_t enters = 0;
  };

  GraphBlocks(std::size_t nodes, std::span<const Edge> edges);

  /// The edges of each block of more than one, sorted; blocks by their first edge. An edge from a
  /// node to itself is in none.
  std::vector<std::vector<std::size_t>> blocks = {};
  /// Whether each edge is in the forest of the search, which spans the graph.
  std::vector<bool> in_forest = {};
  /// Exchanges of that forest that lead, forth or back, from every edge of a block to every other.
  std::vector<Exchange> exchanges = {};
};

/// The edges at each node, without loops.
[[nodiscard]] std::vector<std::vector<std::size_t>> edges_at_nodes(std::size_t nodes,
                                                                   std::span<const Edge> edges);

/// The least k such that nodes can be taken away one by one, each with at most k edges left at it.
/// So the edges are k forests: the i-th one that each node takes along, i = 1, ..., k. No fewer
/// than (k + 1) / 2 are enough (Lick, White 1970). Loops do not count.
[[nodiscard]] std::size_t degeneracy(std::size_t nodes, std::span<const Edge> edges);

}  // namespace keyhole::sets
