// Norm balls: what they refuse, golden values by another route, ties, projections and explorations
// beyond what the sweeps over the catalogue look at.

#include "keyhole/norm_balls.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "catalogue.h"
#include "keyhole/exploration.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Vector minimiser(const SetPtr& set, const Vector& d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

Vector projected(const SetPtr& set, Vector z) {
  set->oracle()->project(z, z);
  return z;
}

void expect_near(const Vector& actual, const Vector& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "coordinate " << i;
  }
}

double length_of(const Vector& x) {
  double square = 0;
  for (const double value : x) square += value * value;
  return std::sqrt(square);
}

std::string kit(const SetPtr& set, std::size_t directions = 20) {
  const testing::Report report = testing::check_set(set, {.directions = directions});
  return report.ok() ? "" : set->spec() + "\n" + report.text();
}

std::string refusal(std::function<SetPtr()> make) {
  return message<InvalidArgument>([&] { (void)make(); });
}

TEST(LpBall, KeepsTheContractForAllPowers) {
  Random random(31);
  for (const double p :
       {1.0, 1.001, 1.02, 1.25, 1.999, 2.0, 2.001, 2.5, 4.0, 30.0, 1000.0, 1e6, infinity}) {
    for (const std::size_t n : {1u, 4u}) {
      Vector weights(n);
      for (double& weight : weights) weight = random.uniform(0.2, 2);
      EXPECT_EQ(kit(lp_ball(p, weights, random.uniform(0.1, 3))), "");
    }
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
    EXPECT_NEAR(lp_ball(n, 1, 3)->geometry().inner_radius, 3 / root, 1e-15);
    EXPECT_NEAR(lp_ball(n, infinity, 3)->geometry().outer_radius, 3 * root, 1e-14);
    const double narrow = std::pow(static_cast<double>(n), 0.5 - 1 / 1.5);
    EXPECT_NEAR(lp_ball(n, 1.5, 3)->geometry().inner_radius, 3 * narrow, 1e-14);
    EXPECT_NEAR(lp_ball(n, 1.5, 3)->geometry().outer_radius, 3, 1e-15);
    const double wide = std::pow(static_cast<double>(n), 0.5 - 0.2);
    EXPECT_NEAR(lp_ball(n, 5, 3)->geometry().outer_radius, 3 * wide, 1e-14);
    EXPECT_NEAR(lp_ball(n, 5, 3)->geometry().inner_radius, 3, 1e-15);
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
    const double r = set->geometry().inner_radius;
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
  EXPECT_THROW((void)make_set("lp_ball(2, 0.5)"), SpecError);
  EXPECT_EQ(make_set("lp_ball(2, inf, weights=[1, 2])")->spec(), "lp_ball(2, inf, weights=[1, 2])");
}

TEST(KSparseBall, KnownAnswersAndTies) {
  EXPECT_EQ(minimiser(k_sparse_ball(4, 2, 3), {1, -5, 0, 2}), (Vector{0, 3, 0, -3}));
  // Of equal magnitudes the first; zeros count as positive.
  EXPECT_EQ(minimiser(k_sparse_ball(4, 2), {1, -1, 1, -1}), (Vector{-1, 1, 0, 0}));
  EXPECT_EQ(minimiser(k_sparse_ball(3, 2), {0, 0, 0}), (Vector{-1, -1, 0}));
  const auto oracle = k_sparse_ball(1000, 3)->oracle();
  EXPECT_EQ(oracle->minimise(Vector(1000, 1.0)).indices.size(), 3u);
}

TEST(KSparseBall, IsTheL1BallOrTheBoxAtTheEnds) {
  Random random(34);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = random.integer(1, 9);
    const Vector z = random.normals(n, k % 2 == 0 ? 1 : 1000);
    expect_near(projected(k_sparse_ball(n, 1), z), projected(l1_ball(n), z), 1e-12);
    expect_near(projected(k_sparse_ball(n, n), z), projected(box(-1, 1, n), z), 1e-12);
  }
}

