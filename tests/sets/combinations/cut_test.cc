// Cuts of sets that are known otherwise, and what is refused.

#include "sets/combinations/cut.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances/random_cuts.h"
#include "keyhole/choices.h"
#include "keyhole/norm_balls.h"
#include "keyhole/own_set.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using sets::cut_by_columns;

/// x_i <= limit for all i.
SlicingRows upper_limits(std::size_t n, double limit) {
  SlicingRows result{Vector(n * n, 0.0), Vector(n, limit)};
  for (std::size_t i = 0; i < n; ++i) result.matrix[i * n + i] = 1;
  return result;
}

void expect_equal_cuts(const SetPtr& one, const SetPtr& other, Random& random, double tolerance) {
  EXPECT_EQ(one->hull_dimension(), other->hull_dimension());
  const auto oracle = one->oracle();
  const auto another = other->oracle();
  for (int k = 0; k < 50; ++k) {
    const Vector d = random.normals(one->dimension());
    EXPECT_NEAR(oracle->minimise(d).dot(d), another->minimise(d).dot(d),
                tolerance * std::sqrt(inner(d, d)))
        << one->spec();
  }
}

TEST(Cuts, OfASimplexAreCappedSimplices) {
  Random random(1);
  for (const std::size_t n : {3, 5, 30}) {
    const SlicingRows by = upper_limits(n, 0.4);
    const SetPtr expected = capped_simplex(0, 0.4, n);
    const SetPtr described = cut(simplex(n), by.matrix, by.right);
    EXPECT_TRUE(described->can_project());
    expect_equal_cuts(described, expected, random, 1e-12);
    expect_equal_cuts(cut_by_columns(simplex(n), by.matrix, by.right), expected, random, 1e-9);
  }
}

TEST(Cuts, OfABallByBoundsAreBallsInBoxes) {
  Random random(2);
  for (const std::size_t n : {2, 5, 20}) {
    const SlicingRows by = upper_limits(n, 0.25);
    expect_equal_cuts(cut(ball(n), by.matrix, by.right), ball_in_box(-2, 0.25, n), random, 1e-9);
  }
}

TEST(Cuts, ByColumnsKeepTheContract) {
  Random random(7);
  for (int k = 0; k < 30; ++k) {
    const auto [set, minimum] = random_described_cut(random.integer(2, 8), random, true);
    const auto report = testing::check_set(set, {.directions = 50, .slow_minimum = minimum});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(Cuts, OfSharesNearTodaysByKl) {
  Random random(3);
  const std::size_t n = 20;
  const SlicingRows by = upper_limits(n, 0.1);
  const SetPtr set = cut(kl_ball(Vector(n, 1.0 / n), 0.5), by.matrix, by.right);
  const auto oracle = set->oracle();
  Vector x(n);
  for (int k = 0; k < 100; ++k) {
    oracle->minimise(random.normals(n)).write_to(x);
    EXPECT_TRUE(set->contains(x));
    EXPECT_LE(*std::max_element(x.begin(), x.end()), 0.1 + 1e-12);
  }
  Vector outside(n, (1 - 0.101) / (n - 1));
  outside[3] = 0.101;
  EXPECT_FALSE(set->contains(outside));
}

TEST(Cuts, OfACutAreByTheRowsOfBoth) {
  const SetPtr twice = cut(cut(ball(2), {1, 0}, {0.5}), {0, 1}, {0.25});
  EXPECT_EQ(twice->spec(), "cut(ball(2), A=[[1, 0], [0, 1]], b=[0.5, 0.25])");
}

TEST(Cuts, LeaveOutRowsThatAllPointsKeep) {
  const SetPtr set = ball(2);
  EXPECT_EQ(cut(set, {1, 0, 1, 1}, {1, 2}), set);
  EXPECT_EQ(cut(lp_ball(3, 3), {0, 2, 0}, {2.5})->spec(), lp_ball(3, 3)->spec());
}

TEST(Cuts, FarFromTheCentre) {
  Random random(4);
  for (const double b : {-0.9, -0.99, -0.9999}) {
    const SetPtr set = cut(ball(3), {1, 0, 0}, {b});
    if (b > -0.999) {  // beyond, the tolerance of the ball is more than 1e-9 of the cut
      const auto report = testing::check_set(set, {.directions = 50});
      EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
    }
    // The cap's least first coordinate, and its width.
    EXPECT_NEAR(set->oracle()->minimise(Vector{1, 0, 0}).dot(Vector{1, 0, 0}), -1, 1e-9);
    EXPECT_NEAR(set->oracle()->minimise(Vector{0, 1, 0}).dot(Vector{0, 1, 0}),
                -std::sqrt(1 - b * b), 1e-9);
  }
}

TEST(Cuts, AboutAnotherCentre) {
  const SetPtr set = recentred(cut(ball(2), {1, 0}, {0.5}), {0.25, 0});
  EXPECT_NEAR(set->inner_radius(), 0.25, 1e-8);
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)recentred(cut(ball(2), {1, 0}, {0.5}), {0.75, 0});
            }),
            "the centre [0.75, 0] is not in the interior of cut(ball(2), A=[[1, 0]], b=[0.5])");
}

TEST(Cuts, OfASetWithAnOracleAlone) {
  const SetPtr own =
      own_set({.dimension = 3, .minimise = [](std::span<const double> d, std::span<double> v) {
                 const double length = std::sqrt(inner(d, d));
                 for (std::size_t i = 0; i < d.size(); ++i) v[i] = -d[i] / length;
               }});
  Random random(5);
  const SetPtr one = cut(own, {1, 2, 0}, {0.5});
  expect_equal_cuts(one, cut(ball(3), {1, 2, 0}, {0.5}), random, 1e-8);
}

TEST(Cuts, Refuse) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)cut(nullptr, {1}, {1}); }), "a cut needs a set");
  EXPECT_EQ(message<InvalidArgument>([] { (void)cut(ball(2), {}, {}); }),
            "a cut needs at least one row");
  EXPECT_EQ(message<InvalidArgument>([] { (void)cut(ball(2), {1}, {1}); }),
            "the matrix of a cut with 1 rows and 2 columns has 2 numbers, not 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)cut(ball(2), {0, 0}, {1});
            }),
            "row 0 of the cut is zero: leave it out");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)cut(ball(2), {1, 0}, {-1.5});
            }),
            "no point of ball(2) has A x <= b: the cut is empty");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)cut(ball(2), {1, 0, -1, 0}, {0, 0});
            }),
            "A x <= b leaves nothing of ball(2) but a part of its boundary, or less than 1e-6 of "
            "its diameter: the cut has no inside; for A x = b there is slice()");
  EXPECT_EQ(
      message<InvalidArgument>([] {
        (void)cut(kl_ball(Vector(3, 1.0 / 3), 0.1), {1, 1, 1}, {0.5});
      }),
      "the cut is empty: row 0 has the same value at all points of kl_ball([0.3333333333333333"
      ", 0.3333333333333333, 0.333333333..., and that is above 0.5");
}

TEST(RandomCuts, OfEveryKind) {
  Random random(1);
  const std::vector<InstanceFamily> kinds = kinds_to_slice();
  for (std::uint64_t k = 0; k < scaled_count(150); ++k) {
    EXPECT_EQ(fault_of_cut(random_cut(kinds[k % kinds.size()], random), random), "");
  }
}

}  // namespace
}  // namespace keyhole::tests
