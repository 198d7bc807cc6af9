#include "sets/graphs/odd_sets.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace keyhole::sets {

OddSets::OddSets(std::span<const Edge> edges, std::span<const double> x,
                 std::span<const double> of_nodes)
    : network_(of_nodes.size() + 1) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    network_.add(edges[e].from + 1, edges[e].to + 1, x[e], x[e]);
  }
  for (std::size_t v = 0; v < of_nodes.size(); ++v) {
    network_.add(v + 1, 0, 1 - of_nodes[v], 1 - of_nodes[v]);
  }
}

bool OddSets::hold(double tolerance) {
  const std::size_t nodes = network_.nodes();
  std::vector<std::size_t> parent(nodes, 0);
  std::vector<double> above(nodes, 1.0);  // the cut between a node and its parent, at most 1
  for (std::size_t s = 1; s < nodes; ++s) {
    const std::size_t t = parent[s];
    const double value = network_.cut(s, t);
    above[s] = value;
    if (value >= 1) continue;
    for (std::size_t v = 1; v < nodes; ++v) {
      if (v != s && network_.is_reached(v) && parent[v] == t) parent[v] = s;
    }
    if (t != 0 && network_.is_reached(parent[t])) {
      parent[s] = std::exchange(parent[t], s);
      above[s] = std::exchange(above[t], value);
    }
  }
  // The parity of what hangs below each node: its own and that of everything that reaches it.
  std::vector<std::uint8_t> odd(nodes, 0);
  for (std::size_t v = 1; v < nodes; ++v) {
    for (std::size_t w = v; w != 0; w = parent[w]) odd[w] ^= 1U;
  }
  for (std::size_t v = 1; v < nodes; ++v) {
    if (odd[v] != 0 && above[v] < 1 - tolerance) return false;
  }
  return true;
}

bool contains_perfect(const DegreeRows& rows, std::span<const double> x, double slack) {
  if (!rows.contains(x, slack)) return false;
  std::vector<double> of_nodes(rows.limits().size());
  rows.sums(x, of_nodes);
  const double tolerance = slack * std::sqrt(static_cast<double>(rows.largest_degree()));
  for (const double sum : of_nodes) {
    if (!(sum >= 1 - tolerance)) return false;
  }
  // Roundings of the sums at 3 nodes, and of the cut.
  return OddSets(rows.edges(), x, of_nodes).hold(3 * tolerance);
}

}  // namespace keyhole::sets
