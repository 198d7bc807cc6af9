#include <algorithm>

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
          {"projects up to 1000 coordinates", "flat"},
          {nodes(),
           edges(),
           {"source", Type::whole, "where the unit enters", {}, {}, node},
           {"sink", Type::whole, "where it leaves", {}, {}, node}},
          build_unit_flow};
}

Entry path_splits_entry() {
  return {"path_splits",
          "the shares of each demand's paths: a simplex a demand",
          {"projects", "flat"},
          {{"paths", Type::numbers, "the number of paths of each demand", {}, {}, {2, most_rows}}},
          build_path_splits};
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
      {"projects up to 1000 coordinates", "flat"},
      {nodes(),
       edges(),
       {"source", Type::whole, "where the amount enters", {}, {}, node},
       {"sink", Type::whole, "where it leaves", {}, {}, node},
       Parameter{"capacities", Type::coordinates, "the most that an edge carries", {}, {}, positive}
           .or_value("1"),
       size("amount", "what flows")},
      build_flow};
}

SetPtr build_multicommodity_flow(const Arguments& given) {
  const std::vector<Edge> edges = given.edges("edges");
  std::vector<Commodity> commodities;
  for (const std::vector<double>& row : given.rows("commodities")) {
    if (row.size() != 3) given.refuse("commodities", "must hold rows [source, sink, amount]");
    const Commodity one = {static_cast<std::size_t>(std::min(row[0], most_nodes)),
                           static_cast<std::size_t>(std::min(row[1], most_nodes)), row[2]};
    if (static_cast<double>(one.source) != row[0] || static_cast<double>(one.sink) != row[1]) {
      given.refuse("commodities", "must have whole numbers of nodes for source and sink");
    }
    commodities.push_back(one);
  }
  return multicommodity_flow(given.whole("nodes"), edges, commodities,
                             given.coordinates("capacities", edges.size()));
}

Entry multicommodity_flow_entry() {
  return {
      "multicommodity_flow",
      "{f >= 0, each commodity flows from its source to its sink, all within the capacities}",
      {"projects", "flat"},
      {nodes(),
       edges(),
       {"commodities", Type::rows, "[source, sink, amount] for each", {}, {}, not_negative},
       Parameter{"capacities", Type::coordinates, "the most on an edge", {}, {}, positive}.or_value(
           "1")},
      build_multicommodity_flow};
}

SetPtr build_bipartite_matchings(const Arguments& given) {
  const std::size_t left = given.whole("left");
  const std::size_t right = given.whole("right");
  return given.has("edges") ? bipartite_matchings(left, right, given.edges("edges"))
                            : bipartite_matchings(left, right);
}

Entry bipartite_matchings_entry() {
  return {"bipartite_matchings",
          "{x >= 0, at each node the sum over its edges is at most 1} of a bipartite graph",
          {"0-1 vertices"},
          {side("left", "the number of left nodes"), side("right", "the number of right nodes"),
           Parameter{"edges", Type::rows, "[left, right] for each edge", {}, {}, node}.or_else(
               "all pairs, row by row")},
          build_bipartite_matchings};
}

SetPtr build_matchings(const Arguments& given) {
  return matchings(given.whole("nodes"), given.edges("edges"));
}

Entry matchings_entry() {
  return {"matchings",
          "the convex hull of the matchings of any graph",
          {"0-1 vertices", "needs LEMON"},
          {nodes(), Parameter{"edges", Type::rows, "[node, node] for each edge", {}, {}, node}},
          build_matchings};
}

SetPtr build_b_matchings(const Arguments& given) {
  const std::vector<double> left = given.numbers("left");
  const std::vector<double> right = given.numbers("right");
  const std::size_t count = given.has("edges") ? given.count("edges") : left.size() * right.size();
  const std::vector<double> capacities = given.coordinates("capacities", count);
  return given.has("edges") ? b_matchings(left, right, given.edges("edges"), capacities)
                            : b_matchings(left, right, capacities);
}

Entry b_matchings_entry() {
  return {
      "b_matchings",
      "{0 <= x <= capacities, at each node the sum is at most its limit} of a bipartite graph",
      {"whole vertices for whole limits"},
      {{"left", Type::numbers, "the limit of each left node", {}, {}, positive},
       {"right", Type::numbers, "the limit of each right node", {}, {}, positive},
       Parameter{"edges", Type::rows, "[left, right] for each edge", {}, {}, node}.or_else(
           "all pairs, row by row"),
       Parameter{"capacities", Type::coordinates, "the most on an edge", {}, {}, positive}.or_value(
           "1")},
      build_b_matchings};
}

SetPtr build_perfect_matchings(const Arguments& given) {
  const std::size_t nodes = given.whole("nodes");
  return given.has("edges") ? perfect_matchings(nodes, given.edges("edges"))
                            : perfect_matchings(nodes);
}

Entry perfect_matchings_entry() {
  return {"perfect_matchings",
          "the convex hull of the perfect matchings of a graph",
          {"flat", "0-1 vertices", "needs LEMON"},
          {Parameter{"nodes", Type::whole, "the number of nodes, even", {}, {}, {2, 3000}},
           Parameter{"edges", Type::rows, "[node, node] for each edge", {}, {}, node}.or_else(
               "all pairs")},
          build_perfect_matchings};
}

SetPtr build_arborescences(const Arguments& given) {
  return arborescences(given.whole("nodes"), given.edges("edges"), given.whole("root"));
}

Entry arborescences_entry() {
  return {"arborescences",
          "the convex hull of the trees that lead from the root to all nodes of a directed graph",
          {"flat", "0-1 vertices"},
          {nodes(), edges(),
           Parameter{"root", Type::whole, "where the trees begin", {}, {}, node}.or_value("0")},
          build_arborescences};
}

}  // namespace

std::vector<Entry> graph_entries() {
  return {unit_flow_entry(),           path_splits_entry(),         flow_entry(),
          multicommodity_flow_entry(), bipartite_matchings_entry(), b_matchings_entry(),
          matchings_entry(),           perfect_matchings_entry(),   arborescences_entry()};
}

}  // namespace keyhole::spec