TEST(KSparseBall, ProjectionsLandOnTheSumAndTheBounds) {
  expect_near(projected(k_sparse_ball(3, 2), {5, 1, 1}), {1, 0.5, 0.5}, 1e-15);
  expect_near(projected(k_sparse_ball(3, 1), {1, 1, 1}), {1 / 3.0, 1 / 3.0, 1 / 3.0}, 1e-15);
  expect_near(projected(k_sparse_ball(2, 1), {-3, 0.5}), {-1, 0}, 1e-15);
}

TEST(KSparseBall, GeometryAboutAnotherCentreIsExact) {
  // By the vertices and the facets, in three dimensions.
  const SetPtr set = recentred(k_sparse_ball(3, 2), Vector{0.5, -0.25, 0});
  EXPECT_NEAR(set->geometry().inner_radius, 0.5, 1e-15);  // the facet x_1 = 1
  EXPECT_NEAR(set->geometry().outer_radius, std::sqrt(1.5 * 1.5 + 1.25 * 1.25), 1e-15);
  const SetPtr near_sum = recentred(k_sparse_ball(3, 2), Vector{0.6, 0.6, 0.6});
  EXPECT_NEAR(near_sum->geometry().inner_radius, 0.2 / std::sqrt(3.0), 1e-15);
}

TEST(KNormBall, KnownAnswersAndTies) {
  // The axes are worth max |d|, the corners sum |d| / k.
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-3, 1, 1}), (Vector{4, 0, 0}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-3, 2, 2}), (Vector{2, -2, -2}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-2, 2, 0}), (Vector{4, 0, 0}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2), {0, 0, 0}), (Vector{-1, 0, 0}));
  EXPECT_EQ(k_norm_ball(5, 2)->geometry().outer_radius, std::sqrt(5.0) / 2);
  EXPECT_EQ(k_norm_ball(3, 2)->geometry().outer_radius, 1);
}

TEST(KNormBall, IsPolarToTheKSparseBall) {
  // The gauge of the one is the support function of the other.
  Random random(35);
  for (int t = 0; t < 300; ++t) {
    const std::size_t n = random.integer(1, 7);
    const std::size_t k = random.integer(1, n);
    Vector x = random.normals(n);
    if (t % 3 == 0) {
      for (double& value : x) value = std::round(value);
    }
    Vector s(n);
    const auto sparse = k_sparse_ball(n, k)->oracle();
    const auto norm = k_norm_ball(n, k)->oracle();
    EXPECT_NEAR(norm->gauge(x, s), -sparse->minimise(x).dot(x), 1e-13);
    EXPECT_NEAR(sparse->gauge(x, s), -norm->minimise(x).dot(x), 1e-13);
  }
}

TEST(OwlBall, HasTheOthersAsSpecialCases) {
  Random random(36);
  for (int t = 0; t < 200; ++t) {
    const std::size_t n = random.integer(1, 8);
    const std::size_t k = random.integer(1, n);
    Vector w(n, 0.0);
    std::fill_n(w.begin(), k, 2.0);
    const Vector z = random.normals(n, t % 2 == 0 ? 1 : 1000);
    const auto same = [&](const SetPtr& owl, const SetPtr& other) {
      EXPECT_NEAR(owl->geometry().inner_radius, other->geometry().inner_radius, 1e-14);
      EXPECT_NEAR(owl->geometry().outer_radius, other->geometry().outer_radius, 1e-14);
      expect_near(projected(owl, z), projected(other, z), 1e-11);
      EXPECT_NEAR(owl->oracle()->minimise(z).dot(z), other->oracle()->minimise(z).dot(z),
                  1e-12 * (t % 2 == 0 ? 1 : 1000));
    };
    same(owl_ball(w, 2), k_norm_ball(n, k));
    same(owl_ball(Vector(n, 2.0), 2), l1_ball(n));
    Vector first(n, 0.0);
    first[0] = 1;
    same(owl_ball(first), box(-1, 1, n));
  }
}

TEST(OwlBall, KnownAnswersAndTies) {
  // W = 1, 1.5, 1.75; sums of |d|: 4, 7, 8: ratios 4, 14/3, 32/7.
  expect_near(minimiser(owl_ball(Vector{1, 0.5, 0.25}, 3), {-3, 1, 4}), {2, 0, -2}, 1e-15);
  EXPECT_EQ(minimiser(owl_ball(Vector{1, 1, 1}), {2, -2, 1}), (Vector{-1, 0, 0}));
  EXPECT_EQ(minimiser(owl_ball(Vector{1, 0.5}), {0, 0}), (Vector{-1, 0}));
}

