// The QL method against Eigen's eigenvalues, and what it decomposes put together again.

#include "math/spectral/eigenpairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "matrices.h"

namespace keyhole::tests {
namespace {

TEST(Eigenpairs, AreThoseOfEigen) {
  Random random(13);
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (const std::size_t n : {1U, 2U, 3U, 7U, 24U, 151U}) {
      for (const double size : {1.0, 1e100, 1e-100}) {
        const Matrix a = size * random_symmetric(kind, n, random);
        std::vector<double> values(n);
        Matrix Q(n, n);
        ASSERT_TRUE(math::eigenpairs(entries(a), values, std::span(Q.data(), n * n)));
        EXPECT_LE((Q * Q.transpose() - Matrix::Identity(a.rows(), a.rows())).norm(), 1e-12);
        const Eigen::Map<const Eigen::VectorXd> diagonal(values.data(), Q.rows());
        const Matrix composed = Q.transpose() * diagonal.asDiagonal() * Q;
        EXPECT_LE((composed - a).norm(), 1e-12 * a.norm());
        std::sort(values.begin(), values.end());
        const Eigen::VectorXd expected = eigenvalues(a);
        for (std::size_t k = 0; k < n; ++k) {
          EXPECT_NEAR(values[k], expected[static_cast<Eigen::Index>(k)], 1e-12 * a.norm());
        }
      }
    }
  }
}

TEST(Eigenpairs, OfADiagonalMatrixAreItsEntries) {
  Matrix a = Matrix::Zero(4, 4);
  a.diagonal() << 3, -1, 0, 2;
  for (const double factor : {1.0, 0.0}) {
    std::vector<double> values(4);
    Matrix Q(4, 4);
    ASSERT_TRUE(math::eigenpairs(entries(factor * a), values, std::span(Q.data(), 16)));
    EXPECT_EQ(values, (std::vector<double>{3 * factor, -1 * factor, 0, 2 * factor}));
    EXPECT_EQ(Q, Matrix::Identity(4, 4));
  }
}

}  // namespace
}  // namespace keyhole::tests
