// Lanczos's method against a dense eigensolver, certified by the inertia of A - theta.

#include "math/spectral/lanczos.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "hidden_pair.h"
#include "math/cholesky.h"
#include "math/spectral/extreme_pairs.h"
#include "matrices.h"

namespace keyhole::tests {
namespace {

using math::ExtremeEigenpair;
using math::Method;
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
    // The other end, by the sign.
    const double largest = eigenvalues(a).maxCoeff();
    const double allowed = 1e-12 * (1 + a.norm());
    std::vector<double> scratch(n * n);
    EXPECT_TRUE(math::is_positive_definite(entries(a), n, largest + allowed, scratch, -1));
    EXPECT_FALSE(math::is_positive_definite(entries(a), n, largest - allowed, scratch, -1));
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
      ExtremeEigenpair pair(n, Method::lanczos);
      const double smallest = pair.smallest(entries(a));
      ASSERT_TRUE(is_smallest(a, smallest, allowed)) << n;
      ASSERT_NEAR(smallest, all.minCoeff(), allowed) << n;
      ASSERT_LE(residual(a, smallest, pair.vector()), allowed) << n;
      ASSERT_NEAR(length(pair.vector()), 1, 1e-14);
      const double largest = pair.largest_in_magnitude(entries(a));
      ASSERT_NEAR(std::abs(largest), all.cwiseAbs().maxCoeff(), allowed) << n;
      ASSERT_LE(residual(a, largest, pair.vector()), allowed) << n;
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
      TopSingularPair pair(m, n, Method::lanczos);
      const double sigma = pair.find(entries(a));
      ASSERT_NEAR(sigma, exact, 1e-9 * exact);
      ASSERT_LE(residual(a, pair.right(), sigma, pair.left()), 1e-9 * exact);
      ASSERT_LE(residual(a.transpose(), pair.left(), sigma, pair.right()), 1e-9 * exact);
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
  const Matrix product = composed(q, spectrum, q);
  const Matrix a = (product + product.transpose()) / 2;
  ExtremeEigenpair pair(n, Method::lanczos);
  EXPECT_TRUE(is_smallest(a, pair.smallest(entries(a)), 1e-6));
}

TEST(Lanczos, BothEndsComeFromOneKrylovSpace) {
  Random random(7);
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (const std::size_t n : {1u, 2u, 30u, 90u, 250u}) {
      const Matrix a = random_symmetric(kind, n, random);
      const auto times_a = [&](std::span<const double> x, std::span<double> y) {
        multiply(a, x, y);
      };
      const Eigen::VectorXd all = eigenvalues(a);
      const double allowed = 1e-9 * all.cwiseAbs().maxCoeff();
      math::Lanczos lanczos(n);
      lanczos.find_both(times_a);
      const std::size_t products = lanczos.products();
      for (const auto& [theta, exact, vector] :
           {std::tuple{lanczos.smallest(), all.minCoeff(), lanczos.smallest_vector()},
            std::tuple{lanczos.largest(), all.maxCoeff(), lanczos.largest_vector()}}) {
        ASSERT_NEAR(theta, exact, allowed) << spectrum_name(kind) << " " << n;
        ASSERT_LE(residual(a, theta, vector), allowed) << spectrum_name(kind) << " " << n;
        ASSERT_NEAR(length(vector), 1, 1e-14);
      }
      lanczos.find_smallest(times_a);
      const std::size_t of_smallest = lanczos.products();
      lanczos.find_smallest([&](std::span<const double> x, std::span<double> y) {
        times_a(x, y);
        for (double& entry : y) entry = -entry;
      });
      EXPECT_LE(products, std::max(of_smallest, lanczos.products())) << "those of the slower end";
    }
  }
}