TEST(OwlBall, ManyCoordinatesTakeNoQuadraticTime) {
  // With time that grows as n^2 this takes a minute; it takes some hundredths of a second.
  const std::size_t n = 200'000;
  Vector w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = 1 / std::sqrt(static_cast<double>(i + 1));
  const SetPtr set = owl_ball(w);
  const Vector d = Random(37).normals(n);
  const auto start = std::chrono::steady_clock::now();
  const auto oracle = set->oracle();
  const double value = oracle->minimise(d).dot(d);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  Vector s(n);
  EXPECT_LT(value, 0);
  const Vector v = minimiser(set, d);
  EXPECT_NEAR(oracle->gauge(v, s), 1, 1e-10);
}

TEST(SparseBalls, Refusals) {
  EXPECT_EQ(refusal([] { return k_sparse_ball(3, 4); }),
            "the k of a k-sparse ball must be from 1 to its dimension 3, not 4");
  EXPECT_EQ(refusal([] { return k_sparse_ball(3, 0); }),
            "the k of a k-sparse ball must be from 1 to its dimension 3, not 0");
  EXPECT_EQ(refusal([] { return k_sparse_ball(0, 0); }),
            "a k-sparse ball needs at least one dimension");
  EXPECT_EQ(refusal([] { return k_norm_ball(3, 4); }),
            "the k of a k-norm ball must be from 1 to its dimension 3, not 4");
  EXPECT_EQ(refusal([] { return k_norm_ball(0, 1); }),
            "a k-norm ball needs at least one dimension");
  EXPECT_EQ(refusal([] {
              return owl_ball(Vector{1, 2});
            }),
            "weight 1 of an owl ball is 2 after 1: the weights must not rise, nor be negative");
  EXPECT_EQ(refusal([] {
              return owl_ball(Vector{1, -1});
            }),
            "weight 1 of an owl ball is -1 after 1: the weights must not rise, nor be negative");
  EXPECT_EQ(refusal([] {
              return owl_ball(Vector{0, 0});
            }),
            "the first weight of an owl ball must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal([] { return owl_ball(Vector{}); }), "an owl ball needs at least one weight");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e60}) {
    EXPECT_THROW((void)k_sparse_ball(2, 1, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)k_norm_ball(2, 1, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)owl_ball(Vector{1, 1}, bad), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)owl_ball(Vector{1, nan}), InvalidArgument);
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
    EXPECT_EQ(one->geometry().inner_radius, 1);
    EXPECT_EQ(all->geometry().inner_radius, l1_ball(n)->geometry().inner_radius);
  }
}

TEST(GroupBall, GroupsOfZerosStayZero) {
  // Also where rounding puts the others outside and the lengths of all groups move.
  Random random(41);
  const std::vector<std::size_t> sizes = {2, 3, 3};
  for (int t = 0; t < 200; ++t) {
    const SetPtr set = group_ball(sizes, random.uniform(0.1, 1));
    Vector z = random.normals(8);
    z[0] = z[1] = 0;
    const Vector x = projected(set, projected(set, z));
    EXPECT_EQ(x[0], 0);
    EXPECT_EQ(x[1], 0);
    expect_near(x, projected(set, z), 1e-14);
  }
}

TEST(GroupBall, Refusals) {
  EXPECT_EQ(refusal([] { return group_ball(std::vector<std::size_t>{}); }),
            "a group ball needs at least one group");
  EXPECT_EQ(refusal([] {
              return group_ball(std::vector<std::size_t>{2, 0});
            }),
            "group 1 of a group ball is empty: leave it out");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e60}) {
    EXPECT_THROW((void)group_ball(two_and_one, bad), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)make_set("group_ball([2, 1.5])"), SpecError);
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
    EXPECT_NEAR(set->geometry().inner_radius, same->geometry().inner_radius, 1e-13);
    EXPECT_NEAR(set->geometry().outer_radius, same->geometry().outer_radius, 1e-13);
  }
}

