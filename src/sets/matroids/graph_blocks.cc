#include "sets/matroids/graph_blocks.h"

#include <algorithm>
#include <utility>

namespace keyhole::sets {
namespace {

constexpr std::size_t no_edge = static_cast<std::size_t>(-1);

struct SearchedNode {
  std::size_t depth = 0;  // from 1 on; 0 if not reached yet
  std::size_t above = no_edge;
  std::size_t next = 0;          // among its edges
  std::size_t low = 0;           // the least depth that an edge from its subtree leads to
  std::size_t to_low = no_edge;  // that edge
};

}  // namespace

std::vector<std::vector<std::size_t>> edges_at_nodes(std::size_t nodes,
                                                     std::span<const Edge> edges) {
  std::vector<std::vector<std::size_t>> result(nodes);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].from == edges[e].to) continue;
    result[edges[e].from].push_back(e);
    result[edges[e].to].push_back(e);
  }
  return result;
}

GraphBlocks::GraphBlocks(std::size_t nodes, std::span<const Edge> edges)
    : in_forest(edges.size(), false) {
  const std::vector<std::vector<std::size_t>> at = edges_at_nodes(nodes, edges);
  std::vector<SearchedNode> searched(nodes);
  std::vector<std::size_t> path;
  std::vector<std::size_t> open;  // edges whose block is not known yet

  /// The subtree of the last node of the path is done.
  const auto step_back = [&] {
    const SearchedNode child = searched[path.back()];
    path.pop_back();
    if (path.empty()) return;
    SearchedNode& node = searched[path.back()];
    if (child.low < node.depth) {
      // Both tree edges are on the cycle that to_low closes.
      exchanges.push_back({child.above, child.to_low});
      exchanges.push_back({node.above, child.to_low});
      if (child.low < node.low) {
        node.low = child.low;
        node.to_low = child.to_low;
      }
      return;
    }
    const auto first = std::find(open.rbegin(), open.rend(), child.above).base() - 1;
    if (open.end() - first > 1) {
      blocks.emplace_back(first, open.end());
      std::sort(blocks.back().begin(), blocks.back().end());
    }
    open.erase(first, open.end());
  };

  const auto go_on = [&](std::size_t e) {
    const std::size_t from = path.back();
    SearchedNode& node = searched[from];
    const std::size_t to = edges[e].from == from ? edges[e].to : edges[e].from;
    SearchedNode& other = searched[to];
    if (e == node.above || other.depth > node.depth) return;
    open.push_back(e);
    if (other.depth == 0) {
      in_forest[e] = true;
      other = {node.depth + 1, e, 0, node.depth + 1, no_edge};
      path.push_back(to);
      return;
    }
    exchanges.push_back({node.above, e});
    if (other.depth < node.low) {
      node.low = other.depth;
      node.to_low = e;
    }
  };

  for (std::size_t root = 0; root < nodes; ++root) {
    if (searched[root].depth != 0) continue;
    searched[root].depth = searched[root].low = 1;
    path.assign(1, root);
    while (!path.empty()) {
      SearchedNode& node = searched[path.back()];
      if (node.next == at[path.back()].size()) {
        step_back();
      } else {
        go_on(at[path.back()][node.next++]);
      }
    }
  }
  std::sort(blocks.begin(), blocks.end());
}

std::size_t degeneracy(std::size_t nodes, std::span<const Edge> edges) {
  const std::vector<std::vector<std::size_t>> at = edges_at_nodes(nodes, edges);
  std::vector<std::size_t> degree(nodes);
  std::vector<std::vector<std::size_t>> of_degree(edges.size() + 1);  // some out of date
  for (std::size_t v = 0; v < nodes; ++v) {
    degree[v] = at[v].size();
    of_degree[degree[v]].push_back(v);
  }
  std::vector<bool> taken(nodes, false);
  std::size_t most = 0;
  for (std::size_t d = 0; d < of_degree.size();) {
    if (of_degree[d].empty()) {
      ++d;
      continue;
    }
    const std::size_t node = of_degree[d].back();
    of_degree[d].pop_back();
    if (taken[node] || degree[node] != d) continue;
    taken[node] = true;
    most = std::max(most, d);
    for (const std::size_t e : at[node]) {
      const std::size_t other = edges[e].from == node ? edges[e].to : edges[e].from;
      if (taken[other]) continue;
      of_degree[--degree[other]].push_back(other);
      d = std::min(d, degree[other]);
    }
  }
  return most;
}

}  // namespace keyhole::sets
