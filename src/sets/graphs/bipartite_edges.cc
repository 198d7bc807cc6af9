#include "sets/graphs/bipartite_edges.h"

#include <string>

#include "base/require.h"

namespace keyhole::sets {

std::vector<Edge> bipartite_edges(std::size_t left, std::size_t right, std::span<const Edge> edges,
                                  std::size_t most) {
  base::require(!edges.empty(), "a graph to match needs at least one edge");
  base::require(edges.size() <= most, "a graph of " + std::to_string(edges.size()) +
                                          " edges is too large to match: " + std::to_string(most) +
                                          " are the most");
  std::vector<Edge> shifted;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    const std::string pair =
        "edge " + std::to_string(e) + " (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    base::require(i < left && j < right, pair + " must join one of " + std::to_string(left) +
                                             " left nodes to one of " + std::to_string(right) +
                                             " right nodes, both counted from 0");
    shifted.push_back({i, left + j});
  }
  return shifted;
}

std::vector<Edge> all_pairs(std::size_t left, std::size_t right, std::size_t most) {
  base::require(left >= 1 && right >= 1, "matchings need nodes on both sides, not " +
                                             std::to_string(left) + " and " +
                                             std::to_string(right));
  base::require(left <= most / right,
                "a graph of " + std::to_string(left) + " times " + std::to_string(right) +
                    " edges is too large to match: " + std::to_string(most) + " are the most");
  std::vector<Edge> edges;
  edges.reserve(left * right);
  for (std::size_t i = 0; i < left; ++i) {
    for (std::size_t j = 0; j < right; ++j) edges.push_back({i, j});
  }
  return edges;
}

bool are_all_pairs(std::size_t left, std::size_t right, std::span<const Edge> edges) {
  if (edges.size() != left * right) return false;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].from != e / right || edges[e].to != e % right) return false;
  }
  return true;
}

}  // namespace keyhole::sets
