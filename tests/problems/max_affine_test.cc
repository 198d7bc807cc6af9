// max_affine: kinks that tie coordinates to each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Where the kinks are, differences along a random line may cross one: convexity and the sums are
/// checked on all sets, gradients apart.
void check_subgradients(Problem& problem) {
  SCOPED_TRACE(problem.spec());
  Random random(3);
  const auto total = problem.total();
  for (std::uint64_t t = 1; t <= 30; ++t) {
    problem.draw(t);
    total->add();
    const Vector a = random_point(problem.set(), random, t % 2 == 0);
    const Vector b = random_point(problem.set(), random);
    Vector g(a.size());
    // A subgradient: the loss is above its tangent.
    problem.gradient(a, g);
    const double tangent = problem.value(a) + inner(g, combine(1, b, -1, a));
    EXPECT_GE(problem.value(b), tangent - 1e-12 * (1 + std::abs(tangent)));
    total->gradient(a, g);
    const double of_sum = total->value(a) + inner(g, combine(1, b, -1, a));
    EXPECT_GE(total->value(b), of_sum - 1e-11 * (1 + std::abs(of_sum)));
    const LossBounds bounds = problem.bounds();
    EXPECT_LE(std::abs(problem.value(a)), bounds.loss);
  }
}

TEST(MaxAffine, HasSubgradientsOnEverySet) {
  Random random(1);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(4, random);
    for (const Kinks kinks : {Kinks::coordinates, Kinks::growing, Kinks::pair, Kinks::drawn}) {
      if (set->dimension() < 2) continue;
      check_subgradients(*max_affine(set, {.kinks = kinks, .slope = 0.3}, {2}));
    }
  }
}

TEST(MaxAffine, FollowsItsFormulas) {
  const Vector x = {0.5, 0.3, 0.2};
  const auto value = [&](const MaxAffineOptions& options) {
    const auto problem = max_affine(simplex(3), options, {3});
    problem->draw(1);
    return problem->value(x);
  };
  EXPECT_NEAR(value({.slope = 0.25}), 0.5 - 0.25, 1e-15);
  EXPECT_NEAR(value({.kinks = Kinks::growing}), 0.6, 1e-15);
  EXPECT_NEAR(value({.kinks = Kinks::pair, .slope = 0.5}), 0.2 - 0.4, 1e-15);
  // Drawn: a norm of x - theta, which is 0.6 r from the centre.
  const auto cone = max_affine(ball(2), {.kinks = Kinks::drawn, .pieces = 2000}, {4});
  cone->draw(1);
  EXPECT_NEAR(cone->value(Vector{0, 0}), 0.6, 1e-5);
  EXPECT_NEAR(cone->value(Vector{1e3, 0}), 1e3, 1);
}

/// The best fixed point, whose gap must be small in spite of the kink.
FixedPoint best(Problem& problem) {
  const auto played = play(problem, 100);
  FixedPoint found = best_fixed_point(problem.set(), *played.total, {.tolerance = 1e-4});
  EXPECT_LE(found.gap, 1e-4) << problem.spec();
  found.value /= 100;
  return found;
}

TEST(MaxAffine, IsLeastWhereItsPiecesMeet) {
  // i x_i all equal: x_i = (1/i) / (1 + 1/2 + ... + 1/5).
  const double harmonic = 137.0 / 60;
  const auto growing = best(*max_affine(simplex(5), {.kinks = Kinks::growing}, {5}));
  EXPECT_NEAR(growing.value, 1 / harmonic, 1e-6);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(growing.point[i], 1 / (harmonic * static_cast<double>(i + 1)), 1e-6);
  }
  const auto pair = best(*max_affine(simplex(3), {.kinks = Kinks::pair, .slope = 0.5}, {5}));
  EXPECT_LE(distance(pair.point, Vector{0.5, 0.5, 0}), 1e-5);
  const auto all = best(*max_affine(box(0, 1, 5), {.slope = 0.3}, {5}));
  EXPECT_LE(distance(all.point, Vector(5, 1.0)), 1e-5);
  EXPECT_NEAR(all.value, -0.5, 1e-6);
  // Of a cone, its tip.
  EXPECT_NEAR(best(*max_affine(ball(4), {.kinks = Kinks::drawn}, {6})).value, 0, 1e-6);
}

TEST(MaxAffine, HasNoBetterPointOnAGrid) {
  // Pieces on both sides of the kink, on a set that cuts it off: every point of a fine grid.
  const auto problem =
      max_affine(box(Vector{0, 0}, Vector{1, 0.6}), {.kinks = Kinks::growing, .slope = 0.7}, {7});
  const double least = best(*problem).value;
  problem->draw(1);
  double slow = HUGE_VAL;
  for (int i = 0; i <= 1000; ++i) {
    for (int j = 0; j <= 600; ++j) {
      slow = std::min(slow, problem->value(Vector{i / 1000.0, j / 1000.0}));
    }
  }
  EXPECT_LE(least, slow + 1e-6);
  EXPECT_GE(least, slow - 3e-3);
}

TEST(MaxAffine, SaysWhatItIs) {
  EXPECT_EQ(max_affine(simplex(3), {}, {})->spec(),
            "max_affine(simplex(3), kinks=coordinates, slope=0)");
  EXPECT_EQ(max_affine(ball(2), {.kinks = Kinks::drawn, .pieces = 5, .noise = 1}, {})->spec(),
            "max_affine(ball(2), kinks=drawn, slope=0, pieces=5, noise=1)");
  EXPECT_THROW((void)max_affine(nullptr, {}, {}), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([] { (void)max_affine(ball(1), {.kinks = Kinks::pair}, {}); }),
            "a pair of max_affine needs a set of dimension 2 or more, not 1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)max_affine(ball(2), {.pieces = 0}, {}); }),
            "the pieces of max_affine must be from 1 to 10000, not 0");
}

}  // namespace
}  // namespace keyhole::tests
