#include "sets/graphs/flow_polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/sums.h"
#include "sets/graphs/flow_graph.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

void require_all_sent(const FlowNetwork& network, double unsent, double rounding) {
  if (unsent <= static_cast<double>(network.edges.size()) * rounding) return;
  const double sent = network.amount - unsent;
  base::require(sent > 0, "the sink of the flow cannot be reached from its source");
  throw InvalidArgument("a flow of " + base::number_text(network.amount) +
                        " does not fit the capacities: the largest flow from the source to the "
                        "sink is " +
                        base::number_text(sent));
}

}  // namespace

MinCostFlow FlowNetwork::solver() const {
  Vector supplies(nodes, 0.0);
  supplies[source] = amount;
  supplies[sink] = -amount;
  return {nodes, edges, capacities, supplies};
}

FlowExtremes::FlowExtremes(const FlowNetwork& network)
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

std::vector<bool> FlowExtremes::fixed() const {
  const double rounding = 1e-12 * math::largest_magnitude(largest);
  std::vector<bool> result;
  for (std::size_t e = 0; e < least.size(); ++e) {
    result.push_back(largest[e] - least[e] <= rounding);
  }
  return result;
}

FlowPolytope::FlowPolytope(FlowNetwork network)
    : network_(std::move(network)),
      extremes_(network_),
      fixed_(extremes_.fixed()),
      circulations_(network_.nodes, network_.edges, fixed_),
      axis_lengths_(circulations_.axis_lengths()),
      degrees_(network_.nodes, 0.0),
      onward_edges_(sets::onward_edges(network_.nodes, network_.edges)) {
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    if (fixed_[e]) extremes_.mean[e] = extremes_.largest[e];
    degrees_[network_.edges[e].from] += 1;
    degrees_[network_.edges[e].to] += 1;
  }
  base::require(circulations_.dimension() > 0,
                "there is only one flow of that amount: a single flow leaves nothing to choose");
}

bool FlowPolytope::contains(std::span<const double> flow, double tolerance) const {
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

std::unique_ptr<FlowProjection> FlowPolytope::projection(const Set& set) const {
  BoundedFlows flows{.edges = network_.edges,
                     .supplies = Vector(network_.nodes, 0.0),
                     .lower = Vector(fixed_.size(), 0.0),
                     .upper = network_.capacities};
  flows.supplies[network_.source] = network_.amount;
  flows.supplies[network_.sink] = -network_.amount;
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    if (fixed_[e]) flows.lower[e] = flows.upper[e] = extremes_.mean[e];
  }
  return std::make_unique<FlowProjection>(set, flows, extremes_.least, extremes_.largest);
}

/// r from the bounds. For l <= f <= u, (f - p)^2 <= (l + u - 2 p) f + p^2 - l u with equality at
/// both ends; the sum of that is linear, so one flow maximises it. In the same way from the
/// origin, for ||f - g||^2 <= ||f||^2 + ||g||^2.
Geometry FlowPolytope::geometry_about(std::span<const double> p) const {
  const Vector& least = extremes_.least;
  const Vector& largest = extremes_.largest;
  double r = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < p.size(); ++e) {
    if (fixed_[e]) continue;
    r = std::min(r, std::min(p[e], network_.capacities[e] - p[e]) / axis_lengths_[e]);
  }
  const double widths = std::sqrt(math::reduce(
      p.size(), [&](std::size_t e) { return (largest[e] - least[e]) * (largest[e] - least[e]); }));
  const double about_p = std::sqrt(most_squares(p));
  const double D =
      std::min({2 * about_p, widths, std::sqrt(2 * most_squares(Vector(p.size(), 0.0)))});
  return {{p.begin(), p.end()}, r, std::min(about_p, D), D, has_no_middle(), false};
}

/// At least ||f - p||^2 for every flow f.
double FlowPolytope::most_squares(std::span<const double> p) const {
  const Vector& least = extremes_.least;
  const Vector& largest = extremes_.largest;
  Vector costs(p.size());
  Vector farthest(p.size());
  for (std::size_t e = 0; e < p.size(); ++e) costs[e] = 2 * p[e] - least[e] - largest[e];
  network_.solver().minimise(costs, farthest);
  const double squares = math::reduce(p.size(), [&](std::size_t e) {
    return p[e] * p[e] - least[e] * largest[e] - costs[e] * farthest[e];
  });
  if (squares > 1e-4 * math::squared_norm(p)) return squares;
  // The same about l, where little is left of what cancels.
  return math::reduce(p.size(), [&](std::size_t e) {
    const double above = p[e] - least[e];
    return above * above - costs[e] * (farthest[e] - least[e]);
  });
}

/// Whether vertices are at l or u everywhere: they are whole, and there is nothing between.
bool FlowPolytope::has_no_middle() const {
  const auto is_whole = [](double value) { return value == std::floor(value); };
  bool result = is_whole(network_.amount);
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    result = result && is_whole(network_.capacities[e]) &&
             extremes_.largest[e] - extremes_.least[e] <= 1;
  }
  return result;
}

}  // namespace keyhole::sets
