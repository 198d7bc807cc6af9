// Extreme eigen- and singular pairs against a dense eigensolver of other hands.

#include "math/spectral/extreme_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/spectral/tridiagonal.h"
#include "matrices.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using math::ExtremeEigenpair;
using math::TopSingularPair;

constexpr int instances = 1000;

/// How many eigenvalues are below x: of the pivots of T - x so many are negative.
std::size_t sturm_count(std::span<const double> d, std::span<const double> e, double x) {
  std::size_t negative = 0;
  double q = 1;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double e_2 = i == 0 ? 0 : e[i - 1] * e[i - 1];
    q = (d[i] - x) - (e_2 == 0 ? 0 : e_2 / q);  // at q = 0: -infinity, and counted once
    if (q < 0) ++negative;
  }
  return negative;
}

TEST(Tridiagonal, SmallestEigenvalueAndVector) {
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const std::size_t n = random.integer(1, k % 10 == 0 ? 300 : 64);
    std::vector<double> d = random.normals(n);
    std::vector<double> e = random.normals(n - 1);
    switch (k % 6) {
      case 0:  // decoupled blocks, equal to each other: tied eigenvalues
        for (std::size_t i = 0; i < n; ++i) {
          d[i] = std::vector{2.0, -1.0, 0.5}[i % 3];
          if (i + 1 < n) e[i] = i % 3 == 2 ? 0 : 1;
        }
        break;
      case 1:  // nearly decoupled
        for (std::size_t i = 0; i + 1 < n; ++i) e[i] *= std::pow(10, random.uniform(-20, 0));
        break;
      case 2:  // Wilkinson's: close pairs at the end (here of -W)
        for (std::size_t i = 0; i < n; ++i) {
          d[i] = -std::abs(static_cast<double>(i) - static_cast<double>(n / 2));
          if (i + 1 < n) e[i] = 1;
        }
        break;
      case 3:  // graded
        for (std::size_t i = 0; i < n; ++i) {
          d[i] *= std::pow(10, -static_cast<double>(i));
          if (i + 1 < n) e[i] *= std::pow(10, -static_cast<double>(i));
        }
        break;
      case 4:  // diagonal, with ties
        for (double& entry : d) entry = std::round(entry);
        std::fill(e.begin(), e.end(), 0.0);
        break;
      default:
        break;
    }
    Matrix t = Matrix::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      t(j, j) = d[i];
      if (i + 1 < n) t(j, j + 1) = t(j + 1, j) = e[i];
    }
    const double scale = std::max(t.cwiseAbs().rowwise().sum().maxCoeff(), 1e-300);
    const double exact = eigenvalues(t).minCoeff();
    const double found = math::smallest_eigenvalue(d, e);
    const double allowed = 1e-14 * scale * std::sqrt(static_cast<double>(n));
    ASSERT_NEAR(found, exact, allowed) << "kind " << k % 6 << ", n = " << n;
    EXPECT_EQ(sturm_count(d, e, found - allowed), 0u);
    EXPECT_GE(sturm_count(d, e, found + allowed), 1u);
    std::vector<double> scratch(2 * n);
    std::vector<double> z(n);
    math::smallest_eigenvector(d, e, found, scratch, z);
    ASSERT_LE(residual(t, found, z), 2 * allowed) << "kind " << k % 6 << ", n = " << n;
  }
}

TEST(Tridiagonal, SturmCountsTheEigenvaluesBelow) {
  Random random(2);
  for (int k = 0; k < 300; ++k) {
    const std::size_t n = random.integer(1, 30);
    const std::vector<double> d = random.normals(n);
    const std::vector<double> e = random.normals(n - 1);
    Matrix t = Matrix::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      t(j, j) = d[i];
      if (i + 1 < n) t(j, j + 1) = t(j + 1, j) = e[i];
    }
    const Eigen::VectorXd all = eigenvalues(t);
    const double x = random.normal();
    EXPECT_EQ(sturm_count(d, e, x), static_cast<std::size_t>((all.array() < x).count()));
  }
}

class Symmetric : public ::testing::TestWithParam<SpectrumKind> {};