TEST(Lanczos, EndsThatNeedRestartsAreFoundOneByOne) {
  // Both gaps are so small that the basis fills up before either is found.
  Random random(8);
  const std::size_t n = 500;
  Eigen::VectorXd spectrum = Eigen::VectorXd::LinSpaced(static_cast<long>(n), -1, 1);
  for (double& x : spectrum) x = 0.3 * x + 0.7 * std::sin(std::acos(0.0) * x);
  const Matrix q = random_frame(n, n, random);
  const Matrix a = composed(q, spectrum, q);
  math::Lanczos lanczos(n);
  lanczos.find_both([&](std::span<const double> x, std::span<double> y) { multiply(a, x, y); });
  EXPECT_GT(lanczos.products(), 3 * math::Lanczos::steps(n)) << "or the test shows nothing";
  EXPECT_NEAR(lanczos.smallest(), -1, 1e-9);
  EXPECT_NEAR(lanczos.largest(), 1, 1e-9);
  for (const auto& [theta, vector] : {std::pair{lanczos.smallest(), lanczos.smallest_vector()},
                                      std::pair{lanczos.largest(), lanczos.largest_vector()}}) {
    EXPECT_LE(residual(a, theta, vector), 1e-9);
  }
  EXPECT_TRUE(lanczos.is_proved());
  math::Lanczos too_few(n, math::Lanczos::default_residual, 0);
  too_few.find_both([&](std::span<const double> x, std::span<double> y) { multiply(a, x, y); });
  EXPECT_FALSE(too_few.is_proved());
}

TEST(Certified, AHiddenPairIsMissedWithoutAndFoundWithTheInertia) {
  Random random(9);
  for (const std::size_t n : {120u, 200u}) {
    const Matrix a = hidden_pair(n, random);
    // With exact products alone; the error of rough ones has a share in every direction.
    math::Lanczos trusting(n);
    trusting.find_both([&](std::span<const double> x, std::span<double> y) { multiply(a, x, y); });
    EXPECT_NEAR(trusting.smallest(), next_eigenvalue, 1e-8) << "a planted failure";
    ExtremeEigenpair certified(n, Method::certified);
    EXPECT_NEAR(certified.smallest(entries(a)), hidden_eigenvalue, 1e-13);
    EXPECT_TRUE(is_smallest(a, certified.smallest(entries(a)), 1e-12));
    EXPECT_NEAR(certified.largest_in_magnitude(entries(a)), hidden_eigenvalue, 1e-13);
    EXPECT_NEAR(certified.largest_in_magnitude(entries(-a)), -hidden_eigenvalue, 1e-13);
    EXPECT_LE(residual(a, hidden_eigenvalue, certified.vector()), 1.1e-10);

    const Matrix b = hidden_singular_pair(n, random);
    TopSingularPair certified_top(n, n, Method::certified);
    EXPECT_NEAR(certified_top.find(entries(b)), std::sqrt(-hidden_eigenvalue), 1e-13);
  }
}

TEST(Certified, AnswersAreThoseOfLanczosWhereItIsRight) {
  Random random(10);
  const std::size_t n = 110;
  for (int k = 0; k < 5; ++k) {
    const Matrix a = random_symmetric(SpectrumKind::noise, n, random);
    ExtremeEigenpair plain(n);
    ExtremeEigenpair certified(n, Method::certified);
    EXPECT_EQ(plain.smallest(entries(a)), certified.smallest(entries(a)));
    EXPECT_EQ(plain.largest_in_magnitude(entries(a)), certified.largest_in_magnitude(entries(a)));
    EXPECT_TRUE(
        std::equal(plain.vector().begin(), plain.vector().end(), certified.vector().begin()));
    TopSingularPair top(n, n);
    TopSingularPair certified_top(n, n, Method::certified);
    EXPECT_EQ(top.find(entries(a)), certified_top.find(entries(a)));
  }
}

TEST(Lanczos, NothingOfTheLastAnswerIsUsed) {
  // A conditional-gradient step makes the last vector an eigenvector of the other end, where a
  // warm start would stay: the answer must be that of a new object, and the certified one.
  Random random(5);
  const std::size_t n = 90;
  const Matrix a = random_symmetric(SpectrumKind::noise, n, random);
  ExtremeEigenpair used(n, Method::lanczos);
  used.smallest(entries(a));
  const Eigen::VectorXd v =
      Eigen::Map<const Eigen::VectorXd>(used.vector().data(), static_cast<long>(n));
  const Matrix next = a + 1e3 * v * v.transpose();
  const double after = used.smallest(entries(next));
  ExtremeEigenpair fresh(n, Method::lanczos);
  EXPECT_EQ(after, fresh.smallest(entries(next)));
  EXPECT_TRUE(std::equal(used.vector().begin(), used.vector().end(), fresh.vector().begin()));
  EXPECT_TRUE(is_smallest((next + next.transpose()) / 2, after, 1e-6));
}

