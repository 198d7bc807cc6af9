// Matchings of a bipartite graph, whose hull the sums at the nodes describe (Birkhoff 1946).

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/min_cost_flow.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// More edges take too much memory.
constexpr std::size_t most_bipartite_edges = 10'000'000;

/// Which left node goes with which right one: every left node sends `each` units, over its edges
/// (at most one each) and on to the sink, or to the sink at once; a right node passes on `each`.
/// Edges are from left nodes 0, 1, ... to right nodes, which follow them.
class Pairing {
 public:
  Pairing(std::size_t left, std::size_t right, std::span<const Edge> edges, double each)
      : edges_(edges.size()),
        solver_(network(left, right, edges, each)),
        ends_(edges.size()),
        costs_(edges.size() + left + right, 0.0),
        flow_(costs_.size()),
        potentials_(left + right + 1) {
    for (std::size_t e = 0; e < edges_; ++e) ends_[e] = edges[e].to;
  }

  /// The units on the edges, for the least sum of costs. The potentials are distances from the left
  /// nodes, so that nothing needs to be filled at the start.
  std::span<const double> cheapest(std::span<const double> costs) {
    std::copy(costs.begin(), costs.end(), costs_.begin());
    std::fill(potentials_.begin(), potentials_.end(), 0.0);
    for (std::size_t e = 0; e < edges_; ++e) {
      potentials_[ends_[e]] = std::min(potentials_[ends_[e]], costs[e]);
      potentials_.back() = std::min(potentials_.back(), costs[e]);
    }
    solver_.minimise(costs_, flow_, potentials_);
    return std::span<const double>(flow_).first(edges_);
  }

 private:
  static MinCostFlow network(std::size_t left, std::size_t right, std::span<const Edge> edges,
                             double each) {
    const std::size_t sink = left + right;
    std::vector<Edge> all(edges.begin(), edges.end());
    for (std::size_t v = 0; v < sink; ++v) all.push_back({v, sink});
    Vector capacities(all.size(), each);
    std::fill_n(capacities.begin(), edges.size(), 1.0);
    Vector supplies(sink + 1, 0.0);
    std::fill_n(supplies.begin(), left, each);
    supplies[sink] = -each * static_cast<double>(left);
    return {sink + 1, all, std::move(capacities), std::move(supplies)};
  }

  std::size_t edges_;
  MinCostFlow solver_;
  std::vector<std::size_t> ends_;  // of the edges
  Vector costs_;
  Vector flow_;
  Vector potentials_;
};

class BipartiteBody {
 public:
  /// Edges as of Pairing.
  BipartiteBody(std::size_t left, std::size_t right, std::span<const Edge> edges)
      : left_(left), right_(right), rows_(left + right, edges) {}

  [[nodiscard]] const DegreeRows& rows() const { return rows_; }
  [[nodiscard]] std::size_t nodes() const { return left_ + right_; }
  [[nodiscard]] Pairing pairing(double each) const { return {left_, right_, rows_.edges(), each}; }

  /// s (1, ..., 1) as far from x_e >= 0 as from the sum at a node with the most edges.
  [[nodiscard]] Vector centre() const {
    const auto d = static_cast<double>(rows_.largest_degree());
    return Vector(rows_.edges().size(), 1 / (d + std::sqrt(d)));
  }

  /// ||v - p||^2 = ||p||^2 + the sum of 1 - 2 p_e over the edges of the matching v. Two matchings
  /// differ in edges of which no node has more than two, and any such edges are two matchings
  /// (Koenig 1916).
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    Vector costs(p.size());
    for (std::size_t e = 0; e < p.size(); ++e) costs[e] = 2 * p[e] - 1;
    Pairing one = pairing(1);
    const double R = std::sqrt(math::squared_norm(p) - math::dot(costs, one.cheapest(costs)));
    Pairing two = pairing(2);
    const double D = std::sqrt(math::sum(two.cheapest(Vector(p.size(), -1.0))));
    return {{p.begin(), p.end()}, rows_.inner_radius(p), R, D};
  }

 private:
  std::size_t left_;
  std::size_t right_;
  DegreeRows rows_;
};

