// The sparse elimination against the dense one, and sparse linear programs against the dense
// simplex method.

#include "math/programs/sparse_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "catalogue.h"
#include "math/dense.h"
#include "math/programs/bounded_simplex.h"
#include "numbers.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using math::LinearConstraints;
using math::LinearResult;
using math::SparseConstraints;
using math::SparseProgram;
using Vector = std::vector<double>;

TEST(SparseElimination, SolvesWhatTheDenseOneSolves) {
  Random random(1);
  math::SparseElimination sparse;
  int singular = 0;
  for (std::uint64_t instance = 0; instance < scaled_count(2000); ++instance) {
    const std::size_t k = random.integer(1, 60);
    const double share = random.uniform(0.02, 0.3);
    const bool triangular = instance % 4 == 0;
    const bool whole = instance % 3 == 0;
    math::Elimination dense(k);
    dense.reset(k);
    sparse.reset(k);
    std::vector<Vector> a(k, Vector(k, 0.0));
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const bool there =
            i == j ? random.uniform() < 0.995 : (!triangular || i < j) && random.uniform() < share;
        // Columns in another order, so that no pivot is where it is expected.
        const std::size_t column = (7 * j + 3) % k == j ? j : (j + k / 2) % k;
        if (there) a[i][column] = whole ? 1 + std::floor(3 * random.uniform()) : random.normal();
      }
    }
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        dense.at(i, j) = a[i][j];
        if (a[i][j] != 0) sparse.add(i, j, a[i][j]);
      }
    }
    const bool regular = dense.factorise(1e-5);
    if (!regular) {
      ++singular;
      continue;
    }
    ASSERT_TRUE(sparse.factorise(1e-13)) << instance;
    const Vector b = random.normals(k);
    for (const bool transposed : {false, true}) {
      Vector x = b;
      transposed ? sparse.solve_transposed(x) : sparse.solve(x);
      double size = 0;
      for (const double value : x) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < k; ++i) {
        double off = -b[i];
        for (std::size_t j = 0; j < k; ++j) off += (transposed ? a[j][i] : a[i][j]) * x[j];
        EXPECT_LE(std::abs(off), 1e-10 * (1 + size)) << instance;
      }
    }
  }
  EXPECT_GT(singular, 10 * test_scale());
}

TEST(SparseElimination, FindsSingularMatrices) {
  math::SparseElimination elimination;
  elimination.reset(2);
  elimination.add(0, 0, 1);
  elimination.add(1, 0, 1);
  EXPECT_FALSE(elimination.factorise(1e-13));
  elimination.reset(2);
  for (const std::size_t i : {0u, 1u}) {
    for (const std::size_t j : {0u, 1u}) elimination.add(i, j, 3);
  }
  EXPECT_FALSE(elimination.factorise(1e-13));
}

#ifdef KEYHOLE_WITH_CLP

