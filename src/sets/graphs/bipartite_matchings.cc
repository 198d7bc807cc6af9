// Matchings of a bipartite graph, whose hull the sums at the nodes describe (Birkhoff 1946).

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/graphs/bipartite_edges.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/pairing.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// More edges take too much memory.
constexpr std::size_t most_bipartite_edges = 10'000'000;

class BipartiteBody {
 public:
  /// Edges from left nodes 0, 1, ... to right nodes, which follow them.
  BipartiteBody(std::size_t left, std::size_t right, std::span<const Edge> edges)
      : left_(left), rows_(left + right, edges) {}

  [[nodiscard]] const DegreeRows& rows() const { return rows_; }
  [[nodiscard]] std::size_t nodes() const { return rows_.limits().size(); }
  /// Of at most that at each node, and at most 1 on each edge.
  [[nodiscard]] Pairing pairing(double each) const {
    return {left_, rows_.edges(), Vector(nodes(), each), Vector(rows_.edges().size(), 1.0)};
  }

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
  DegreeRows rows_;
};

class BipartiteMatchingOracle final : public Oracle {
 public:
  BipartiteMatchingOracle(const Set& set, const BipartiteBody& body)
      : body_(body),
        centre_(set.centre()),
        slack_(set.slack()),
        pairing_(body.pairing(1)),
        indices_(body.nodes()),
        ones_(body.nodes(), 1.0),
        scratch_(2 * body.nodes()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const double> units = pairing_.cheapest(direction);
    std::size_t count = 0;
    for (std::size_t e = 0; e < units.size(); ++e) {
      if (units[e] > 0) indices_[count++] = e;
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(ones_).first(count)};
    return vertex_;
  }

  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
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

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
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

}  // namespace

SetPtr bipartite_matchings(std::size_t left, std::size_t right, List<Edge> edges) {
  const std::vector<Edge> shifted = bipartite_edges(left, right, edges, most_bipartite_edges);
  std::string spec = "bipartite_matchings(" + std::to_string(left) + ", " + std::to_string(right);
  if (!are_all_pairs(left, right, edges)) spec += ", edges=" + edges_text(edges);
  return std::make_shared<BipartiteMatchings>(BipartiteBody(left, right, shifted), spec + ")");
}

SetPtr bipartite_matchings(std::size_t left, std::size_t right) {
  return bipartite_matchings(left, right, all_pairs(left, right, most_bipartite_edges));
}

}  // namespace keyhole::sets
