// Balls of lp norms, of the group lasso and ellipsoids: what they refuse, golden values by another
// route, ties, projections and explorations beyond what the sweeps over the catalogue look at.

#include "keyhole/norm_balls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/exploration.h"
#include "numbers.h"
#include "random.h"
#include "set_answers.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

TEST(LpBall, KeepsTheContractForAllPowers) {
  Random random(31);
  for (const double p :
       {1.0, 1.001, 1.02, 1.25, 1.999, 2.0, 2.001, 2.5, 4.0, 30.0, 1000.0, 1e6, infinity}) {
    Vector weights(4);
    for (double& weight : weights) weight = random.uniform(0.2, 2);
    EXPECT_EQ(kit(lp_ball(p, weights, random.uniform(0.1, 3)), 10), "");
    const SetPtr interval = lp_ball(1, p, 3);
    EXPECT_EQ(minimiser(interval, {2}), Vector{-3});
    expect_near(projected(interval, {-5}), {-3}, 1e-14);
    EXPECT_EQ(interval->inner_radius(), 3);
    EXPECT_EQ(interval->outer_radius(), 3);
  }
}

TEST(LpBall, KeepsTheContractWithWeightsFarApart) {
  for (const double p : {1.0, 1.5, 2.0, 4.0, infinity}) {
    EXPECT_EQ(kit(lp_ball(p, Vector{1, 1e4}), 10), "");
  }
}

TEST(LpBall, KnownAnswers) {
  // p = 3: q = 3/2, |d|^(q-1) = (1, 2), of 3-norm 9^(1/3).
  const double length = std::cbrt(9.0);
  expect_near(minimiser(lp_ball(2, 3), {1, -4}), {-1 / length, 2 / length}, 1e-15);
  // p = 2 with weights: an ellipse of semi-axes 1 and 1/2.
  expect_near(minimiser(lp_ball(2, Vector{1, 2}, 1), {3, 8}), {-3 / 5.0, -0.5 * 4 / 5}, 1e-15);
  EXPECT_EQ(minimiser(lp_ball(3, infinity, 2), {0, -1, 3}), (Vector{-2, 2, -2}));
  EXPECT_EQ(minimiser(lp_ball(1, Vector{1, 2, 1}, 2), {1, 2, 1}), (Vector{-2, 0, 0}));
  for (const double p : {1.0, 1.5, 2.0, 7.0}) {
    EXPECT_EQ(minimiser(lp_ball(3, p, 2), {0, 0, 0}), (Vector{-2, 0, 0})) << p;
  }
}

TEST(LpBall, RadiiMatchThoseOfTheSetsItContains) {
  for (const std::size_t n : {1u, 2u, 7u}) {
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_NEAR(lp_ball(n, 1, 3)->inner_radius(), 3 / root, 1e-15);
    EXPECT_NEAR(lp_ball(n, infinity, 3)->outer_radius(), 3 * root, 1e-14);
    const double narrow = std::pow(static_cast<double>(n), 0.5 - 1 / 1.5);
    EXPECT_NEAR(lp_ball(n, 1.5, 3)->inner_radius(), 3 * narrow, 1e-14);
    EXPECT_NEAR(lp_ball(n, 1.5, 3)->outer_radius(), 3, 1e-15);
    const double wide = std::pow(static_cast<double>(n), 0.5 - 0.2);
    EXPECT_NEAR(lp_ball(n, 5, 3)->outer_radius(), 3 * wide, 1e-14);
    EXPECT_NEAR(lp_ball(n, 5, 3)->inner_radius(), 3, 1e-15);
  }
}

TEST(LpBall, RadiiOfWeightedBallsAreThoseOfAFineGrid) {
  // In the plane, over 200000 directions: relative error about (pi / 200000)^2 of what is smooth.
  const Vector w = {1, 2.5};
  for (const double p : {1.0, 1.2, 1.7, 2.0, 3.0, 9.0}) {
    double least = infinity;
    double most = 0;
    for (int k = 0; k <= 100'000; ++k) {
      const double angle = std::numbers::pi / 2 * k / 100'000;
      const double gamma = std::pow(
          std::pow(w[0] * std::cos(angle), p) + std::pow(w[1] * std::sin(angle), p), 1 / p);
      least = std::min(least, 1 / gamma);
      most = std::max(most, 1 / gamma);
    }
    const Geometry& geometry = lp_ball(p, w)->geometry();
    EXPECT_NEAR(geometry.inner_radius, least, 1e-9) << p;
    EXPECT_NEAR(geometry.outer_radius, most, 1e-9) << p;
    EXPECT_EQ(geometry.diameter, 2 * geometry.outer_radius);
  }
}

