// Jacobi's rotations against Eigen's eigenvalues, and what they decompose put together again.

#include "math/spectral/jacobi.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "matrices.h"

namespace keyhole::tests {
namespace {

/// A = Q' diag(values) Q.
struct Decomposed {
  explicit Decomposed(const Matrix& a)
      : values(static_cast<std::size_t>(a.rows())), Q(a.rows(), a.cols()) {
    std::vector<double> copy = entries(a);
    math::jacobi(copy, values, std::span(Q.data(), copy.size()));
  }

  [[nodiscard]] Matrix composed() const {
    const Eigen::Map<const Eigen::VectorXd> diagonal(values.data(), Q.rows());
    return Q.transpose() * diagonal.asDiagonal() * Q;
  }

  std::vector<double> values;
  Matrix Q;
};

/// Matrices of every kind, of orders 1 to 24, and large and small ones.
std::vector<Matrix> symmetric_matrices() {
  Random random(3);
  std::vector<Matrix> all;
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (const std::size_t n : {1U, 2U, 3U, 7U, 24U}) {
      all.push_back(random_symmetric(kind, n, random));
      all.push_back(1e100 * all.back());
      all.push_back(1e-200 * all.back());
    }
  }
  return all;
}

TEST(Jacobi, TheValuesAreThoseOfEigen) {
  for (const Matrix& a : symmetric_matrices()) {
    std::vector<double> values = Decomposed(a).values;
    std::sort(values.begin(), values.end());
    const Eigen::VectorXd expected = eigenvalues(a);
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_NEAR(values[k], expected[static_cast<Eigen::Index>(k)], 1e-12 * a.norm());
    }
  }
}

TEST(Jacobi, TheRowsAreOrthonormal) {
  for (const Matrix& a : symmetric_matrices()) {
    const Matrix Q = Decomposed(a).Q;
    EXPECT_LE((Q * Q.transpose() - Matrix::Identity(a.rows(), a.rows())).norm(), 1e-12);
  }
}

TEST(Jacobi, PutTogetherAgainItIsTheMatrix) {
  for (const Matrix& a : symmetric_matrices()) {
    EXPECT_LE((Decomposed(a).composed() - a).norm(), 1e-11 * a.norm());
  }
}

TEST(Jacobi, ADiagonalMatrixIsLeftAlone) {
  Matrix a = Matrix::Zero(4, 4);
  a.diagonal() << 3, -1, 0, 2;
  const Decomposed decomposed(a);
  EXPECT_EQ(decomposed.values, (std::vector<double>{3, -1, 0, 2}));
  EXPECT_EQ(decomposed.Q, Matrix::Identity(4, 4));
}

TEST(Jacobi, AMultipleOfTheUnitMatrixIsLeftAlone) {
  for (const double factor : {0.0, 1.0, -2.5, 1e-150}) {
    const Decomposed decomposed(factor * Matrix::Identity(5, 5));
    EXPECT_EQ(decomposed.values, std::vector<double>(5, factor));
    EXPECT_EQ(decomposed.Q, Matrix::Identity(5, 5));
  }
}

TEST(Jacobi, AZeroDiagonalIsTurned) {
  Matrix a(2, 2);
  a << 0, 1, 1, 0;
  std::vector<double> values = Decomposed(a).values;
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(values[0], -1, 1e-15);
  EXPECT_NEAR(values[1], 1, 1e-15);
}

TEST(Jacobi, OrderOne) {
  Matrix a(1, 1);
  a << -7;
  const Decomposed decomposed(a);
  EXPECT_EQ(decomposed.values, std::vector<double>{-7});
  EXPECT_EQ(decomposed.Q(0, 0), 1);
}

}  // namespace
}  // namespace keyhole::tests
