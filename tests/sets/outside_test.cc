// Points that are outside by twice as much as membership forgives, which is 1e-9 R, are no members.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/polytope.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

struct Inequality {
  Vector normal;
  double right = 0;
};

/// The bounds of a description, and its rows.
std::vector<Inequality> inequalities_of(const PolytopeConstraints& description) {
  const std::size_t n = description.n;
  std::vector<Inequality> all;
  const auto bounds = [&](const Vector& values, double sign) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      all.push_back({Vector(n, 0.0), sign * values[i]});
      all.back().normal[i] = sign;
    }
  };
  bounds(description.lower, -1);
  bounds(description.upper, 1);
  const LinearRows& rows = description.inequalities;
  const std::size_t first = all.size();
  for (const double right : rows.right) all.push_back({Vector(n, 0.0), right});
  for (std::size_t k = 0; k < rows.dense.size(); ++k) {
    all[first + k / n].normal[k % n] = rows.dense[k];
  }
  for (const MatrixEntry& entry : rows.sparse) {
    all[first + entry.row].normal[entry.column] += entry.value;
  }
  return all;
}

/// A point of a set that is farthest along a way, and how far it goes.
struct Farthest {
  Farthest(const Set& set, Oracle& oracle, Vector along) : way(std::move(along)), x(way.size()) {
    set.flatten(way);
    length = std::sqrt(inner(way, way));
    oracle.minimise(combine(-1, way, 0, way)).write_to(x);
  }
  /// Whether the set takes the point that is outside by 2e-9 R there.
  [[nodiscard]] bool is_taken_outside(const Set& set) const {
    return set.contains(combine(1, x, 2e-9 * set.outer_radius() / length, way));
  }

  Vector way;
  Vector x;
  double length = 0;  // of the way, within the hull
};

/// Those outside of one inequality of a set at a time; returns how many were tried.
std::size_t expect_refused_by_inequalities(const Set& set) {
  const auto description = set.linear_description();
  if (!description) return 0;
  const auto oracle = set.oracle();
  std::size_t tried = 0;
  for (const Inequality& inequality : inequalities_of(*description)) {
    const double size = std::sqrt(inner(inequality.normal, inequality.normal));
    const Farthest farthest(set, *oracle, inequality.normal);
    // What all points of the hull have alike, and what other inequalities keep from being met.
    if (farthest.length < 1e-6 * size) continue;
    const double left = inequality.right - inner(inequality.normal, farthest.x);
    if (left > 1e-9 * size * set.outer_radius()) continue;
    ++tried;
    EXPECT_FALSE(farthest.is_taken_outside(set)) << set.spec().substr(0, 300);
  }
  return tried;
}

/// Those outside in any direction.
void expect_refused_everywhere(const Set& set, Random& random) {
  const auto oracle = set.oracle();
  int taken = 0;
  for (int k = 0; k < 50; ++k) {
    const Farthest farthest(set, *oracle, random.normals(set.dimension()));
    taken += farthest.is_taken_outside(set) ? 1 : 0;
  }
  EXPECT_EQ(taken, 0) << set.spec().substr(0, 300);
}

class Outside : public ::testing::TestWithParam<InstanceFamily> {};

TEST_P(Outside, IsRefused) {
  // Their corners are so acute that a point may be within 1e-9 R of each side and farther from the
  // set; or the 1e-9 R are of what a gauge, an eigenvalue or a preimage says.
  const std::set<std::string> wider = {"affine_image", "cut",     "curved_cut",          "cut_ball",
                                       "elliptope",    "lp_ball", "total_variation_ball"};
  Random random(41);
  for (const std::size_t n : {2, 3, 6, 12}) {
    for (int k = 0; k < 3; ++k) {
      const SetPtr set = GetParam().draw(n, random).set;
      if (expect_refused_by_inequalities(*set) > 0 || wider.contains(GetParam().name)) continue;
      if (!set->linear_description()) expect_refused_everywhere(*set, random);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Outside, ::testing::ValuesIn(catalogue_instances()),
                         [](const auto& family) { return family.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Outside);

TEST(OutsideOfInequalities, IsRefusedOfSetsOfSets) {
  Random random(42);
  const SetPtr shares = simplex(4);
  const std::vector<SetPtr> sets = {
      image(shares, -3, 0.5), product({shares, box(-1, 1, 2), l1_ball(3)}),
      recentred(shares, Vector{0.4, 0.3, 0.2, 0.1}), intersection({shares, box(0, 0.4, 4)}),
      intersection({product({isotonic(3), box(0, 1, 1)}), hypersimplex(4, 2)})};
  for (const SetPtr& set : sets) EXPECT_GT(expect_refused_by_inequalities(*set), 3U) << set->spec();
}

}  // namespace
}  // namespace keyhole::tests