TEST(LpBall, ProjectsLikeTheSetsItContains) {
  Random random(32);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = random.integer(1, 8);
    const Vector z = random.normals(n, k % 2 == 0 ? 1 : 1000);
    expect_near(projected(lp_ball(n, 1), z), projected(l1_ball(n), z), 1e-12);
    expect_near(projected(lp_ball(n, 2), z), projected(ball(n), z), 1e-12);
  }
}

TEST(LpBall, ProjectionsOfWeightedBallsMeetTheConditionsOfOptimality) {
  // z - x is a multiple of the gradient of the p-th power of the norm.
  Random random(33);
  for (int k = 0; k < 300; ++k) {
    const std::size_t n = random.integer(2, 8);
    const double p = k % 3 == 0 ? 2 : random.uniform(1.2, 6);
    Vector w(n);
    for (double& weight : w) weight = random.uniform(0.3, 3);
    const SetPtr set = lp_ball(p, w, 0.5);
    const Vector z = random.normals(n, 3);
    if (set->contains(z)) continue;
    const Vector x = projected(set, z);
    double power = 0;
    for (std::size_t i = 0; i < n; ++i) power += std::pow(w[i] * std::abs(x[i]), p);
    EXPECT_NEAR(std::pow(power, 1 / p), 0.5, 1e-12);
    const auto multiple = [&](std::size_t i) {
      return std::abs(z[i] - x[i]) / (std::pow(w[i], p) * std::pow(std::abs(x[i]), p - 1));
    };
    for (std::size_t i = 1; i < n; ++i) {
      EXPECT_NEAR(multiple(i) / multiple(0), 1, 1e-8) << set->spec();
      EXPECT_EQ(std::signbit(x[i]), std::signbit(z[i]));
    }
  }
}

TEST(LpBall, ExploresFartherOutThanTheInscribedSphere) {
  for (const double p : {1.0, 1.4, 3.0, infinity}) {
    const SetPtr set = lp_ball(6, p, 2);
    const double r = set->inner_radius();
    EXPECT_GT(set->exploration()->variance()[0], 1.1 * r * r / 6) << p;
  }
}

TEST(LpBall, Refusals) {
  EXPECT_EQ(
      refusal([] { return lp_ball(2, 0.5); }),
      "the p of an lp ball must be 1 or more, or inf, not 0.5: below 1 the set is not convex");
  EXPECT_EQ(refusal([] {
              return lp_ball(2, Vector{1, -2});
            }),
            "weight 1 of an lp ball must be a number from 1e-50 to 1e50, not -2");
  EXPECT_EQ(refusal([] { return lp_ball(0, 2); }), "an lp ball needs at least one dimension");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e60}) {
    EXPECT_THROW((void)lp_ball(2, 2, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)lp_ball(2, Vector{1, bad}), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)lp_ball(2, nan), InvalidArgument);
  EXPECT_EQ(refusal([] { return lp_ball(2, 1 + 1e-9); }),
            "the p of an lp ball, 1.000000001, is so close to 1 that rounding hides its corners: "
            "give 1, or 1.000001 or more");
  EXPECT_EQ(kit(lp_ball(3, 1 + 1e-6), 10), "");
  EXPECT_EQ(refusal([] {
              return lp_ball(1, Vector{1e-8, 1, 1e8});
            }),
            "the weights of an lp ball go from 1e-08 to 100000000, which makes it nearly flat: "
            "scale the coordinates so that they are within a factor of 1e4");
  EXPECT_THROW((void)make_set("lp_ball(2, 0.5)"), SpecError);
  EXPECT_EQ(make_set("lp_ball(2, inf, weights=[1, 2])")->spec(), "lp_ball(2, inf, weights=[1, 2])");
}

const std::vector<std::size_t> two_and_one = {2, 1};

TEST(GroupBall, KnownAnswersAndTies) {
  const SetPtr set = group_ball(two_and_one, 2);
  expect_near(minimiser(set, {3, -4, 1}), {-1.2, 1.6, 0}, 1e-15);
  EXPECT_EQ(minimiser(set, {3, -4, -6}), (Vector{0, 0, 2}));
  expect_near(minimiser(set, {3, -4, 5}), {-1.2, 1.6, 0}, 1e-15);
  EXPECT_EQ(minimiser(set, {0, 0, 0}), (Vector{-2, 0, 0}));
  EXPECT_EQ(set->oracle()->minimise(Vector{0, 0, 1}).indices.size(), 1u);
  expect_near(projected(set, {3, -4, 4}), {0.9, -1.2, 0.5}, 1e-14);
}

