// separable: sums of |x_i - c_i|^power / power.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// c, which the gradient of squares at 0 tells.
Vector target(const SetPtr& set, SeparableOptions options, ProblemSeed seed) {
  options.power = 2;
  options.scaled = false;
  const auto squares = separable(set, options, seed);
  Vector c(set->dimension());
  squares->gradient(Vector(c.size(), 0.0), c);
  for (double& coordinate : c) coordinate = -coordinate;
  return c;
}

TEST(Separable, KeepsWhatProblemsMust) {
  Random random(1);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(6, random);
    check_problem(*separable(set, {}, {2}), 2);
    check_problem(*separable(set, {.power = 2, .noise = 0.2}, {3}));
    check_problem(*separable(set, {.inner = 0.5, .noise = 0.1, .tails = Tails::student}, {4}), 3);
    check_problem(*separable(set, {.power = 2, .inner = 1.6, .corners = true}, {5}));
  }
  const SetPtr thin = box(Vector{0, 3, -1}, Vector{1, 3.01, 1});
  check_problem(*separable(thin, {.power = 2, .scaled = true, .noise = 0.1}, {6}));
  // Kinks are 1e-4 of a thin coordinate's range from a random point too often to be passed by.
  check_problem(*separable(box(Vector{0, 3}, Vector{1, 4.5}), {.power = 1, .scaled = true}, {7}));
}

TEST(Separable, CanBeSteeperOnOneSide) {
  const SetPtr set = box(0, 1, 4);
  const SeparableOptions options{.steepness = 3, .noise = 0.3};
  Random random(9);
  check_problem(*separable(set, options, {8}));
  check_problem(*separable(simplex(4), options, {8}));
  check_problem(
      *separable(box(Vector{0, 3}, Vector{1, 3.5}), {.scaled = true, .steepness = 2}, {8}));
  const Vector c = target(set, {}, {8});
  const auto problem = separable(set, {.steepness = 3}, {8});
  EXPECT_EQ(problem->spec(), "separable(box(0, 1, 4), power=1, inner=1, steepness=3)");
  EXPECT_TRUE(problem->bounds().proven);
  problem->draw(1);
  const Vector x = random_point(*set, random);
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    expected += std::exp(3 * (x[i] - c[i])) - 3 * (x[i] - c[i]);
  }
  EXPECT_NEAR(problem->value(x), expected, 1e-13 * expected);
  // Each term is least, 1, at c.
  const auto played = play(*problem, 10);
  const FixedPoint best = best_fixed_point(*set, *played.total, {.tolerance = 1e-12});
  EXPECT_NEAR(best.value, 40, 1e-12);
  EXPECT_LE(distance(best.point, c), 1e-12);
}

TEST(Separable, FollowsItsFormula) {
  const Vector lower = {0, 3, -1, 2};
  const Vector upper = {1, 3.5, 1, 10};
  const Vector x = {0.25, 3.25, 0.5, 7};
  for (const double inner : {0.4, 1.0, 1.6}) {
    for (const bool corners : {false, true}) {
      const SeparableOptions options{.inner = inner, .corners = corners};
      const Vector c = target(box(lower, upper), options, {8});
      for (std::size_t i = 0; i < c.size(); ++i) {
        const double half = (upper[i] - lower[i]) / 2;
        const double share = (c[i] - (lower[i] + half)) / half;
        EXPECT_LE(std::abs(share), inner * (1 + 1e-14));
        if (corners) {
          EXPECT_NEAR(std::abs(share), inner, 1e-14);
        }
      }
      for (const int power : {1, 2}) {
        for (const bool scaled : {false, true}) {
          SeparableOptions all = options;
          all.power = power;
          all.scaled = scaled;
          const auto problem = separable(box(lower, upper), all, {8});
          double expected = 0;
          Vector slope(4);
          for (std::size_t i = 0; i < c.size(); ++i) {
            const double width = scaled ? upper[i] - lower[i] : 1;
            const double away = (x[i] - c[i]) / width;
            expected += std::pow(std::abs(away), power) / power;
            slope[i] = (power == 2 ? away : std::copysign(1.0, away)) / width;
          }
          problem->draw(1);
          EXPECT_NEAR(problem->value(x), expected, 1e-14 * (1 + expected));
          Vector g(4);
          problem->gradient(x, g);
          EXPECT_LE(distance(g, slope), 1e-12);
        }
      }
    }
  }
}

