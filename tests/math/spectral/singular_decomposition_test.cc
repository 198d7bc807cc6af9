#include "math/spectral/singular_decomposition.h"

#include <gtest/gtest.h>

#include <functional>

#include "catalogue.h"
#include "matrices.h"

namespace keyhole::math {
namespace {

using tests::Matrix;

constexpr double tolerance = 1e-13;  // of the norm of the matrix

/// Decomposes, applies `change` to the singular values and composes, here and by Eigen.
void check(const Matrix& a, const std::function<double(double)>& change, const std::string& what) {
  const auto rows = static_cast<std::size_t>(a.rows());
  const auto columns = static_cast<std::size_t>(a.cols());
  SingularDecomposition decomposition(rows, columns);
  const std::span<double> values = decomposition.decompose(tests::entries(a));
  const tests::Svd svd = tests::singular_decomposition(a);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ASSERT_NEAR(sorted[i], svd.values[static_cast<Eigen::Index>(i)], tolerance * a.stableNorm())
        << what << ", " << i;
  }
  for (double& value : values) value = change(value);
  std::vector<double> found(rows * columns, 7.0);
  decomposition.compose(found);
  const Matrix expected = tests::composed(svd.u, svd.values.unaryExpr(change), svd.v);
  ASSERT_LE((tests::matrix_of(found, rows, columns) - expected).stableNorm(),
            tolerance * a.stableNorm())
      << what;
}

TEST(SingularDecomposition, MatchesJacobiOnEverySpectrum) {
  tests::Random random(31);
  for (std::uint64_t k = 0; k < tests::scaled_count(40); ++k) {
    for (const tests::SpectrumKind kind : tests::all_spectrum_kinds) {
      const std::size_t rows = random.integer(1, 24);
      const std::size_t columns = random.integer(1, 24);
      const Matrix a = tests::random_rectangular(kind, rows, columns, random);
      const std::string what =
          tests::spectrum_name(kind) + " " + std::to_string(rows) + " x " + std::to_string(columns);
      const double middle = a.norm() / 10;
      check(
          a, [](double value) { return value; }, what);
      // The projection lowers all by as much.
      check(
          a, [&](double value) { return std::max(value - middle, 0.0); }, what);
    }
  }
}

TEST(SingularDecomposition, HugeTinyAndZero) {
  tests::Random random(32);
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    check(
        scale * tests::normal_matrix(6, 9, random), [](double value) { return value / 2; },
        std::to_string(std::log10(scale)));
  }
  check(
      Matrix::Zero(4, 3), [](double value) { return value; }, "zero");
}

TEST(SingularDecomposition, SmallPairsThatTheGramMatrixLosesAreFound) {
  // Squared, the last two are 1e-20 of the first and lost in rounding; they are 1 : 2.
  tests::Random random(33);
  const Matrix u = tests::random_frame(8, 3, random);
  const Matrix v = tests::random_frame(8, 3, random);
  const Matrix a = tests::composed(u, Eigen::Vector3d(1, 2e-10, 1e-10), v);
  const std::vector<double> values = singular_values(tests::entries(a), 8, 8);
  EXPECT_NEAR(values[0], 1, 1e-14);
  EXPECT_NEAR(values[1], 2e-10, 1e-14);
  EXPECT_NEAR(values[2], 1e-10, 1e-14);
  EXPECT_NEAR(values[3], 0, 1e-14);
}

}  // namespace
}  // namespace keyhole::math