double inner(std::span<const double> a, std::span<const double> b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// Sparse constraints with a known point inside, of a kind: 0 generic, 1 whole numbers (ties and
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
    Vector a(n, 0.0);
    const std::size_t entries = random.integer(1, std::min<std::size_t>(n, 4));
    for (std::size_t e = 0; e < entries; ++e) {
      a[random.integer(0, n - 1)] =
          (random.uniform() < 0.5 ? -1 : 1) * (kind == 1 ? 1 : random.uniform(0.3, 1));
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

std::shared_ptr<const SparseConstraints> without_zeros(const LinearConstraints& k) {
  SparseConstraints all{.columns = k.columns,
                        .inequalities = k.inequalities,
                        .right = k.right,
                        .lower = k.lower,
                        .upper = k.upper};
  for (std::size_t i = 0; i < k.right.size(); ++i) {
    for (std::size_t j = 0; j < k.columns; ++j) {
      if (k.row(i)[j] == 0) continue;
      all.indices.push_back(j);
      all.values.push_back(k.row(i)[j]);
    }
    all.starts.push_back(all.indices.size());
  }
  return std::make_shared<const SparseConstraints>(std::move(all));
}

/// Random, whole, sparse, or the normal of a row; now and then zero.
Vector direction(const LinearConstraints& k, std::size_t which, Random& random) {
  Vector c = random.normals(k.columns);
  if (which % 5 == 1) {
    for (double& value : c) value = std::round(value);
  } else if (which % 5 == 2) {
    for (double& value : c) value = random.uniform() < 0.7 ? 0 : value;
  } else if (which % 5 == 3 && !k.right.empty()) {
    const auto a = k.row(random.integer(0, k.right.size() - 1));
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    for (std::size_t j = 0; j < c.size(); ++j) c[j] = sign * a[j];
  } else if (which % 5 == 4 && random.uniform() < 0.3) {
    c.assign(k.columns, 0.0);
  }
  return c;
}

TEST(SparseProgram, AgreesWithTheDenseSimplexMethod) {
  Random random(2);
  double worst = 0;
  for (std::uint64_t instance = 0; instance < scaled_count(1500); ++instance) {
    const std::size_t n = random.integer(1, 40);
    const auto dense = draw(n, random.integer(0, 40), random.integer(0, n / 4),
                            static_cast<int>(instance % 4), random);
    math::BoundedSimplex simplex(dense);
    ASSERT_EQ(simplex.start(), LinearResult::optimal) << instance;
    SparseProgram program(without_zeros(dense), 2);
    for (std::size_t which = 0; which < 5; ++which) {
      const Vector c = direction(dense, which, random);
      ASSERT_EQ(simplex.minimise(c), LinearResult::optimal) << instance << " " << which;
      ASSERT_EQ(program.minimise(c), LinearResult::optimal) << instance << " " << which;
      const auto x = program.x();
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_TRUE(dense.lower[j] <= x[j] && x[j] <= dense.upper[j]) << instance;
      }
      for (std::size_t i = 0; i < dense.right.size(); ++i) {
        const double above = inner(dense.row(i), x) - dense.right[i];
        EXPECT_LE(i < dense.inequalities ? above : std::abs(above), 8e-10) << instance;
      }
      const double off = std::abs(inner(c, x) - inner(c, simplex.x()));
      worst = std::max(worst, off / std::max(1.0, std::sqrt(inner(c, c))));
    }
  }
  EXPECT_LE(worst, 1e-9);
}

TEST(SparseProgram, IsAPureFunctionOfTheDirection) {
  Random random(3);
  for (int instance = 0; instance < 30; ++instance) {
    const auto dense = draw(30, 30, 4, instance % 4, random);
    SparseProgram program(without_zeros(dense), 2);
    SparseProgram copy = program;
    std::vector<Vector> directions;
    std::vector<Vector> answers;
    for (std::size_t which = 0; which < 30; ++which) {
      directions.push_back(direction(dense, which, random));
      ASSERT_EQ(program.minimise(directions.back()), LinearResult::optimal);
      answers.emplace_back(program.x().begin(), program.x().end());
    }
    for (std::size_t which = directions.size(); which-- > 0;) {
      for (const double factor : {1.0, 0x1p-30, 0x1p40}) {
        Vector c = directions[which];
        for (double& value : c) value *= factor;
        ASSERT_EQ(copy.minimise(c), LinearResult::optimal);
        EXPECT_TRUE(same_bits(copy.x(), answers[which])) << instance << " " << which;
      }
    }
  }
}

TEST(SparseProgram, InfeasibleAndUnboundedAgreeWithTheDenseSimplexMethod) {
  Random random(4);
  int infeasible = 0;
  int unbounded = 0;
  for (std::uint64_t instance = 0; instance < scaled_count(500); ++instance) {
    const std::size_t n = random.integer(2, 12);
    auto dense = draw(n, random.integer(1, 12), random.integer(0, n / 4), 0, random);
    for (std::size_t j = 0; j < n; ++j) {
      if (random.uniform() < 0.4) dense.lower[j] = -infinity;
      if (random.uniform() < 0.4) dense.upper[j] = infinity;
    }
    if (random.uniform() < 0.5) {
      dense.right[random.integer(0, dense.right.size() - 1)] -= random.uniform(0, 5);
    }
    const Vector c = random.normals(n);
    math::BoundedSimplex simplex(dense);
    SparseProgram program(without_zeros(dense), 2);
    if (simplex.start() == LinearResult::infeasible) {
      EXPECT_EQ(program.minimise(c), LinearResult::infeasible) << instance;
      EXPECT_FALSE(program.culprits().empty()) << instance;
      ++infeasible;
      continue;
    }
    const LinearResult expected = simplex.minimise(c);
    ASSERT_EQ(program.minimise(c), expected) << instance;
    if (expected == LinearResult::unbounded) {
      EXPECT_FALSE(program.culprits().empty()) << instance;
      ++unbounded;
    } else {
      EXPECT_NEAR(inner(c, program.x()), inner(c, simplex.x()),
                  1e-8 * (1 + std::abs(inner(c, simplex.x()))))
          << instance;
    }
  }
  EXPECT_GT(infeasible, 20 * test_scale());
  EXPECT_GT(unbounded, 20 * test_scale());
}

#else

TEST(SparseProgram, NeedsClp) { EXPECT_FALSE(math::has_sparse_programs()); }

#endif

}  // namespace
}  // namespace keyhole::tests
