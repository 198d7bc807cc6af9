#include "math/combinatorial/general_matching.h"

#include <stdexcept>

#ifdef KEYHOLE_WITH_LEMON
// Headers alone: nothing to link.
#define LEMON_ONLY_TEMPLATES
#include <lemon/matching.h>
#include <lemon/smart_graph.h>
#endif

namespace keyhole::math {

#ifdef KEYHOLE_WITH_LEMON

struct GeneralMatching::Graph {
  using Weights = lemon::SmartGraph::EdgeMap<std::int64_t>;

  Graph(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& ends)
      : weights(graph), method(graph, weights), perfect(graph, weights) {
    graph.reserveNode(static_cast<int>(nodes));
    graph.reserveEdge(static_cast<int>(ends.size()));
    for (std::size_t v = 0; v < nodes; ++v) graph.addNode();
    for (const auto& [a, b] : ends) {
      edges.push_back(graph.addEdge(lemon::SmartGraph::nodeFromId(static_cast<int>(a)),
                                    lemon::SmartGraph::nodeFromId(static_cast<int>(b))));
    }
  }

  lemon::SmartGraph graph;
  Weights weights;
  std::vector<lemon::SmartGraph::Edge> edges;
  lemon::MaxWeightedMatching<lemon::SmartGraph, Weights> method;  // run() starts from nothing
  lemon::MaxWeightedPerfectMatching<lemon::SmartGraph, Weights> perfect;
};

bool GeneralMatching::is_available() noexcept { return true; }

GeneralMatching::GeneralMatching(std::size_t nodes,
                                 const std::vector<std::pair<std::size_t, std::size_t>>& edges)
    : graph_(std::make_unique<Graph>(nodes, edges)) {
  matching_.reserve(nodes / 2);
}

const std::vector<std::size_t>& GeneralMatching::heaviest(
    const std::vector<std::int64_t>& weights) {
  for (std::size_t e = 0; e < weights.size(); ++e) graph_->weights[graph_->edges[e]] = weights[e];
  graph_->method.run();
  matching_.clear();
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (weights[e] > 0 && graph_->method.matching(graph_->edges[e])) matching_.push_back(e);
  }
  return matching_;
}

const std::vector<std::size_t>& GeneralMatching::heaviest_perfect(
    const std::vector<std::int64_t>& weights) {
  for (std::size_t e = 0; e < weights.size(); ++e) graph_->weights[graph_->edges[e]] = weights[e];
  matching_.clear();
  if (!graph_->perfect.run()) return matching_;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (graph_->perfect.matching(graph_->edges[e])) matching_.push_back(e);
  }
  return matching_;
}

#else

struct GeneralMatching::Graph {};

bool GeneralMatching::is_available() noexcept { return false; }

GeneralMatching::GeneralMatching(
    std::size_t /*nodes*/, const std::vector<std::pair<std::size_t, std::size_t>>& /*edges*/) {
  throw std::logic_error("built without LEMON");
}

const std::vector<std::size_t>& GeneralMatching::heaviest(
    const std::vector<std::int64_t>& /*weights*/) {
  return matching_;
}

const std::vector<std::size_t>& GeneralMatching::heaviest_perfect(
    const std::vector<std::int64_t>& /*weights*/) {
  return matching_;
}

#endif

GeneralMatching::~GeneralMatching() = default;

}  // namespace keyhole::math
