// Edges of a bipartite graph with a limit at each node: assignments in which some may take part
// more than once.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
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

constexpr std::size_t most_limited_edges = 1'000'000;

/// {0 <= x <= capacities, x(v) <= limit of v}. No edge carries more than its ends take, so the
/// capacities are at most that.
class LimitedBody {
 public:
  LimitedBody(std::size_t left, DegreeRows rows, Vector capacities)
      : left_(left), rows_(std::move(rows)), capacities_(std::move(capacities)) {
    for (std::size_t e = 0; e < capacities_.size(); ++e) {
      const auto [from, to] = rows_.edges()[e];
      capacities_[e] = std::min({capacities_[e], rows_.limits()[from], rows_.limits()[to]});
    }
  }

  [[nodiscard]] const DegreeRows& rows() const { return rows_; }
  [[nodiscard]] const Vector& capacities() const { return capacities_; }
  [[nodiscard]] Pairing pairing() const {
    return {left_, rows_.edges(), rows_.limits(), capacities_};
  }

  /// s w, w_e the least of the capacity and of the limits of its ends, shared by their edges. With
  /// m the least w_e, the largest s whose other bounds are as far as s m.
  [[nodiscard]] Vector centre() const {
    Vector w = capacities_;
    for (std::size_t e = 0; e < w.size(); ++e) {
      for (const std::size_t v : {rows_.edges()[e].from, rows_.edges()[e].to}) {
        w[e] = std::min(w[e], rows_.limits()[v] / static_cast<double>(rows_.degree(v)));
      }
    }
    const double m = *std::min_element(w.begin(), w.end());
    double s = 1;
    for (std::size_t e = 0; e < w.size(); ++e) s = std::min(s, capacities_[e] / (w[e] + m));
    Vector of_nodes(rows_.limits().size());
    rows_.sums(w, of_nodes);
    for (std::size_t v = 0; v < of_nodes.size(); ++v) {
      const double root = std::sqrt(static_cast<double>(rows_.degree(v)));
      if (root > 0) s = std::min(s, rows_.limits()[v] / (of_nodes[v] + m * root));
    }
    for (double& value : w) value *= s;
    return w;
  }

  /// For 0 <= x <= c, (x - p)^2 <= (c - 2 p) x + p^2 with equality at both ends; the sum of that is
  /// linear. Two points differ by z with 0 <= |z| <= c and |z|(v) <= 2 limits, and |z|^2 <= c |z|;
  /// any such whole |z| below capacities of 1 are two matchings, for even halves of a bipartite
  /// graph have the half degrees.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    double r = rows_.inner_radius(p);
    Vector costs(p.size());
    for (std::size_t e = 0; e < p.size(); ++e) {
      r = std::min(r, capacities_[e] - p[e]);
      costs[e] = 2 * p[e] - capacities_[e];
    }
    Pairing one = pairing();
    const double R = std::sqrt(math::squared_norm(p) - math::dot(costs, one.cheapest(costs)));
    Vector twice(rows_.limits().begin(), rows_.limits().end());
    for (double& limit : twice) limit *= 2;
    for (std::size_t e = 0; e < p.size(); ++e) costs[e] = -capacities_[e];
    Pairing two(left_, rows_.edges(), twice, capacities_);
    const double D = std::min(std::sqrt(-math::dot(costs, two.cheapest(costs))), 2 * R);
    const bool is_exact = has_no_middle();
    return {{p.begin(), p.end()}, r, std::min(R, D), D, is_exact, is_exact};
  }

 private:
  /// Whether vertices are at 0 or 1 everywhere.
  [[nodiscard]] bool has_no_middle() const {
    return std::ranges::all_of(capacities_, [](double value) { return value == 1; }) &&
           std::ranges::all_of(rows_.limits(),
                               [](double value) { return value == std::floor(value); });
  }

  std::size_t left_;
  DegreeRows rows_;
  Vector capacities_;
};

