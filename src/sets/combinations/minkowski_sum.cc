#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"
#include "sets/sampled_vertices.h"
#include "sets/separation.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class SumOracle final : public Oracle {
 public:
  explicit SumOracle(const std::vector<SetPtr>& sets)
      : oracles_(oracles_of(sets)), point_(sets.front()->dimension()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::fill(point_.begin(), point_.end(), 0.0);
    for (const auto& oracle : oracles_) oracle->minimise(direction).add_to(point_, 1);
    return vertex_;
  }

 private:
  std::vector<std::unique_ptr<Oracle>> oracles_;
  Vector point_;
  Vertex vertex_;
};

/// The root of the least eigenvalue of sum r_i^2 P_i within the hull, P_i the projections onto the
/// hulls of the sets: for a unit vector u of the hull the sum reaches sum r_i ||P_i u|| beyond its
/// centre, which is at least the root of sum r_i^2 ||P_i u||^2.
double radius_of_flat_sets(const std::vector<SetPtr>& sets, std::size_t hull_dimension) {
  const std::size_t n = sets.front()->dimension();
  Vector sum(n * n, 0.0);
  Vector axis(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const SetPtr& set : sets) {
      std::fill(axis.begin(), axis.end(), 0.0);
      axis[i] = 1;
      set->flatten(axis);
      const double r = set->inner_radius();
      for (std::size_t j = 0; j < n; ++j) sum[i * n + j] += r * r * axis[j];
    }
  }
  // In ascending order: those of the hull are the largest.
  return std::sqrt(math::eigenvalues(sum, n)[n - hull_dimension]) * (1 - 1e-9);
}

/// p = sum p_i; r the sum over the sets whose hull is that of the sum, or from all of them if that
/// is more; R = sum R_i and D = sum D_i.
Geometry sum_geometry(const std::vector<SetPtr>& sets, const JointHull& hull) {
  const std::size_t n = sets.front()->dimension();
  Geometry result{.centre = Vector(n, 0.0)};
  for (const SetPtr& set : sets) {
    const auto& [p, r, R, D, R_exact, D_exact] = set->geometry();
    for (std::size_t i = 0; i < n; ++i) result.centre[i] += p[i];
    if (set->hull_dimension() == hull.dimension()) result.inner_radius += r;
    result.outer_radius += R;
    result.diameter += D;
  }
  if (n <= most_sampled_coordinates && result.inner_radius == 0) {
    result.inner_radius = radius_of_flat_sets(sets, hull.dimension());
  }
  result.outer_radius_exact = sets.size() == 1 && sets.front()->geometry().outer_radius_exact;
  result.diameter_exact = sets.size() == 1 && sets.front()->geometry().diameter_exact;
  return result;
}

class MinkowskiSum final : public Set {
 public:
  MinkowskiSum(std::vector<SetPtr> sets, JointHull hull)
      : Set(sets.front()->dimension(), hull.dimension(), sum_geometry(sets, hull)),
        sets_(std::move(sets)),
        hull_(std::move(hull)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SumOracle>(sets_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return is_point(x, dimension()) && Separation(*this).is_within(x, slack());
  }
  void flatten(std::span<double> direction) const override { hull_.flatten(direction); }
  [[nodiscard]] std::string spec() const override { return list_spec("minkowski_sum", sets_); }

 private:
  std::vector<SetPtr> sets_;
  JointHull hull_;
};

}  // namespace

SetPtr minkowski_sum(std::vector<SetPtr> sets) {
  require_list_of_sets("a Minkowski sum", sets);
  JointHull hull = hull_of_sum(sets);
  return std::make_shared<MinkowskiSum>(std::move(sets), std::move(hull));
}

}  // namespace keyhole::sets
