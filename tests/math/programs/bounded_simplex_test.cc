// Against the enumeration of all vertices, and against CLP.

#include "math/programs/bounded_simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "catalogue.h"
#include "clp.h"
#include "numbers.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using math::BoundedSimplex;
using math::LinearConstraints;
using math::LinearResult;
using Vector = std::vector<double>;

double inner(std::span<const double> a, std::span<const double> b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

/// How far x is outside the constraints; bounds count with any violation at all.
double outside(const LinearConstraints& k, std::span<const double> x) {
  double most = 0;
  for (std::size_t j = 0; j < k.columns; ++j) {
    if (!(k.lower[j] <= x[j] && x[j] <= k.upper[j])) return infinity;
  }
  for (std::size_t i = 0; i < k.right.size(); ++i) {
    const double above = inner(k.row(i), x) - k.right[i];
    most = std::max(most, i < k.inequalities ? above : std::abs(above));
  }
  return most;
}

/// Random constraints with a known point inside, of a kind: 0 generic, 1 whole numbers (ties and
/// degenerate vertices in plenty), 2 with many rows through one point, 3 with repeated rows.
LinearConstraints draw(std::size_t n, std::size_t inequalities, std::size_t equalities, int kind,
                       Random& random) {
  LinearConstraints k{.columns = n, .inequalities = inequalities};
  Vector inside(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double l = kind == 1 ? -static_cast<double>(random.integer(0, 2)) : random.uniform(-1, 0);
    k.lower.push_back(l);
    k.upper.push_back(l + (kind == 1 ? 2 : random.uniform(0.5, 2)));
    inside[j] = kind == 1 ? l + 1 : random.uniform(l, k.upper[j]);
  }
  for (std::size_t i = 0; i < inequalities + equalities; ++i) {
    Vector a(n);
    for (double& value : a) {
      value = kind == 1 ? static_cast<double>(random.integer(0, 2)) - 1 : random.normal();
    }
    const bool repeated = kind == 3 && i > 0 && i < inequalities && random.uniform() < 0.5;
    if (repeated) std::copy_n(k.rows.end() - static_cast<std::ptrdiff_t>(n), n, a.begin());
    const double slack = i >= inequalities || kind == 2 ? 0
                         : kind == 1                    ? static_cast<double>(random.integer(0, 1))
                                                        : random.uniform(0, 0.5);
    k.rows.insert(k.rows.end(), a.begin(), a.end());
    k.right.push_back(repeated ? k.right.back() : inner(a, inside) + slack);
  }
  return k;
}

/// Directions of every kind: random, whole, sparse, normals of rows, zero.
Vector direction(const LinearConstraints& k, std::size_t which, Random& random) {
  Vector c = random.normals(k.columns);
  switch (which % 6) {
    case 1:
      for (double& value : c) value = std::round(value);
      break;
    case 2:
      for (double& value : c) value = random.uniform() < 0.7 ? 0 : value;
      break;
    case 3:
      if (!k.right.empty()) {
        const auto a = k.row(random.integer(0, k.right.size() - 1));
        const double sign = random.uniform() < 0.5 ? -1 : 1;
        for (std::size_t j = 0; j < c.size(); ++j) c[j] = sign * a[j];
      }
      break;
    case 4:
      if (random.uniform() < 0.2) c.assign(k.columns, 0.0);
      break;
    default:
      break;
  }
  return c;
}

/// The least <c, x> over all points where n independent constraints are tight, by brute force.
double enumerated_minimum(const LinearConstraints& k, std::span<const double> c) {
  const std::size_t n = k.columns;
  const std::size_t m = k.right.size();
  std::vector<std::pair<Vector, double>> planes;
  for (std::size_t i = 0; i < m; ++i) {
    planes.push_back({{k.row(i).begin(), k.row(i).end()}, k.right[i]});
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (const double bound : {k.lower[j], k.upper[j]}) {
      Vector e(n, 0.0);
      e[j] = 1;
      if (std::isfinite(bound)) planes.push_back({e, bound});
    }
  }
  double least = infinity;
  std::vector<bool> chosen(planes.size(), false);
  std::fill_n(chosen.begin(), n, true);
  do {
    // Gauss and Jordan with full pivoting.
    std::vector<Vector> a;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (!chosen[i]) continue;
      a.push_back(planes[i].first);
      a.back().push_back(planes[i].second);
    }
    Vector x(n);
    bool regular = true;
    std::vector<std::size_t> column(n);
    std::vector<bool> used(n, false);
    for (std::size_t step = 0; step < n && regular; ++step) {
      std::size_t r = step;
      std::size_t best = 0;
      double largest = 0;
      for (std::size_t i = step; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (!used[j] && std::abs(a[i][j]) > largest) {
            largest = std::abs(a[i][j]);
            r = i;
            best = j;
          }
        }
      }
      regular = largest > 1e-9;
      if (!regular) break;
      std::swap(a[r], a[step]);
      column[step] = best;
      used[best] = true;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == step) continue;
        const double factor = a[i][best] / a[step][best];
        for (std::size_t j = 0; j <= n; ++j) a[i][j] -= factor * a[step][j];
      }
    }
    if (!regular) continue;
    for (std::size_t i = 0; i < n; ++i) x[column[i]] = a[i][n] / a[i][column[i]];
    for (std::size_t j = 0; j < n; ++j) {  // rounding
      const double inside = std::clamp(x[j], k.lower[j], k.upper[j]);
      if (std::abs(x[j] - inside) < 1e-9) x[j] = inside;
    }
    if (outside(k, x) < 1e-8) least = std::min(least, inner(c, x));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return least;
}