class LimitedOracle final : public Oracle {
 public:
  LimitedOracle(const Set& set, const LimitedBody& body)
      : body_(body),
        centre_(set.centre()),
        slack_(set.slack()),
        pairing_(body.pairing()),
        indices_(set.dimension()),
        values_(set.dimension()),
        scratch_(2 * body.rows().limits().size()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const double> units = pairing_.cheapest(direction);
    std::size_t count = 0;
    for (std::size_t e = 0; e < units.size(); ++e) {
      if (!(units[e] > 0)) continue;
      indices_[count] = e;
      values_[count++] = units[e];
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    double gamma = body_.rows().gauge(centre_, w, subgradient, scratch_);
    std::size_t first = w.size();
    for (std::size_t e = 0; e < w.size(); ++e) {
      const double of_capacity = (w[e] - centre_[e]) / (body_.capacities()[e] - centre_[e]);
      if (!(of_capacity > gamma)) continue;
      gamma = of_capacity;
      first = e;
    }
    if (first == w.size()) return gamma;
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    subgradient[first] = 1 / (body_.capacities()[first] - centre_[first]);
    return gamma;
  }

  void settle(std::span<double> point) override {
    for (std::size_t e = 0; e < point.size(); ++e) {
      settle_between(point[e], 0, body_.capacities()[e], slack_);
    }
  }

 private:
  const LimitedBody& body_;
  const Vector& centre_;
  double slack_;
  Pairing pairing_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vector scratch_;
  Vertex vertex_;
};

class BMatchings final : public Set {
 public:
  BMatchings(LimitedBody body, std::string spec)
      : Set(body.capacities().size(), body.capacities().size(), body.geometry_about(body.centre())),
        body_(std::move(body)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<LimitedOracle>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!body_.rows().contains(x, slack())) return false;
    for (std::size_t e = 0; e < x.size(); ++e) {
      if (x[e] > body_.capacities()[e]) return false;
    }
    return true;
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    PolytopeConstraints result = body_.rows().description();
    result.upper = body_.capacities();
    return result;
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  LimitedBody body_;
  std::string spec_;
};

}  // namespace

SetPtr b_matchings(List<double> left, List<double> right, List<Edge> edges,
                   List<double> capacities) {
  const std::vector<Edge> shifted =
      bipartite_edges(left.size(), right.size(), edges, most_limited_edges);
  base::require(capacities.size() == edges.size(), "a graph of " + std::to_string(edges.size()) +
                                                       " edges needs as many capacities, not " +
                                                       std::to_string(capacities.size()));
  Vector limits(left.begin(), left.end());
  limits.insert(limits.end(), right.begin(), right.end());
  for (std::size_t v = 0; v < limits.size(); ++v) {
    const bool is_left = v < left.size();
    base::require_positive("the limit of " + std::string(is_left ? "left" : "right") + " node " +
                               std::to_string(is_left ? v : v - left.size()),
                           limits[v]);
  }
  for (std::size_t e = 0; e < capacities.size(); ++e) {
    base::require_positive("the capacity of " + edge_text(e, edges[e]), capacities[e]);
  }
  std::string spec =
      "b_matchings(" + base::list_text(left, false) + ", " + base::list_text(right, false);
  if (!are_all_pairs(left.size(), right.size(), edges)) spec += ", edges=" + edges_text(edges);
  const std::string of_edges = base::list_text(capacities, true);
  if (of_edges != "1") spec += ", capacities=" + of_edges;
  DegreeRows rows(shifted, std::move(limits));
  return std::make_shared<BMatchings>(
      LimitedBody(left.size(), std::move(rows), {capacities.begin(), capacities.end()}),
      spec + ")");
}

SetPtr b_matchings(List<double> left, List<double> right, List<Edge> edges, double capacity) {
  return b_matchings(left, right, edges, Vector(edges.size(), capacity));
}

SetPtr b_matchings(List<double> left, List<double> right, List<double> capacities) {
  return b_matchings(left, right, all_pairs(left.size(), right.size(), most_limited_edges),
                     capacities);
}

SetPtr b_matchings(List<double> left, List<double> right, double capacity) {
  return b_matchings(left, right, all_pairs(left.size(), right.size(), most_limited_edges),
                     capacity);
}

}  // namespace keyhole::sets
