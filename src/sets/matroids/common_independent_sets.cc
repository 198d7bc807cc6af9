// Sets that are independent in two matroids. Their hull is what the hulls of both have in common
// (Edmonds, "Submodular functions, matroids, and certain polyhedra", 1970).

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/matroids/cheapest_common_set.h"
#include "sets/matroids/matroid_polytope.h"
#include "sets/matroids/restriction.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The independent sets of two matroids.
struct MatroidPair {
  std::shared_ptr<const MatroidPolytope> first;
  std::shared_ptr<const MatroidPolytope> second;

  [[nodiscard]] CheapestCommonSet cheapest() const {
    return {first->body().matroid(), second->body().matroid()};
  }
  [[nodiscard]] bool has_rows() const {
    return first->body().has_rows() && second->body().has_rows();
  }
};

/// With twice the limits.
LaminarMatroid doubled(const LaminarMatroid& matroid) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> limits;
  for (const LaminarSet& set : matroid.sets()) {
    sets.push_back(set.elements);
    limits.push_back(std::min(2 * std::min(set.limit, matroid.size()), set.elements.size()));
  }
  return {matroid.size(), sets, limits, ""};
}

/// D^2 = the most elements that two common independent sets cover. The rows of two laminar families
/// are a totally unimodular matrix, so that integer points of 2 K are sums of two of K (Baum,
/// Trotter 1977): those are the common independent sets of twice the limits. Of other matroids it
/// is at most what two of each one cover, and the largest such set taken twice; and that it is, if
/// another one from the rest of the elements has as many.
void set_common_diameter(const MatroidPair& pair, Geometry& geometry) {
  const std::size_t n = geometry.centre.size();
  const LaminarMatroid* const first = pair.first->body().laminar();
  const LaminarMatroid* const second = pair.second->body().laminar();
  Vector costs(n, -1.0);
  if (first != nullptr && second != nullptr) {
    const LaminarMatroid of_first = doubled(*first);
    const LaminarMatroid of_second = doubled(*second);
    CheapestCommonSet cheapest(of_first, of_second);
    geometry.diameter = std::sqrt(static_cast<double>(cheapest.find(costs).size()));
    return;
  }
  CheapestCommonSet cheapest = pair.cheapest();
  const std::span<const std::size_t> largest = cheapest.find(costs);
  const auto size = static_cast<double>(largest.size());
  for (const std::size_t e : largest) costs[e] = 0;
  const double covered = size + static_cast<double>(cheapest.find(costs).size());
  const auto squared = [](double x) { return x * x; };
  const double bound = std::min({static_cast<double>(n), 2 * size, squared(pair.first->diameter()),
                                 squared(pair.second->diameter())});
  geometry.diameter_exact = covered >= bound - 0.5;
  geometry.diameter =
      geometry.diameter_exact
          ? std::sqrt(covered)
          : std::max(geometry.outer_radius, std::min(std::sqrt(bound), 2 * geometry.outer_radius));
}

/// ||v - p||^2 = ||p||^2 + the sum of 1 - 2 p_e over v is linear in a vertex v.
double common_outer_radius(const MatroidPair& pair, std::span<const double> p) {
  Vector costs(p.size());
  for (std::size_t e = 0; e < p.size(); ++e) costs[e] = 2 * p[e] - 1;
  CheapestCommonSet cheapest = pair.cheapest();
  const std::span<const std::size_t> farthest = cheapest.find(costs);
  return std::sqrt(math::squared_norm(p) - math::reduce(farthest.size(), [&](std::size_t k) {
                     return costs[farthest[k]];
                   }));
}

/// p is the smaller coordinate of both centres: x(S) <= rank(S) is no nearer than to the larger
/// one, and x_i >= 0 at least as far as the smaller inner radius.
Geometry common_geometry(const MatroidPair& pair) {
  Vector p = pair.first->centre();
  for (std::size_t e = 0; e < p.size(); ++e) p[e] = std::min(p[e], pair.second->centre()[e]);
  const double r = std::min(pair.first->inner_radius(), pair.second->inner_radius());
  const double R = common_outer_radius(pair, p);
  Geometry result{std::move(p), r, R};
  set_common_diameter(pair, result);
  return result;
}

class CommonOracle final : public Oracle {
 public:
  CommonOracle(const Set& set, const MatroidPair& pair)
      : set_(set),
        pair_(pair),
        cheapest_(pair.cheapest()),
        ones_(std::min(pair.first->body().rank(), pair.second->body().rank()), 1.0),
        other_(set.dimension()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> elements = cheapest_.find(direction);
    vertex_ = {{}, elements, std::span(ones_).first(elements.size())};
    return vertex_;
  }

  /// The larger one of the gauges of both.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    if (!pair_.has_rows()) return Oracle::do_gauge(w, subgradient);
    const double first = pair_.first->body().gauge(set_.centre(), w, subgradient);
    const double second = pair_.second->body().gauge(set_.centre(), w, other_);
    if (second > first) std::copy(other_.begin(), other_.end(), subgradient.begin());
    return std::max(first, second);
  }

  void settle(std::span<double> point) override { settle_between(point, 0, 1, set_.slack()); }

 private:
  const Set& set_;
  const MatroidPair& pair_;
  CheapestCommonSet cheapest_;
  Vector ones_;
  Vector other_;  // the subgradient of the second one
  Vertex vertex_;
};