TEST(Ellipsoid, KnownAnswers) {
  // The eigenvalues of A are 1 and 4, with vectors (1, -1) and (1, 1).
  const SetPtr set = ellipsoid(Vector{2.5, 1.5, 1.5, 2.5}, Vector{10, 20});
  EXPECT_NEAR(set->geometry().inner_radius, 0.5, 1e-15);
  EXPECT_NEAR(set->geometry().outer_radius, 1, 1e-15);
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

TEST(TotalVariationBall, KnownAnswersAndTies) {
  const SetPtr set = total_variation_ball(4, 8);
  // Sums of d less its mean: -1, 1, 2: so the step is after the third, and up.
  EXPECT_EQ(minimiser(set, {0, 3, 2, -1}), (Vector{-2, -2, -2, 6}));
  EXPECT_EQ(minimiser(set, {0, -3, -2, 1}), (Vector{2, 2, 2, -6}));
  EXPECT_EQ(minimiser(set, {1, -1, 1, -1}), (Vector{-6, 2, 2, 2}));  // of several the first
  EXPECT_EQ(minimiser(set, {0, 0, 0, 0}), (Vector{6, -2, -2, -2}));
}

TEST(TotalVariationBall, RadiiAreThoseOfAllVerticesAndFacets) {
  for (std::size_t n = 2; n <= 9; ++n) {
    double longest = 0;  // normal
    for (std::size_t signs = 0; signs < (std::size_t{1} << (n - 1)); ++signs) {
      Vector normal(n, 0.0);
      for (std::size_t i = 0; i + 1 < n; ++i) {
        const double sign = ((signs >> i) & 1U) != 0 ? 1 : -1;
        normal[i] -= sign;
        normal[i + 1] += sign;
      }
      longest = std::max(longest, length_of(normal));
    }
    double farthest = 0;
    const SetPtr set = total_variation_ball(n, 3);
    for (std::size_t k = 1; k < n; ++k) {
      Vector d(n, 0.0);
      d[k - 1] = 1;
      d[k] = -1;
      farthest = std::max(farthest, length_of(minimiser(set, d)));
    }
    EXPECT_NEAR(set->geometry().inner_radius, 3 / longest, 1e-14);
    EXPECT_NEAR(set->geometry().outer_radius, farthest, 1e-14);
  }
}

TEST(TotalVariationBall, ProjectionsOfKnownPoints) {
  // One step of height 10 shrinks to the radius; a slope that is too steep flattens at its ends.
  expect_near(projected(total_variation_ball(4, 2), {5, 5, -5, -5}), {1, 1, -1, -1}, 1e-14);
  expect_near(projected(total_variation_ball(3, 1), {-1, 0, 1}), {-0.5, 0, 0.5}, 1e-14);
  expect_near(projected(total_variation_ball(3, 1), {9, 10, 11}), {-0.5, 0, 0.5}, 1e-14);
  // A peak: (a, b, a) with b - a = radius / 2.
  expect_near(projected(total_variation_ball(3, 1), {0, 9, 0}), {-1 / 6.0, 1 / 3.0, -1 / 6.0},
              1e-14);
}

TEST(TotalVariationBall, LongSignalsProjectAsNearAsShortOnes) {
  Random random(40);
  const std::size_t n = 3000;
  Vector z = random.normals(n);
  for (std::size_t i = 1; i < n; ++i) z[i] += 0.9 * z[i - 1];
  const SetPtr set = total_variation_ball(n, 20);
  const Vector x = projected(set, z);
  EXPECT_TRUE(set->contains(x));
  Vector off(n);
  for (std::size_t i = 0; i < n; ++i) off[i] = x[i] - z[i];
  double at_x = 0;
  for (std::size_t i = 0; i < n; ++i) at_x += off[i] * x[i];
  // <x - z, v - x> >= 0 for all v in K.
  EXPECT_GE(set->oracle()->minimise(off).dot(off), at_x - 1e-9 * length_of(off));
}

TEST(TotalVariationBall, Refusals) {
  EXPECT_EQ(refusal([] { return total_variation_ball(1); }),
            "a total variation ball of 1 coordinates is a single point or empty: at least 2 are "
            "needed");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e60}) {
    EXPECT_THROW((void)total_variation_ball(2, bad), InvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace keyhole::tests
