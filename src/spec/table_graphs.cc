#include "keyhole/graphs.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

SetPtr build_path_splits(const Arguments& given) { return path_splits(given.wholes("paths")); }

SetPtr build_unit_flow(const Arguments& given) {
  return unit_flow(given.whole("nodes"), given.edges("edges"), given.whole("source"),
                   given.whole("sink"));
}

Entry unit_flow_entry() {
  return {"unit_flow",
          "{f >= 0, one unit flows from the source to the sink} of a graph without cycles",
          {"flat"},
          {nodes(),
           edges(),
           {"source", Type::whole, "where the unit enters", {}, {}, node},
           {"sink", Type::whole, "where it leaves", {}, {}, node}},
          build_unit_flow,
          {},
          {.example = "unit_flow(4, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], 0, 3)",
           .oracle = "a shortest path, 1 on its edges, by dynamic programming in topological "
                     "order; of several edges that leave a node at the same cost the first",
           .cost = "O(edges); flatten O(nodes^2 + edges)",
           .geometry =
               "p the mean of a random path, r = min p_e/||P e_e||, P the projection onto the "
               "circulations, R exact by a longest path, D <= sqrt(2 longest path): an upper bound",
           .exploration = "up to 400 edges random paths with their covariance exactly; else the "
                          "inscribed sphere"}};
}

Entry path_splits_entry() {
  return {
      "path_splits",
      "the shares of each demand's paths: a simplex a demand",
      {"projects", "flat"},
      {{"paths", Type::numbers, "the number of paths of each demand", {}, {}, {2, most_rows}}},
      build_path_splits,
      {},
      {.example = "path_splits([3, 2])",
       .oracle = "demand by demand the first path of smallest d",
       .cost = "O(n)",
       .geometry = "p side by side, r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2 of the simplices",
       .exploration = "independent draws of the simplices",
       .projection = "demand by demand, as for simplex"}};
}

SetPtr build_flow(const Arguments& given) {
  const std::vector<Edge> edges = given.edges("edges");
  return flow(given.whole("nodes"), edges, given.whole("source"), given.whole("sink"),
              given.coordinates("capacities", edges.size()), given.number("amount"));
}

Entry flow_entry() {
  return {
      "flow",
      "{0 <= f <= capacities, the amount flows from the source to the sink} of any graph",
      {"flat"},
      {nodes(),
       edges(),
       {"source", Type::whole, "where the amount enters", {}, {}, node},
       {"sink", Type::whole, "where it leaves", {}, {}, node},
       Parameter{"capacities", Type::coordinates, "the most that an edge carries", {}, {}, positive}
           .or_value("1"),
       size("amount", "what flows")},
      build_flow,
      {},
      {.example = "flow(4, [[0, 1], [0, 2], [1, 2], [2, 1], [1, 3], [2, 3]], source=0, sink=3)",
       .oracle = "a flow of least cost that is a vertex: edges of negative cost are filled, then "
                 "the excess of each node, in their order, goes to the nearest node that lacks "
                 "some; of paths of the same cost one with the fewest edges; d = 0 sends the "
                 "amount along paths with the fewest edges",
       .cost = "O(k edges log edges) for k paths",
       .geometry =
           "p = the mean of vertices that attain the least and the largest flow l_e, u_e of "
           "every edge, r = min_e min(p_e, capacity_e - p_e) / ||P e_e|| with P the projection "
           "onto the circulations, R^2 = sum (p_e^2 - l_e u_e) + max sum (l_e + u_e - 2 p_e) "
           "f_e (exact for whole amounts and capacities of 1, else a bound), D a bound",
       .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
       .reference = "J. Edmonds, R. Karp, Theoretical improvements in algorithmic efficiency for "
                    "network flow problems, 1972"}};
}

SetPtr build_bipartite_matchings(const Arguments& given) {
  const std::size_t left = given.whole("left");
  const std::size_t right = given.whole("right");
  return given.has("edges") ? bipartite_matchings(left, right, given.edges("edges"))
                            : bipartite_matchings(left, right);
}