/// Common independent sets by greed: each element of negative cost, the cheapest first, joins if it
/// can. What one matroid takes and the other one refuses is in the way of others, so that the rest
/// is tried again in the other order. All common independent sets are vertices, and these are found
/// about 100 times as fast as the cheapest.
class GreedyCommonOracle final : public Oracle {
 public:
  explicit GreedyCommonOracle(const MatroidPair& pair)
      : first_(pair.first->body().matroid().test()),
        second_(pair.second->body().matroid().test()),
        sort_(pair.first->dimension()),
        ones_(pair.first->dimension(), 1.0) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    left_.clear();
    for (std::size_t e = 0; e < direction.size(); ++e) {
      if (direction[e] < 0) left_.push_back(e);
    }
    sort_(left_, [&](std::size_t e) { return direction[e]; });
    elements_.clear();
    join(*first_, *second_);
    join(*second_, *first_);
    std::sort(elements_.begin(), elements_.end());
    vertex_ = {{}, elements_, std::span(ones_).first(elements_.size())};
    return vertex_;
  }

 private:
  void join(IndependenceTest& before, IndependenceTest& after) {
    before.reset();
    after.reset();
    for (const std::size_t e : elements_) (void)(before.add(e) && after.add(e));
    std::size_t refused = 0;
    for (const std::size_t e : left_) {
      if (before.add(e) && after.add(e)) {
        elements_.push_back(e);
      } else {
        left_[refused++] = e;
      }
    }
    left_.resize(refused);
  }

  std::unique_ptr<IndependenceTest> first_;
  std::unique_ptr<IndependenceTest> second_;
  SortByKey sort_;
  Vector ones_;
  std::vector<std::size_t> elements_;
  std::vector<std::size_t> left_;  // to be tried, the cheapest first
  Vertex vertex_;
};

class CommonIndependentSets final : public Set {
 public:
  explicit CommonIndependentSets(MatroidPair pair)
      : Set(pair.first->dimension(), pair.first->dimension(), common_geometry(pair)),
        pair_(std::move(pair)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CommonOracle>(*this, pair_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this, [this] { return std::make_unique<GreedyCommonOracle>(pair_); });
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return pair_.first->contains(x) && pair_.second->contains(x);
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return pair_.has_rows(); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const override {
    if (!pair_.has_rows()) return Set::geometry_about(p);
    const double r =
        std::min(pair_.first->body().inner_radius(p), pair_.second->body().inner_radius(p));
    Geometry result{{p.begin(), p.end()}, r, common_outer_radius(pair_, p)};
    set_common_diameter(pair_, result);
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "common_independent_sets(" + pair_.first->spec() + ", " + pair_.second->spec() + ")";
  }

 private:
  MatroidPair pair_;
};

MatroidPtr matroid_of(const SetPtr& set) {
  base::require(set != nullptr, "common independent sets need two matroids, not a null pointer");
  const auto* const polytope = dynamic_cast<const MatroidPolytope*>(set.get());
  if (polytope != nullptr && !polytope->body().bases()) return polytope->body().shared_matroid();
  const auto* const with_loops = dynamic_cast<const IndependentSetsWithLoops*>(set.get());
  base::require(with_loops != nullptr,
                "common independent sets are of two sets that are the independent sets of "
                "matroids, such as uniform_matroid(4, 2), and " +
                    set->spec() + " is not one");
  return with_loops->matroid();
}

std::string common_text(const SetPtr& first, const SetPtr& second) {
  return "common_independent_sets(" + first->spec() + ", " + second->spec() + ")";
}

}  // namespace

SetPtr common_independent_sets(const SetPtr& first, const SetPtr& second) {
  const MatroidPtr one = matroid_of(first);
  const MatroidPtr other = matroid_of(second);
  const std::size_t n = first->dimension();
  base::require(n == second->dimension(),
                "common independent sets need matroids of the same elements: " + first->spec() +
                    " has " + std::to_string(n) + " and " + second->spec() + " has " +
                    std::to_string(second->dimension()));
  base::require(n <= CheapestCommonSet::most_elements,
                "matroids of " + std::to_string(n) +
                    " elements are too large for what they have in common: " +
                    std::to_string(CheapestCommonSet::most_elements) + " elements are the most");
  std::vector<bool> loops = loops_of(*one);
  const std::vector<bool> of_other = loops_of(*other);
  for (std::size_t e = 0; e < n; ++e) loops[e] = loops[e] || of_other[e];
  const auto count = std::count(loops.begin(), loops.end(), true);
  base::require(count < std::ssize(loops),
                common_text(first, second) +
                    " has nothing but the empty set: there is nothing to "
                    "choose");
  const auto polytope = [&](const SetPtr& set, const MatroidPtr& matroid) {
    return std::dynamic_pointer_cast<const MatroidPolytope>(
        count == 0 ? set : independent_sets(without(matroid, loops)));
  };
  auto common = std::make_shared<CommonIndependentSets>(
      MatroidPair{polytope(first, one), polytope(second, other)});
  if (count == 0) return common;
  return std::make_shared<FreeSet>(FreeCoordinates(loops, Vector(n, 0.0), std::move(common)),
                                   common_text(first, second));
}

SetPtr common_independent_sets(const MatroidPtr& first, const MatroidPtr& second) {
  return common_independent_sets(independent_sets(first), independent_sets(second));
}

}  // namespace keyhole::sets
