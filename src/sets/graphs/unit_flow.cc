#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/expensive_projection.h"
#include "sets/flow_projection.h"
#include "sets/free_coordinates.h"
#include "sets/graphs/flow_graph.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// With more edges the matrix of scores is too large for comfort.
constexpr std::size_t most_explored_edges = 400;

/// The graph, the projection onto its circulations, and the law of its random paths.
class FlowBody {
 public:
  explicit FlowBody(FlowGraph graph)
      : graph_(std::move(graph)),
        law_(graph_),
        circulations_(graph_.nodes(), graph_.all_edges()),
        axis_lengths_(circulations_.axis_lengths(always_used(law_))) {}

  [[nodiscard]] const FlowGraph& graph() const { return graph_; }
  [[nodiscard]] const PathLaw& law() const { return law_; }

  void flatten(std::span<double> flow) const { circulations_.flatten(flow); }

  /// Whether the divergence is 1 at the source and 0 elsewhere, to that error for each edge.
  [[nodiscard]] bool conserves(std::span<const double> flow, double tolerance) const {
    Vector of_nodes(graph_.nodes());
    circulations_.divergence(flow, of_nodes);
    of_nodes[0] -= 1;
    for (std::size_t v = 0; v + 1 < of_nodes.size(); ++v) {
      const auto degree = static_cast<double>(graph_.out(v).size() + graph_.in(v).size());
      if (!(std::abs(of_nodes[v]) <= tolerance * std::sqrt(degree))) return false;
    }
    return true;
  }

  /// r from the facets f_e = 0. R exactly, since ||f - p||^2 = ||p||^2 + the sum of 1 - 2 p_e along
  /// the path f. Two paths differ in no more edges than they have.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    double r = std::numeric_limits<double>::infinity();
    Vector costs(p.size());
    for (std::size_t e = 0; e < p.size(); ++e) {
      if (axis_lengths_[e] > 0) r = std::min(r, p[e] / axis_lengths_[e]);
      costs[e] = 1 - 2 * p[e];
    }
    const double R = std::sqrt(math::squared_norm(p) + graph_.longest_path_cost(costs));
    const double D = std::min(std::sqrt(2 * static_cast<double>(graph_.longest())), 2 * R);
    return {{p.begin(), p.end()}, r, R, std::max(D, R), true, false};
  }

 private:
  static std::vector<bool> always_used(const PathLaw& law) {
    std::vector<bool> result;
    for (const double probability : law.mean) result.push_back(probability > 1 - 1e-12);
    return result;
  }

  FlowGraph graph_;
  PathLaw law_;
  Circulations circulations_;
  Vector axis_lengths_;
};

class FlowOracle final : public Oracle {
 public:
  FlowOracle(const Set& set, const FlowGraph& graph)
      : set_(set),
        graph_(graph),
        slack_(set.slack()),
        costs_to_sink_(graph.nodes()),
        path_(graph.longest()),
        ones_(graph.longest(), 1.0) {
    if (set.dimension() <= FlowProjection::few_coordinates) projection_ = make_projection();
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::size_t length = graph_.shortest_path(direction, costs_to_sink_, path_);
    vertex_ = {{}, std::span(path_).first(length), std::span(ones_).first(length)};
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (!set_.can_project()) {
      return Oracle::do_project(point, nearest);  // says that there is none
    }
    if (projection_ == nullptr) projection_ = make_projection();
    return projection_->project(point, nearest);
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  [[nodiscard]] std::unique_ptr<FlowProjection> make_projection() const {
    const std::size_t n = set_.dimension();
    BoundedFlows flows{.edges = {graph_.all_edges().begin(), graph_.all_edges().end()},
                       .supplies = Vector(graph_.nodes(), 0.0),
                       .lower = Vector(n, 0.0),
                       .upper = Vector(n, std::numeric_limits<double>::infinity())};
    flows.supplies.front() = 1;
    flows.supplies.back() = -1;
    return std::make_unique<FlowProjection>(set_, flows, flows.lower, Vector(n, 1.0));
  }

  const Set& set_;
  const FlowGraph& graph_;
  double slack_;
  Vector costs_to_sink_;
  std::vector<std::size_t> path_;
  Vector ones_;
  Vertex vertex_;
  std::unique_ptr<FlowProjection> projection_;
};

/// What random paths come to: with W the inverse of their covariance within the circulations, the
/// score of a path f is W f - W p.
struct PathMoments {
  Vector variance;
  double squared_radius = 0;
  Vector inverse;  // W, row by row
  Vector of_mean;  // W p
  bool found = false;

