// The two methods for the nearest point of a polytope against each other, with their proof.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "math/programs/dual_active_set.h"
#include "math/programs/dual_newton.h"

namespace keyhole::tests {
namespace {

using math::LinearConstraints;
using Vector = std::vector<double>;

/// {-1 <= x <= 1, A x <= 0.3, <c, x> = 0} with normal rows of length about 1.
LinearConstraints draw(std::size_t n, std::size_t inequalities, Random& random) {
  LinearConstraints k{.columns = n, .inequalities = inequalities};
  k.lower = Vector(n, -1.0);
  k.upper = Vector(n, 1.0);
  const double length = std::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; i < n * (inequalities + 1); ++i) {
    k.rows.push_back(random.normal() / length);
  }
  k.right = Vector(inequalities, 0.3);
  k.right.push_back(0);
  return k;
}

TEST(Nearest, BothMethodsFindTheSamePoint) {
  Random random(1);
  int by_newton = 0;
  for (std::uint64_t instance = 0; instance < scaled_count(200); ++instance) {
    const std::size_t n = random.integer(2, 40);
    const LinearConstraints k = draw(n, random.integer(0, 60), random);
    const double R = std::sqrt(static_cast<double>(n));
    math::DualNewton newton(k, k.lower, k.upper, R);
    math::DualActiveSet active_set(k, k.lower, k.upper, R);
    for (const double length : {0.1, 0.5, 1.0, 1e5}) {
      const Vector z = random.normals(n, length);
      Vector x(n);
      ASSERT_TRUE(active_set.solve(z, x)) << instance << " " << length;
      Vector y = z;
      if (newton.solve(y, y)) {
        ++by_newton;
        for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(x[j], y[j], 1e-10) << instance;
      } else {
        EXPECT_EQ(y, z);
        EXPECT_GT(length, 0.4) << "near points are for Newton's method";
      }
    }
  }
  EXPECT_GE(by_newton, 300 * test_scale());
}

TEST(Nearest, NewtonsMethodEndsWhereNoStepCanBeFound) {
  // A row without numbers has no product that a factorisation takes, however it is regularised.
  const LinearConstraints k{
      .columns = 2, .rows = {1, std::nan("")}, .right = {0.5}, .lower = {-1, -1}, .upper = {1, 1}};
  math::DualNewton newton(k, k.lower, k.upper, 1.5);
  Vector x(2);
  EXPECT_FALSE(newton.solve(Vector{0.25, 0.5}, x));
}

TEST(Nearest, TheGapProvesOrRefutes) {
  // The square [0, 1]^2 below x_1 + x_2 <= 1, and z = (1, 1), whose nearest point is (1/2, 1/2).
  const LinearConstraints k{.columns = 2,
                            .inequalities = 1,
                            .rows = {1, 1},
                            .right = {1},
                            .lower = {0, 0},
                            .upper = {1, 1}};
  const Vector z = {1, 1};
  EXPECT_EQ(math::nearness_gap(k, k.lower, k.upper, z, Vector{0.5, 0.5}, Vector{0.5}), 0);
  // From (1, 0) one can come nearer: <z - x, v - x> = 1 for v = (0, 1).
  for (const double multiplier : {0.0, 0.5, 1.0, 2.0}) {
    EXPECT_GE(math::nearness_gap(k, k.lower, k.upper, z, Vector{1, 0}, Vector{multiplier}), 1);
  }
}

TEST(Nearest, NoPointIsFoundWhereThereIsNone) {
  const LinearConstraints k{.columns = 2,
                            .inequalities = 2,
                            .rows = {1, 1, -1, -1},
                            .right = {0.5, -1},
                            .lower = {0, 0},
                            .upper = {1, 1}};
  math::DualNewton newton(k, k.lower, k.upper, 1);
  math::DualActiveSet active_set(k, k.lower, k.upper, 1);
  Vector x(2);
  EXPECT_FALSE(newton.solve(Vector{0.5, 0.2}, x));
  EXPECT_FALSE(active_set.solve(Vector{0.5, 0.2}, x));
}

}  // namespace
}  // namespace keyhole::tests