TEST(GroupBall, IsTheBallOrTheL1BallAtTheEnds) {
  Random random(38);
  for (int t = 0; t < 100; ++t) {
    const std::size_t n = random.integer(1, 6);
    const Vector z = random.normals(n, 2);
    const SetPtr one = group_ball(std::vector<std::size_t>{n});
    const SetPtr all = group_ball(std::vector<std::size_t>(n, 1));
    EXPECT_EQ(minimiser(one, z), minimiser(ball(n), z));
    EXPECT_EQ(minimiser(all, z), minimiser(l1_ball(n), z));
    expect_near(projected(one, z), projected(ball(n), z), 1e-14);
    expect_near(projected(all, z), projected(l1_ball(n), z), 1e-14);
    EXPECT_EQ(one->inner_radius(), 1);
    EXPECT_EQ(all->inner_radius(), l1_ball(n)->inner_radius());
  }
}

TEST(GroupBall, GroupsOfZerosStayZero) {
  // Also where rounding puts the others outside by a hair, and the lengths of all groups move.
  Random random(41);
  const std::vector<std::size_t> sizes = {2, 3, 3, 3, 4};
  for (int t = 0; t < 2000; ++t) {
    const SetPtr set = group_ball(sizes, random.uniform(0.1, 1));
    Vector z = random.normals(15);
    z[0] = z[1] = 0;
    const Vector x = projected(set, z);
    const Vector again = projected(set, x);
    ASSERT_EQ(again[0], 0);
    ASSERT_EQ(again[1], 0);
    expect_near(again, x, 1e-14);
  }
}

TEST(GroupBall, Refusals) {
  EXPECT_EQ(refusal([] { return group_ball(std::vector<std::size_t>{}); }),
            "a group ball needs at least one group");
  EXPECT_EQ(refusal([] {
              return group_ball(std::vector<std::size_t>{2, 0});
            }),
            "group 1 of a group ball is empty: leave it out");
  EXPECT_EQ(refusal([] {
              return group_ball(std::vector<std::size_t>{2, static_cast<std::size_t>(-1)});
            }),
            "a group ball can have up to 100000000 coordinates, and group 1 of "
            "18446744073709551615 has more");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e60}) {
    EXPECT_THROW((void)group_ball(two_and_one, bad), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)make_set("group_ball([2, 1.5])"), SpecError);
}

TEST(LatentGroupBall, KnownAnswersAndTies) {
  EXPECT_EQ(minimiser(latent_group_ball({{0, 1}, {1, 2}}, 10), {-3, 4, 1}), (Vector{6, -8, 0}));
  EXPECT_EQ(minimiser(latent_group_ball({{0, 1}, {2, 1}}), {1, 0, 1}), (Vector{-1, 0, 0}));
  EXPECT_EQ(minimiser(latent_group_ball({{1, 0}, {1, 2}}), {0, 0, 0}), (Vector{-1, 0, 0}));
  EXPECT_EQ(latent_group_ball({{1, 0}, {1, 2}}, 2)->spec(),
            "latent_group_ball([[0, 1], [1, 2]], radius=2)");
}

/// Of two groups the norm is a minimum over how they share the coordinate that both have.
TEST(LatentGroupBall, MembershipMatchesTheSplitOfLeastLength) {
  Random random(43);
  const SetPtr set = latent_group_ball({{0, 1}, {1, 2}}, 2);
  for (int trial = 0; trial < 200; ++trial) {
    Vector x = random.normals(3);
    if (trial % 5 == 0) x[0] = 0;
    if (trial % 7 == 0) x[1] = 0;
    const double norm = -largest_of_concave(
        -10, 10, [&](double t) { return -std::hypot(x[0], t) - std::hypot(x[1] - t, x[2]); });
    for (double& value : x) value *= 2 / norm;
    for (double& value : x) value *= 1 - 1e-8;
    EXPECT_TRUE(set->contains(x));
    for (double& value : x) value *= 1 + 1e-6;
    EXPECT_FALSE(set->contains(x));
  }
}

TEST(LatentGroupBall, OfGroupsApartIsTheGroupBall) {
  Random random(44);
  const SetPtr latent = latent_group_ball({{0, 1}, {2}, {3, 4, 5}}, 1.5);
  const SetPtr group = group_ball({2, 1, 3}, 1.5);
  EXPECT_NEAR(latent->inner_radius(), group->inner_radius(), 1e-15);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector d = random.normals(6);
    EXPECT_LE(distance(minimiser(latent, d), minimiser(group, d)), 1e-15);
    const Vector x = random.normals(6, 0.3);
    EXPECT_EQ(latent->contains(x), group->contains(x));
  }
}

