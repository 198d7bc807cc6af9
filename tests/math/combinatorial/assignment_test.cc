// Assignments against enumeration, and against their own certificate where that is too slow.

#include "math/combinatorial/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "random.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double cost_of(const Vector& costs, std::span<const std::size_t> column, std::size_t columns) {
  double sum = 0;
  for (std::size_t i = 0; i < column.size(); ++i) sum += costs[i * columns + column[i]];
  return sum;
}

/// The least cost, over the first places of all orders of the columns.
double enumerated(const Vector& costs, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = std::numeric_limits<double>::infinity();
  do {
    least = std::min(least, cost_of(costs, std::span(order).first(rows), columns));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(Assignment, MatchesEnumeration) {
  Random random(31);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t columns = random.integer(1, 6);
    const std::size_t rows = random.integer(1, columns);
    Vector costs = random.normals(rows * columns);
    if (trial % 3 == 0) {  // ties
      for (double& cost : costs) cost = std::round(cost);
    }
    math::Assignment assignment(rows, columns);
    const auto column = assignment.minimise(costs);
    EXPECT_EQ(std::set<std::size_t>(column.begin(), column.end()).size(), rows);
    EXPECT_NEAR(cost_of(costs, column, columns), enumerated(costs, rows, columns), 1e-12);
  }
}

TEST(Assignment, PotentialsProveLargeOnes) {
  Random random(32);
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{40, 40}, {30, 90}}) {
    math::Assignment assignment(rows, columns);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector costs = random.normals(rows * columns);
      const auto column = assignment.minimise(costs);
      const auto u = assignment.row_potentials();
      const auto v = assignment.column_potentials();
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          EXPECT_LE(u[i] + v[j], costs[i * columns + j] + 1e-12);
        }
      }
      for (const double potential : v) EXPECT_LE(potential, 1e-12);
      EXPECT_NEAR(
          std::accumulate(u.begin(), u.end(), 0.0) + std::accumulate(v.begin(), v.end(), 0.0),
          cost_of(costs, column, columns), 1e-11);
    }
  }
}

TEST(Assignment, TakesTheFirstOfEqualOnes) {
  math::Assignment assignment(3, 4);
  const auto column = assignment.minimise(Vector(12, 0.0));
  EXPECT_EQ((std::vector<std::size_t>(column.begin(), column.end())),
            (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace keyhole::tests
