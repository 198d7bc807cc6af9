// Correlation matrices and the ball of the max norm beyond the sweeps: closed cases, laws,
// certificates, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "catalogue.h"
#include "instances/spectral_sets.h"
#include "keyhole/exploration.h"
#include "keyhole/spectral_sets.h"
#include "math/spectral/max_cut_relaxation.h"
#include "math/spectral/max_norm.h"
#include "matrices.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

Vector answer_of(const SetPtr& set, std::span<const double> d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

double least_value(const SetPtr& set, std::span<const double> d) {
  return inner(d, answer_of(set, d));
}

TEST(Elliptope, OfOrderTwoIsASegment) {
  const SetPtr set = elliptope(2);
  EXPECT_EQ(set->hull_dimension(), 1U);
  EXPECT_NEAR(set->inner_radius(), std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(set->outer_radius(), std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(set->diameter(), 2 * std::sqrt(2.0), 1e-15);
  EXPECT_TRUE(set->geometry().diameter_exact);
  EXPECT_LE(distance(answer_of(set, Vector{5, 3, -1, 2}), Vector{1, -1, -1, 1}), 1e-14);
  EXPECT_LE(distance(answer_of(set, Vector{5, -3, 1, 2}), Vector{1, 1, 1, 1}), 1e-14);
  EXPECT_EQ(answer_of(set, Vector{5, 3, -3, 2}), (Vector{1, 1, 1, 1}));  // 0 within the hull
}

/// Extreme correlation matrices of order 3 are of rank 2 or less: cosines of the differences of
/// three angles, one of them 0.
TEST(Elliptope, OfOrderThreeMatchesASearchOfAngles) {
  Random random(71);
  const SetPtr set = elliptope(3);
  EXPECT_FALSE(set->geometry().diameter_exact);
  for (std::uint64_t k = 0; k < scaled_count(30); ++k) {
    Vector c = random.normals(3);
    if (k % 3 == 0) {
      for (double& entry : c) entry = std::round(entry);
    }
    const Vector d = {0, c[0], c[1], c[0], 0, c[2], c[1], c[2], 0};
    const auto value = [&](double a, double b) {
      return 2 * (c[0] * std::cos(a) + c[1] * std::cos(b) + c[2] * std::cos(a - b));
    };
    double best_a = 0;
    double best_b = 0;
    double width = std::numbers::pi;
    for (int round = 0; round < 40; ++round) {
      const double a = best_a;
      const double b = best_b;
      for (int i = -30; i <= 30; ++i) {
        for (int j = -30; j <= 30; ++j) {
          const double at_a = a + width * i / 30;
          const double at_b = b + width * j / 30;
          if (value(at_a, at_b) < value(best_a, best_b)) {
            best_a = at_a;
            best_b = at_b;
          }
        }
      }
      width /= 4;
    }
    EXPECT_NEAR(least_value(set, d), value(best_a, best_b), 1e-9) << k;
  }
}

/// The diagonal Diag(C X) of the dual shows how far the value is from the least one.
TEST(Elliptope, AnswersAreProvedByTheirDuals) {
  Random random(72);
  for (const std::size_t n : {5U, 12U, 30U, 60U}) {
    const SetPtr set = elliptope(n);
    for (const SpectrumKind kind : all_spectrum_kinds) {
      Matrix c = random_symmetric(kind, n, random);
      c.diagonal().setZero();
      if (c.norm() == 0) continue;
      c /= c.norm();
      const Vector v = answer_of(set, entries(c));
      const Matrix x = matrix_of(v, n, n);
      EXPECT_TRUE(set->contains(v));
      EXPECT_EQ(x, Matrix(x.transpose()));
      EXPECT_EQ((x.diagonal().array() - 1).abs().maxCoeff(), 0);
      EXPECT_NEAR(eigenvalues(x).minCoeff(), 0, 1e-12);
      Matrix z = c;
      z.diagonal() -= (c * x).diagonal();
      const double least = eigenvalues(z).minCoeff();
      EXPECT_GE(static_cast<double>(n) * least, -1e-5) << n << " " << spectrum_name(kind);
    }
  }
}

TEST(Elliptope, GapsAreAsSmallAsIsSaid) {
  Random random(73);
  std::size_t most_steps = 0;
  for (std::uint64_t k = 0; k < scaled_count(300); ++k) {
    const std::size_t n = random.integer(2, k % 10 == 0 ? 40 : 9);
    Vector c = random.normals(n * n);
    if (k % 3 == 0) {
      for (double& entry : c) entry = std::round(entry);
    }
    if (k % 3 == 1) {
      for (double& entry : c) entry *= std::exp(random.uniform(-20, 0));
    }
    math::MaxCutRelaxation program(n);
    (void)program.minimise(c);
    EXPECT_LE(program.relative_gap(), 1e-10) << n << ", " << k;
    most_steps = std::max(most_steps, program.steps());
  }
  EXPECT_LE(most_steps, 40U);
}

/// Signs and the order of rows and columns change nothing.
TEST(Elliptope, KeepsItsSymmetries) {
  Random random(74);
  for (std::uint64_t k = 0; k < scaled_count(50); ++k) {
    const std::size_t n = random.integer(2, 8);
    const SetPtr set = elliptope(n);
    const Matrix c = random_symmetric(SpectrumKind::noise, n, random);
    Matrix turned(c.rows(), c.cols());
    std::vector<double> signs(n);
    for (double& sign : signs) sign = random.integer(0, 1) == 0 ? 1 : -1;
    const std::size_t shift = random.integer(0, n - 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        turned(static_cast<Eigen::Index>((i + shift) % n),
               static_cast<Eigen::Index>((j + shift) % n)) =
            signs[i] * signs[j] * c(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
    const double size = c.norm();
    EXPECT_NEAR(least_value(set, entries(c)) - c.trace(),
                least_value(set, entries(turned)) - c.trace(), 1e-9 * size);
    EXPECT_NEAR(least_value(set, entries(3 * c)), 3 * least_value(set, entries(c)), 1e-9 * size);
  }
}

TEST(Elliptope, DrawsAreCuts) {
  const SetPtr set = elliptope(70);
  const auto exploration = set->exploration();
  EXPECT_EQ(exploration->needs().words, 2U);
  const std::vector<std::uint64_t> words = {0x123456789abcdef0, 0x15};
  Vector v(set->dimension());
  exploration->draw({.words = words, .normals = {}}, v);
  EXPECT_EQ(std::count(v.begin(), v.end(), 1.0) + std::count(v.begin(), v.end(), -1.0), 4900);
  EXPECT_TRUE(set->contains(v));
  EXPECT_EQ(v[64 * 70 + 65], -1);
}

TEST(Elliptope, RefusesWhatItCannotBe) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)elliptope(1); }),
            "an elliptope of matrices of order 1 is a single point or empty: order 2 or more is "
            "needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)elliptope(201); }),
            "an elliptope of matrices of order 201 is too large: order 200 is the most");
  EXPECT_EQ(elliptope(7)->spec(), "elliptope(7)");
}

