// Wolfe's method against projections by closed forms.

#include "sets/nearest_point.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

TEST(NearestPoint, MatchesClosedFormsOnPolytopes) {
  Random random(1);
  for (std::uint64_t k = 0; k < scaled_count(400); ++k) {
    const std::size_t n = random.integer(2, 20);
    const SetPtr set = k % 4 == 0   ? random_box(n, random)
                       : k % 4 == 1 ? simplex(n, 2)
                       : k % 4 == 2 ? l1_ball(n, 3)
                                    : image(solid_simplex(n), -2, random.normals(n));
    const double R = set->outer_radius();
    const double away = std::pow(10, random.uniform(-3, 6));
    const Vector z = combine(1, set->centre(), away * R, random.normals(n));
    Vector expected(n);
    Vector x(n);
    set->oracle()->project(z, expected);
    sets::NearestPoint nearest(*set);
    EXPECT_TRUE(nearest.find(z, x)) << set->spec();
    EXPECT_LE(distance(x, expected), 1e-9 * std::max(R, 1e-2 * away * R)) << set->spec() << away;
    EXPECT_TRUE(nearest.find(expected, x));
    EXPECT_LE(distance(x, expected), 1e-10 * R);
  }
}

TEST(NearestPoint, DecidesMembership) {
  Random random(2);
  for (std::uint64_t k = 0; k < scaled_count(400); ++k) {
    const std::size_t n = random.integer(1, 12);
    const SetPtr set = k % 3 == 0 ? ball(n, 2) : k % 3 == 1 ? random_box(n, random) : l1_ball(n);
    const double R = set->outer_radius();
    const auto oracle = set->oracle();
    sets::NearestPoint nearest(*set);
    const Vector d = random.normals(n);
    Vector v(n);
    oracle->minimise(d).write_to(v);
    EXPECT_TRUE(nearest.is_within(v, 1e-9 * R)) << set->spec();
    EXPECT_TRUE(nearest.is_within(set->centre(), 1e-9 * R)) << set->spec();
    const double length = std::sqrt(inner(d, d));
    EXPECT_FALSE(nearest.is_within(combine(1, v, -1e-6 * R / length, d), 1e-9 * R));
    EXPECT_TRUE(nearest.is_within(combine(1, v, -1e-6 * R / length, d), 1.1e-6 * R));
  }
}

TEST(NearestPoint, ConvergesOnACurvedSet) {
  Random random(3);
  for (const std::size_t n : {2, 5, 20}) {
    const SetPtr set = ball(n);
    sets::NearestPoint nearest(*set);
    const Vector z = random.normals(n, 3);
    Vector expected(n);
    Vector x(n);
    set->oracle()->project(z, expected);
    EXPECT_TRUE(nearest.find(z, x));
    EXPECT_LE(distance(x, expected), 1e-6);  // the root of the gap that is left
    // Deep inside and just inside.
    for (const double share : {0.1, 0.999}) {
      EXPECT_TRUE(nearest.is_within(combine(share, expected, 0, z), 1e-9)) << n << " " << share;
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
