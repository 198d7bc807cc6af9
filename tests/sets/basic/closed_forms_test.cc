// Oracles, radii and projections of the closed-form sets against their slow twins.

#include <gtest/gtest.h>

#include <numeric>

#include "catalogue.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

class ClosedForms : public ::testing::TestWithParam<SlowSet::Kind> {
 protected:
  /// A random instance; every other one is an image. Boxes are kept small enough to enumerate.
  Twins draw(std::size_t k) {
    const std::size_t largest = GetParam() == SlowSet::Kind::box ? 8 : 30;
    const std::size_t smallest = GetParam() == SlowSet::Kind::simplex ? 2 : 1;
    const Twins twins = draw_twins(GetParam(), random_.integer(smallest, largest), random_);
    return k % 2 == 0 ? twins : image_of(twins, random_);
  }

  /// Normal, all positive, all negative, zero, tied, single-axis, tiny and huge directions.
  std::vector<Vector> directions(std::size_t n) {
    std::vector<Vector> all(9, random_.normals(n));
    for (double& d : all[1]) d = std::abs(d);
    for (double& d : all[2]) d = -std::abs(d);
    all[3].assign(n, 0.0);
    for (double& d : all[4]) d = std::round(d);
    all[5].assign(n, 0.0);
    all[5][n - 1] = -1;
    all[6].assign(n, -0.5);
    for (double& d : all[7]) d *= 1e-30;
    for (double& d : all[8]) d *= 1e30;
    return all;
  }

  Random random_{static_cast<std::uint64_t>(GetParam()) + 1};
};

TEST_P(ClosedForms, OraclesMatchEnumeration) {
  for (std::size_t k = 0; k < 1000; ++k) {
    const auto [set, slow] = draw(k);
    const auto oracle = set->oracle();
    for (const Vector& d : directions(set->dimension())) {
      Vector v(set->dimension());
      oracle->minimise(d).write_to(v);
      ASSERT_TRUE(set->contains(v)) << set->spec();
      const double scale =
          std::sqrt(inner(d, d)) * (set->outer_radius() + std::sqrt(inner(slow.shift, slow.shift)));
      ASSERT_NEAR(inner(d, v), slow.minimum(d), 1e-13 * scale) << set->spec();
      // Ties and the zero direction go by the stated rule.
      ASSERT_LE(distance(v, slow.minimiser(d)), 1e-12 * set->outer_radius() + 1e-15) << set->spec();
    }
  }
}

TEST_P(ClosedForms, RadiiMatchFacetsAndVertices) {
  for (std::size_t k = 0; k < 200; ++k) {
    const auto [set, slow] = draw(k);
    // About the set's own centre and about another one.
    for (const SetPtr& s : {set, recentred_at_random(set, random_)}) {
      const auto& [p, r, R, D, R_exact, D_exact] = s->geometry();
      EXPECT_TRUE(R_exact && D_exact);
      const double tolerance = 1e-12 * R * (1 + std::sqrt(inner(slow.shift, slow.shift)) / R);
      ASSERT_NEAR(r, slow.inner_radius(p), tolerance) << s->spec();
      ASSERT_NEAR(R, slow.outer_radius(p), tolerance) << s->spec();
      ASSERT_NEAR(D, slow.diameter(), tolerance) << s->spec();
    }
  }
}

TEST_P(ClosedForms, RadiiByMonteCarlo) {
  // No point at r from the centre is outside, and some direction leaves the set within 1.5 r for
  // small dimensions: r is not merely safe.
  for (std::size_t k = 0; k < 20; ++k) {
    const Twins twins = draw_twins(GetParam(), 3, random_);
    const Set& set = *twins.set;
    const auto& [p, r, R, D, R_exact, D_exact] = set.geometry();
    const auto oracle = set.oracle();
    double farthest = 0;
    bool left = false;
    for (int trial = 0; trial < 4000; ++trial) {
      Vector u = random_.normals(3);
      set.flatten(u);
      u = combine(1 / std::sqrt(inner(u, u)), u, 0, u);
      Vector x = combine(1, p, r, u);
      oracle->settle(x);
      ASSERT_TRUE(set.contains(x)) << set.spec();
      left = left || !set.contains(combine(1, p, 1.01 * r, u));
      Vector v(3);
      oracle->minimise(u).write_to(v);
      farthest = std::max(farthest, distance(p, v));
      ASSERT_LE(distance(p, v), R * (1 + 1e-12));
    }
    EXPECT_TRUE(left) << set.spec();
    EXPECT_GE(farthest, 0.999 * R) << set.spec();
  }
}

