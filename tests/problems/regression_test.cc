// regression: least squares, a sample a round.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(Regression, KeepsWhatProblemsMust) {
  Random random(1);
  for (const SetFamily& family : set_families()) {
    for (const std::size_t n : {2u, 9u})
      check_problem(*regression(family.draw(n, random), {}, {n}));
  }
  check_problem(*regression(ball(1), {.noise = 0}, {3}));
}

/// The point where every loss without noise is 0, by the best fixed point.
Vector theta(const SetPtr& set) {
  const auto problem = regression(set, {.noise = 0}, {4});
  const auto played = play(*problem, 50);
  const FixedPoint best = best_fixed_point(*set, *played.total, {.tolerance = 1e-18});
  EXPECT_LE(best.value, 1e-15);
  EXPECT_TRUE(set->contains(best.point));
  return best.point;
}

TEST(Regression, HasItsTargetInTheSet) {
  EXPECT_LE(distance(theta(ball(5)), Vector{0.5, -0.3, 0.2, 0, 0}), 1e-7);
  EXPECT_LE(distance(theta(ball(2, 3)), Vector{1.5, -0.9}), 1e-7);
  // R = 1.5 is too far from the centre of the box, R/2 is not.
  EXPECT_LE(distance(theta(box(0, 1, 9)),
                     combine(1, Vector(9, 0.5), 0.75, Vector{0.5, -0.3, 0.2, 0, 0, 0, 0, 0, 0})),
            1e-7);
  // R = sqrt 3/2; along the hull, (0.4, -0.4, 0.1, -0.1) times R/2.
  const double s = std::sqrt(0.75) / 2;
  EXPECT_LE(
      distance(theta(simplex(4)), combine(1, Vector(4, 0.25), s, Vector{0.4, -0.4, 0.1, -0.1})),
      1e-7);
}

TEST(Regression, HasItsMoments) {
  // E f(x) = (||x - theta||^2 + noise^2) / 2 and f = (that) chi^2: a variance of twice its square.
  const auto problem = regression(ball(5), {.noise = 0.3}, {5});
  const Vector x = {0.1, 0.2, -0.3, 0.4, 0.5};
  const Vector away = combine(1, x, -1, Vector{0.5, -0.3, 0.2, 0, 0});
  const double expected = (inner(away, away) + 0.09) / 2;
  const auto count = static_cast<double>(scaled_count(50000));
  double mean = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    problem->draw(t);
    mean += problem->value(x) / count;
  }
  EXPECT_NEAR(mean, expected, 5 * expected * std::sqrt(2 / count));
}

TEST(Regression, FindsItsTargetInHindsight) {
  const SetPtr set = ball(8);
  const auto problem = regression(set, {}, {6});
  const std::uint64_t T = 5000;
  const auto played = play(*problem, T);
  const FixedPoint best = best_fixed_point(*set, *played.total, {.tolerance = 1e-9});
  EXPECT_LE(best.gap, 1e-9);
  // Least squares are off by 0.3 sqrt(8 / T); five times that.
  EXPECT_LE(distance(best.point, Vector{0.5, -0.3, 0.2, 0, 0, 0, 0, 0}),
            5 * 0.3 * std::sqrt(8.0 / static_cast<double>(T)));
}

TEST(Regression, RefusesNonsense) {
  EXPECT_EQ(regression(ball(3), {}, {})->spec(), "regression(ball(3), noise=0.3)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)regression(ball(2), {.noise = -1}, {}); }),
            "the noise of regression must be from 0 to 1e+50, not -1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)regression(ball(4097), {}, {}); }),
            "regression needs a set of dimension up to 4096, not 4097");
  EXPECT_THROW((void)regression(ball(2), {.noise = 1e40}, {}), InvalidArgument);
  EXPECT_THROW((void)regression(nullptr, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
