// Balls that a box or a plane cuts: what they refuse, golden values, special cases. The contract
// and the oracles are swept by catalogue_test.cc.

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/keyhole.h"
#include "keyhole/testing.h"
#include "numbers.h"
#include "random.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

Vector minimiser(const SetPtr& set, const Vector& d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

Vector nearest(const SetPtr& set, const Vector& z) {
  Vector x(set->dimension());
  set->oracle()->project(z, x);
  return x;
}

void expect_near(const Vector& x, const Vector& y, double tolerance = 1e-14) {
  EXPECT_LE(distance(x, y), tolerance);
}

TEST(CutBalls, RefuseWithTheValueAndWhatToDo) {
  const Vector origin = {0, 0};
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)ball_in_box(Vector{3, 4}, Vector{5, 5}, 5, origin);
            }),
            "the box of a ball in a box is 5 away from the centre of the ball, whose radius is 5: "
            "they have nothing in common");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)ball_in_box(Vector{3, 4}, Vector{5, 4}, 5, origin);
            }),
            "coordinate 1 of a ball in a box is fixed by its bounds [4, 4]: leave it out, there is "
            "nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)ball_in_box(Vector{3, 4}, Vector{5, 5}, 5, Vector{0});
            }),
            "the centre of a ball in a box of 2 coordinates needs as many, not 1");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)cut_ball(Vector{0, 2}, 4, 1.5);
            }),
            "the plane of a cut ball is 2 away from its centre, and the radius is 1.5: nothing is "
            "cut off, use ball");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)cut_ball(Vector{0, 2}, -4, 1.5);
            }),
            "the plane of a cut ball is 2 away from its centre, and the radius is 1.5: nothing is "
            "left");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)cut_ball(Vector{1}); }),
            "a cut ball needs at least two dimensions: use box");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)l1_ball_in_box(Vector{0, 0.5}, Vector{1, 1});
            }),
            "coordinate 1 of an l1 ball in a box has the bounds [0.5, 1]: they must have 0 between "
            "them; use polytope for others");
  EXPECT_THROW((void)cut_ball(origin), InvalidArgument);
  for (const double bad : {nan, infinity, 1e60}) {
    EXPECT_THROW((void)ball_in_box(0, bad, 2), InvalidArgument) << bad;
    EXPECT_THROW((void)ball_in_box(0, 1, 2, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)l1_ball_in_box(0, bad, 2), InvalidArgument) << bad;
    EXPECT_THROW((void)l1_ball_in_box(0, 1, 2, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)cut_ball(Vector{1, bad}), InvalidArgument) << bad;
    EXPECT_THROW((void)cut_ball(Vector{1, 1}, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)cut_ball(Vector{1, 1}, 0, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)cut_ball(Vector{1, 1}, 0, 1, Vector{0, bad}), InvalidArgument) << bad;
  }
}

TEST(CutBalls, AreNamedByTheirShortestSpecs) {
  EXPECT_EQ(ball_in_box(0, 1, 3)->spec(), "ball_in_box(0, 1, 3)");
  EXPECT_EQ(ball_in_box(Vector{0, 1}, Vector{2, 2}, 3, Vector{1, 1})->spec(),
            "ball_in_box([0, 1], [2, 2], radius=3, centre=1)");
  EXPECT_EQ(l1_ball_in_box(-1, 0.5, 3, 2)->spec(), "l1_ball_in_box(-1, 0.5, 3, radius=2)");
  EXPECT_EQ(l1_ball_in_box(Vector{0, -1}, Vector{2, 2})->spec(), "l1_ball_in_box([0, -1], [2, 2])");
  EXPECT_EQ(cut_ball(Vector{1, 1})->spec(), "cut_ball([1, 1])");
  EXPECT_EQ(cut_ball(Vector{1, 2}, 0.5, 2, Vector{0, 1})->spec(),
            "cut_ball([1, 2], offset=0.5, radius=2, centre=[0, 1])");
}

TEST(CutBalls, HaveGoldenValues) {
  // The quarter of a disc: a point of the arc, the corner, and the ends of the arc for ties.
  const SetPtr quarter = ball_in_box(0, 1, 2);
  expect_near(minimiser(quarter, {-3, -4}), {0.6, 0.8});
  EXPECT_EQ(minimiser(quarter, {1, 1}), (Vector{0, 0}));
  EXPECT_EQ(minimiser(quarter, {0, -1}), (Vector{0, 1}));
  EXPECT_EQ(minimiser(quarter, {0, 0}), (Vector{0, 0}));
  expect_near(nearest(quarter, {3, 4}), {0.6, 0.8});
  EXPECT_EQ(nearest(quarter, {-1, 0.5}), (Vector{0, 0.5}));
  EXPECT_NEAR(quarter->inner_radius(), 1 / (1 + std::sqrt(2.0)), 1e-14);
  // Two of three coordinates are at a bound: x = (0.5, 0.5, t) with t^2 = 1 - 0.5.
  const SetPtr wedge = ball_in_box(Vector{0, 0, 0}, Vector{0.5, 0.5, 2}, 1, Vector{0, 0, 0});
  expect_near(minimiser(wedge, {-9, -8, -1}), {0.5, 0.5, std::sqrt(0.5)});
  // A centre outside of the box.
  const SetPtr cap = ball_in_box(Vector{3, -9}, Vector{9, 9}, 5, Vector{0, 0});
  expect_near(minimiser(cap, {0, -1}), {3, 4});
  expect_near(minimiser(cap, {1, -1}), {3, 4});
  expect_near(nearest(cap, {0, 9}), {3, 4});
  EXPECT_NEAR(cap->inner_radius(), 1, 1e-14);
  // The same cap by its plane.
  const SetPtr cut = cut_ball(Vector{-2, 0}, -6, 5);
  expect_near(minimiser(cut, {0, -1}), {3, 4});
  EXPECT_EQ(minimiser(cut, {1, 0}), (Vector{3, 0}));
  expect_near(minimiser(cut, {-1, 0}), {5, 0});
  expect_near(nearest(cut, {0, 9}), {3, 4});
  expect_near(nearest(cut, {0, 2}), {3, 2});
  expect_near(nearest(cut, {10, 0}), {5, 0});
  expect_near(nearest(cut, {0, 0}), {3, 0});
  expect_near(cut->centre(), {4, 0});
  EXPECT_NEAR(cut->inner_radius(), 1, 1e-14);
  EXPECT_NEAR(cut->outer_radius(), std::sqrt(17.0), 1e-14);
  EXPECT_NEAR(cut->diameter(), 8, 1e-14);
}