TEST_P(ClosedForms, ProjectionsMatchAndKeepTheVariationalInequality) {
  for (std::size_t k = 0; k < 1000; ++k) {
    const auto [set, slow] = draw(k);
    const auto oracle = set->oracle();
    const std::size_t n = set->dimension();
    const double R = set->outer_radius();
    for (const double far : {0.01, 0.5, 2.0, 1e3}) {
      const Vector z = combine(1, set->centre(), far * R, random_.normals(n));
      Vector x(n);
      oracle->project(z, x);
      ASSERT_TRUE(set->contains(x)) << set->spec();
      ASSERT_LE(distance(x, slow.projected(z)), 1e-12 * R * (1 + far)) << set->spec();
      // max over K of <z - x, v - x> <= 1e-9 R^2.
      const Vector outward = combine(1, z, -1, x);
      Vector v(n);
      oracle->minimise(combine(-1, outward, 0, outward)).write_to(v);
      ASSERT_LE(inner(outward, combine(1, v, -1, x)), 1e-9 * R * R) << set->spec() << " " << far;
      // In place, and once more.
      Vector again = z;
      oracle->project(again, again);
      ASSERT_EQ(again, x);
      oracle->project(x, again);
      ASSERT_LE(distance(again, x), 1e-13 * R * (1 + std::sqrt(inner(x, x)) / R));
    }
  }
}

TEST_P(ClosedForms, ProjectionsFromVeryFarStayInside) {
  for (std::size_t k = 0; k < 300; ++k) {
    const Twins twins = draw(k);
    const auto oracle = twins.set->oracle();
    for (const double far : {1e6, 1e12, 1e20, 1e40}) {
      Vector z = random_.normals(twins.set->dimension(), far);
      oracle->project(z, z);
      ASSERT_TRUE(twins.set->contains(z)) << twins.set->spec() << " from " << far;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClosedForms, ::testing::ValuesIn(all_kinds),
                         [](const auto& instance) { return kind_name(instance.param); });

TEST(Simplices, RadiiByHand) {
  // n = 4, total 3.
  const Geometry solid = solid_simplex(4, 3)->geometry();
  EXPECT_DOUBLE_EQ(solid.inner_radius, 0.5);
  EXPECT_DOUBLE_EQ(solid.centre[2], 0.5);
  EXPECT_DOUBLE_EQ(solid.outer_radius, std::sqrt(2.5 * 2.5 + 3 * 0.25));
  EXPECT_DOUBLE_EQ(solid.diameter, 3 * std::sqrt(2.0));
  const Geometry flat = simplex(4, 3)->geometry();
  EXPECT_DOUBLE_EQ(flat.inner_radius, 3 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(flat.outer_radius, std::sqrt(2.25 * 2.25 + 3 * 0.75 * 0.75));
  EXPECT_EQ(simplex(4)->hull_dimension(), 3u);
  const Geometry segment = solid_simplex(1, 3)->geometry();
  EXPECT_DOUBLE_EQ(segment.inner_radius, 1.5);
  EXPECT_DOUBLE_EQ(segment.outer_radius, 1.5);
  EXPECT_DOUBLE_EQ(segment.diameter, 3);
}

TEST(Image, ThePapersEnlargedRegion) {
  // {-1 <= y_i <= 2n - 1, sum y <= n} about y = 0: r = 1, R = sqrt(4 n^2 - 3 n).
  const std::size_t n = 100;
  const SetPtr region = recentred(image(solid_simplex(n), 200, -1), Vector(n, 0.0));
  EXPECT_NEAR(region->inner_radius(), 1, 1e-12);
  EXPECT_NEAR(region->outer_radius(), std::sqrt(4e4 - 3e2), 1e-10);
  Vector y(n, -1.0);
  EXPECT_TRUE(region->contains(y));
  y[7] = 199;
  EXPECT_TRUE(region->contains(y));
  y[8] = -1 + 1e-6;
  EXPECT_FALSE(region->contains(y));
  y[8] = std::nextafter(-1.0, -2.0);
  EXPECT_FALSE(region->contains(y));
}

TEST(Vertices, PartsAgree) {
  Random random(3);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(6, random);
    const std::size_t n = set->dimension();
    const auto oracle = set->oracle();
    const Vector d = random.normals(n);
    const Vertex& v = oracle->minimise(d);
    Vector written(n, 42.0);
    v.write_to(written);
    Vector added(n, 1.0);
    v.add_to(added, 2.5);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(added[i], 1 + 2.5 * written[i], 1e-14);
    EXPECT_NEAR(v.dot(d), inner(d, written), 1e-13);
  }
}

}  // namespace
}  // namespace keyhole::tests