/// The residual that the header promises, for a spectrum of any kind, and the value of a dense
/// eigensolver; one thread or several give the same digits.
TEST(Lanczos, PairsOfLargeMatricesHaveThePromisedResidualForAnyNumberOfThreads) {
  Random random(11);
  const std::size_t n = 520;
  for (const SpectrumKind kind : all_spectrum_kinds) {
    const Matrix a = random_symmetric(kind, n, random);
    const Eigen::VectorXd all = eigenvalues(a);
    const double norm = all.cwiseAbs().maxCoeff();
    ExtremeEigenpair pair(n, Method::lanczos);
    ExtremeEigenpair shared(n, Method::lanczos, 2);
    const double smallest = pair.smallest(entries(a));
    EXPECT_EQ(shared.smallest(entries(a)), smallest);
    EXPECT_TRUE(std::equal(pair.vector().begin(), pair.vector().end(), shared.vector().begin()));
    EXPECT_NEAR(smallest, all.minCoeff(), 1e-10 * norm) << spectrum_name(kind);
    EXPECT_LE(residual(a, smallest, pair.vector()), 1.1e-10 * norm) << spectrum_name(kind);
    const double largest = pair.largest_in_magnitude(entries(a));
    EXPECT_EQ(shared.largest_in_magnitude(entries(a)), largest);
    EXPECT_NEAR(std::abs(largest), norm, 1e-10 * norm) << spectrum_name(kind);
    EXPECT_LE(residual(a, largest, pair.vector()), 1.1e-10 * norm) << spectrum_name(kind);
    TopSingularPair top(n, n, Method::lanczos);
    TopSingularPair shared_top(n, n, Method::lanczos, 2);
    const double sigma = top.find(entries(a));
    EXPECT_EQ(shared_top.find(entries(a)), sigma);
    EXPECT_TRUE(std::equal(top.left().begin(), top.left().end(), shared_top.left().begin()));
    EXPECT_NEAR(sigma, norm, 1e-10 * norm) << spectrum_name(kind);
  }
}

/// Whatever residual is asked for is kept, and the value is as near as it says.
TEST_P(LargeSymmetric, ResidualsAreThoseAskedFor) {
  Random random(13);
  for (const std::size_t n : {110u, 300u}) {
    for (const double asked : {1e-12, 5e-7, 1e-6, 1e-3, 1e-2}) {
      const Matrix a = random_symmetric(GetParam(), n, random);
      const Eigen::VectorXd all = eigenvalues(a);
      const double norm = all.cwiseAbs().maxCoeff();
      const double allowed = (asked + 1e-14) * norm;
      ExtremeEigenpair pair(n, Method::fastest, 1, asked);
      const double smallest = pair.smallest(entries(a));
      ASSERT_NEAR(smallest, all.minCoeff(), allowed) << n << " " << asked;
      ASSERT_LE(residual(a, smallest, pair.vector()), allowed) << n << " " << asked;
      ASSERT_NEAR(length(pair.vector()), 1, 1e-14);
      const double largest = pair.largest_in_magnitude(entries(a));
      ASSERT_NEAR(std::abs(largest), norm, allowed) << n << " " << asked;
      ASSERT_LE(residual(a, largest, pair.vector()), allowed) << n << " " << asked;
      // Half of it, of the value: it is the root of that of the Gram matrix, where the residual is
      // ||A'A v - sigma^2 v|| = sigma ||A'u - sigma v||.
      TopSingularPair top(n, n, Method::fastest, 1, asked);
      const double sigma = top.find(entries(a));
      ASSERT_NEAR(sigma, norm, 0.6 * asked * norm + 1e-14 * norm) << n << " " << asked;
      ASSERT_LE(residual(a, top.right(), sigma, top.left()), 1e-14 * norm) << n << " " << asked;
      ASSERT_LE(sigma * residual(a.transpose(), top.left(), sigma, top.right()), allowed * norm)
          << n << " " << asked;
    }
  }
}

