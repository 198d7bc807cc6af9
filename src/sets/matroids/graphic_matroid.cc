#include "sets/matroids/graphic_matroid.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/require.h"
#include "sets/circulations.h"

namespace keyhole::sets {
namespace {

/// Which nodes the forest so far joins, by union-find with path halving; the node with the smaller
/// number stands for a tree.
class ForestTest final : public IndependenceTest {
 public:
  explicit ForestTest(const GraphicMatroid& matroid) : matroid_(matroid), above_(matroid.nodes()) {
    ForestTest::reset();
  }

  void reset() override { std::iota(above_.begin(), above_.end(), std::size_t{0}); }

  bool add(std::size_t element) override {
    const Edge& edge = matroid_.edges()[element];
    const std::size_t a = find(edge.from);
    const std::size_t b = find(edge.to);
    above_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::size_t find(std::size_t node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }

  const GraphicMatroid& matroid_;
  std::vector<std::size_t> above_;
};

/// Minimum cuts between node sets, by augmenting along shortest paths (Edmonds, Karp 1972).
class ForestCuts {
 public:
  /// With d_u the sum of x over the edges at u, |S| - x(edges within S) is
  ///
  ///   sum over u in S of (1 - d_u / 2) + x(edges that leave S) / 2,
  ///
  /// a cut: of the source's arcs to the nodes with a negative term, of the arcs of positive ones to
  /// the sink, and of the edges with capacity x / 2 both ways.
  ///
  /// Nodes with d_u <= 1 are left out, one after the other: S without u is no larger then.
  ForestCuts(const GraphicMatroid& matroid, std::span<const double> x)
      : degree_(matroid.nodes(), 0.0) {
    std::vector<std::size_t> used;
    for (std::size_t e = 0; e < x.size(); ++e) {
      const Edge& edge = matroid.edges()[e];
      if (edge.from == edge.to || !(x[e] > 0)) continue;
      used.push_back(e);
      degree_[edge.from] += x[e];
      degree_[edge.to] += x[e];
    }
    const auto hangs = [&](std::size_t e) {
      const Edge& edge = matroid.edges()[e];
      if (degree_[edge.from] > 1 && degree_[edge.to] > 1) return false;
      degree_[edge.from] -= x[e];
      degree_[edge.to] -= x[e];
      return true;
    };
    for (std::size_t before = used.size() + 1; used.size() < before;) {
      before = used.size();
      used.erase(std::remove_if(used.begin(), used.end(), hangs), used.end());
    }
    place_.assign(degree_.size(), 0);
    for (const std::size_t e : used) {
      place_[matroid.edges()[e].from] = place_[matroid.edges()[e].to] = 1;
    }
    for (std::size_t& place : place_) {
      if (place > 0) place = nodes_++;
    }
    arcs_of_.resize(nodes_ + 2);
    std::vector<double> term(nodes_, 1.0);
    for (const std::size_t e : used) {
      const std::size_t from = place_[matroid.edges()[e].from];
      const std::size_t to = place_[matroid.edges()[e].to];
      term[from] -= x[e] / 2;
      term[to] -= x[e] / 2;
      join(from, to, x[e] / 2, x[e] / 2);
    }
    for (std::size_t u = 0; u < nodes_; ++u) {
      if (term[u] < 0) constant_ += term[u];
      join(source(), u, std::max(-term[u], 0.0), 0);
      join(u, sink(), std::max(term[u], 0.0), 0);
    }
  }

  /// Whether |S| - x(edges within S) >= least for every S that is not empty.
  bool at_least(double least) {
    // For S without a condition, from which the flows for S with each node in turn start.
    double flow = 0;
    for (double more = augment(); more > 0; more = augment()) flow += more;
    std::vector<double> capacities = capacity_;
    for (std::size_t u = 0; u < nodes_; ++u) {
      double of_node = constant_ + flow;
      capacity_[arc_from_source(u)] = std::numeric_limits<double>::infinity();
      while (of_node < least) {
        const double more = augment();
        if (!(more > 0)) return false;
        of_node += more;
      }
      // Sets with this node are done, so that the others leave it to the sink.
      capacities[arc_from_source(u) + 2] = std::numeric_limits<double>::infinity();
      capacity_ = capacities;
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t source() const { return nodes_; }
  [[nodiscard]] std::size_t sink() const { return nodes_ + 1; }
  /// Those to source and sink were made last, four a node.
  [[nodiscard]] std::size_t arc_from_source(std::size_t u) const {
    return ends_.size() - 4 * (nodes_ - u);
  }

  /// An arc and its reverse, which differ in the last bit of their number.
  void join(std::size_t a, std::size_t b, double forth, double back) {
    arcs_of_[a].push_back(ends_.size());
    ends_.push_back(b);
    capacity_.push_back(forth);
    arcs_of_[b].push_back(ends_.size());
    ends_.push_back(a);
    capacity_.push_back(back);
  }

  /// What a shortest path with room from the source to the sink takes; 0 if there is none.
  double augment() {
    constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    reached_by_.assign(arcs_of_.size(), nowhere);
    queue_.assign(1, source());
    for (std::size_t k = 0; k < queue_.size() && reached_by_[sink()] == nowhere; ++k) {
      for (const std::size_t arc : arcs_of_[queue_[k]]) {
        const std::size_t end = ends_[arc];
        if (!(capacity_[arc] > 0) || reached_by_[end] != nowhere || end == source()) continue;
        reached_by_[end] = arc;
        queue_.push_back(end);
      }
    }
    if (reached_by_[sink()] == nowhere) return 0;
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t v = sink(); v != source(); v = ends_[reached_by_[v] ^ 1U]) {
      room = std::min(room, capacity_[reached_by_[v]]);
    }
    for (std::size_t v = sink(); v != source(); v = ends_[reached_by_[v] ^ 1U]) {
      capacity_[reached_by_[v]] -= room;
      capacity_[reached_by_[v] ^ 1U] += room;
    }
    return room;
  }

  std::vector<double> degree_;
  std::vector<std::size_t> place_;  // among the nodes that are left
  std::size_t nodes_ = 0;
  double constant_ = 0;
  std::vector<std::vector<std::size_t>> arcs_of_;
  std::vector<std::size_t> ends_;
  std::vector<double> capacity_;
  std::vector<std::size_t> reached_by_;
  std::vector<std::size_t> queue_;
};

}  // namespace

GraphicMatroid::GraphicMatroid(std::size_t nodes, std::span<const Edge> edges)
    : Matroid(edges.size()), nodes_(nodes), edges_(edges.begin(), edges.end()) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    base::require(edges[e].from < nodes && edges[e].to < nodes,
                  "edge " + std::to_string(e) + " of a graph joins the nodes " +
                      std::to_string(edges[e].from) + " and " + std::to_string(edges[e].to) +
                      ", and the graph has " + std::to_string(nodes) + ", counted from 0");
  }
}

std::unique_ptr<IndependenceTest> GraphicMatroid::test() const {
  return std::make_unique<ForestTest>(*this);
}

std::string GraphicMatroid::text() const {
  return std::to_string(nodes_) + ", " + edges_text(edges_);
}

bool GraphicMatroid::bounds_forests(std::span<const double> x, double slack) const {
  return ForestCuts(*this, x).at_least(1 - slack);
}

MatroidPtr graphic_matroid(std::size_t nodes, List<Edge> edges) {
  base::require(!edges.empty(), "the matroid of a graph needs at least one edge");
  return std::make_shared<GraphicMatroid>(nodes, edges);
}

}  // namespace keyhole::sets
