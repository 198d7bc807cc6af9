// Perfect matchings of any graph (Edmonds, "Maximum matching and a polyhedron with 0,1-vertices",
// 1965). Which dimension their hull has depends on how the graph falls into bricks (Edmonds,
// Lovasz, Pulleyblank, "Brick decompositions and the matching rank of graphs", 1982): it is found
// by asking for matchings.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/graphs.h"
#include "sets/circulations.h"
#include "sets/free_coordinates.h"
#include "sets/graphs/cheapest_matching.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/odd_sets.h"
#include "sets/graphs/zero_one_hull.h"

namespace keyhole::sets {
namespace {

class GraphPerfectMatchings final : public ZeroOneHull {
 public:
  GraphPerfectMatchings(std::size_t nodes, DegreeRows rows, Oracle& oracle, std::string spec)
      : ZeroOneHull(rows.edges().size(), oracle, "perfect matching of this graph", std::move(spec)),
        nodes_(nodes),
        rows_(std::move(rows)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return matching_oracle(nodes_, rows_.edges(), true, slack());
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return contains_perfect(rows_, x, slack());
  }

 private:
  std::size_t nodes_;
  DegreeRows rows_;
};

bool are_all_pairs(std::size_t nodes, std::span<const Edge> edges) {
  if (edges.size() != nodes * (nodes - 1) / 2) return false;
  std::size_t e = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j, ++e) {
      if (edges[e].from != i || edges[e].to != j) return false;
    }
  }
  return true;
}

}  // namespace

SetPtr perfect_matchings(std::size_t nodes, List<Edge> edges) {
  require_graph_to_match(nodes, edges, ZeroOneHull::most_edges);
  std::string spec =
      "perfect_matchings(" + std::to_string(nodes) + ", edges=" + edges_text(edges) + ")";
  const std::vector<bool> loops = are_loops(edges);
  if (std::find(loops.begin(), loops.end(), true) != loops.end()) {
    return with_unused_edges(edges, loops, std::move(spec), [&](std::span<const Edge> others) {
      return perfect_matchings(nodes, others);
    });
  }
  if (nodes >= 4 && nodes % 2 == 0 && are_all_pairs(nodes, edges)) return perfect_matchings(nodes);
  base::require(nodes % 2 == 0, "a graph of " + std::to_string(nodes) +
                                    " nodes has no perfect matching: it needs an even number");
  base::require(
      2 * edges.size() >= nodes &&
          !CheapestMatching(nodes, edges).find_perfect(std::vector(edges.size(), 0.0)).empty(),
      "this graph has no perfect matching: some node is always left out");
  const std::unique_ptr<Oracle> oracle = matching_oracle(nodes, edges, true, 0);
  return std::make_shared<GraphPerfectMatchings>(nodes, DegreeRows(nodes, edges), *oracle,
                                                 std::move(spec));
}

}  // namespace keyhole::sets
