// Slices of sets that are known otherwise, and what is refused.

#include "sets/combinations/slice.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances/slices.h"
#include "keyhole/own_set.h"
#include "keyhole/polytope.h"
#include "keyhole/testing.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/slice_rows.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using sets::slice_by_columns;

void expect_equal_slices(const SetPtr& one, const SetPtr& other, Random& random,
                         double tolerance = 1e-9) {
  EXPECT_EQ(one->hull_dimension(), other->hull_dimension());
  const auto oracle = one->oracle();
  const auto another = other->oracle();
  for (int k = 0; k < 50; ++k) {
    const Vector d = random.normals(one->dimension());
    const double least = another->minimise(d).dot(d);
    EXPECT_NEAR(oracle->minimise(d).dot(d), least, tolerance * std::sqrt(inner(d, d)))
        << one->spec();
  }
}

TEST(Slices, OfABoxAreCappedSimplices) {
  Random random(1);
  for (const std::size_t n : {2, 3, 5, 30}) {
    const SetPtr expected = capped_simplex(0, 0.75, n);
    const SetPtr cube = box(0, 0.75, n);
    const Vector ones(n, 1.0);
    const SetPtr described = slice(cube, ones, Vector{1});
    EXPECT_TRUE(described->can_project());
    expect_equal_slices(described, expected, random, 1e-12);
    expect_equal_slices(slice_by_columns(cube, ones, Vector{1}), expected, random, 1e-12);
  }
}

