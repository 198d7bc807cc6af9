#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/estimated_shape.h"
#include "sets/sampled_vertices.h"
#include "sets/separation.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The least of the sets' answers, the first of them.
class UnionOracle final : public Oracle {
 public:
  explicit UnionOracle(const std::vector<SetPtr>& sets) : oracles_(oracles_of(sets)) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    double least = 0;
    for (std::size_t k = 0; k < oracles_.size(); ++k) {
      const Vertex& v = oracles_[k]->minimise(direction);
      const double value = v.dot(direction);
      if (k > 0 && !(value < least)) continue;
      least = value;
      vertex_ = v;
    }
    return vertex_;
  }

 private:
  std::vector<std::unique_ptr<Oracle>> oracles_;
  Vertex vertex_;
};

/// No point is farther from p than max ||p_i - p|| + R_i, no two points are farther apart than two
/// sets are.
void bound_from_outside(const std::vector<SetPtr>& sets, Geometry& geometry) {
  double R = 0;
  double D = 0;
  for (const SetPtr& one : sets) {
    const Geometry& of_one = one->geometry();
    R = std::max(R, distance_between(of_one.centre, geometry.centre) + of_one.outer_radius);
    D = std::max(D, of_one.diameter);
    for (const SetPtr& other : sets) {
      if (other == one) continue;
      const Geometry& of_other = other->geometry();
      D = std::max(D, distance_between(of_one.centre, of_other.centre) + of_one.outer_radius +
                          of_other.outer_radius);
    }
  }
  const bool single = sets.size() == 1;
  geometry.outer_radius = R;
  geometry.diameter = std::min(D, 2 * R);
  geometry.outer_radius_exact = single && sets.front()->geometry().outer_radius_exact;
  geometry.diameter_exact = single && sets.front()->geometry().diameter_exact;
}

/// About the centre of the set with the largest inner ball of those whose hull is that of all; or
/// as minimising linear functions shows it, if that ball is larger.
Geometry union_geometry(const std::vector<SetPtr>& sets, const JointHull& hull) {
  Geometry result;
  for (const SetPtr& set : sets) {
    const Geometry& own = set->geometry();
    if (set->hull_dimension() != hull.dimension() || own.inner_radius <= result.inner_radius) {
      continue;
    }
    result.centre = own.centre;
    result.inner_radius = own.inner_radius;
  }
  const std::size_t n = sets.front()->dimension();
  // Beyond some hundreds of dimensions it takes long, and is done only where nothing else is known.
  if (n <= (result.centre.empty() ? most_sampled_coordinates : 200) && sets.size() > 1) {
    UnionOracle oracle(sets);
    EstimatedShape shape =
        estimate_shape(n, [&oracle](std::span<const double> d, std::span<double> v) {
          oracle.minimise(d).write_to(v);
        });
    if (shape.hull_dimension == hull.dimension() &&
        shape.geometry.inner_radius > result.inner_radius) {
      result.centre = std::move(shape.geometry.centre);
      result.inner_radius = shape.geometry.inner_radius;
    }
  }
  bound_from_outside(sets, result);
  return result;
}

class HullOfUnion final : public Set {
 public:
  HullOfUnion(std::vector<SetPtr> sets, JointHull hull)
      : Set(sets.front()->dimension(), hull.dimension(), union_geometry(sets, hull)),
        sets_(std::move(sets)),
        hull_(std::move(hull)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<UnionOracle>(sets_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!is_point(x, dimension())) return false;
    return std::any_of(sets_.begin(), sets_.end(),
                       [&](const SetPtr& set) { return set->contains(x); }) ||
           Separation(*this).is_within(x, slack());
  }
  void flatten(std::span<double> direction) const override { hull_.flatten(direction); }
  [[nodiscard]] std::string spec() const override { return list_spec("hull_of_union", sets_); }

 private:
  std::vector<SetPtr> sets_;
  JointHull hull_;
};

}  // namespace

SetPtr hull_of_union(std::vector<SetPtr> sets) {
  require_list_of_sets("the hull of a union", sets);
  JointHull hull = hull_of_all(sets);
  return std::make_shared<HullOfUnion>(std::move(sets), std::move(hull));
}

}  // namespace keyhole::sets
