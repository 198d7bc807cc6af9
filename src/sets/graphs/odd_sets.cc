#include "sets/graphs/odd_sets.h"

#include <algorithm>
#include <utility>

namespace keyhole::sets {
namespace {

/// Less than that is rounding.
constexpr double least_room = 1e-13;

}  // namespace

OddSets::OddSets(std::span<const Edge> edges, std::span<const double> x,
                 std::span<const double> of_nodes)
    : from_(of_nodes.size() + 1), reached_(from_.size()), via_(from_.size()) {
  for (std::size_t e = 0; e < edges.size(); ++e) add_edge(edges[e].from + 1, edges[e].to + 1, x[e]);
  for (std::size_t v = 0; v < of_nodes.size(); ++v) add_edge(v + 1, 0, 1 - of_nodes[v]);
  for (const Arc& arc : arcs_) capacities_.push_back(arc.room);
}

void OddSets::add_edge(std::size_t a, std::size_t b, double capacity) {
  if (!(capacity > least_room)) return;
  from_[a].push_back(arcs_.size());
  arcs_.push_back({b, capacity});
  from_[b].push_back(arcs_.size());
  arcs_.push_back({a, capacity});
}

bool OddSets::hold(double tolerance) {
  const std::size_t nodes = from_.size();
  std::vector<std::size_t> parent(nodes, 0);
  std::vector<double> above(nodes, 1.0);  // the cut between a node and its parent, at most 1
  for (std::size_t s = 1; s < nodes; ++s) {
    const std::size_t t = parent[s];
    const double value = cut(s, t);
    above[s] = value;
    if (value >= 1) continue;
    for (std::size_t v = 1; v < nodes; ++v) {
      if (v != s && reached_[v] != 0 && parent[v] == t) parent[v] = s;
    }
    if (t != 0 && reached_[parent[t]] != 0) {
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

double OddSets::cut(std::size_t s, std::size_t t) {
  for (std::size_t arc = 0; arc < arcs_.size(); ++arc) arcs_[arc].room = capacities_[arc];
  double sum = 0;
  while (sum < 1 && find_path(s, t)) {
    double amount = 1 - sum;
    for (std::size_t v = t; v != s; v = arcs_[via_[v] ^ 1U].to) {
      amount = std::min(amount, arcs_[via_[v]].room);
    }
    for (std::size_t v = t; v != s; v = arcs_[via_[v] ^ 1U].to) {
      arcs_[via_[v]].room -= amount;
      arcs_[via_[v] ^ 1U].room += amount;
    }
    sum += amount;
  }
  return sum;
}

bool OddSets::find_path(std::size_t s, std::size_t t) {
  std::fill(reached_.begin(), reached_.end(), std::uint8_t{0});
  queue_.assign(1, s);
  reached_[s] = 1;
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    for (const std::size_t arc : from_[queue_[k]]) {
      const auto [to, room] = arcs_[arc];
      if (reached_[to] != 0 || !(room > least_room)) continue;
      reached_[to] = 1;
      via_[to] = arc;
      if (to == t) return true;
      queue_.push_back(to);
    }
  }
  return false;
}

}  // namespace keyhole::sets
