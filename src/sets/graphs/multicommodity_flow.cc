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

/// The flows as a polytope of the coordinates that are not fixed.
struct CommodityBody {
  CommodityNetwork network;
  CommodityExtremes extremes;
  std::vector<std::size_t> free;  // the coordinates that are not fixed, ascending
  SetPtr polytope;
  bool has_cycles;

  explicit CommodityBody(CommodityNetwork of, const std::string& spec)
      : network(std::move(of)),
        extremes(network),
        has_cycles(onward_edges(network.nodes, network.edges).empty()) {
    for (std::size_t j = 0; j < extremes.fixed.size(); ++j) {
      if (!extremes.fixed[j]) free.push_back(j);
    }
    PolytopeConstraints rows = free_flows(network, extremes);
    rows.source = spec;
    try {
      polytope = sets::polytope(rows);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("the flows of these commodities are refused: " +
                            std::string(error.what()));
    }
  }

  /// The free coordinates of a point.
  void gather(std::span<const double> x, std::span<double> of_free) const {
    for (std::size_t i = 0; i < free.size(); ++i) of_free[i] = x[free[i]];
  }
  void scatter(std::span<const double> of_free, std::span<double> x) const {
    for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = of_free[i];
  }

  /// Of a point of the polytope.
  [[nodiscard]] Vector whole(std::span<const double> of_free) const {
    Vector result = extremes.largest;
    scatter(of_free, result);
    return result;
  }

  /// At least ||f - p||^2 for every flow f, as for flow(): (f_j - p_j)^2 <= (l + u - 2 p_j) f_j +
  /// p_j^2 - l u for l <= f_j <= u.
  [[nodiscard]] double most_squares(std::span<const double> p) const {
    Vector costs(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      costs[i] = 2 * p[i] - extremes.least[free[i]] - extremes.largest[free[i]];
    }
    const double constant = math::reduce(free.size(), [&](std::size_t i) {
      return p[i] * p[i] - extremes.least[free[i]] * extremes.largest[free[i]];
    });
    return constant - polytope->oracle()->minimise(costs).dot(costs);
  }

  [[nodiscard]] Geometry geometry_about(const Geometry& inner) const {
    const double widths = std::sqrt(math::reduce(free.size(), [&](std::size_t i) {
      const double width = extremes.largest[free[i]] - extremes.least[free[i]];
      return width * width;
    }));
    const double R = std::min(inner.outer_radius, std::sqrt(most_squares(inner.centre)));
    const double D = std::min(
        {2 * R, widths, inner.diameter, std::sqrt(2 * most_squares(Vector(free.size(), 0.0)))});
    return {whole(inner.centre), inner.inner_radius, std::min(R, D), D, false, false};
  }
};

class CommodityOracle final : public Oracle {
 public:
  CommodityOracle(const Set& set, const CommodityBody& body)
      : set_(set),
        body_(body),
        inner_(body.polytope->oracle()),
        slack_(body.polytope->slack()),
        direction_(body.free.size()),
        answer_(body.free.size()),
        flow_(body.extremes.largest) {
    vertex_.dense = flow_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    body_.gather(direction, direction_);
    inner_->minimise(direction_).write_to(answer_);
    body_.scatter(answer_, flow_);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (!set_.can_project()) {
      return Oracle::do_project(point, nearest);  // says that there is none
    }
    body_.gather(point, direction_);
    inner_->project(direction_, answer_);
    std::copy(body_.extremes.largest.begin(), body_.extremes.largest.end(), nearest.begin());
    body_.scatter(answer_, nearest);
    return true;
  }

  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    body_.gather(w, direction_);
    const double gamma = inner_->gauge(direction_, answer_);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    body_.scatter(answer_, subgradient);
    return gamma;
  }

  void settle(std::span<double> point) override {
    body_.gather(point, direction_);
    inner_->settle(direction_);
    for (std::size_t j = 0; j < point.size(); ++j) {
      const double value = body_.extremes.largest[j];
      if (body_.extremes.fixed[j] && std::abs(point[j] - value) <= slack_) point[j] = value;
    }
    body_.scatter(direction_, point);
  }

 private:
  const Set& set_;
  const CommodityBody& body_;
  std::unique_ptr<Oracle> inner_;
  double slack_;
  Vector direction_;
  Vector answer_;
  Vector flow_;
  Vertex vertex_;
};

class MulticommodityFlow final : public Set {
 public:
  MulticommodityFlow(CommodityBody body, std::string spec)
      : Set(body.network.dimension(), body.polytope->hull_dimension(),
            body.geometry_about(body.polytope->geometry())),
        body_(std::move(body)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CommodityOracle>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (dimension() > most_explored_coordinates) return inscribed_sphere(*this);
    return body_.has_cycles && dimension() <= CommodityExtremes::most_exact_coordinates
               ? explore_acyclic_flows(*this)
               : explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (!body_.extremes.fixed[j]) continue;
      const bool near = std::abs(x[j] - body_.extremes.largest[j]) <= body_.polytope->slack();
      if (!near || x[j] < 0) return false;
    }
    Vector of_free(body_.free.size());
    body_.gather(x, of_free);
    return body_.polytope->contains(of_free);
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return body_.polytope->can_gauge(); }
  [[nodiscard]] bool can_project() const noexcept override { return body_.polytope->can_project(); }

  /// Within the span itself: the free coordinates first, and back from the end.
  void flatten(std::span<double> direction) const override {
    const std::size_t count = body_.free.size();
    for (std::size_t i = 0; i < count; ++i) direction[i] = direction[body_.free[i]];
    body_.polytope->flatten(direction.first(count));
    std::size_t left = count;
    for (std::size_t j = direction.size(); j-- > 0;) {
      const bool is_free = left > 0 && body_.free[left - 1] == j;
      direction[j] = is_free ? direction[--left] : 0;
    }
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Vector of_free(body_.free.size());
    body_.gather(centre, of_free);
    return body_.geometry_about(body_.polytope->geometry_about(of_free));
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  CommodityBody body_;
  std::string spec_;
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
  CommodityNetwork network = {nodes,
                              {edges.begin(), edges.end()},
                              {commodities.begin(), commodities.end()},
                              {capacities.begin(), capacities.end()}};
  return std::make_shared<MulticommodityFlow>(CommodityBody(std::move(network), spec), spec);
}

SetPtr multicommodity_flow(std::size_t nodes, List<Edge> edges, List<Commodity> commodities,
                           double capacity) {
  return multicommodity_flow(nodes, edges, commodities, Vector(edges.size(), capacity));
}

}  // namespace keyhole::sets