TEST(MaxNormBall, OfOneRowIsACube) {
  Random random(75);
  for (int k = 0; k < 20; ++k) {
    const std::size_t n = random.integer(1, 6);
    const SetPtr set = k % 2 == 0 ? max_norm_ball(1, n, 3) : max_norm_ball(n, 1, 3);
    const SetPtr cube = box(-3, 3, n);
    EXPECT_NEAR(set->outer_radius(), cube->outer_radius(), 1e-14);
    EXPECT_NEAR(set->inner_radius(), cube->inner_radius(), 1e-14);
    const Vector d = random.normals(n);
    EXPECT_NEAR(least_value(set, d), least_value(cube, d), 1e-9);
    const Vector x = random.normals(n, 2.5);
    EXPECT_EQ(set->contains(x), cube->contains(x));
  }
}

/// Tsirelson's bound.
TEST(MaxNormBall, OfOrderTwoReachesRootTwo) {
  const SetPtr set = max_norm_ball(2, 2);
  EXPECT_NEAR(least_value(set, Vector{1, 1, 1, -1}), -2 * std::sqrt(2.0), 1e-9);
}

TEST(MaxNorm, IsKnownOfSomeMatrices) {
  const auto norm = [](const Matrix& x) {
    math::MaxNorm of(static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols()));
    const auto [lower, upper] = of.find(entries(x));
    EXPECT_NEAR(lower, upper, 1e-9 * upper);
    return lower;
  };
  EXPECT_NEAR(norm(Matrix::Identity(5, 5)), 1, 1e-9);
  EXPECT_NEAR(norm(Matrix::Constant(3, 6, -2)), 2, 1e-9);
  Matrix hadamard = Matrix::Constant(1, 1, 1);
  for (int k = 1; k <= 3; ++k) {
    Matrix twice(2 * hadamard.rows(), 2 * hadamard.cols());
    twice << hadamard, hadamard, hadamard, -hadamard;
    hadamard = twice;
    EXPECT_NEAR(norm(hadamard), std::pow(2, 0.5 * k), 1e-8);  // the root of its order
  }
  EXPECT_NEAR(norm(7 * hadamard.topRows(3)), 7 * std::sqrt(3.0), 1e-8);
  Random random(76);
  for (std::uint64_t k = 0; k < scaled_count(50); ++k) {
    const std::size_t m = random.integer(1, 6);
    const std::size_t n = random.integer(1, 6);
    // Rank one: the largest entry.
    const Matrix x = normal_matrix(m, 1, random) * normal_matrix(1, n, random);
    EXPECT_NEAR(norm(x), x.cwiseAbs().maxCoeff(), 1e-9 * x.norm());
    // Orthonormal rows or columns do not lengthen: at least a mean of squares, at most 1.
    const Matrix frame = random_frame(std::max(m, n), std::min(m, n), random);
    const double of_frame = norm(frame);
    EXPECT_LE(of_frame, 1 + 1e-9);
    EXPECT_GE(of_frame, frame.cwiseAbs().maxCoeff() - 1e-9);
    if (m == n) {
      EXPECT_NEAR(of_frame, 1, 1e-9);
    }
    const Matrix y = normal_matrix(m, n, random);
    const double of_y = norm(y);
    EXPECT_NEAR(norm(y.transpose()), of_y, 1e-8 * of_y);
    EXPECT_NEAR(norm(-3 * y), 3 * of_y, 1e-8 * of_y);
    EXPECT_LE(norm(y + x), norm(x) + of_y + 1e-8);
  }
}