TEST(Separable, DrawsItsTargetsUniformly) {
  const std::size_t n = 4000;
  const Vector c = target(box(0, 1, n), {.inner = 0.4}, {9});
  double mean = 0;
  double square = 0;
  for (const double coordinate : c) {
    mean += coordinate / static_cast<double>(n);
    square += (coordinate - 0.5) * (coordinate - 0.5) / static_cast<double>(n);
  }
  // Uniform on [0.3, 0.7]: variance 0.04/3, of the squares 0.0016 4/45; five standard errors.
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(0.04 / 3 / n));
  EXPECT_NEAR(square, 0.04 / 3, 5 * std::sqrt(0.0016 * 4 / 45 / n));
  std::size_t high = 0;
  for (const double coordinate : target(box(0, 1, n), {.inner = 1.6, .corners = true}, {9})) {
    EXPECT_TRUE(std::abs(coordinate + 0.3) < 1e-14 || std::abs(coordinate - 1.3) < 1e-14);
    high += coordinate > 0.5 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(high), n / 2.0, 5 * std::sqrt(n / 4.0));
}

/// The gap that the guess of a sum has.
double gap_of_guess(const Set& set, const TotalLoss& total, Vector& x) {
  EXPECT_TRUE(total.guess(x));
  EXPECT_TRUE(set.contains(x));
  return best_fixed_point(set, total, {.tolerance = 1e300, .start = x}).gap;
}

TEST(Separable, KnowsWhereItIsLeast) {
  const SetPtr set = box(0, 1, 5);
  for (const int power : {1, 2}) {
    for (const double inner : {0.4, 1.0, 1.6}) {
      const SeparableOptions options{
          .power = power, .inner = inner, .corners = inner > 1, .noise = 0.3};
      const auto problem = separable(set, options, {10});
      const auto played = play(*problem, 50);
      Vector x(5);
      EXPECT_EQ(gap_of_guess(*set, *played.total, x), 0);
      const Vector c = target(set, options, {10});
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(x[i], std::clamp(c[i], 0.0, 1.0));
      // And nothing is better.
      Random random(11);
      for (int k = 0; k < 100; ++k) {
        EXPECT_LE(played.total->value(x), played.total->value(random_point(*set, random)));
      }
    }
  }
}

TEST(Separable, GuessesOnlyWhatTheSetHolds) {
  // The ranges of the unit ball are [-1, 1]: a corner of 0.9 of them is far outside.
  const auto outside = separable(ball(5), {.inner = 0.9, .corners = true}, {12});
  const auto played = play(*outside, 3);
  Vector x(5);
  EXPECT_FALSE(played.total->guess(x));
  const auto inside = separable(ball(5), {.inner = 0.4, .corners = true}, {12});
  const auto inner_played = play(*inside, 3);
  EXPECT_EQ(gap_of_guess(inside->set(), *inner_played.total, x), 0);
}

TEST(Separable, BoundsAreTightForBoxes) {
  // c = (-0.3 or 1.3): 1.3 away from the farther end.
  const auto problem = separable(box(0, 1, 4), {.power = 2, .inner = 1.6, .corners = true}, {13});
  EXPECT_TRUE(problem->bounds().proven);
  EXPECT_NEAR(problem->bounds().loss, 4 * 1.69 / 2, 1e-7);
  EXPECT_NEAR(problem->bounds().gradient, 2 * 1.3, 1e-7);
  const auto noisy = separable(box(0, 1, 4), {.inner = 0, .noise = 0.3}, {13});
  EXPECT_FALSE(noisy->bounds().proven);
  EXPECT_NEAR(noisy->bounds().loss, 4 * 0.5 + 1.5, 1e-7);
  EXPECT_NEAR(noisy->bounds().gradient, 2, 1e-7);
}

TEST(Separable, RefusesNonsense) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)separable(ball(2), {.power = 3}, {}); }),
            "the power of separable must be from 1 to 2, not 3");
  EXPECT_EQ(message<InvalidArgument>([] { (void)separable(ball(2), {.inner = -1}, {}); }),
            "the inner of separable must be from 0 to 1e+50, not -1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)separable(ball(2), {.noise = NAN}, {}); }),
            "the noise of separable must be from 0 to 1e+50, not nan");
  EXPECT_THROW((void)separable(ball(2, 1e30), {.power = 2}, {}), InvalidArgument);  // 1e60
  EXPECT_THROW((void)separable(nullptr, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
