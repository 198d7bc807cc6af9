// Flows of a directed graph with capacities.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "sets/circulations.h"
#include "sets/expensive_projection.h"
#include "sets/graphs/acyclic_flows.h"
#include "sets/graphs/flow_polytope.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class CapacitatedFlowOracle final : public Oracle {
 public:
  CapacitatedFlowOracle(const Set& set, const FlowPolytope& body)
      : set_(set),
        body_(body),
        centre_(set.centre()),
        slack_(set.slack()),
        solver_(body.network().solver()),
        potentials_(body.network().nodes, 0.0),
        flow_(set.dimension()),
        indices_(set.dimension()),
        values_(set.dimension()) {
    if (set.dimension() <= FlowProjection::few_coordinates) projection_ = body_.projection(set_);
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    find_potentials(direction);
    solver_.minimise(direction, flow_, potentials_);
    std::size_t count = 0;
    for (std::size_t e = 0; e < flow_.size(); ++e) {
      if (flow_[e] == 0) continue;
      indices_[count] = e;
      values_[count++] = flow_[e];
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (!set_.can_project()) {
      return Oracle::do_project(point, nearest);  // says that there is none
    }
    if (projection_ == nullptr) projection_ = body_.projection(set_);
    return projection_->project(point, nearest);
  }

  /// gamma(w) = max_e (w_e - p_e) / (c_e - p_e) or (p_e - w_e) / p_e, the first of them.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    double gamma = 0;
    std::size_t first = 0;
    double slope = 0;
    for (std::size_t e = 0; e < w.size(); ++e) {
      if (body_.is_fixed(e)) continue;
      const double off = w[e] - centre_[e];
      const double width = off > 0 ? body_.network().capacities[e] - centre_[e] : -centre_[e];
      if (!(off / width > gamma)) continue;
      gamma = off / width;
      first = e;
      slope = 1 / width;
    }
    subgradient[first] = slope;
    body_.circulations().flatten(subgradient);
    return gamma;
  }

  void settle(std::span<double> point) override {
    for (std::size_t e = 0; e < point.size(); ++e) {
      settle_between(point[e], 0, body_.network().capacities[e], slack_);
    }
  }

 private:
  /// Without cycles: the least cost of a way to each node, from any. No edge is cheaper than the
  /// difference at its ends, so none is filled at the start; else about half of them would be. With
  /// cycles there may be no such potentials, and they stay 0.
  void find_potentials(std::span<const double> costs) {
    if (body_.onward_edges().empty()) return;
    std::fill(potentials_.begin(), potentials_.end(), 0.0);
    for (const std::size_t e : body_.onward_edges()) {
      const auto [from, to] = body_.network().edges[e];
      potentials_[to] = std::min(potentials_[to], costs[e] + potentials_[from]);
    }
  }

  const Set& set_;
  const FlowPolytope& body_;
  std::unique_ptr<FlowProjection> projection_;
  const Vector& centre_;
  double slack_;
  MinCostFlow solver_;
  Vector potentials_;
  Vector flow_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

class CapacitatedFlow final : public Set, public ExpensiveProjection {
 public:
  CapacitatedFlow(FlowPolytope body, std::string spec)
      : Set(body.mean().size(), body.circulations().dimension(), body.geometry_about(body.mean())),
        body_(std::move(body)),
        spec_(std::move(spec)) {
    for (std::size_t e = 0; e < dimension(); ++e) {
      // A member's slack is then at least 50 roundings of its coordinates.
      const double largest = body_.extremes().largest[e];
      base::require(largest <= 1e5 * outer_radius(),
                    "the flows differ by so little, " + base::number_text(outer_radius()) +
                        ", from their mean that digits are lost where " +
                        base::number_text(largest) + " flows, on edge " + std::to_string(e) +
                        ": leave more room between the amount and the capacities");
      const double most = std::max(1000 * outer_radius(), 2 * largest);
      base::require(body_.network().capacities[e] <= most,
                    "the capacity of edge " + std::to_string(e) +
                        " is far above what flows there, which costs digits: " +
                        base::number_text(most) + " will do");
    }
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CapacitatedFlowOracle>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    const bool has_cycles = body_.onward_edges().empty();
    return has_cycles && dimension() <= most_sampled_coordinates ? explore_acyclic_flows(*this)
                                                                 : explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && body_.contains(x, slack());
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }
  [[nodiscard]] bool can_project() const noexcept override {
    return dimension() <= FlowProjection::most_coordinates;
  }

  void flatten(std::span<double> direction) const override {
    body_.circulations().flatten(direction);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  FlowPolytope body_;
  std::string spec_;
};

}  // namespace

SetPtr flow(std::size_t nodes, List<Edge> edges, std::size_t source, std::size_t sink,
            List<double> capacities, double amount) {
  require_network(nodes, edges, source, sink);
  base::require(capacities.size() == edges.size(), "a graph of " + std::to_string(edges.size()) +
                                                       " edges needs as many capacities, not " +
                                                       std::to_string(capacities.size()));
  for (std::size_t e = 0; e < capacities.size(); ++e) {
    base::require_positive("the capacity of " + edge_text(e, edges[e]), capacities[e]);
  }
  base::require_positive("the amount of the flow", amount);
  std::string spec = "flow(" + std::to_string(nodes) + ", " + edges_text(edges) +
                     ", source=" + std::to_string(source) + ", sink=" + std::to_string(sink);
  const std::string of_edges = base::list_text(capacities, true);
  if (of_edges != "1") spec += ", capacities=" + of_edges;
  if (amount != 1) spec += ", amount=" + base::number_text(amount);
  FlowNetwork network = {nodes, {edges.begin(), edges.end()},           source,
                         sink,  {capacities.begin(), capacities.end()}, amount};
  return std::make_shared<CapacitatedFlow>(FlowPolytope(std::move(network)), spec + ")");
}

SetPtr flow(std::size_t nodes, List<Edge> edges, std::size_t source, std::size_t sink,
            double capacity, double amount) {
  return flow(nodes, edges, source, sink, Vector(edges.size(), capacity), amount);
}

}  // namespace keyhole::sets
