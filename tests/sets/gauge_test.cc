// Gauges by hand, with their ties, against bisection, and where there are none. The kit checks
// every set's own.

#include <gtest/gtest.h>

#include <limits>

#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/programs/sparse_program.h"
#include "random.h"
#include "sets/bisected_gauge.h"
#include "sets/polytopes/polytope.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

struct Gauge {
  double gamma;
  Vector s;
};

Gauge gauge(const SetPtr& set, const Vector& w) {
  Vector s(w.size(), std::numeric_limits<double>::quiet_NaN());
  const double gamma = set->oracle()->gauge(w, s);
  return {gamma, s};
}

void expect_gauge(const SetPtr& set, const Vector& w, double gamma, const Vector& s) {
  const Gauge found = gauge(set, w);
  EXPECT_NEAR(found.gamma, gamma, 1e-14) << set->spec();
  ASSERT_EQ(found.s.size(), s.size());
  for (std::size_t i = 0; i < s.size(); ++i) EXPECT_NEAR(found.s[i], s[i], 1e-14) << set->spec();
}

TEST(Gauge, ByHand) {
  expect_gauge(ball(2, 2), {3, 4}, 2.5, {0.3, 0.4});
  expect_gauge(ball(2), {0, 0}, 0, {0, 0});
  // The box [0, 2] x [0, 4] about (1, 2).
  const SetPtr rectangle = box(Vector{0, 0}, Vector{2, 4});
  expect_gauge(rectangle, {1.5, 0}, 1, {0, -0.5});
  expect_gauge(rectangle, {4, 5}, 3, {1, 0});
  expect_gauge(rectangle, {1, 2}, 0, {0, 0});
  expect_gauge(l1_ball(3, 2), {1, 0, -3}, 2, {0.5, 0, -0.5});
  // About (1/3, 1/3, 1/3): 1 - 3 w_i.
  expect_gauge(simplex(3), {0.75, 0.5, -0.25}, 1.75, {1, 1, -2});
  // About p = 1/(2 + sqrt 2) 1: 1 - w_i / p; sum (w - p) / (1 - 2 p).
  const double p = 1 / (2 + std::sqrt(2.0));
  expect_gauge(solid_simplex(2), {1, -1}, 1 + 1 / p, {0, -1 / p});
  expect_gauge(solid_simplex(2), {2, 2}, (4 - 2 * p) / (1 - 2 * p),
               {1 / (1 - 2 * p), 1 / (1 - 2 * p)});
  expect_gauge(image(ball(2), -2, Vector{1, 1}), {1, 5}, 2, {0, 0.5});
  // The second factor is the farther one; a tie goes to the first.
  const SetPtr pair = product({box(-1, 1, 1), ball(2)});
  expect_gauge(pair, {0.5, 0, 3}, 3, {0, 0, 1});
  expect_gauge(pair, {-3, 0, 3}, 3, {-1, 0, 0});
  expect_gauge(pair, {0, 0, 0}, 0, {0, 0, 0});
}

/// The polytope by the dense method, and by the sparse one if there is one.
std::vector<SetPtr> by_all_methods(const PolytopeConstraints& k) {
  std::vector<SetPtr> all = {sets::dense_polytope(k)};
  if (math::has_sparse_programs()) all.push_back(sets::large_polytope(k));
  return all;
}

TEST(Gauge, OfPolytopesByHand) {
  // {0 <= x <= 1, x_1 + x_2 <= 1} about p = (q, q), q = 1/(2 + sqrt 2) = 1 - 1/sqrt 2.
  const double q = 1 / (2 + std::sqrt(2.0));
  const PolytopeConstraints corner{
      .n = 2, .lower = {0, 0}, .upper = {1, 1}, .inequalities = {.dense = {1, 1}, .right = {1}}};
  for (const SetPtr& set : by_all_methods(corner)) {
    const double room = 1 - 2 * q;
    expect_gauge(set, {1, 1}, (2 - 2 * q) / room, {1 / room, 1 / room});
    expect_gauge(set, {-1, 0.5}, 1 + 1 / q, {-1 / q, 0});
    expect_gauge(set, {-1, -1}, 1 + 1 / q, {-1 / q, 0});  // a tie
    EXPECT_EQ(gauge(set, set->centre()).gamma, 0);
    EXPECT_TRUE(set->can_gauge());
  }
  // With x_1 = x_2 the hull is a line: gamma is the distance from its middle (1/4, 1/4) in units of
  // (1/4, 1/4), and the first of the row and the bounds is the row.
  PolytopeConstraints segment = corner;
  segment.equalities = {.dense = {1, -1}, .right = {0}};
  for (const SetPtr& set : by_all_methods(segment)) {
    expect_gauge(set, {1, 1}, 3, {2, 2});
    expect_gauge(set, {0, 0}, 1, {-2, -2});
  }
}

TEST(Gauge, IsWhatBisectionFinds) {
  Random random(5);
  for (const SetPtr& set : {ball(4), box(-1, 3, 4), simplex(4), solid_simplex(4), l1_ball(4),
                            image(simplex(4), 3, -1)}) {
    const Vector p = set->centre();
    Vector scratch(4);
    EXPECT_EQ(sets::bisected_gauge(*set, p, scratch), 0);
    for (int k = 0; k < 50; ++k) {
      Vector w = random.normals(4, k % 2 == 0 ? 0.1 : 10);
      set->flatten(w);
      for (std::size_t i = 0; i < 4; ++i) w[i] += p[i];
      // Membership has a tolerance of 1e-9 R, which a ray meets at an angle.
      const double gamma = gauge(set, w).gamma;
      EXPECT_NEAR(sets::bisected_gauge(*set, w, scratch), gamma, 1e-8 * gamma) << set->spec();
    }
  }
}

TEST(Gauge, IsRefusedWhereThereIsNone) {
  for (const SetPtr& set :
       {recentred(ball(2), Vector{0.1, 0}), psd_trace_ball(2),
        product({ball(1), nuclear_ball(2, 2)}), image(nuclear_ball(2, 2), 2, 0.0)}) {
    EXPECT_FALSE(set->can_gauge());
    EXPECT_EQ(message<InvalidArgument>([&] { (void)gauge(set, set->centre()); }),
              "this set has no closed form of its gauge; use a learner that minimises linear "
              "functions");
  }
}

}  // namespace
}  // namespace keyhole::tests
