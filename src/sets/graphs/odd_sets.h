// The constraints of a matching polytope that are too many to list.

#pragma once

#include <span>

#include "keyhole/sets.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/unit_cuts.h"

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
  UnitCuts network_;  // node 0 is the node more, v + 1 the node v
};

/// Whether x is in the hull of the perfect matchings of the graph of `rows`, all sums but for
/// moves by `slack`: x(v) = 1 at each node, and no odd set breaks its bound.
[[nodiscard]] bool contains_perfect(const DegreeRows& rows, std::span<const double> x,
                                    double slack);

}  // namespace keyhole::sets