TEST(BoundedSimplex, FindsTheBestOfAllVertices) {
  Random random(1);
  for (std::uint64_t k = 0; k < scaled_count(300); ++k) {
    const std::size_t n = random.integer(1, 4);
    const std::size_t equalities = random.integer(0, n > 1 ? 1 : 0);
    const auto constraints =
        draw(n, random.integer(0, 4), equalities, static_cast<int>(k % 4), random);
    BoundedSimplex simplex(constraints);
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << k;
    for (std::size_t which = 0; which < 6; ++which) {
      const Vector c = direction(constraints, which, random);
      ASSERT_EQ(simplex.minimise(c), LinearResult::optimal) << k;
      EXPECT_LE(outside(constraints, simplex.x()), 1e-11) << k;
      EXPECT_NEAR(inner(c, simplex.x()), enumerated_minimum(constraints, c), 1e-8) << k;
    }
  }
}

#ifdef KEYHOLE_WITH_CLP

TEST(BoundedSimplex, AgreesWithClp) {
  Random random(2);
  double worst = 0;
  for (std::uint64_t k = 0; k < scaled_count(1000); ++k) {
    const std::size_t n = random.integer(1, 40);
    const std::size_t equalities = random.integer(0, n / 3);
    const auto constraints =
        draw(n, random.integer(0, 40), equalities, static_cast<int>(k % 4), random);
    BoundedSimplex simplex(constraints);
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << k;
    Clp clp(constraints);
    for (std::size_t which = 0; which < 12; ++which) {
      const Vector c = direction(constraints, which, random);
      ASSERT_EQ(simplex.minimise(c), LinearResult::optimal) << k << " " << which;
      EXPECT_LE(outside(constraints, simplex.x()), 1e-10) << k << " " << which;
      const double expected = clp.minimum(c);
      const double off = std::abs(inner(c, simplex.x()) - expected);
      worst = std::max(worst, off / std::max(1.0, std::sqrt(inner(c, c))));
    }
  }
  EXPECT_LE(worst, 1e-9);
}

#endif

