// Trees that lead from a root to all nodes of a directed graph. Their hull is described by what
// enters sets of nodes (Edmonds, "Optimum branchings", 1967).

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/graphs.h"
#include "sets/circulations.h"
#include "sets/graphs/cheapest_arborescence.h"
#include "sets/graphs/unit_cuts.h"
#include "sets/graphs/zero_one_hull.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

struct RootedGraph {
  std::size_t nodes;
  std::vector<Edge> edges;
  std::size_t root;
};

class ArborescenceOracle final : public Oracle {
 public:
  /// For an oracle that settles nothing and refers to no set.
  explicit ArborescenceOracle(const RootedGraph& graph)
      : cheapest_(graph.nodes, graph.edges, graph.root), ones_(graph.nodes - 1, 1.0) {}
  ArborescenceOracle(const Set& set, const RootedGraph& graph)
      : cheapest_(graph.nodes, graph.edges, graph.root),
        slack_(set.slack()),
        ones_(graph.nodes - 1, 1.0) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    vertex_ = {{}, cheapest_.find(direction), ones_};
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  CheapestArborescence cheapest_;
  double slack_ = 0;
  std::vector<double> ones_;
  Vertex vertex_;
};

class Arborescences final : public ZeroOneHull {
 public:
  Arborescences(RootedGraph graph, Oracle& oracle, std::string spec)
      : ZeroOneHull(graph.edges.size(), oracle, "arborescence of this graph", std::move(spec)),
        graph_(std::move(graph)),
        entering_(graph_.nodes, 0.0) {
    for (const Edge& edge : graph_.edges) entering_[edge.to] += 1;
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ArborescenceOracle>(*this, graph_);
  }

  /// 1 enters each node but the root, where nothing enters, and at least 1 each set of nodes
  /// without the root: no cut between the root and a node is below 1.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    std::vector<double> sums(graph_.nodes, 0.0);
    UnitCuts network(graph_.nodes);
    for (std::size_t e = 0; e < x.size(); ++e) {
      if (!(x[e] >= 0)) return false;
      sums[graph_.edges[e].to] += x[e];
      network.add(graph_.edges[e].from, graph_.edges[e].to, x[e], 0);
    }
    for (std::size_t v = 0; v < graph_.nodes; ++v) {
      const double wanted = v == graph_.root ? 0 : 1;
      if (!(std::abs(sums[v] - wanted) <= slack() * std::sqrt(entering_[v]))) return false;
    }
    for (std::size_t v = 0; v < graph_.nodes; ++v) {
      if (v != graph_.root && network.cut(graph_.root, v) < 1 - slack()) return false;
    }
    return true;
  }

 private:
  RootedGraph graph_;
  std::vector<double> entering_;  // how many edges enter each node
};

void require_reachable(const RootedGraph& graph) {
  std::vector<bool> reached(graph.nodes, false);
  reached[graph.root] = true;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const auto& [from, to] : graph.edges) {
      if (!reached[from] || reached[to]) continue;
      reached[to] = is_new = true;
    }
  }
  const auto missed = std::find(reached.begin(), reached.end(), false);
  base::require(missed == reached.end(), "node " + std::to_string(missed - reached.begin()) +
                                             " cannot be reached from the root, node " +
                                             std::to_string(graph.root) +
                                             ": there is no arborescence");
}

}  // namespace

SetPtr arborescences(std::size_t nodes, List<Edge> edges, std::size_t root) {
  base::require(nodes >= 2, "arborescences need at least 2 nodes, not " + std::to_string(nodes));
  base::require(root < nodes, "the root of arborescences must be one of " + std::to_string(nodes) +
                                  " nodes, counted from 0, not " + std::to_string(root));
  base::require(edges.size() <= ZeroOneHull::most_edges,
                "arborescences of " + std::to_string(edges.size()) + " edges are too many: " +
                    std::to_string(ZeroOneHull::most_edges) + " edges are the most");
  for (std::size_t e = 0; e < edges.size(); ++e) {
    base::require(edges[e].from < nodes && edges[e].to < nodes,
                  edge_text(e, edges[e]) + " must join nodes of " + std::to_string(nodes) +
                      ", counted from 0");
  }
  base::require(edges.size() + 1 >= nodes, "arborescences of " + std::to_string(nodes) +
                                               " nodes need at least " + std::to_string(nodes - 1) +
                                               " edges, not " + std::to_string(edges.size()));
  RootedGraph graph{nodes, {edges.begin(), edges.end()}, root};
  require_reachable(graph);
  std::string spec = "arborescences(" + std::to_string(nodes) + ", " + edges_text(edges);
  if (root != 0) spec += ", root=" + std::to_string(root);
  ArborescenceOracle oracle(graph);
  return std::make_shared<Arborescences>(std::move(graph), oracle, spec + ")");
}

}  // namespace keyhole::sets
