#include "sets/matroids/matroid_polytope.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/matroids/draw_near.h"
#include "sets/matroids/graph_blocks.h"
#include "sets/matroids/laminar_projection.h"
#include "sets/matroids/random_subsets.h"
#include "sets/matroids/restriction.h"
#include "sets/nearest_point.h"
#include "sets/proof.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

class MatroidOracle final : public Oracle {
 public:
  MatroidOracle(const Set& set, const MatroidBody& body)
      : body_(body),
        slack_(set.slack()),
        test_(body.matroid().test()),
        order_(body.matroid().size()),
        sort_(body.matroid().size()),
        taken_(body.rank()),
        ones_(body.rank(), 1.0),
        start_(body.matroid().size()) {
    if (body.laminar() != nullptr) {
      laminar_ = std::make_unique<LaminarProjection>(*body.laminar(), body.bases());
    } else {
      nearest_base_.emplace(
          order_.size(), body.geometry().diameter,
          [this](std::span<const double> d, std::span<double> v) { greedy(d, true).write_to(v); });
    }
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    return greedy(direction, body_.bases());
  }

  /// Of independent sets x = min(max(z, 0), b) for the point b nearest to max(z, 0) in the hull of
  /// the bases.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (laminar_ == nullptr && body_.is_large()) {
      return Oracle::do_project(point, nearest);  // says that there is none
    }
    const bool bases = body_.bases();
    for (std::size_t e = 0; e < point.size(); ++e) {
      start_[e] = bases ? point[e] : std::max(point[e], 0.0);
    }
    if (laminar_ != nullptr) {
      if (math::largest_magnitude(start_) > far) draw_start_near();
      (*laminar_)(start_, nearest);
      return true;
    }
    draw_start_near();
    body_.move_to_bases(start_);
    require_end("a matroid from projecting a point", nearest_base_->find(start_, start_));
    for (std::size_t e = 0; e < point.size(); ++e) {
      const double b = std::clamp(start_[e], 0.0, 1.0);  // Wolfe's method ends within rounding
      nearest[e] = bases ? b : std::min(std::max(point[e], 0.0), b);
    }
    return true;
  }

  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    if (!body_.has_rows()) return Oracle::do_gauge(w, subgradient);
    const double gamma = body_.gauge(body_.geometry().centre, w, subgradient);
    body_.flatten(subgradient);
    return gamma;
  }

  void settle(std::span<double> point) override { settle_between(point, 0, 1, slack_); }

 private:
  /// Elements by rising (d_e, e), as far as they are independent; not only of bases those with d_e
  /// < 0.
  const Vertex& greedy(std::span<const double> direction, bool bases) {
    std::size_t count = 0;
    for (std::size_t e = 0; e < direction.size(); ++e) {
      if (bases || direction[e] < 0) order_[count++] = e;
    }
    const std::span<std::size_t> order(order_.data(), count);
    std::size_t size = 0;
    if (is_uniform()) {
      size = std::min(count, taken_.size());
      const auto end = order.begin() + static_cast<std::ptrdiff_t>(size);
      const auto before = [&](std::size_t e, std::size_t f) {
        return direction[e] != direction[f] ? direction[e] < direction[f] : e < f;
      };
      if (size < count) std::nth_element(order.begin(), end, order.end(), before);
      std::sort(order.begin(), end);
      std::copy(order.begin(), end, taken_.begin());
    } else {
      sort_(order, [&](std::size_t e) { return direction[e]; });
      test_->reset();
      for (std::size_t k = 0; k < count && size < taken_.size(); ++k) {
        if (test_->add(order[k])) taken_[size++] = order[k];
      }
    }
    vertex_ = {{}, std::span(taken_).first(size), std::span(ones_).first(size)};
    return vertex_;
  }

  /// 0 <= b_e <= 1. For independent sets, whose z >= 0, the distances from 0 on are kept in the
  /// same way: min(z_e, b_e) stays as well.
  void draw_start_near() {
    draw_near(start_, start_, 2, order_, sort_,
              body_.bases() ? std::nullopt : std::optional<double>(0));
  }

  [[nodiscard]] bool is_uniform() const {
    return body_.laminar() != nullptr && body_.laminar()->sets().size() == 1;
  }

  /// Nearer points have digits enough for the projection onto laminar families.
  static constexpr double far = 64;

  const MatroidBody& body_;
  double slack_;
  std::unique_ptr<IndependenceTest> test_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
  std::vector<std::size_t> taken_;
  std::vector<double> ones_;
  Vertex vertex_;
  std::unique_ptr<LaminarProjection> laminar_;
  std::optional<NearestBase> nearest_base_;
  std::vector<double> start_;
};

}  // namespace