TEST(LatentGroupBall, Refusals) {
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)latent_group_ball({{0, 2}});
            }),
            "coordinate 1 is in no group of a latent group ball: add a group, or count the "
            "coordinates without it");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)latent_group_ball({{0, 1, 0}});
            }),
            "group 0 of a latent group ball has a coordinate twice: name it once");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)latent_group_ball({{0}, {}});
            }),
            "group 1 of a latent group ball is empty: leave it out");
  EXPECT_THROW((void)latent_group_ball({}), InvalidArgument);
  EXPECT_THROW((void)latent_group_ball({{1500}}), InvalidArgument);
  EXPECT_THROW((void)latent_group_ball({{0}}, 0), InvalidArgument);
}

TEST(Ellipsoid, OfSemiAxesIsTheWeightedBall) {
  Random random(39);
  for (int t = 0; t < 50; ++t) {
    const std::size_t n = random.integer(1, 5);
    Vector w(n);
    Vector a(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      w[i] = random.uniform(0.3, 3);
      a[i * n + i] = w[i] * w[i];
    }
    const SetPtr set = ellipsoid(a, Vector(n, 0.0));
    const SetPtr same = lp_ball(2, w);
    const Vector z = random.normals(n, 3);
    expect_near(minimiser(set, z), minimiser(same, z), 1e-13);
    expect_near(projected(set, z), projected(same, z), 1e-12);
    EXPECT_NEAR(set->inner_radius(), same->inner_radius(), 1e-13);
    EXPECT_NEAR(set->outer_radius(), same->outer_radius(), 1e-13);
  }
}

TEST(Ellipsoid, KnownAnswers) {
  // The eigenvalues of A are 1 and 4, with vectors (1, -1) and (1, 1).
  const SetPtr set = ellipsoid(Vector{2.5, 1.5, 1.5, 2.5}, Vector{10, 20});
  EXPECT_NEAR(set->inner_radius(), 0.5, 1e-15);
  EXPECT_NEAR(set->outer_radius(), 1, 1e-15);
  const double half = std::sqrt(0.5);
  expect_near(minimiser(set, {1, -1}), {10 - half, 20 + half}, 1e-14);
  expect_near(minimiser(set, {1, 1}), {10 - half / 2, 20 - half / 2}, 1e-14);
  expect_near(projected(set, {13, 23}), {10 + half / 2, 20 + half / 2}, 1e-14);
  EXPECT_EQ(minimiser(set, {0, 0}), minimiser(set, {1, 0}));
}

TEST(Ellipsoid, KeepsTheContractWhenLongAndFarAway) {
  EXPECT_EQ(kit(ellipsoid(Vector{1, 0.5, 0.5, 1e4}, Vector{0, 0})), "");
  EXPECT_EQ(kit(ellipsoid(Vector{1e6, 0.5, 0.5, 1}, Vector{0, 0})), "");
  EXPECT_EQ(kit(ellipsoid(Vector{2, 1, 1, 2}, Vector{1e6, -1e5})), "");
  EXPECT_EQ(kit(ellipsoid(Vector{1e40}, Vector{0})), "");
}

TEST(Ellipsoid, Refusals) {
  const Vector origin = {0, 0};
  EXPECT_EQ(refusal([&] {
              return ellipsoid(Vector{1, 2, 2, 1}, origin);
            }),
            "the matrix of an ellipsoid is not positive definite: the set has no end");
  EXPECT_EQ(refusal([&] {
              return ellipsoid(Vector{1, 0.5, 0.25, 1}, origin);
            }),
            "the matrix of an ellipsoid has 0.25 in row 1, column 0, and 0.5 in row 0, column 1: "
            "it must be symmetric");
  EXPECT_EQ(refusal([&] {
              return ellipsoid(Vector{1, 0, 0}, origin);
            }),
            "the matrix of an ellipsoid about a centre of 2 coordinates needs 4 numbers, not 3");
  // The semi-axes are 1 and 100000, up to rounding.
  EXPECT_NE(
      refusal([&] {
        return ellipsoid(Vector{1, 0, 0, 1e-10}, origin);
      }).find("is nearly flat: scale the coordinates so that they are within a factor of 1e4"),
      std::string::npos);
  EXPECT_EQ(refusal([] { return ellipsoid(Vector{}, Vector{}); }),
            "an ellipsoid needs at least one dimension");
  for (const double bad : {nan, infinity, 1e60}) {
    EXPECT_THROW((void)ellipsoid(Vector{1, 0, 0, bad}, origin), InvalidArgument) << bad;
    EXPECT_THROW((void)ellipsoid(Vector{1, 0, 0, 1}, Vector{0, bad}), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)make_set("ellipsoid([[1, 0], [0]])"), SpecError);
  EXPECT_EQ(make_set("ellipsoid([[1, 0], [0, 4]], centre=2)")->spec(),
            "ellipsoid([[1, 0], [0, 4]], centre=2)");
}

}  // namespace
}  // namespace keyhole::tests