TEST(Slices, ByColumnsKeepTheContract) {
  Random random(7);
  for (int k = 0; k < 30; ++k) {
    const auto [set, minimum] = random_described_slice(random.integer(2, 8), random, true);
    const auto report = testing::check_set(set, {.directions = 50, .slow_minimum = minimum});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(Slices, OfABallAreBalls) {
  Random random(2);
  for (const std::size_t rows : {1, 2, 5}) {
    for (const std::size_t n : {7, 20}) {
      // The last coordinates are 0, or 0.6 in all.
      Vector matrix(rows * n, 0.0);
      for (std::size_t i = 0; i < rows; ++i) matrix[i * n + n - 1 - i] = 2;
      const double off = 0.6 / std::sqrt(static_cast<double>(rows));
      for (const double height : {0.0, off}) {
        const SetPtr set = slice(ball(n), matrix, Vector(rows, 2 * height));
        Vector shift(n, 0.0);
        std::fill(shift.end() - static_cast<std::ptrdiff_t>(rows), shift.end(), height);
        const double radius = height > 0 ? 0.8 : 1;
        EXPECT_EQ(set->hull_dimension(), n - rows);
        const auto oracle = set->oracle();
        for (int k = 0; k < 30; ++k) {
          const Vector d = random.normals(n);
          Vector v(n);
          oracle->minimise(d).write_to(v);
          const double flat =
              std::sqrt(inner(std::span(d).first(n - rows), std::span(d).first(n - rows)));
          EXPECT_NEAR(inner(d, v), inner(d, shift) - radius * flat, 1e-9 * flat);
          for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(v[n - 1 - i], height, 1e-14);
        }
        EXPECT_LE(set->inner_radius(), radius);
        if (height == 0) {
          EXPECT_NEAR(set->inner_radius(), 1, 1e-8);
          EXPECT_NEAR(set->outer_radius(), 1, 1e-8);
        }
      }
    }
  }
}

TEST(Slices, OfSlicesAreThoseByAllRows) {
  Random random(3);
  const Vector first = {1, 2, -1, 0.5, 0};
  const Vector second = {0, 1, 1, 1, -1};
  const Vector both = {1, 2, -1, 0.5, 0, 0, 1, 1, 1, -1};
  for (const SetPtr& set : {ball(5, 2), box(-1, 1, 5), simplex(5), l1_ball(5)}) {
    const Vector right = set->spec() == "simplex(5)" ? Vector{0.5, 0.25} : Vector{0.25, 0.125};
    const SetPtr at_once = slice_by_columns(set, both, right);
    const SetPtr in_turns =
        slice_by_columns(slice_by_columns(set, first, Vector{right[0]}), second, Vector{right[1]});
    EXPECT_EQ(in_turns->spec(), at_once->spec());
    EXPECT_EQ(in_turns->centre(), at_once->centre());
    expect_equal_slices(in_turns, at_once, random, 0);
    const SetPtr made =
        make_set(slice(slice(set, first, Vector{right[0]}), second, Vector{right[1]})->spec());
    expect_equal_slices(made, at_once, random);
  }
}

TEST(Slices, FollowScalesAndOrders) {
  Random random(4);
  const Vector a = {1, 2, -1, 0.5};
  const Vector reversed = {0.5, -1, 2, 1};
  for (const SetPtr& set : {ball(4), l1_ball(4, 2)}) {
    const auto oracle = slice_by_columns(set, a, Vector{0.5})->oracle();
    const auto scaled_one = slice_by_columns(scaled(set, 1000), a, Vector{500})->oracle();
    const auto turned = slice_by_columns(set, reversed, Vector{0.5})->oracle();
    const Vector multiple = {-3, -6, 3, -1.5};
    const auto same = slice_by_columns(set, multiple, Vector{-1.5})->oracle();
    for (int k = 0; k < 20; ++k) {
      const Vector d = random.normals(4);
      const double least = oracle->minimise(d).dot(d);
      EXPECT_NEAR(scaled_one->minimise(d).dot(d), 1000 * least, 1e-6);
      EXPECT_NEAR(same->minimise(d).dot(d), least, 1e-9);
      const Vector back(d.rbegin(), d.rend());
      EXPECT_NEAR(turned->minimise(back).dot(back), least, 1e-9);
    }
  }
}

TEST(Slices, OfMatrices) {
  // Positive semidefinite with ones on the diagonal: correlations. The trace is that of the set.
  const Vector rows = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  const SetPtr set = slice(spectraplex(3, 3), rows, Vector{1, 1});
  EXPECT_EQ(set->hull_dimension(), 3U);
  Vector x(9);
  // Three vectors that add to zero have angles of 120 degrees.
  set->oracle()->minimise(Vector{0, 1, 1, 1, 0, 1, 1, 1, 0}).write_to(x);
  for (const std::size_t off : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(x[off], -0.5, 1e-4);
  for (const std::size_t on : {0, 4, 8}) EXPECT_NEAR(x[on], 1, 1e-12);
  EXPECT_NEAR(x[1] + x[2] + x[5], -1.5, 1e-9);
  EXPECT_TRUE(set->contains(x));
  EXPECT_FALSE(set->contains(Vector{1, 1, 1, 1, 1, -1, 1, -1, 1}));
  const testing::Report report = testing::check_set(set, {.directions = 10});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(Slices, OfSetsOfYourOwn) {
  Random random(5);
  const auto round = [](std::span<const double> d, std::span<double> v) {
    const double size = std::sqrt(inner(d, d));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = size > 0 ? -d[i] / size : i == 0 ? -1 : 0;
  };
  const SetPtr own = own_set({.dimension = 4, .minimise = round, .name = "round"});
  const Vector a = {1, 1, 0, -1};
  expect_equal_slices(slice(own, a, Vector{0.5}), slice(ball(4), a, Vector{0.5}), random);
}

TEST(Slices, GiveNoAnswerWithoutAProof) {
  const SetPtr set = lp_ball(6, 3);
  const Vector row = {1, 1, 0, -1, 0.5, 0.25};
  const sets::SliceFrame frame =
      sets::find_frame(set, sets::independent_rows(*set, row, Vector{0.5}));
  Vector c = {1, 2, 3, 4, 5, 6};
  frame.flatten(c);
  c = combine(1 / std::sqrt(inner(c, c)), c, 0, c);
  sets::ColumnGeneration enough_calls(frame);
  EXPECT_NO_THROW((void)enough_calls.minimise(c));
  EXPECT_GT(enough_calls.calls(), 5U);
  sets::ColumnGeneration too_few(frame, 4);
  const std::string error = message<Error>([&] { (void)too_few.minimise(c); });
  EXPECT_EQ(error.rfind(
                "rounding errors keep the oracle of a slice from an answer: it is proved to 0.", 0),
            0U)
      << error;
}

TEST(Slices, LeaveOutRowsThatFollow) {
  Random random(6);
  const Vector twice = {1, 2, 3, 4, -2, -4, -6, -8};
  const Vector once = {1, 2, 3, 4};
  expect_equal_slices(slice(ball(4), twice, Vector{1, -2}), slice(ball(4), once, Vector{1}),
                      random);
  // Of the hull of the set too.
  const SetPtr permutations = permutahedron(Vector{1, 2, 3, 5});
  const Vector with_sum = {1, 1, 1, 1, 1, 0, 0, -1};
  const Vector without = {1, 0, 0, -1};
  expect_equal_slices(slice(permutations, with_sum, Vector{11, 0.5}),
                      slice(permutations, without, Vector{0.5}), random);
  EXPECT_EQ(slice(permutations, Vector{2, 2, 2, 2}, Vector{22}), permutations);
}

TEST(Slices, TakeFewCalls) {
  Random random(7);
  for (const std::size_t rows : {1, 5, 20}) {
    const std::size_t n = 60;
    for (const SetPtr& set : {ball(n), l1_ball(n), product({ball(n / 2), box(-1, 1, n / 2)})}) {
      const Vector matrix = random.normals(rows * n);
      const Vector right = random.normals(rows, 0.05);
      const sets::SliceFrame frame =
          sets::find_frame(set, sets::independent_rows(*set, matrix, right));
      sets::ColumnGeneration columns(frame);
      std::size_t most = 0;
      double widest = 0;
      for (int k = 0; k < 10; ++k) {
        Vector c = random.normals(n);
        frame.flatten(c);
        const double size = std::sqrt(inner(c, c));
        for (double& number : c) number /= size;
        (void)columns.minimise(c);
        most = std::max(most, columns.calls());
        widest = std::max(widest, columns.gap());
      }
      EXPECT_LE(widest, sets::ColumnGeneration::enough) << set->spec() << ", " << rows;
      EXPECT_LE(most, 100 + 50 * rows) << set->spec() << ", " << rows;
    }
  }
}

TEST(Slices, Refuse) {
  const auto refusal = [](const SetPtr& set, const Vector& matrix, const Vector& right) {
    return message<InvalidArgument>([&] { (void)slice(set, matrix, right); });
  };
  EXPECT_EQ(refusal(nullptr, {}, {}), "a slice needs a set");
  EXPECT_EQ(refusal(ball(3), {}, {}), "a slice needs at least one row");
  EXPECT_EQ(refusal(ball(3), {1, 2}, {1}),
            "the matrix of a slice with 1 rows and 3 columns has 3 numbers, not 2");
  EXPECT_EQ(refusal(ball(2), {1, 1e60}, {1}),
            "a slice needs numbers of magnitude up to 1e50, not 1e+60");
  EXPECT_EQ(refusal(ball(3), {1, 1, 1, 0, 0, 0}, {1, 0}),
            "row 1 of the slice is zero: leave it out");
  EXPECT_EQ(refusal(ball(3), {1, 1, 1, 2, 2, 2}, {1, 1}),
            "the slice is empty: row 1 has the same value at all points of ball(3) that the rows "
            "before it leave, and that is not 1");
  EXPECT_EQ(refusal(ball(3), {1, 1, 1, 1, 1, 1 + 1e-8}, {1, 1}),
            "row 1 of the slice follows from the rows before it, or from the hull of ball(3), but "
            "for rounding: leave it out, or change it by more");
  EXPECT_EQ(refusal(permutahedron(Vector{1, 2, 3}), {1, 1, 1}, {7}),
            "the slice is empty: row 0 has the same value at all points of permutahedron([1, 2, "
            "3]), and that is not 7");
  EXPECT_EQ(refusal(ball(3), {1, 1, 1}, {2}),
            "no point of ball(3) has A x = b: the slice is empty");
  EXPECT_EQ(refusal(l1_ball(8), {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, {0.6, 0.6}),
            "no point of l1_ball(8) has A x = b: the slice is empty");
  EXPECT_EQ(refusal(l1_ball(8), Vector(8, 1.0), {1}),
            "A x = b only touches the boundary of l1_ball(8), or comes within 1e-6 of doing so: "
            "the slice has no inside");
  EXPECT_EQ(refusal(ball(2), {1, 0, 0, 1}, {0, 0}),
            "the slice has 2 independent rows and 2 dimensions to cut: it is a single point at "
            "most, which leaves nothing to choose");
  Vector many(60 * 61, 0.0);
  for (std::size_t i = 0; i < 60; ++i) many[i * 61 + i] = 1;
  EXPECT_EQ(refusal(ball(61), many, Vector(60, 0.0)),
            "a slice takes up to 50 independent rows, not 60: describe the set by linear "
            "inequalities, as a polytope");
  const std::string described = refusal(box(0, 1, 3), {1, 1, 1}, {4});
  EXPECT_EQ(described.rfind("the slice is empty: ", 0), 0U) << described;
  EXPECT_NE(described.find("row 0 of the slice"), std::string::npos) << described;
}

}  // namespace
}  // namespace keyhole::tests
