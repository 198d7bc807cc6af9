// Sums and hulls of sets, where they are sets that are known otherwise, and what is refused.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

void expect_same_minima(const SetPtr& one, const SetPtr& other, Random& random) {
  for (int k = 0; k < 50; ++k) {
    const Vector d = random.normals(one->dimension());
    EXPECT_NEAR(one->oracle()->minimise(d).dot(d), other->oracle()->minimise(d).dot(d), 1e-12);
  }
}

TEST(SetAlgebra, SumsThatAreKnown) {
  Random random(1);
  const SetPtr balls = minkowski_sum({ball(3, 2), image(ball(3), 0.5, 1)});
  expect_same_minima(balls, image(ball(3, 2.5), 1, 1), random);
  EXPECT_DOUBLE_EQ(balls->inner_radius(), 2.5);
  EXPECT_DOUBLE_EQ(balls->outer_radius(), 2.5);
  EXPECT_EQ(balls->centre(), Vector(3, 1.0));
  expect_same_minima(minkowski_sum({box(0, 1, 4), box(-1, 2, 4)}), box(-1, 3, 4), random);
  // Flat sets of one hull: a simplex again, with the same inner ball.
  const SetPtr simplices = minkowski_sum({simplex(4), simplex(4, 2)});
  expect_same_minima(simplices, simplex(4, 3), random);
  EXPECT_EQ(simplices->hull_dimension(), 3u);
  EXPECT_NEAR(simplices->inner_radius(), simplex(4, 3)->inner_radius(), 1e-12);
}

TEST(SetAlgebra, FlatSetsThatTogetherAreNot) {
  // Two segments make a square of side sqrt 2 about the origin, standing on a corner.
  const std::vector<double> turn = {1, 1};
  const SetPtr rising = affine_image(box(-0.5, 0.5, 1), turn, std::vector<double>(2, 0.0));
  const std::vector<double> back = {1, -1};
  const SetPtr falling = affine_image(box(-0.5, 0.5, 1), back, std::vector<double>(2, 0.0));
  const SetPtr sum = minkowski_sum({rising, falling});
  EXPECT_EQ(sum->hull_dimension(), 2u);
  EXPECT_NEAR(sum->inner_radius(), std::sqrt(0.5), 1e-8);
  EXPECT_TRUE(sum->contains(std::vector<double>{1, 0}));
  EXPECT_TRUE(sum->contains(std::vector<double>{0.5, -0.5}));
  EXPECT_FALSE(sum->contains(std::vector<double>{0.51, 0.51}));
  // Their hull: the same directions, half as large.
  const SetPtr hull = hull_of_union({rising, falling});
  EXPECT_EQ(hull->hull_dimension(), 2u);
  EXPECT_TRUE(hull->contains(std::vector<double>{0.5, 0}));
  EXPECT_FALSE(hull->contains(std::vector<double>{0.51, 0}));
  // Truly 1/2; the certificate of four corners gives a root of 1/8.
  EXPECT_NEAR(hull->inner_radius(), std::sqrt(0.125), 1e-6);
}

TEST(SetAlgebra, HullsThatAreKnown) {
  Random random(2);
  expect_same_minima(hull_of_union({ball(3), ball(3, 2), ball(3, 0.1)}), ball(3, 2), random);
  const SetPtr hull = hull_of_union({box(0, 1, 2), image(box(0, 1, 2), 1, 2)});
  for (const Vector& inside : {Vector{0, 1}, Vector{1, 2}, Vector{1.5, 1.5}, Vector{3, 2}}) {
    EXPECT_TRUE(hull->contains(inside));
  }
  for (const Vector& outside : {Vector{0, 1.01}, Vector{1, 2.01}, Vector{0, 3}}) {
    EXPECT_FALSE(hull->contains(outside));
  }
  // Parallel simplices have a hull that is not flat.
  EXPECT_EQ(hull_of_union({simplex(3), simplex(3, 2)})->hull_dimension(), 3u);
  EXPECT_EQ(hull_of_union({simplex(3), image(simplex(3), -1, 2.0 / 3)})->hull_dimension(), 2u);
  // Its vertices are as sparse as they were.
  const auto oracle = hull_of_union({simplex(3), simplex(3, 2)})->oracle();
  EXPECT_EQ(oracle->minimise(std::vector<double>{1, -1, 0}).indices.size(), 1u);
}

TEST(SetAlgebra, Refusals) {
  const auto refusal = [](const auto& make) { return message<InvalidArgument>(make); };
  EXPECT_EQ(refusal([] { (void)minkowski_sum({}); }), "a Minkowski sum needs at least one set");
  EXPECT_EQ(refusal([] {
              (void)hull_of_union({ball(2), nullptr});
            }),
            "the hull of a union needs sets, and one of them is missing");
  EXPECT_EQ(refusal([] {
              (void)minkowski_sum({ball(2), simplex(3)});
            }),
            "a Minkowski sum needs sets of the same dimension: ball(2) has 2 coordinates and "
            "simplex(3) has 3");
  EXPECT_EQ(refusal([] {
              (void)minkowski_sum({simplex(2000), simplex(2000)});
            }),
            "flat sets of 2000 dimensions cannot be joined, only up to 1500: join them with one "
            "that is not flat");
  EXPECT_EQ(minkowski_sum({simplex(2000), ball(2000)})->hull_dimension(), 2000u);
}

}  // namespace
}  // namespace keyhole::tests
