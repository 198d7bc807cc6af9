// Whole spectra against Eigen's, and what is decomposed put together again.

#include "math/spectral/decompositions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "matrices.h"

namespace keyhole::tests {
namespace {

TEST(SymmetricDecomposition, HasTheEigenvaluesOfEigen) {
  Random random(13);
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (const std::size_t n : {1U, 2U, 3U, 7U, 24U, 151U}) {
      math::SymmetricDecomposition decomposition(n);
      for (const double size : {1.0, 1e100, 1e-100, 1e-310}) {
        const Matrix a = size * random_symmetric(kind, n, random);
        // What is below the least normal number has lost digits, each entry some.
        const double error = 1e-12 * a.norm() + 1e-322 * static_cast<double>(n * n);
        const Eigen::VectorXd expected = eigenvalues(a / size) * size;
        for (const bool alone : {true, false}) {
          const std::span<const double> values =
              alone ? decomposition.values_of(entries(a)) : decomposition.decompose(entries(a));
          ASSERT_TRUE(decomposition.is_proved());
          for (std::size_t k = 0; k < n; ++k) {
            EXPECT_NEAR(values[k], expected[static_cast<Eigen::Index>(k)], error);
          }
          EXPECT_TRUE(std::ranges::is_sorted(values));
        }
        const Eigen::Map<const Matrix> Q(decomposition.vectors().data(), a.rows(), a.rows());
        EXPECT_LE((Q * Q.transpose() - Matrix::Identity(a.rows(), a.rows())).norm(), 1e-12);
        Matrix composed(n, n);
        decomposition.compose(std::span(composed.data(), n * n));
        EXPECT_LE((composed / size - a / size).norm(), error / size);
        EXPECT_EQ(composed, composed.transpose());
      }
    }
  }
}

TEST(SymmetricDecomposition, OfADiagonalMatrixHasItsEntries) {
  Matrix a = Matrix::Zero(4, 4);
  a.diagonal() << 3, -1, 0, 2;
  math::SymmetricDecomposition decomposition(4);
  for (const double factor : {1.0, 0.0}) {
    const std::span<const double> values = decomposition.decompose_unsorted(entries(factor * a));
    EXPECT_EQ(std::vector(values.begin(), values.end()),
              (std::vector<double>{3 * factor, -1 * factor, 0, 2 * factor}));
    const Eigen::Map<const Matrix> Q(decomposition.vectors().data(), 4, 4);
    EXPECT_EQ(Q, Matrix::Identity(4, 4));
  }
}

TEST(SymmetricDecomposition, TakesTheSymmetricPart) {
  const std::vector<double> a = {0, 1.5e308, 1.5e308, 0};
  EXPECT_DOUBLE_EQ(math::eigenvalues(a, 2)[0], -1.5e308);
  const std::vector<double> skew = {1, 7, -7, 2};
  EXPECT_EQ(math::eigenvalues(skew, 2), (std::vector<double>{1, 2}));
}

TEST(SymmetricDecomposition, SaysThatWhatIsNoNumberHasNoSpectrum) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const std::size_t n : {1U, 2U, 9U}) {
      std::vector<double> a(n * n, 1.0);
      a.back() = bad;
      math::SymmetricDecomposition decomposition(n);
      decomposition.decompose(a);
      EXPECT_FALSE(decomposition.is_proved());
      EXPECT_TRUE(std::isnan(math::eigenvalues(a, n).front()));
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
