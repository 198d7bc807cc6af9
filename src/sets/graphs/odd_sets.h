// The constraints of a matching polytope that are too many to list.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// Whether x(S) <= (|S| - 1) / 2 for each odd set S of nodes, x(S) the sum over the edges within S,
/// by minimum cuts (Padberg, Rao, "Odd minimum cut-sets and b-matchings", 1982). With a node more,
/// joined to each node v by what v has left, 1 - x(v), the cut around S is |S| - 2 x(S): all odd
/// sets keep to their bounds if the odd ones among the cuts of a Gomory-Hu tree are at least 1. The
/// tree is found as by Gusfield ("Very simple methods for all pairs network flow analysis", 1990),
/// but for cuts of 1 and more, which need not be told apart.
///
/// At most `nodes` maximum flows, each stopped at 1. Made for one question.
class OddSets {
 public:
  /// x >= 0 with x(v) <= 1, up to rounding, given as of_nodes.
  OddSets(std::span<const Edge> edges, std::span<const double> x, std::span<const double> of_nodes);

  /// Whether all odd cuts are at least 1 - tolerance.
  [[nodiscard]] bool hold(double tolerance);

 private:
  // Node 0 is the node more, v + 1 the node v. Arcs 2 k and 2 k + 1 are an edge, both ways.
  struct Arc {
    std::size_t to;
    double room;
  };
  void add_edge(std::size_t a, std::size_t b, double capacity);
  /// The lesser of 1 and the minimum cut; below 1 reached_ tells the side of s.
  double cut(std::size_t s, std::size_t t);
  bool find_path(std::size_t s, std::size_t t);

  std::vector<Arc> arcs_;
  std::vector<double> capacities_;              // of the arcs
  std::vector<std::vector<std::size_t>> from_;  // the arcs that leave a node
  std::vector<std::uint8_t> reached_;
  std::vector<std::size_t> via_;  // the arc that reached a node
  std::vector<std::size_t> queue_;
};

}  // namespace keyhole::sets