  explicit PathMoments(const FlowBody& body) {
    const FlowGraph& graph = body.graph();
    const Vector& mean = body.law().mean;
    const std::size_t n = mean.size();
    Vector factor = body.law().covariance(graph);
    double across = 0;
    for (std::size_t e = 0; e < n; ++e) {
      variance.push_back(factor[e * n + e]);
      across += variance.back() / static_cast<double>(n);
    }
    // Edges that every path uses vary by rounding only.
    for (double& value : variance) value = value > 1e-9 * across ? value : across;
    // ||f - p||^2 in these units, which is a sum along the path and a constant.
    Vector costs(n);
    for (std::size_t e = 0; e < n; ++e) {
      squared_radius += mean[e] * mean[e] / variance[e];
      costs[e] = (1 - 2 * mean[e]) / variance[e];
    }
    squared_radius = (squared_radius + graph.longest_path_cost(costs)) * (1 + 1e-12);

    inverse.assign(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const std::span<double> row = std::span(inverse).subspan(j * n, n);
      row[j] = 1;
      body.flatten(row);
      for (std::size_t i = 0; i < n; ++i) {
        factor[i * n + j] += across * ((i == j ? 1.0 : 0.0) - row[i]);
      }
    }
    found = math::cholesky(factor, n);
    if (!found) return;
    of_mean.assign(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const std::span<double> row = std::span(inverse).subspan(j * n, n);
      math::cholesky_solve(factor, n, row);
      body.flatten(row);
      math::add(of_mean, mean[j], row);
    }
  }
};

/// The paths of PathLaw: the first word draws the edge, each further one a step.
class RandomPaths final : public Exploration {
 public:
  RandomPaths(const Set& set, const FlowBody& body, PathMoments moments)
      : Exploration(set, body.law().mean, std::move(moments.variance), moments.squared_radius,
                    {.words = body.graph().longest(), .normals = 0}),
        graph_(body.graph()),
        inverse_(std::move(moments.inverse)),
        of_mean_(std::move(moments.of_mean)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::fill(v.begin(), v.end(), 0.0);
    for_each_edge(bits, [&](std::size_t e) { v[e] = 1; });
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    for (std::size_t e = 0; e < w.size(); ++e) w[e] = -of_mean_[e];
    for_each_edge(bits, [&](std::size_t e) {
      math::add(w, 1, std::span<const double>(inverse_).subspan(e * w.size(), w.size()));
    });
  }

 private:
  template <class Visit>
  void for_each_edge(const RandomBits& bits, const Visit& visit) const {
    const std::size_t start = bits.below(0, graph_.edges());
    visit(start);
    std::size_t word = 1;
    for (std::size_t v = graph_.edge(start).to; v + 1 < graph_.nodes();) {
      const std::size_t e = graph_.out(v)[bits.below(word++, graph_.out(v).size())];
      visit(e);
      v = graph_.edge(e).to;
    }
    for (std::size_t v = graph_.edge(start).from; v > 0;) {
      const std::size_t e = graph_.in(v)[bits.below(word++, graph_.in(v).size())];
      visit(e);
      v = graph_.edge(e).from;
    }
  }

  const FlowGraph& graph_;
  Vector inverse_;
  Vector of_mean_;
};

class UnitFlow final : public Set, public ExpensiveProjection {
 public:
  UnitFlow(FlowBody body, std::string spec)
      : Set(body.graph().edges(), body.graph().edges() - body.graph().nodes() + 1,
            body.geometry_about(body.law().mean)),
        body_(std::move(body)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<FlowOracle>(*this, body_.graph());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (dimension() <= most_explored_edges) {
      PathMoments moments(body_);
      if (moments.found) return std::make_unique<RandomPaths>(*this, body_, std::move(moments));
    }
    return inscribed_sphere(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (const double coordinate : x) {
      if (!(coordinate >= 0)) return false;
    }
    return body_.conserves(x, slack());
  }

  [[nodiscard]] bool can_project() const noexcept override {
    return dimension() <= FlowProjection::most_coordinates;
  }

  void flatten(std::span<double> direction) const override { body_.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  /// What leaves a node less what enters it is 1 at the source, and 0 at the others but the sink.
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    const FlowGraph& graph = body_.graph();
    PolytopeConstraints result{.n = dimension(), .lower = Vector(dimension(), 0.0)};
    for (std::size_t v = 0; v + 1 < graph.nodes(); ++v) {
      for (const std::size_t e : graph.out(v)) result.equalities.sparse.push_back({v, e, 1});
      for (const std::size_t e : graph.in(v)) result.equalities.sparse.push_back({v, e, -1});
      result.equalities.right.push_back(v == 0 ? 1 : 0);
    }
    return result;
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  FlowBody body_;
  std::string spec_;
};

}  // namespace

SetPtr unit_flow(std::size_t nodes, List<Edge> edges, std::size_t source, std::size_t sink) {
  std::string spec = "unit_flow(" + std::to_string(nodes) + ", " + edges_text(edges) +
                     ", source=" + std::to_string(source) + ", sink=" + std::to_string(sink) + ")";
  const std::vector<bool> unused = edges_on_no_path(nodes, edges, source, sink);
  const auto count = std::count(unused.begin(), unused.end(), true);
  if (count > 0 && count < std::ssize(unused)) {
    const auto of_used = [&](std::span<const Edge> used) -> SetPtr {
      return onward_edges(nodes, used).empty() ? nullptr : unit_flow(nodes, used, source, sink);
    };
    if (SetPtr set = with_unused_edges(edges, unused, spec, of_used)) return set;
    // There is a cycle, which is named by the numbers of all edges.
  }
  return std::make_shared<UnitFlow>(FlowBody(FlowGraph(nodes, edges, source, sink)),
                                    std::move(spec));
}

}  // namespace keyhole::sets