MatroidPolytope::MatroidPolytope(MatroidBody body, std::string spec)
    : Set(body.matroid().size(), body.hull_dimension(), body.geometry()),
      body_(std::move(body)),
      spec_(std::move(spec)) {}

std::unique_ptr<Oracle> MatroidPolytope::make_oracle() const {
  return std::make_unique<MatroidOracle>(*this, body_);
}

std::unique_ptr<Exploration> MatroidPolytope::exploration() const {
  const LaminarMatroid* const laminar = body_.laminar();
  if (laminar != nullptr && laminar->is_partition()) {
    return random_subsets(*laminar, body_.bases());
  }
  return explore_vertices(*this);
}

bool MatroidPolytope::contains(std::span<const double> x) const {
  if (x.size() != dimension()) return false;
  for (const double coordinate : x) {
    if (!(coordinate >= 0 && coordinate <= 1)) return false;
  }
  if (!body_.on_hull(x, slack())) return false;
  if (body_.has_rows()) {
    return std::all_of(body_.rows().begin(), body_.rows().end(), [&](const MatroidRow& row) {
      const auto term = [&](std::size_t k) { return x[row.elements[k]]; };
      return math::reduce(row.elements.size(), term) <= row.limit + slack();
    });
  }
  if (!(math::sum(x) <= static_cast<double>(body_.rank()) + slack())) return false;
  if (body_.graphic() != nullptr) return body_.graphic()->bounds_forests(x, slack());
  return NearestPoint(*this).is_within(x, slack());
}

Geometry MatroidPolytope::geometry_about(std::span<const double> centre) const {
  return body_.has_rows() ? body_.geometry_about(centre) : Set::geometry_about(centre);
}

namespace {

SetPtr make_matroid_polytope(MatroidPtr matroid, bool bases, std::string spec) {
  return std::make_shared<MatroidPolytope>(MatroidBody(std::move(matroid), bases), std::move(spec));
}

}  // namespace

IndependentSetsWithLoops::IndependentSetsWithLoops(MatroidPtr matroid,
                                                   const std::vector<bool>& loops)
    : FreeSet({loops, std::vector<double>(loops.size(), 0.0),
               independent_sets(without(matroid, loops))},
              matroid->spec()),
      matroid_(std::move(matroid)) {}

SetPtr matroid_bases(MatroidPtr matroid) {
  base::require(matroid != nullptr, "the bases of a matroid need one, not a null pointer");
  std::string spec = matroid->spec();
  if (!spec.empty() && spec.back() == ')') {
    spec.back() = ',';
    spec += " bases=true)";
  } else {
    spec += "(bases=true)";
  }
  return make_matroid_polytope(std::move(matroid), true, std::move(spec));
}

SetPtr independent_sets(MatroidPtr matroid) {
  base::require(matroid != nullptr,
                "the independent sets of a matroid need one, not a null pointer");
  const std::vector<bool> loops = loops_of(*matroid);
  const auto count = std::count(loops.begin(), loops.end(), true);
  base::require(count < std::ssize(loops),
                matroid->spec() +
                    " has no independent set but the empty one: there is nothing to "
                    "choose");
  if (count > 0) return std::make_shared<IndependentSetsWithLoops>(std::move(matroid), loops);
  std::string spec = matroid->spec();
  return make_matroid_polytope(std::move(matroid), false, std::move(spec));
}

SetPtr spanning_trees(std::size_t nodes, List<Edge> edges) {
  base::require(!edges.empty(), "the spanning trees of a graph need at least one edge");
  auto matroid = std::make_shared<GraphicMatroid>(nodes, edges);
  const std::vector<std::vector<std::size_t>> at = edges_at_nodes(nodes, edges);
  std::vector<bool> reached(nodes, false);
  reached[0] = true;
  std::vector<std::size_t> queue = {0};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const std::size_t e : at[queue[k]]) {
      const std::size_t other = edges[e].from == queue[k] ? edges[e].to : edges[e].from;
      if (reached[other]) continue;
      reached[other] = true;
      queue.push_back(other);
    }
  }
  const auto missed = std::find(reached.begin(), reached.end(), false);
  base::require(
      missed == reached.end(),
      "a graph has spanning trees only if it is connected, and no path leads from node 0 to "
      "node " +
          std::to_string(missed - reached.begin()));
  std::string spec = "spanning_trees(" + matroid->text() + ")";
  return make_matroid_polytope(std::move(matroid), true, std::move(spec));
}

}  // namespace keyhole::sets
