// Flows of a directed graph with capacities.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/min_cost_flow.h"
#include "sets/require.h"
#include "sets/sampled_vertices.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

/// What was asked for.
struct FlowNetwork {
  std::size_t nodes;
  std::vector<Edge> edges;
  std::size_t source;
  std::size_t sink;
  Vector capacities;
  double amount;

  [[nodiscard]] MinCostFlow solver() const {
    Vector supplies(nodes, 0.0);
    supplies[source] = amount;
    supplies[sink] = -amount;
    return {nodes, edges, capacities, supplies};
  }
};

/// Vertices that attain the least and the largest flow of every edge.
struct FlowExtremes {
  Vector least;
  Vector largest;
  Vector mean;

  /// Throws InvalidArgument, naming the largest amount, if there is no flow.
  explicit FlowExtremes(const FlowNetwork& network)
      : least(network.capacities), largest(least.size(), 0.0), mean(least.size(), 0.0) {
    const std::size_t m = least.size();
    MinCostFlow solver = network.solver();
    Vector costs(m, 0.0);
    Vector vertex(m);
    double count = 0;
    const auto add_vertex = [&] {
      const double unsent = solver.minimise(costs, vertex);
      if (count == 0) require_all_sent(network, unsent, solver.rounding());
      for (std::size_t e = 0; e < m; ++e) {
        least[e] = std::min(least[e], vertex[e]);
        largest[e] = std::max(largest[e], vertex[e]);
        mean[e] += vertex[e];
      }
      count += 1;
    };
    add_vertex();
    for (std::size_t e = 0; e < m; ++e) {
      costs[e] = 1;
      if (least[e] > 0) add_vertex();
      costs[e] = -1;
      if (largest[e] < network.capacities[e]) add_vertex();
      costs[e] = 0;
    }
    for (double& value : mean) value /= count;
  }

  static void require_all_sent(const FlowNetwork& network, double unsent, double rounding) {
    if (unsent <= static_cast<double>(network.edges.size()) * rounding) return;
    const double sent = network.amount - unsent;
    require(sent > 0, "the sink of the flow cannot be reached from its source");
    throw InvalidArgument("a flow of " + math::number_text(network.amount) +
                          " does not fit the capacities: the largest flow from the source to the "
                          "sink is " +
                          math::number_text(sent));
  }

  /// The edges that carry the same in every flow.
  [[nodiscard]] std::vector<bool> fixed() const {
    const double rounding = 1e-12 * math::largest_magnitude(largest);
    std::vector<bool> result;
    for (std::size_t e = 0; e < least.size(); ++e) {
      result.push_back(largest[e] - least[e] <= rounding);
    }
    return result;
  }
};

/// The network, what its edges can carry, and the directions in which flows differ.
class FlowPolytope {
 public:
  explicit FlowPolytope(FlowNetwork network)
      : network_(std::move(network)),
        extremes_(network_),
        fixed_(extremes_.fixed()),
        circulations_(network_.nodes, network_.edges, fixed_),
        axis_lengths_(circulations_.axis_lengths()),
        degrees_(network_.nodes, 0.0) {
    for (std::size_t e = 0; e < fixed_.size(); ++e) {
      require(!fixed_[e] || extremes_.largest[e] > 0,
              edge_text(e, network_.edges[e]) + " carries nothing in any flow: leave it out");
      if (fixed_[e]) extremes_.mean[e] = extremes_.largest[e];
      degrees_[network_.edges[e].from] += 1;
      degrees_[network_.edges[e].to] += 1;
    }
    require(circulations_.dimension() > 0,
            "there is only one flow of that amount: a single flow leaves nothing to choose");
  }

  [[nodiscard]] const FlowNetwork& network() const { return network_; }
  [[nodiscard]] const Circulations& circulations() const { return circulations_; }
  [[nodiscard]] const Vector& mean() const { return extremes_.mean; }
  [[nodiscard]] bool is_fixed(std::size_t e) const { return fixed_[e]; }

  [[nodiscard]] bool contains(std::span<const double> flow, double tolerance) const {
    for (std::size_t e = 0; e < flow.size(); ++e) {
      if (!(flow[e] >= 0 && flow[e] <= network_.capacities[e])) return false;
      if (fixed_[e] && std::abs(flow[e] - extremes_.mean[e]) > tolerance) return false;
    }
    Vector of_nodes(network_.nodes);
    circulations_.divergence(flow, of_nodes);
    of_nodes[network_.source] -= network_.amount;
    of_nodes[network_.sink] += network_.amount;
    for (std::size_t v = 0; v < of_nodes.size(); ++v) {
      if (!(std::abs(of_nodes[v]) <= tolerance * std::sqrt(degrees_[v]))) return false;
    }
    return true;
  }