Entry bipartite_matchings_entry() {
  return {
      "bipartite_matchings",
      "{x >= 0, at each node the sum over its edges is at most 1} of a bipartite graph",
      {"0-1 vertices"},
      {side("left", "the number of left nodes"), side("right", "the number of right nodes"),
       Parameter{"edges", Type::rows, "[left, right] for each edge", {}, {}, node}.or_else(
           "all pairs, row by row")},
      build_bipartite_matchings,
      {},
      {.example = "bipartite_matchings(2, 2, edges=[[0, 0], [0, 1], [1, 0]])",
       .oracle = "a matching of least cost: the left nodes join one by one, each along a cheapest "
                 "alternating path, of several one with the fewest edges; d = 0 gives no edges",
       .cost = "O(left edges log edges)",
       .geometry =
           "p = s (1, ..., 1), s = 1 / (k + sqrt k) with k the most edges at a node, r = s, "
           "R^2 = ||p||^2 + max over matchings of sum (1 - 2 p_e), D^2 = the most edges of "
           "which no node has more than two; exact",
       .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
       .reference =
           "G. Birkhoff, Tres observaciones sobre el algebra lineal, 1946; J. Edmonds, R. Karp, "
           "Theoretical improvements in algorithmic efficiency for network flow problems, 1972"}};
}

SetPtr build_matchings(const Arguments& given) {
  return matchings(given.whole("nodes"), given.edges("edges"));
}

Entry matchings_entry() {
  return {
      "matchings",
      "the convex hull of the matchings of any graph",
      {"0-1 vertices", "needs LEMON"},
      {nodes(), Parameter{"edges", Type::rows, "[node, node] for each edge", {}, {}, node}},
      build_matchings,
      {},
      {.example = "matchings(3, [[0, 1], [1, 2], [0, 2]])",
       .oracle = "a matching of least cost; edges of cost 0 or more are never in it, so d = 0 "
                 "gives no edges; in whole numbers, on a grid of 2^-50 of the power of two at "
                 "or above the largest |d_e|",
       .cost = "O(nodes edges log nodes)",
       .geometry = "p = s (1, ..., 1), r = s, the largest s that is as far from the sums at "
                   "nodes and within odd sets, R^2 = ||p||^2 + (1 - 2 s) (the size of a largest "
                   "matching), exact; D a bound",
       .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
       .reference = "J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965; M. "
                    "Padberg, M. Rao, Odd minimum cut-sets and b-matchings, 1982"}};
}

Entry perfect_matchings_entry() {
  return {
      "perfect_matchings",
      "the convex hull of the perfect matchings of a complete graph",
      {"flat", "0-1 vertices", "needs LEMON"},
      {Parameter{"nodes", Type::whole, "the number of nodes, even", {}, {}, {4, 1000}}},
      [](const Arguments& given) { return perfect_matchings(given.whole("nodes")); },
      {},
      {.example = "perfect_matchings(4)",
       .oracle = "a perfect matching of least cost; of several, and for d = 0, always the same; in "
                 "whole numbers, on a grid of 2^-50 of the power of two at or above the largest "
                 "|d_e|",
       .cost = "O(n^3 log n)",
       .geometry = "p = (1, ..., 1) / (n - 1), r = min of p_e sqrt((n - 1) / (n - 3)) and, for k = "
                   "3, 5, ..., n / 2, (k (n - k) / (n - 1) - 1) / ||P cut|| with the cut around k "
                   "nodes, R^2 = n (n - 2) / (2 (n - 1)), D = sqrt n; exact",
       .exploration = "uniform perfect matchings",
       .reference = "J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965; M. "
                    "Padberg, M. Rao, Odd minimum cut-sets and b-matchings, 1982"}};
}

}  // namespace

std::vector<Entry> graph_entries() {
  return {unit_flow_entry(),           path_splits_entry(), flow_entry(),
          bipartite_matchings_entry(), matchings_entry(),   perfect_matchings_entry()};
}

}  // namespace keyhole::spec