TEST(BoundedSimplex, IsAPureFunctionOfTheDirection) {
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const auto constraints = draw(20, 20, 3, k % 4, random);
    BoundedSimplex simplex(constraints);
    BoundedSimplex copy = simplex;
    std::vector<Vector> directions;
    std::vector<Vector> answers;
    for (std::size_t which = 0; which < 60; ++which) {
      directions.push_back(direction(constraints, which, random));
      ASSERT_EQ(simplex.minimise(directions.back()), LinearResult::optimal);
      answers.emplace_back(simplex.x().begin(), simplex.x().end());
    }
    for (std::size_t which = directions.size(); which-- > 0;) {
      Vector c = directions[which];
      for (const double factor : {1.0, 0x1p-30, 0x1p40}) {
        for (std::size_t j = 0; j < c.size(); ++j) c[j] = factor * directions[which][j];
        ASSERT_EQ(copy.minimise(c), LinearResult::optimal);
        EXPECT_TRUE(std::equal(
            copy.x().begin(), copy.x().end(), answers[which].begin(), [](double a, double b) {
              return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
            }));
      }
    }
  }
}

#ifdef KEYHOLE_WITH_CLP

TEST(BoundedSimplex, InfeasibleAndUnboundedAgreeWithClp) {
  Random random(4);
  int infeasible = 0;
  int unbounded = 0;
  int optimal = 0;
  for (std::uint64_t k = 0; k < scaled_count(1000); ++k) {
    const std::size_t n = random.integer(1, 12);
    auto constraints = draw(n, random.integer(0, 12), random.integer(0, n / 3), 0, random);
    for (std::size_t j = 0; j < n; ++j) {
      if (random.uniform() < 0.4) constraints.lower[j] = -infinity;
      if (random.uniform() < 0.4) constraints.upper[j] = infinity;
    }
    if (!constraints.right.empty() && random.uniform() < 0.5) {
      constraints.right[random.integer(0, constraints.right.size() - 1)] -= random.uniform(0, 20);
    }
    const Vector c = random.normals(n);
    const double expected = Clp(constraints).minimum(c);
    BoundedSimplex simplex(constraints);
    if (expected == infinity) {
      EXPECT_EQ(simplex.start(), LinearResult::infeasible) << k;
      EXPECT_FALSE(simplex.culprits().empty());
      ++infeasible;
      continue;
    }
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << k;
    const LinearResult result = simplex.minimise(c);
    if (expected == -infinity) {
      EXPECT_EQ(result, LinearResult::unbounded) << k;
      EXPECT_FALSE(simplex.culprits().empty());
      ++unbounded;
    } else {
      ASSERT_EQ(result, LinearResult::optimal) << k;
      EXPECT_NEAR(inner(c, simplex.x()), expected, 1e-8 * (1 + std::abs(expected))) << k;
      ++optimal;
    }
  }
  EXPECT_GT(infeasible, 20 * test_scale());
  EXPECT_GT(unbounded, 20 * test_scale());
  EXPECT_GT(optimal, 20 * test_scale());
}

#endif

TEST(BoundedSimplex, EndsOnTheExampleThatCycles) {
  // Beale's: the largest reduced cost and the first row go round in circles.
  const LinearConstraints constraints{.columns = 4,
                                      .inequalities = 3,
                                      .rows = {0.25, -60, -0.04, 9, 0.5, -90, -0.02, 3, 0, 0, 1, 0},
                                      .right = {0, 0, 1},
                                      .lower = Vector(4, 0.0),
                                      .upper = Vector(4, infinity)};
  BoundedSimplex simplex(constraints);
  ASSERT_EQ(simplex.minimise(Vector{-0.75, 150, -0.02, 6}), LinearResult::optimal);
  EXPECT_NEAR(inner(simplex.x(), Vector{-0.75, 150, -0.02, 6}), -0.05, 1e-12);
}