/// <Y, X> <= gamma_2(X) gamma_2*(Y), with equality for the answer to -Y.
TEST(MaxNorm, IsDualToTheOracle) {
  Random random(77);
  for (std::uint64_t k = 0; k < scaled_count(50); ++k) {
    const std::size_t m = random.integer(1, 6);
    const std::size_t n = random.integer(1, 6);
    const SetPtr set = max_norm_ball(m, n);
    math::MaxNorm norm(m, n);
    const Vector x = random.normals(m * n);
    const double lower = norm.find(x).lower;
    Vector y(m * n);
    norm.write_dual(y);
    EXPECT_NEAR(inner(x, y), lower, 1e-12 * lower);
    EXPECT_NEAR(-least_value(set, y), 1, 1e-8);
    EXPECT_NEAR(norm.find(answer_of(set, x)).lower, 1, 1e-8);
    Vector gradient(m * n);
    EXPECT_NEAR(max_norm_ball(m, n, 2)->oracle()->gauge(x, gradient), lower / 2, 1e-12);
    // Which side of a level it is on is known sooner.
    EXPECT_GT(norm.find(x, 0.9 * lower).lower, 0.9 * lower);
    EXPECT_LE(norm.find(x, 1.1 * lower).upper, 1.1 * lower);
  }
}

TEST(MaxNormBall, HoldsTheOperatorNormBallAndIsHeldByTheCube) {
  Random random(78);
  const SetPtr set = max_norm_ball(4, 3, 2);
  for (int k = 0; k < 100; ++k) {
    const Vector d = random.normals(12);
    EXPECT_TRUE(set->contains(answer_of(operator_norm_ball(4, 3, 2), d)));
    for (const double entry : answer_of(set, d)) EXPECT_LE(std::abs(entry), 2 + 1e-12);
  }
}

TEST(MaxNormBall, RefusesWhatItCannotBe) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)max_norm_ball(0, 3); }),
            "a max norm ball needs at least one row and one column, not 0 and 3");
  EXPECT_EQ(message<InvalidArgument>([] { (void)max_norm_ball(150, 51); }),
            "a max norm ball of 150 x 51 matrices is too large: 200 rows and columns together are "
            "the most");
  EXPECT_EQ(message<InvalidArgument>([] { (void)max_norm_ball(2, 3, 0); }),
            "the radius of a max norm ball must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(max_norm_ball(2, 3, 4)->spec(), "max_norm_ball(2, 3, radius=4)");
}

}  // namespace
}  // namespace keyhole::tests
