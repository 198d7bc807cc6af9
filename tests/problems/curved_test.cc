// curved: quadratics whose curvatures differ.

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

TEST(Curved, KeepsWhatProblemsMust) {
  Random random(1);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(6, random);
    for (const Axes axes : {Axes::aligned, Axes::rotated, Axes::chain}) {
      check_problem(*curved(set, {.axes = axes, .noise = 0.1}, {2}));
    }
  }
  check_problem(*curved(ball(1), {.condition = 1}, {3}));
}

/// H, column by column: differences of gradients.
std::vector<Vector> hessian(Problem& problem) {
  const std::size_t n = problem.set().dimension();
  problem.draw(1);
  const Vector zero(n, 0.0);
  Vector at_zero(n);
  problem.gradient(zero, at_zero);
  std::vector<Vector> h(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    Vector e = zero;
    e[i] = 1;
    problem.gradient(e, h[i]);
    h[i] = combine(1, h[i], -1, at_zero);
  }
  return h;
}

TEST(Curved, HasItsEigenvalues) {
  // The sums of the eigenvalues and of their squares, 1, 10^-1/2, ..., 10^-2.
  const std::size_t n = 5;
  double trace = 0;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    trace += std::pow(10, -0.5 * static_cast<double>(i));
    squares += std::pow(10, -1.0 * static_cast<double>(i));
  }
  for (const Axes axes : {Axes::aligned, Axes::rotated}) {
    const auto h = hessian(*curved(ball(n), {.axes = axes, .condition = 100}, {4}));
    double diagonal = 0;
    double all = 0;
    double off = 0;
    for (std::size_t i = 0; i < n; ++i) {
      diagonal += h[i][i];
      all += inner(h[i], h[i]);
      off += inner(h[i], h[i]) - h[i][i] * h[i][i];
    }
    EXPECT_NEAR(diagonal, trace, 1e-12);
    EXPECT_NEAR(all, squares, 1e-12);
    if (axes == Axes::aligned) {
      EXPECT_EQ(off, 0);
    } else {
      EXPECT_GT(off, 0.01);
    }
  }
}

TEST(Curved, IsAChainOfNeighbours) {
  const auto h = hessian(*curved(ball(4), {.axes = Axes::chain, .condition = 41}, {4}));
  const std::vector<Vector> expected = {
      {11, -10, 0, 0}, {-10, 21, -10, 0}, {0, -10, 21, -10}, {0, 0, -10, 11}};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LE(distance(h[i], expected[i]), 1e-12);
  // The gradient of 1/2 ||x - c||^2 + k/2 sum (x_i - x_{i+1})^2 at 0 is -c.
  const auto problem = curved(ball(4), {.axes = Axes::chain, .distance = 0.7}, {5});
  problem->draw(1);
  Vector c(4);
  problem->gradient(Vector(4, 0.0), c);
  EXPECT_NEAR(std::sqrt(inner(c, c)), 0.7, 1e-13);
}

TEST(Curved, IsLeastAtItsTarget) {
  const auto problem = curved(ball(6), {.distance = 0.6, .noise = 0.2}, {6});
  const auto played = play(*problem, 300);
  const FixedPoint best = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-9});
  EXPECT_LE(best.gap, 1e-9);
  EXPECT_NEAR(std::sqrt(inner(best.point, best.point)), 0.6, 1e-9);
  // Nothing but noise is left there.
  EXPECT_NEAR(best.value / 300, 0, 5 * 0.2 / std::sqrt(300.0));
}

TEST(Curved, IsLeastOnTheBoundaryByASlowMethodToo) {
  // The target is outside: projected gradients of constant length, on a box.
  const SetPtr set = box(0, 1, 3);
  const auto problem = curved(set, {.condition = 20, .distance = 3}, {7});
  problem->draw(1);
  Vector x(3, 0.5);
  Vector g(3);
  for (int step = 0; step < 20000; ++step) {
    problem->gradient(x, g);
    for (std::size_t i = 0; i < 3; ++i) x[i] = std::clamp(x[i] - 0.5 * g[i], 0.0, 1.0);
  }
  const auto total = problem->total();
  total->add();
  const FixedPoint best = best_fixed_point(*set, *total, {.tolerance = 1e-12});
  EXPECT_LE(best.gap, 1e-12);
  EXPECT_NEAR(best.value, problem->value(x), 1e-10);
}

TEST(Curved, SaysWhatItIs) {
  EXPECT_EQ(curved(ball(3), {}, {})->spec(),
            "curved(ball(3), axes=rotated, condition=100, distance=0.6)");
  EXPECT_TRUE(curved(ball(3), {}, {})->bounds().proven);
  EXPECT_EQ(message<InvalidArgument>([] { (void)curved(ball(2), {.condition = 0.5}, {}); }),
            "the condition of curved must be from 1 to 1000000000000, not 0.5");
  EXPECT_THROW((void)curved(nullptr, {}, {}), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([] { (void)curved(ball(4097), {}, {}); }),
            "curved needs a set of dimension up to 4096, not 4097");
}

}  // namespace
}  // namespace keyhole::tests