TEST(BoundedSimplex, SolvesTheCubesOfKleeAndMinty) {
  // max sum_j 2^(n-j) x_j over 2 sum_{j<i} 2^(i-j) x_j + x_i <= 5^i, where the largest reduced cost
  // visits all vertices: the last coordinate alone is 5^n.
  for (std::size_t n = 2; n <= 8; ++n) {
    LinearConstraints k{
        .columns = n, .inequalities = n, .lower = Vector(n, 0.0), .upper = Vector(n, infinity)};
    Vector c;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        k.rows.push_back(j < i ? std::ldexp(2.0, static_cast<int>(i - j)) : j == i ? 1 : 0);
      }
      k.right.push_back(std::pow(5.0, static_cast<double>(i + 1)));
      c.push_back(-std::ldexp(1.0, static_cast<int>(n - 1 - i)));
    }
    BoundedSimplex simplex(k);
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << n;
    ASSERT_EQ(simplex.minimise(c), LinearResult::optimal) << n;
    EXPECT_NEAR(inner(c, simplex.x()) / k.right.back(), -1, 1e-12) << n;
    EXPECT_LT(simplex.iterations(), 2 * n) << n;
  }
}

TEST(BoundedSimplex, FindsAssignmentsWhoseVerticesAreAllDegenerate) {
  // {x >= 0, every row and column of the square sums to 1}: 2 q - 1 equations, of which q - 1
  // basic variables are zero at every vertex. Costs of few values make ties, too.
  Random random(5);
  for (std::uint64_t round = 0; round < scaled_count(60); ++round) {
    const std::size_t q = random.integer(2, 9);
    const bool equal = round % 2 == 0;
    const std::size_t rows = equal ? 2 * q - 1 : 2 * q;
    LinearConstraints k{.columns = q * q,
                        .inequalities = equal ? 0 : rows,
                        .right = Vector(rows, 1.0),
                        .lower = Vector(q * q, 0.0),
                        .upper = Vector(q * q, 1.0)};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < q * q; ++j) {
        k.rows.push_back((i < q ? j / q == i : j % q == i - q) ? 1 : 0);
      }
    }
    BoundedSimplex simplex(k);
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << round;
#ifdef KEYHOLE_WITH_CLP
    Clp clp(k);
#endif
    for (std::size_t which = 0; which < 6; ++which) {
      const Vector c = direction(k, which, random);
      ASSERT_EQ(simplex.minimise(c), LinearResult::optimal) << round << " " << which;
#ifdef KEYHOLE_WITH_CLP
      EXPECT_NEAR(inner(c, simplex.x()), clp.minimum(c), 1e-8) << round << " " << which;
#endif
      for (const double value : simplex.x()) {
        EXPECT_TRUE(value == 0 || value == 1) << value;
      }
    }
  }
}

TEST(BoundedSimplex, TakesFewStepsWhereRowsAreResources) {
  // The sets of the quadratic experiment: as many steps as the vertex has basic coordinates are
  // needed; the largest reduced cost takes three times as many.
  Random random(6);
  LinearConstraints k{.columns = 100,
                      .inequalities = 100,
                      .right = Vector(100, 1.0 / 6),
                      .lower = Vector(100, 0.0),
                      .upper = Vector(100, 1.0)};
  for (std::size_t i = 0; i < 100 * 100; ++i) k.rows.push_back(random.uniform(0, 1.0 / 6));
  BoundedSimplex simplex(k);
  double steps = 0;
  double basic = 0;
  for (int which = 0; which < 200; ++which) {
    Vector c = random.normals(100);
    for (double& value : c) value = -std::abs(value);
    ASSERT_EQ(simplex.minimise(c), LinearResult::optimal);
    steps += static_cast<double>(simplex.iterations());
    for (const double value : simplex.x()) basic += value > 0 && value < 1 ? 1 : 0;
  }
  EXPECT_LT(steps, 2.5 * basic);
}

}  // namespace
}  // namespace keyhole::tests
