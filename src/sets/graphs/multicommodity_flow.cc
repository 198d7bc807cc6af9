// Flows of several commodities that share the capacities of a directed graph.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/free_coordinates.h"
#include "sets/graphs/acyclic_flows.h"
#include "sets/graphs/commodity_flows.h"
#include "sets/graphs/flow_graph.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_commodity_coordinates = 3000;
/// With more a list of vertices takes longer than seconds: 2000 linear programs of 50 ms.
constexpr std::size_t most_explored_coordinates = 500;

class MulticommodityFlow final : public FreeSet {
 public:
  MulticommodityFlow(const FreeCoordinates& of_free, CommodityExtremes extremes, bool has_cycles,
                     std::string spec)
      : FreeSet(of_free, tightened(of_free, extremes, of_free.inner->geometry()), std::move(spec)),
        extremes_(std::move(extremes)),
        has_cycles_(has_cycles) {}

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (dimension() > most_explored_coordinates) return inscribed_sphere(*this);
    return has_cycles_ && dimension() <= CommodityExtremes::most_exact_coordinates
               ? explore_acyclic_flows(*this)
               : explore_vertices(*this);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return tightened(body(), extremes_, body().geometry_about(centre));
  }

 private:
  /// At least ||f - p||^2 for every flow f, as for flow(): (f_j - p_j)^2 <= (l + u - 2 p_j) f_j +
  /// p_j^2 - l u for l <= f_j <= u.
  static double most_squares(const FreeCoordinates& flows, const CommodityExtremes& extremes,
                             std::span<const double> p) {
    const auto& free = flows.free;
    Vector costs(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      costs[i] = 2 * p[i] - extremes.least[free[i]] - extremes.largest[free[i]];
    }
    const double constant = math::reduce(free.size(), [&](std::size_t i) {
      return p[i] * p[i] - extremes.least[free[i]] * extremes.largest[free[i]];
    });
    return constant - flows.inner->oracle()->minimise(costs).dot(costs);
  }

  static Geometry tightened(const FreeCoordinates& flows, const CommodityExtremes& extremes,
                            const Geometry& of_free) {
    const auto& free = flows.free;
    const double widths = std::sqrt(math::reduce(free.size(), [&](std::size_t i) {
      const double width = extremes.largest[free[i]] - extremes.least[free[i]];
      return width * width;
    }));
    const double R =
        std::min(of_free.outer_radius, std::sqrt(most_squares(flows, extremes, of_free.centre)));
    const double D =
        std::min({2 * R, widths, of_free.diameter,
                  std::sqrt(2 * most_squares(flows, extremes, Vector(free.size(), 0.0)))});
    return {flows.whole(of_free.centre), of_free.inner_radius, std::min(R, D), D, false, false};
  }

  CommodityExtremes extremes_;
  bool has_cycles_;
};

void require_commodities(std::size_t nodes, std::span<const Edge> edges,
                         std::span<const Commodity> commodities) {
  base::require(!edges.empty(), "flows of commodities need at least one edge");
  for (std::size_t e = 0; e < edges.size(); ++e) {
    base::require(edges[e].from < nodes && edges[e].to < nodes,
                  edge_text(e, edges[e]) + " must join nodes of " + std::to_string(nodes) +
                      ", counted from 0");
  }
  base::require(!commodities.empty(), "flows of commodities need at least one commodity");
  for (std::size_t k = 0; k < commodities.size(); ++k) {
    const auto& [source, sink, amount] = commodities[k];
    const std::string of = " of commodity " + std::to_string(k);
    for (const auto& [what, node] : {std::pair{"source", source}, {"sink", sink}}) {
      base::require(node < nodes, std::string("the ") + what + of + " is node " +
                                      std::to_string(node) + ", and there are " +
                                      std::to_string(nodes) + ", counted from 0");
    }
    base::require(source != sink,
                  "the source and the sink" + of + " are the same, node " + std::to_string(source));
    base::require_positive("the amount" + of, amount);
  }
  const std::size_t n = edges.size() * commodities.size();
  base::require(n <= most_commodity_coordinates,
                std::to_string(commodities.size()) + " commodities on " +
                    std::to_string(edges.size()) + " edges are " + std::to_string(n) +
                    " numbers: at most " + std::to_string(most_commodity_coordinates) +
                    " can be worked out");
}

std::string commodities_text(std::span<const Commodity> commodities) {
  std::vector<double> rows;
  for (const auto& [source, sink, amount] : commodities) {
    rows.insert(rows.end(), {static_cast<double>(source), static_cast<double>(sink), amount});
  }
  return base::matrix_text(rows, 3);
}

}  // namespace

SetPtr multicommodity_flow(std::size_t nodes, List<Edge> edges, List<Commodity> commodities,
                           List<double> capacities) {
  require_commodities(nodes, edges, commodities);
  base::require(capacities.size() == edges.size(), "a graph of " + std::to_string(edges.size()) +
                                                       " edges needs as many capacities, not " +
                                                       std::to_string(capacities.size()));
  for (std::size_t e = 0; e < capacities.size(); ++e) {
    base::require_positive("the capacity of " + edge_text(e, edges[e]), capacities[e]);
  }
  std::string spec = "multicommodity_flow(" + std::to_string(nodes) + ", " + edges_text(edges) +
                     ", " + commodities_text(commodities);
  const std::string of_edges = base::list_text(capacities, true);
  if (of_edges != "1") spec += ", capacities=" + of_edges;
  spec += ")";
  const CommodityNetwork network = {nodes,
                                    {edges.begin(), edges.end()},
                                    {commodities.begin(), commodities.end()},
                                    {capacities.begin(), capacities.end()}};
  CommodityExtremes extremes(network);
  PolytopeConstraints rows = free_flows(network, extremes);
  rows.source = spec;
  FreeCoordinates of_free(extremes.fixed, extremes.largest,
                          polytope_of("the flows of these commodities", rows));
  return std::make_shared<MulticommodityFlow>(std::move(of_free), std::move(extremes),
                                              onward_edges(nodes, network.edges).empty(), spec);
}

SetPtr multicommodity_flow(std::size_t nodes, List<Edge> edges, List<Commodity> commodities,
                           double capacity) {
  return multicommodity_flow(nodes, edges, commodities, Vector(edges.size(), capacity));
}

}  // namespace keyhole::sets
