// Balls of norms that favour sparse points and sparse differences: as norm_balls_test.cc.

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <numeric>

#include "catalogue.h"
#include "instances/norm_balls.h"
#include "keyhole/norm_balls.h"
#include "numbers.h"
#include "random.h"
#include "set_answers.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

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
  EXPECT_NEAR(set->inner_radius(), 0.5, 1e-15);  // the facet x_1 = 1
  EXPECT_NEAR(set->outer_radius(), std::sqrt(1.5 * 1.5 + 1.25 * 1.25), 1e-15);
  const SetPtr near_sum = recentred(k_sparse_ball(3, 2), Vector{0.6, 0.6, 0.6});
  EXPECT_NEAR(near_sum->inner_radius(), 0.2 / std::sqrt(3.0), 1e-15);
}

TEST(KSupportBall, KnownAnswersAndTies) {
  EXPECT_EQ(minimiser(k_support_ball(3, 2, 10), {-3, 1, 4}), (Vector{6, 0, -8}));
  EXPECT_EQ(minimiser(k_support_ball(3, 1, 2), {1, -1, 1}), (Vector{-2, 0, 0}));
  EXPECT_EQ(minimiser(k_support_ball(3, 2), {0, 0, 0}), (Vector{-1, 0, 0}));
  EXPECT_EQ(k_support_ball(8, 2)->inner_radius(), 0.5);
  EXPECT_EQ(k_support_ball(8, 2, 3)->spec(), "k_support_ball(8, 2, radius=3)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)k_support_ball(3, 4); }),
            "the k of a k-support ball must be from 1 to its dimension 3, not 4");
  EXPECT_THROW((void)k_support_ball(0, 1), InvalidArgument);
  EXPECT_THROW((void)k_support_ball(3, 0), InvalidArgument);
  EXPECT_THROW((void)k_support_ball(3, 1, -1), InvalidArgument);
}

TEST(KSupportBall, IsTheL1BallOrTheBallAtTheEnds) {
  Random random(41);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector z = random.normals(6, 2);
    const std::pair<SetPtr, SetPtr> ends[] = {{k_support_ball(6, 1, 1.5), l1_ball(6, 1.5)},
                                              {k_support_ball(6, 6, 1.5), ball(6, 1.5)}};
    for (const auto& [support, other] : ends) {
      Vector x(6);
      Vector y(6);
      support->oracle()->project(z, x);
      other->oracle()->project(z, y);
      EXPECT_LE(distance(x, y), 1e-12);
      EXPECT_NEAR(support->oracle()->gauge(z, x), other->oracle()->gauge(z, y), 1e-12);
    }
  }
}

/// x is nearest to z if no point of the set is farther along z - x, which the longest part of that
/// tells; and the gauge is right if its subgradient is on the boundary of the polar.
TEST(KSupportBall, ProjectionsAndGaugesHaveProofs) {
  Random random(42);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t n = random.integer(1, 9);
    const std::size_t k = random.integer(1, n);
    const double radius = std::exp(random.normal());
    Vector z = random.normals(n, std::exp(2 * random.normal()));
    if (trial % 3 == 0) {  // ties and zeros
      for (double& value : z) value = std::round(2 * value) / 2;
    }
    if (trial % 7 == 0) z[0] *= 1e6;
    const SetPtr set = k_support_ball(n, k, radius);
    Vector x(n);
    set->oracle()->project(z, x);
    ASSERT_TRUE(set->contains(x)) << set->spec();
    Vector away(n);
    for (std::size_t i = 0; i < n; ++i) away[i] = z[i] - x[i];
    const double along = std::inner_product(away.begin(), away.end(), x.begin(), 0.0);
    const double size = std::sqrt(std::inner_product(z.begin(), z.end(), z.begin(), 0.0));
    if (!set->contains(z)) {
      EXPECT_NEAR(along, radius * longest_part(away, k), 1e-11 * radius * std::max(radius, size))
          << set->spec();
    } else {
      EXPECT_LE(distance(x, z), 1e-9 * radius);
    }
    Vector s(n);
    const double gamma = set->oracle()->gauge(z, s);
    EXPECT_LE(radius * longest_part(s, k), 1 + 1e-12) << set->spec();
    EXPECT_NEAR(std::inner_product(s.begin(), s.end(), z.begin(), 0.0), gamma, 1e-12 * gamma);
  }
}

TEST(KNormBall, KnownAnswersAndTies) {
  // The axes are worth max |d|, the corners sum |d| / k.
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-3, 1, 1}), (Vector{4, 0, 0}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-3, 2, 2}), (Vector{2, -2, -2}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2, 4), {-2, 2, 0}), (Vector{4, 0, 0}));
  EXPECT_EQ(minimiser(k_norm_ball(3, 2), {0, 0, 0}), (Vector{-1, 0, 0}));
  EXPECT_EQ(k_norm_ball(5, 2)->outer_radius(), std::sqrt(5.0) / 2);
  EXPECT_EQ(k_norm_ball(3, 2)->outer_radius(), 1);
}

/// Whether all answers of the oracle are vertices, also where several points are minimal.
std::string kit_of_polytope(const SetPtr& set) {
  const testing::Report report = testing::check_set(set, {.directions = 20, .polytope = true});
  return report.ok() ? "" : set->spec() + "\n" + report.text();
}

TEST(KNormBall, AnswersVerticesForTheFirstAndTheLastK) {
  EXPECT_EQ(minimiser(k_norm_ball(2, 1), {0, 0}), (Vector{-1, -1}));
  EXPECT_EQ(minimiser(k_norm_ball(2, 1), {0, 3}), (Vector{-1, -1}));
  Random random(7);
  for (std::size_t n = 1; n <= 6; ++n) {
    for (std::size_t k = 1; k <= n; ++k) EXPECT_EQ(kit_of_polytope(k_norm_ball(n, k)), "");
    // Whose sum may be more than n times one of them, by rounding.
    const Vector equal(n, random.uniform(-1, 1));
    EXPECT_EQ(std::abs(minimiser(k_norm_ball(n, n), equal)[0]), 1);
  }
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
      EXPECT_NEAR(owl->inner_radius(), other->inner_radius(), 1e-14);
      EXPECT_NEAR(owl->outer_radius(), other->outer_radius(), 1e-14);
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

TEST(OwlBall, AnswersVerticesWhereWeightsAreEqualOrZero) {
  for (const Vector& weights :
       {Vector{1, 0}, Vector{1, 0, 0}, Vector{1, 1, 0}, Vector{1, 1, 0.5}, Vector{2, 1, 1, 0}}) {
    EXPECT_EQ(kit_of_polytope(owl_ball(weights)), "");
  }
  EXPECT_EQ(minimiser(owl_ball(Vector{1, 0}), {0, 0}), (Vector{-1, -1}));
}

TEST(OwlBall, ManyCoordinatesTakeNoQuadraticTime) {
  // With time that grows as n^2 this takes a minute; it takes some hundredths of a second.
  const std::size_t n = 200'000;
  Vector w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = 1 / std::sqrt(static_cast<double>(i + 1));
  const SetPtr set = owl_ball(w);
  const Vector d = Random(37).normals(n);
  const std::clock_t start = std::clock();  // of the processor, which others may use too
  const auto oracle = set->oracle();
  const double value = oracle->minimise(d).dot(d);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
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
    EXPECT_NEAR(set->inner_radius(), 3 / longest, 1e-14);
    EXPECT_NEAR(set->outer_radius(), farthest, 1e-14);
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