class BipartiteMatchingOracle final : public Oracle {
 public:
  BipartiteMatchingOracle(const Set& set, const BipartiteBody& body)
      : Oracle(set),
        body_(body),
        centre_(set.centre()),
        slack_(set.slack()),
        pairing_(body.pairing(1)),
        indices_(body.nodes()),
        ones_(body.nodes(), 1.0),
        scratch_(2 * body.nodes()) {}

  const Vertex& minimise(std::span<const double> direction) override {
    const std::span<const double> units = pairing_.cheapest(direction);
    std::size_t count = 0;
    for (std::size_t e = 0; e < units.size(); ++e) {
      if (units[e] > 0) indices_[count++] = e;
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(ones_).first(count)};
    return vertex_;
  }

  double gauge(std::span<const double> w, std::span<double> subgradient) override {
    return body_.rows().gauge(centre_, w, subgradient, scratch_);
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  const BipartiteBody& body_;
  const Vector& centre_;
  double slack_;
  Pairing pairing_;
  std::vector<std::size_t> indices_;
  Vector ones_;
  Vector scratch_;
  Vertex vertex_;
};

class BipartiteMatchings final : public Set {
 public:
  BipartiteMatchings(BipartiteBody body, std::string spec)
      : Set(body.rows().edges().size(), body.rows().edges().size(),
            body.geometry_about(body.centre())),
        body_(std::move(body)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<BipartiteMatchingOracle>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return body_.rows().contains(x, slack());
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return body_.rows().description();
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  BipartiteBody body_;
  std::string spec_;
};

std::vector<Edge> all_pairs(std::size_t left, std::size_t right) {
  std::vector<Edge> edges;
  edges.reserve(left * right);
  for (std::size_t i = 0; i < left; ++i) {
    for (std::size_t j = 0; j < right; ++j) edges.push_back({i, j});
  }
  return edges;
}

}  // namespace

SetPtr bipartite_matchings(std::size_t left, std::size_t right, List<Edge> edges) {
  base::require(!edges.empty(), "a graph to match needs at least one edge");
  base::require(edges.size() <= most_bipartite_edges,
                "a graph of " + std::to_string(edges.size()) + " edges is too large to match: " +
                    std::to_string(most_bipartite_edges) + " are the most");
  std::vector<Edge> shifted;
  std::set<std::pair<std::size_t, std::size_t>> seen;
  bool complete = edges.size() == left * right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    const std::string pair =
        "edge " + std::to_string(e) + " (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    base::require(i < left && j < right, pair + " must join one of " + std::to_string(left) +
                                             " left nodes to one of " + std::to_string(right) +
                                             " right nodes, both counted from 0");
    base::require(seen.emplace(i, j).second, pair + " is listed twice: leave one out");
    complete = complete && e == i * right + j;
    shifted.push_back({i, left + j});
  }
  std::string spec = "bipartite_matchings(" + std::to_string(left) + ", " + std::to_string(right);
  if (!complete) spec += ", edges=" + edges_text(edges);
  return std::make_shared<BipartiteMatchings>(BipartiteBody(left, right, shifted), spec + ")");
}

SetPtr bipartite_matchings(std::size_t left, std::size_t right) {
  base::require(left >= 1 && right >= 1, "matchings need nodes on both sides, not " +
                                             std::to_string(left) + " and " +
                                             std::to_string(right));
  base::require(left <= most_bipartite_edges / right,
                "a graph of " + std::to_string(left) + " times " + std::to_string(right) +
                    " edges is too large to match: " + std::to_string(most_bipartite_edges) +
                    " are the most");
  return bipartite_matchings(left, right, all_pairs(left, right));
}

}  // namespace keyhole::sets
