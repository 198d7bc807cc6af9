// The edges of a bipartite graph, as several sets take them: from left to right nodes, each side
// counted from 0.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// The edges with right nodes counted on from the left ones. Throws InvalidArgument unless there is
/// an edge, and at most `most`, all between nodes that there are.
[[nodiscard]] std::vector<Edge> bipartite_edges(std::size_t left, std::size_t right,
                                                std::span<const Edge> edges, std::size_t most);

/// Every left node with every right one, row by row. Throws InvalidArgument unless there are nodes
/// on both sides, and no more than `most` pairs.
[[nodiscard]] std::vector<Edge> all_pairs(std::size_t left, std::size_t right, std::size_t most);

/// Whether the edges are those, in that order.
[[nodiscard]] bool are_all_pairs(std::size_t left, std::size_t right, std::span<const Edge> edges);

}  // namespace keyhole::sets
