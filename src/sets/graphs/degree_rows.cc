#include "sets/graphs/degree_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/require.h"

namespace keyhole::sets {

void require_graph_to_match(std::size_t nodes, std::span<const Edge> edges, std::size_t most) {
  base::require(!edges.empty(), "a graph to match needs at least one edge");
  base::require(edges.size() <= most, "a graph of " + std::to_string(edges.size()) +
                                          " edges is too large to match: " + std::to_string(most) +
                                          " are the most");
  for (std::size_t e = 0; e < edges.size(); ++e) {
    base::require(std::max(edges[e].from, edges[e].to) < nodes,
                  "edge " + std::to_string(e) + " (" + std::to_string(edges[e].from) + ", " +
                      std::to_string(edges[e].to) + ") must join nodes of " +
                      std::to_string(nodes) + ", counted from 0");
  }
}

DegreeRows::DegreeRows(std::size_t nodes, std::span<const Edge> edges)
    : DegreeRows(edges, std::vector<double>(nodes, 1.0)) {}

DegreeRows::DegreeRows(std::span<const Edge> edges, std::vector<double> limits)
    : edges_(edges.begin(), edges.end()), degrees_(limits.size(), 0), limits_(std::move(limits)) {
  for (const Edge& edge : edges_) {
    ++degrees_[edge.from];
    ++degrees_[edge.to];
  }
}

std::size_t DegreeRows::largest_degree() const {
  return *std::max_element(degrees_.begin(), degrees_.end());
}

void DegreeRows::sums(std::span<const double> x, std::span<double> of_nodes) const {
  std::fill(of_nodes.begin(), of_nodes.end(), 0.0);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    of_nodes[edges_[e].from] += x[e];
    of_nodes[edges_[e].to] += x[e];
  }
}

bool DegreeRows::contains(std::span<const double> x, double tolerance) const {
  if (x.size() != edges_.size()) return false;
  for (const double value : x) {
    if (!(value >= 0)) return false;
  }
  std::vector<double> of_nodes(degrees_.size());
  sums(x, of_nodes);
  for (std::size_t v = 0; v < of_nodes.size(); ++v) {
    const double root = std::sqrt(static_cast<double>(degrees_[v]));
    if (!(of_nodes[v] <= limits_[v] + tolerance * root)) return false;
  }
  return true;
}

PolytopeConstraints DegreeRows::description() const {
  PolytopeConstraints result{.n = edges_.size(), .lower = std::vector<double>(edges_.size(), 0.0)};
  std::vector<std::size_t> rows(degrees_.size());
  for (std::size_t v = 0; v < degrees_.size(); ++v) {
    rows[v] = result.inequalities.right.size();
    if (degrees_[v] > 0) result.inequalities.right.push_back(limits_[v]);
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    for (const std::size_t v : {edges_[e].from, edges_[e].to}) {
      result.inequalities.sparse.push_back({rows[v], e, 1});
    }
  }
  return result;
}

double DegreeRows::inner_radius(std::span<const double> p) const {
  double r = std::numeric_limits<double>::infinity();
  for (const double value : p) r = std::min(r, value);
  std::vector<double> of_nodes(degrees_.size());
  sums(p, of_nodes);
  for (std::size_t v = 0; v < of_nodes.size(); ++v) {
    if (degrees_[v] == 0) continue;
    r = std::min(r, (limits_[v] - of_nodes[v]) / std::sqrt(static_cast<double>(degrees_[v])));
  }
  return r;
}

double DegreeRows::gauge(std::span<const double> p, std::span<const double> w,
                         std::span<double> subgradient, std::span<double> scratch) const {
  const std::size_t none = edges_.size() + degrees_.size();
  double gamma = 0;
  std::size_t first = none;
  double slope = 0;
  const auto consider = [&](std::size_t row, double off, double slack) {
    if (!(off / slack > gamma)) return;
    gamma = off / slack;
    first = row;
    slope = 1 / slack;
  };
  for (std::size_t e = 0; e < w.size(); ++e) consider(e, p[e] - w[e], p[e]);
  const std::span<double> of_w = scratch.first(degrees_.size());
  const std::span<double> of_p = scratch.subspan(degrees_.size(), degrees_.size());
  sums(w, of_w);
  sums(p, of_p);
  for (std::size_t v = 0; v < of_w.size(); ++v) {
    if (degrees_[v] > 0) consider(edges_.size() + v, of_w[v] - of_p[v], limits_[v] - of_p[v]);
  }
  std::fill(subgradient.begin(), subgradient.end(), 0.0);
  if (first < edges_.size()) {
    subgradient[first] = -slope;
  } else if (first != none) {
    const std::size_t node = first - edges_.size();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].from == node || edges_[e].to == node) subgradient[e] = slope;
    }
  }
  return gamma;
}

}  // namespace keyhole::sets