  /// r from the bounds. For l <= f <= u, (f - p)^2 <= (l + u - 2 p) f + p^2 - l u with equality at
  /// both ends; the sum of that is linear, so one flow maximises it. In the same way from the
  /// origin, for ||f - g||^2 <= ||f||^2 + ||g||^2.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    const Vector& least = extremes_.least;
    const Vector& largest = extremes_.largest;
    double r = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < p.size(); ++e) {
      if (fixed_[e]) continue;
      r = std::min(r, std::min(p[e], network_.capacities[e] - p[e]) / axis_lengths_[e]);
    }
    const double widths = std::sqrt(math::reduce(p.size(), [&](std::size_t e) {
      return (largest[e] - least[e]) * (largest[e] - least[e]);
    }));
    const double about_p = std::sqrt(most_squares(p));
    const double D =
        std::min({2 * about_p, widths, std::sqrt(2 * most_squares(Vector(p.size(), 0.0)))});
    return {{p.begin(), p.end()}, r, std::min(about_p, D), D, has_no_middle(), false};
  }

 private:
  /// At least ||f - p||^2 for every flow f.
  [[nodiscard]] double most_squares(std::span<const double> p) const {
    const Vector& least = extremes_.least;
    const Vector& largest = extremes_.largest;
    Vector costs(p.size());
    Vector farthest(p.size());
    for (std::size_t e = 0; e < p.size(); ++e) costs[e] = 2 * p[e] - least[e] - largest[e];
    network_.solver().minimise(costs, farthest);
    return math::reduce(p.size(), [&](std::size_t e) {
      return p[e] * p[e] - least[e] * largest[e] - costs[e] * farthest[e];
    });
  }

  /// Whether vertices are at l or u everywhere: they are whole, and there is nothing between.
  [[nodiscard]] bool has_no_middle() const {
    const auto is_whole = [](double value) { return value == std::floor(value); };
    bool result = is_whole(network_.amount);
    for (std::size_t e = 0; e < fixed_.size(); ++e) {
      result = result && is_whole(network_.capacities[e]) &&
               extremes_.largest[e] - extremes_.least[e] <= 1;
    }
    return result;
  }

  FlowNetwork network_;
  FlowExtremes extremes_;
  std::vector<bool> fixed_;
  Circulations circulations_;
  Vector axis_lengths_;
  Vector degrees_;
};

class CapacitatedFlowOracle final : public Oracle {
 public:
  CapacitatedFlowOracle(const FlowPolytope& body, const Vector& centre, double slack)
      : body_(body),
        centre_(centre),
        slack_(slack),
        solver_(body.network().solver()),
        flow_(centre.size()),
        indices_(centre.size()),
        values_(centre.size()) {}

  const Vertex& minimise(std::span<const double> direction) override {
    solver_.minimise(direction, flow_);
    std::size_t count = 0;
    for (std::size_t e = 0; e < flow_.size(); ++e) {
      if (flow_[e] == 0) continue;
      indices_[count] = e;
      values_[count++] = flow_[e];
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

  /// gamma(w) = max_e (w_e - p_e) / (c_e - p_e) or (p_e - w_e) / p_e, the first of them.
  double gauge(std::span<const double> w, std::span<double> subgradient) override {
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
      const double nearest = std::clamp(point[e], 0.0, body_.network().capacities[e]);
      if (std::abs(point[e] - nearest) <= slack_) point[e] = nearest;
    }
  }

 private:
  const FlowPolytope& body_;
  const Vector& centre_;
  double slack_;
  MinCostFlow solver_;
  Vector flow_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

class CapacitatedFlow final : public Set {
 public:
  CapacitatedFlow(FlowPolytope body, std::string spec)
      : Set(body.mean().size(), body.circulations().dimension(), body.geometry_about(body.mean())),
        body_(std::move(body)),
        spec_(std::move(spec)) {
    for (std::size_t e = 0; e < dimension(); ++e) {
      const double most = 1000 * geometry().outer_radius;
      require(body_.network().capacities[e] <= most,
              "the capacity of edge " + std::to_string(e) +
                  " is far above what flows there, which costs digits: " + math::number_text(most) +
                  " will do");
    }
  }

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<CapacitatedFlowOracle>(body_, geometry().centre, slack());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return dimension() <= most_sampled_coordinates ? sampled_vertices(*this)
                                                   : inscribed_sphere(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && body_.contains(x, slack());
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    body_.circulations().flatten(direction);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  [[nodiscard]] double slack() const { return membership_tolerance * geometry().outer_radius; }

  FlowPolytope body_;
  std::string spec_;
};

}  // namespace

SetPtr flow(std::size_t nodes, std::span<const Edge> edges, std::size_t source, std::size_t sink,
            std::span<const double> capacities, double amount) {
  require_network(nodes, edges, source, sink);
  require(capacities.size() == edges.size(), "a graph of " + std::to_string(edges.size()) +
                                                 " edges needs as many capacities, not " +
                                                 std::to_string(capacities.size()));
  for (std::size_t e = 0; e < capacities.size(); ++e) {
    require_positive("the capacity of " + edge_text(e, edges[e]), capacities[e]);
  }
  require_positive("the amount of the flow", amount);
  std::string spec = "flow(" + std::to_string(nodes) + ", " + edges_text(edges) +
                     ", source=" + std::to_string(source) + ", sink=" + std::to_string(sink);
  const std::string of_edges = list_text(capacities, true);
  if (of_edges != "1") spec += ", capacities=" + of_edges;
  if (amount != 1) spec += ", amount=" + math::number_text(amount);
  FlowNetwork network = {nodes, {edges.begin(), edges.end()},           source,
                         sink,  {capacities.begin(), capacities.end()}, amount};
  return std::make_shared<CapacitatedFlow>(FlowPolytope(std::move(network)), spec + ")");
}

SetPtr flow(std::size_t nodes, std::span<const Edge> edges, std::size_t source, std::size_t sink,
            double capacity, double amount) {
  return flow(nodes, edges, source, sink, Vector(edges.size(), capacity), amount);
}

}  // namespace keyhole