TEST(Lanczos, ALargerResidualTakesFewerExactProducts) {
  Random random(14);
  const std::size_t n = 1000;
  Matrix a(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (double& entry : a.reshaped()) entry = random.normal();
  const Matrix single = (a + a.transpose()).cast<float>().cast<double>();
  const auto exactly = [&](std::span<const double> x, std::span<double> y) {
    multiply(single, x, y);
  };
  std::size_t last = std::numeric_limits<std::size_t>::max();
  for (const double asked : {1e-12, 1e-10, 1e-6, 1e-4}) {
    math::Lanczos lanczos(n, asked);
    lanczos.find_smallest(exactly, exactly, 1e-7);
    EXPECT_LT(lanczos.products(), last);
    last = lanczos.products();
    // One confirms the pair.
    EXPECT_EQ(lanczos.rough_products() + 1 == lanczos.products(), asked >= 1e-6) << asked;
    EXPECT_LE(residual(single, lanczos.smallest(), lanczos.smallest_vector()),
              asked * 2.1 * std::sqrt(2.0 * n));
  }
}

TEST(Certified, LargerResidualsAreNoReasonToRefuse) {
  // The pair of Lanczos's method, to its residual, not that of the direct one.
  Random random(15);
  const std::size_t n = 400;
  const Matrix a = random_symmetric(SpectrumKind::noise, n, random);
  for (const double asked : {1e-6, 1e-3}) {
    ExtremeEigenpair plain(n, Method::fastest, 1, asked);
    ExtremeEigenpair certified(n, Method::certified, 1, asked);
    EXPECT_EQ(plain.smallest(entries(a)), certified.smallest(entries(a)));
    EXPECT_EQ(plain.largest_in_magnitude(entries(a)), certified.largest_in_magnitude(entries(a)));
    TopSingularPair top(n, n, Method::fastest, 1, asked);
    TopSingularPair certified_top(n, n, Method::certified, 1, asked);
    EXPECT_EQ(top.find(entries(a)), certified_top.find(entries(a)));
  }
  const Matrix b = hidden_pair(n, random);
  EXPECT_NEAR(ExtremeEigenpair(n, Method::certified, 1, 1e-6).smallest(entries(b)),
              hidden_eigenvalue, 1e-6);
}

TEST(Lanczos, RoughProductsAreConfirmedByExactOnes) {
  Random random(12);
  const std::size_t n = 300;
  const Matrix a = random_symmetric(SpectrumKind::noise, n, random);
  const auto exactly = [&](std::span<const double> x, std::span<double> y) { multiply(a, x, y); };
  const double norm = eigenvalues(a).cwiseAbs().maxCoeff();
  math::Lanczos lanczos(n);
  lanczos.find_both(exactly);
  const double exact = lanczos.smallest();
  const std::size_t without_rough = lanczos.products();
  EXPECT_EQ(lanczos.rough_products(), 0u);
  // Off by as much as is said, and by ten thousand times as much: then they are given up.
  for (const double error : {1e-7, 1e-3}) {
    Matrix wrong = a;
    for (double& entry : wrong.reshaped()) entry *= 1 + error * random.uniform(-1, 1);
    const auto roughly = [&](std::span<const double> x, std::span<double> y) {
      multiply(wrong, x, y);
    };
    lanczos.find_both(exactly, roughly, 1e-7);
    EXPECT_GT(lanczos.rough_products(), 10u);
    // Two more confirm the pairs; if they fail, some more correct them.
    EXPECT_EQ(lanczos.products() > without_rough + 2, error > 1e-7);
    EXPECT_NEAR(lanczos.smallest(), exact, 1e-11 * norm) << error;
    EXPECT_LE(residual(a, lanczos.smallest(), lanczos.smallest_vector()), 1e-10 * norm) << error;
    EXPECT_LE(residual(a, lanczos.largest(), lanczos.largest_vector()), 1e-10 * norm) << error;
    // Rough from the first, and confirmed too.
    math::Lanczos sooner(n, 1e-6);
    sooner.find_both(exactly, roughly, 1e-7);
    EXPECT_EQ(sooner.products() > sooner.rough_products() + 2, error > 1e-7);
    EXPECT_NEAR(sooner.smallest(), exact, 1e-6 * norm) << error;
    EXPECT_LE(residual(a, sooner.smallest(), sooner.smallest_vector()), 1e-6 * norm) << error;
    EXPECT_LE(residual(a, sooner.largest(), sooner.largest_vector()), 1e-6 * norm) << error;
  }
}

TEST(Lanczos, IgnoresPowersOfTwoBitForBit) {
  Random random(6);
  const Matrix a = random_rectangular(SpectrumKind::noise, 80, 80, random);
  ExtremeEigenpair pair(80, Method::lanczos);
  TopSingularPair top(80, 80, Method::lanczos);
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