TEST(CutBalls, AreTheBallOrTheBoxIfOneIsWithinTheOther) {
  Random random(51);
  const SetPtr as_box = ball_in_box(-1, 2, 4, 9);
  const SetPtr as_ball = ball_in_box(-2, 3, 4, 1.5);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector d = random.normals(4, 3);
    EXPECT_EQ(minimiser(as_box, d), minimiser(box(-1, 2, 4), d));
    EXPECT_EQ(nearest(as_box, d), nearest(box(-1, 2, 4), d));
    expect_near(minimiser(as_ball, d), minimiser(ball(4, 1.5), d));
    expect_near(nearest(as_ball, d), nearest(ball(4, 1.5), d));
  }
  EXPECT_EQ(as_box->inner_radius(), 1.5);
  EXPECT_EQ(as_ball->inner_radius(), 1.5);
  EXPECT_NEAR(as_box->outer_radius(), 3, 1e-12);
  EXPECT_NEAR(as_ball->outer_radius(), 1.5, 1e-12);
}

TEST(CutBalls, CrossPolytopesHaveGoldenValues) {
  const SetPtr set = l1_ball_in_box(Vector{-0.25, 0, -1}, Vector{0.5, 0.5, 1}, 1);
  EXPECT_EQ(minimiser(set, {-3, -2, -1}), (Vector{0.5, 0.5, 0}));
  EXPECT_EQ(minimiser(set, {3, 2, 1}), (Vector{-0.25, 0, -0.75}));
  EXPECT_EQ(minimiser(set, {2, -2, 2}), (Vector{-0.25, 0.5, -0.25}));
  EXPECT_EQ(minimiser(set, {0, 0, 0}), (Vector{0, 0, 0}));
  // 0.5 is kept by its bound, and mu = 0.25 takes 1.5 off the rest: |z| - mu = 0.25, 0.25.
  expect_near(nearest(set, {9, 0.5, -0.5}), {0.5, 0.25, -0.25});
  EXPECT_EQ(nearest(set, {-9, -1, 0.5}), (Vector{-0.25, 0, 0.5}));
}

TEST(CutBalls, CrossPolytopesAreBallsOrBoxesIfOneIsWithinTheOther) {
  Random random(52);
  const SetPtr as_ball = l1_ball_in_box(-3, 2, 4, 1.5);
  const SetPtr as_box = l1_ball_in_box(-1, 2, 4, 9);
  const SetPtr sparse = l1_ball_in_box(-2, 2, 4, 4);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector d = random.normals(4, 3);
    EXPECT_EQ(minimiser(as_ball, d), minimiser(l1_ball(4, 1.5), d));
    expect_near(nearest(as_ball, d), nearest(l1_ball(4, 1.5), d));
    EXPECT_EQ(minimiser(as_box, d), minimiser(box(-1, 2, 4), d));
    EXPECT_EQ(nearest(as_box, d), nearest(box(-1, 2, 4), d));
    EXPECT_EQ(minimiser(sparse, d), minimiser(k_sparse_ball(4, 2, 2), d));
    expect_near(nearest(sparse, d), nearest(k_sparse_ball(4, 2, 2), d));
  }
  EXPECT_NEAR(as_ball->inner_radius(), l1_ball(4, 1.5)->inner_radius(), 1e-14);
  EXPECT_NEAR(as_ball->outer_radius(), 1.5, 1e-12);
  EXPECT_NEAR(as_ball->diameter(), 3, 1e-12);
  EXPECT_EQ(as_box->inner_radius(), 1.5);
}

TEST(CutBalls, KeepTheContractAtAllScales) {
  for (const char* const spec :
       {"ball_in_box(0, 1e-6, 5, radius=1e-6)", "ball_in_box(-1e6, 1e6, 4, radius=1.2e6)",
        "ball_in_box(1e6, 1000001, 3, radius=0.5, centre=1000000.2)",
        "ball_in_box([0, 0], [1, 10], radius=2, centre=[-1, 3])",
        "l1_ball_in_box(-3e-7, 6e-7, 5, radius=1e-6)", "l1_ball_in_box(-3e5, 6e5, 5, radius=1e6)",
        "l1_ball_in_box([-0.001, 0, -200], [0, 0.4, 0.5])",
        "cut_ball([0.001, 0.002], offset=1e-9, radius=1e-6)",
        "cut_ball([1, 2, 3, 4, 5], offset=-7.3)", "cut_ball([0, 0, 1], offset=-0.999)",
        "cut_ball([1, 1, 1], offset=0.5)", "cut_ball([1, 1], offset=2e6, centre=1e6)",
        "cut_ball([1, 2, 3], offset=1e6, radius=1e6)"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 50});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

}  // namespace
}  // namespace keyhole::tests