TEST_P(Symmetric, ExtremePairsMatchADenseEigensolver) {
  Random random(3);
  for (int k = 0; k < instances; ++k) {
    const std::size_t n = random.integer(1, k % 20 == 0 ? 64 : 24);
    const Matrix a = random_symmetric(GetParam(), n, random);
    const Eigen::VectorXd all = eigenvalues(a);
    const double allowed = 1e-14 * static_cast<double>(n) * all.cwiseAbs().maxCoeff();
    ExtremeEigenpair pair(n);
    const double smallest = pair.smallest(entries(a));
    ASSERT_NEAR(smallest, all.minCoeff(), allowed);
    ASSERT_LE(residual(a, smallest, pair.vector()), allowed);
    ASSERT_NEAR(length(pair.vector()), 1, 1e-15 * 8);
    const double largest = pair.largest_in_magnitude(entries(a));
    ASSERT_NEAR(std::abs(largest), all.cwiseAbs().maxCoeff(), allowed);
    ASSERT_LE(residual(a, largest, pair.vector()), allowed);
    ASSERT_NEAR(length(pair.vector()), 1, 1e-15 * 8);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Symmetric, ::testing::ValuesIn(all_spectrum_kinds),
                         [](const auto& instance) { return spectrum_name(instance.param); });

class Rectangular : public ::testing::TestWithParam<SpectrumKind> {};

TEST_P(Rectangular, TopPairMatchesADenseDecomposition) {
  Random random(4);
  for (int k = 0; k < instances; ++k) {
    const std::size_t m = random.integer(1, k % 20 == 0 ? 80 : 24);
    const std::size_t n = random.integer(1, k % 20 == 0 ? 64 : 24);
    const Matrix a = random_rectangular(GetParam(), m, n, random);
    const double exact = singular_values(a).maxCoeff();
    const double allowed = 1e-14 * static_cast<double>(std::min(m, n)) * exact;
    TopSingularPair pair(m, n);
    const double sigma = pair.find(entries(a));
    ASSERT_NEAR(sigma, exact, allowed);
    ASSERT_NEAR(length(pair.left()), 1, 1e-15 * 8);
    ASSERT_NEAR(length(pair.right()), 1, 1e-15 * 8);
    ASSERT_LE(residual(a, pair.right(), sigma, pair.left()), allowed);
    ASSERT_LE(residual(a.transpose(), pair.left(), sigma, pair.right()), allowed);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Rectangular, ::testing::ValuesIn(all_spectrum_kinds),
                         [](const auto& instance) { return spectrum_name(instance.param); });

TEST(ExtremePairs, IgnorePowersOfTwoBitForBit) {
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = random.integer(1, 30);
    const Matrix a = random_rectangular(SpectrumKind::noise, n, n, random);
    ExtremeEigenpair pair(n);
    TopSingularPair top(n, n);
    const double lambda = pair.smallest(entries(a));
    const std::vector<double> v(pair.vector().begin(), pair.vector().end());
    const double sigma = top.find(entries(a));
    const std::vector<double> u(top.left().begin(), top.left().end());
    for (const double factor : {0x1p-900, 0x1p-30, 0x1p1, 0x1p200, 0x1p900}) {
      const std::vector<double> scaled = entries(factor * a);
      EXPECT_EQ(pair.smallest(scaled), factor * lambda);
      EXPECT_TRUE(std::equal(v.begin(), v.end(), pair.vector().begin()));
      EXPECT_EQ(top.find(scaled), factor * sigma);
      EXPECT_TRUE(std::equal(u.begin(), u.end(), top.left().begin()));
    }
  }
}

TEST(ExtremePairs, TheZeroMatrixGivesFirstUnitVectors) {
  const std::vector<double> zeros(12, 0.0);
  const std::vector<double> e_1 = {1, 0, 0};
  ExtremeEigenpair pair(3);
  EXPECT_EQ(pair.smallest(std::span(zeros).first(9)), 0);
  EXPECT_TRUE(std::equal(e_1.begin(), e_1.end(), pair.vector().begin()));
  EXPECT_EQ(pair.largest_in_magnitude(std::span(zeros).first(9)), 0);
  EXPECT_TRUE(std::equal(e_1.begin(), e_1.end(), pair.vector().begin()));
  TopSingularPair top(3, 4);
  EXPECT_EQ(top.find(zeros), 0);
  EXPECT_TRUE(std::equal(e_1.begin(), e_1.end(), top.left().begin()));
  EXPECT_EQ(top.right()[0], 1);
}

TEST(ExtremePairs, OppositeEigenvaluesGoToTheNegativeOne) {
  ExtremeEigenpair pair(2);
  EXPECT_LT(pair.largest_in_magnitude(std::vector<double>{1, 0, 0, -1}), 0);
  EXPECT_EQ(std::abs(pair.vector()[1]), 1);
}

}  // namespace
}  // namespace keyhole::tests
