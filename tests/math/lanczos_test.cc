// Lanczos's method against a dense eigensolver, certified by the inertia of A - theta.

#include "math/lanczos.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/cholesky.h"
#include "math/extreme_pairs.h"
#include "matrices.h"

namespace keyhole::tests {
namespace {

using math::ExtremeEigenpair;
using math::TopSingularPair;

/// No eigenvalue is below value - allowed, and one is below value + allowed.
bool is_smallest(const Matrix& a, double value, double allowed) {
  const auto n = static_cast<std::size_t>(a.rows());
  std::vector<double> scratch(n * n);
  return math::is_positive_definite(entries(a), n, -value + allowed, scratch) &&
         !math::is_positive_definite(entries(a), n, -value - allowed, scratch);
}

TEST(Cholesky, DecidesDefiniteness) {
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    const std::size_t n = random.integer(1, 40);
    const Matrix a = random_symmetric(all_spectrum_kinds[k % 8], n, random);
    const double smallest = eigenvalues(a).minCoeff();
    EXPECT_TRUE(is_smallest(a, smallest, 1e-12 * (1 + a.norm())));
    EXPECT_FALSE(is_smallest(a, smallest + 0.1, 1e-3));
    EXPECT_FALSE(is_smallest(a, smallest - 0.1, 1e-3));
  }
}

TEST(Lanczos, TakesTheStepsOfTheTheorem) {
  for (const std::size_t n : {65u, 200u, 2000u, 100000u}) {
    const auto k = static_cast<double>(math::Lanczos::steps(n));
    const auto miss = [&](double steps) {
      return 1.648 * std::sqrt(static_cast<double>(n)) *
             std::exp(-std::sqrt(0.05) * (2 * steps - 1));
    };
    EXPECT_TRUE(k == static_cast<double>(n) || miss(k) <= 1e-12) << n;
    EXPECT_GT(miss(k - 1), 1e-12) << n;
  }
  EXPECT_EQ(math::Lanczos::steps(65), 65u);
  EXPECT_EQ(math::Lanczos::steps(2000), 72u);
}

class LargeSymmetric : public ::testing::TestWithParam<SpectrumKind> {};

TEST_P(LargeSymmetric, ExtremePairsAreCertifiedByTheInertia) {
  Random random(2);
  for (const std::size_t n : {65u, 71u, 100u, 150u, 300u}) {
    for (int k = 0; k < (n < 200 ? 8 : 2); ++k) {
      const Matrix a = random_symmetric(GetParam(), n, random);
      const Eigen::VectorXd all = eigenvalues(a);
      const double allowed = 1e-9 * all.cwiseAbs().maxCoeff();
      ExtremeEigenpair pair(n);
      const auto v = [&] {
        return Eigen::Map<const Eigen::VectorXd>(pair.vector().data(), static_cast<long>(n));
      };
      const double smallest = pair.smallest(entries(a));
      ASSERT_TRUE(is_smallest(a, smallest, allowed)) << n;
      ASSERT_NEAR(smallest, all.minCoeff(), allowed) << n;
      ASSERT_LE((a * v() - smallest * v()).norm(), allowed) << n;
      ASSERT_NEAR(v().norm(), 1, 1e-14);
      const double largest = pair.largest_in_magnitude(entries(a));
      ASSERT_NEAR(std::abs(largest), all.cwiseAbs().maxCoeff(), allowed) << n;
      ASSERT_LE((a * v() - largest * v()).norm(), allowed) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LargeSymmetric, ::testing::ValuesIn(all_spectrum_kinds),
                         [](const auto& instance) { return spectrum_name(instance.param); });

TEST(Lanczos, TopSingularPairsMatchADenseDecomposition) {
  Random random(3);
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (const auto& [m, n] : {std::pair{70u, 70u}, std::pair{66u, 120u}, std::pair{150u, 80u}}) {
      const Matrix a = random_rectangular(kind, m, n, random);
      const double exact = singular_values(a).maxCoeff();
      TopSingularPair pair(m, n);
      const double sigma = pair.find(entries(a));
      ASSERT_NEAR(sigma, exact, 1e-9 * exact);
      const Eigen::Map<const Eigen::VectorXd> u(pair.left().data(), static_cast<long>(m));
      const Eigen::Map<const Eigen::VectorXd> v(pair.right().data(), static_cast<long>(n));
      ASSERT_LE((a * v - sigma * u).norm(), 1e-9 * exact);
      ASSERT_LE((a.transpose() * u - sigma * v).norm(), 1e-9 * exact);
    }
  }
}

TEST(Lanczos, ClosePairsNeedRestartsAndAreFound) {
  // The lower half of the spectrum crowds at its end, where convergence is slowest.
  Random random(4);
  const std::size_t n = 400;
  Eigen::VectorXd spectrum(static_cast<long>(n));
  for (long i = 0; i < spectrum.size(); ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(n);
    spectrum[i] = x * x * x;
  }
  const Matrix q = random_frame(n, n, random);
  const Matrix product = q * spectrum.asDiagonal() * q.transpose();
  const Matrix a = (product + product.transpose()) / 2;
  ExtremeEigenpair pair(n);
  EXPECT_TRUE(is_smallest(a, pair.smallest(entries(a)), 1e-6));
}

TEST(Lanczos, NothingOfTheLastAnswerIsUsed) {
  // A conditional-gradient step makes the last vector an eigenvector of the other end, where a
  // warm start would stay: the answer must be that of a new object, and the certified one.
  Random random(5);
  const std::size_t n = 90;
  const Matrix a = random_symmetric(SpectrumKind::noise, n, random);
  ExtremeEigenpair used(n);
  used.smallest(entries(a));
  const Eigen::VectorXd v =
      Eigen::Map<const Eigen::VectorXd>(used.vector().data(), static_cast<long>(n));
  const Matrix next = a + 1e3 * v * v.transpose();
  const double after = used.smallest(entries(next));
  ExtremeEigenpair fresh(n);
  EXPECT_EQ(after, fresh.smallest(entries(next)));
  EXPECT_TRUE(std::equal(used.vector().begin(), used.vector().end(), fresh.vector().begin()));
  EXPECT_TRUE(is_smallest((next + next.transpose()) / 2, after, 1e-6));
}

TEST(Lanczos, IgnoresPowersOfTwoBitForBit) {
  Random random(6);
  const Matrix a = random_rectangular(SpectrumKind::noise, 80, 80, random);
  ExtremeEigenpair pair(80);
  TopSingularPair top(80, 80);
  const double lambda = pair.largest_in_magnitude(entries(a));
  const double sigma = top.find(entries(a));
  const std::vector<double> v(pair.vector().begin(), pair.vector().end());
  const std::vector<double> u(top.left().begin(), top.left().end());
  for (const double factor : {0x1p-300, 0x1p10, 0x1p300}) {
    EXPECT_EQ(pair.largest_in_magnitude(entries(factor * a)), factor * lambda);
    EXPECT_TRUE(std::equal(v.begin(), v.end(), pair.vector().begin()));
    EXPECT_EQ(top.find(entries(factor * a)), factor * sigma);
    EXPECT_TRUE(std::equal(u.begin(), u.end(), top.left().begin()));
  }
}

}  // namespace
}  // namespace keyhole::tests
