// The sets of keyhole/spectral_sets.h beyond the sweeps: closed cases by hand, refusals, far and
// degenerate points.

#include "keyhole/spectral_sets.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "matrices.h"
#include "numbers.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

Vector vertex_of(const SetPtr& set, std::span<const double> d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

Vector projection_of(const SetPtr& set, std::span<const double> z) {
  Vector x(z.size());
  set->oracle()->project(z, x);
  return x;
}

TEST(Spectraplex, IsADiscForOrderTwo) {
  // X = [1/2 + a, b; b, 1/2 - a] with a^2 + b^2 <= 1/4: a disc of radius 1 / sqrt 2 in Frobenius's
  // norm.
  const SetPtr set = spectraplex(2);
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_NEAR(set->inner_radius(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(set->outer_radius(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(set->diameter(), std::sqrt(2.0), 1e-15);
  // d = [3, 4; 4, -3]: the minimiser is opposite to (a, b) = (3, 4) / 10.
  EXPECT_LE(distance(vertex_of(set, Vector{3, 4, 4, -3}), Vector{0.2, -0.4, -0.4, 0.8}), 1e-15);
  EXPECT_LE(distance(projection_of(set, Vector{10, 10, 10, 10}), Vector{0.5, 0.5, 0.5, 0.5}),
            1e-14);
  EXPECT_EQ(vertex_of(set, Vector(4, 0.0)), (Vector{1, 0, 0, 0}));
}

TEST(Spectraplex, OfOneColumnOfEigenvaluesIsASimplex) {
  // Diagonal matrices: vertices and projections are those of the simplex.
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const std::size_t n = random.integer(2, 7);
    const double trace = std::exp(random.normal());
    const SetPtr matrices = spectraplex(n, trace);
    const SetPtr vectors = simplex(n, trace);
    const Vector z = random.normals(n, 3 * trace);
    Vector diagonal(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) diagonal[j * n + j] = z[j];
    const Vector expected_v = vertex_of(vectors, z);
    const Vector expected_x = projection_of(vectors, z);
    const Vector v = vertex_of(matrices, diagonal);
    const Vector x = projection_of(matrices, diagonal);
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(v[j * n + j], expected_v[j], 1e-13 * trace);
      EXPECT_NEAR(x[j * n + j], expected_x[j], 1e-13 * trace);
    }
  }
}

TEST(Spectraplex, LargeOnesGoByLanczos) {
  Random random(2);
  const std::size_t n = 150;
  const Matrix d = random_symmetric(SpectrumKind::noise, n, random);
  const double least = eigenvalues(d).minCoeff();
  for (const bool certified : {false, true}) {
    const SetPtr set = spectraplex(n, 2, {.certified = certified});
    const Vector v = vertex_of(set, entries(d));
    EXPECT_NEAR(inner(v, entries(d)), 2 * least, 1e-9 * d.norm());
    EXPECT_TRUE(set->contains(v));
    EXPECT_TRUE(set->contains(projection_of(set, entries(d))));
  }
}

TEST(Fantope, WithKOneIsTheSpectraplex) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const std::size_t n = random.integer(2, 8);
    const SetPtr a = fantope(n, 1);
    const SetPtr b = spectraplex(n);
    EXPECT_EQ(a->centre(), b->centre());
    EXPECT_NEAR(a->inner_radius(), b->inner_radius(), 1e-15);
    EXPECT_NEAR(a->outer_radius(), b->outer_radius(), 1e-15);
    EXPECT_NEAR(a->diameter(), b->diameter(), 1e-15);
    const Vector z = random.normals(n * n, 2);
    EXPECT_LE(distance(vertex_of(a, z), vertex_of(b, z)), 1e-12);
    EXPECT_LE(distance(projection_of(a, z), projection_of(b, z)), 1e-12);
  }
}

TEST(Fantope, ComplementsAreReflected) {
  // X -> I - X maps fantope(n, k) onto fantope(n, n - k).
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const std::size_t n = random.integer(2, 8);
    const std::size_t k = random.integer(1, n - 1);
    const SetPtr a = fantope(n, k);
    const SetPtr b = fantope(n, n - k);
    Vector z = random.normals(n * n, 2);
    Vector reflected(z.size());
    for (std::size_t j = 0; j < z.size(); ++j) reflected[j] = (j % (n + 1) == 0 ? 1.0 : 0) - z[j];
    const Vector x = projection_of(a, z);
    Vector y = projection_of(b, reflected);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = (j % (n + 1) == 0 ? 1.0 : 0) - y[j];
    EXPECT_LE(distance(x, y), 1e-12);
  }
}

TEST(Fantope, ProjectsEigenvaluesAsBisectionDoes) {
  Random random(5);
  for (std::uint64_t i = 0; i < scaled_count(300); ++i) {
    const std::size_t n = random.integer(2, 9);
    const std::size_t k = random.integer(1, n - 1);
    const double far = std::exp(random.uniform(-3, 12));
    Vector z = random.normals(n, far);
    if (i % 3 == 0) {
      for (double& value : z) value = std::round(value);  // ties, and pieces without a slope
    }
    Vector diagonal(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) diagonal[j * n + j] = z[j];
    const Vector x = projection_of(fantope(n, k), diagonal);
    long double low = -10 * far - 2;
    long double high = 10 * far + 2;
    const auto clipped = [&](std::size_t j, long double theta) {
      return std::clamp<long double>(z[j] - theta, 0, 1);
    };
    for (int halving = 0; halving < 200; ++halving) {
      const long double theta = (low + high) / 2;
      long double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += clipped(j, theta);
      (sum >= static_cast<long double>(k) ? low : high) = theta;
    }
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_NEAR(x[j * n + j], static_cast<double>(clipped(j, low)), 1e-14 * (10 + far));
    }
  }
}

TEST(Fantope, TiesAndZeroGiveProjectors) {
  for (const std::size_t k : {1U, 2U, 3U}) {
    const SetPtr set = fantope(4, k);
    Vector expected(16, 0.0);
    for (std::size_t i = 0; i < k; ++i) expected[i * 5] = 1;
    EXPECT_EQ(vertex_of(set, Vector(16, 0.0)), expected);
    const Matrix p = matrix_of(vertex_of(set, Vector(16, 1.0)), 4, 4);  // 0, 0, 0 and 4
    EXPECT_LE((p * p - p).norm(), 1e-14);
    EXPECT_NEAR(p.trace(), static_cast<double>(k), 1e-14);
    EXPECT_NEAR(p.sum(), 0, 1e-14);
  }
}

TEST(OperatorNormBall, OfOneRowIsABall) {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const std::size_t n = random.integer(1, 9);
    const SetPtr round = ball(n, 3);
    const SetPtr row = operator_norm_ball(1, n, 3);
    const SetPtr column = operator_norm_ball(n, 1, 3);
    const Vector z = random.normals(n, 4);
    for (const SetPtr& set : {row, column}) {
      EXPECT_EQ(set->inner_radius(), 3);
      EXPECT_EQ(set->outer_radius(), 3);
      EXPECT_LE(distance(vertex_of(set, z), vertex_of(round, z)), 1e-14);
      EXPECT_LE(distance(projection_of(set, z), projection_of(round, z)), 1e-14);
    }
  }
}

TEST(OperatorNormBall, EveryAnswerHasAllItsSingularValues) {
  Random random(7);
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (std::uint64_t i = 0; i < scaled_count(100); ++i) {
      const std::size_t m = random.integer(1, 8);
      const std::size_t n = random.integer(1, 8);
      const SetPtr set = operator_norm_ball(m, n, 2);
      const Matrix d = random_rectangular(kind, m, n, random);
      const Vector v = vertex_of(set, entries(d));
      const Eigen::VectorXd s = singular_values(matrix_of(v, m, n));
      ASSERT_NEAR(s.maxCoeff(), 2, 1e-13) << set->spec() << " " << spectrum_name(kind);
      ASSERT_NEAR(s.minCoeff(), 2, 1e-13) << set->spec() << " " << spectrum_name(kind);
      ASSERT_NEAR(inner(entries(d), v), -2 * singular_values(d).sum(), 1e-12 * d.norm());
    }
  }
  const Matrix v = matrix_of(vertex_of(operator_norm_ball(2, 3), Vector(6, 0.0)), 2, 3);
  EXPECT_LE((v * v.transpose() - Matrix::Identity(2, 2)).norm(), 1e-15);
}

TEST(OperatorNormBall, ProjectionsFromVeryFarStayInside) {
  Random random(8);
  for (const double far : {1e6, 1e12, 1e40}) {
    for (const SpectrumKind kind : all_spectrum_kinds) {
      const SetPtr set = operator_norm_ball(5, 7);
      Matrix z = far * random_rectangular(kind, 5, 7, random);
      z.row(0).array() += 3;
      EXPECT_TRUE(set->contains(projection_of(set, entries(z)))) << spectrum_name(kind) << far;
      for (const SetPtr& flat : {spectraplex(5), fantope(5, 2)}) {
        const Matrix symmetric = far * random_symmetric(kind, 5, random);
        EXPECT_TRUE(flat->contains(projection_of(flat, entries(symmetric)))) << flat->spec() << far;
      }
    }
  }
}

TEST(SpectralSets, DrawsAreExtremePoints) {
  Random random(9);
  const auto draw = [&](const SetPtr& set) {
    const auto exploration = set->exploration();
    EXPECT_EQ(exploration->needs().words, 0U);
    Vector v(set->dimension());
    const Vector normals = random.normals(exploration->needs().normals);
    exploration->draw({.words = {}, .normals = normals}, v);
    return v;
  };
  for (const std::size_t k : {1U, 2U, 4U}) {
    const Matrix p = matrix_of(draw(fantope(5, k)), 5, 5);
    EXPECT_LE((p * p - p).norm(), 1e-14);
    EXPECT_NEAR(p.trace(), static_cast<double>(k), 1e-14);
  }
  const Matrix w = matrix_of(draw(operator_norm_ball(3, 2, 2)), 3, 2);
  EXPECT_LE((w.transpose() * w - 4 * Matrix::Identity(2, 2)).norm(), 1e-14);
  // Normal numbers that are dependent, or all 0, still draw one.
  const auto exploration = operator_norm_ball(2, 3)->exploration();
  for (const double value : {0.0, 1.0}) {
    const Vector dependent(6, value);
    Vector v(6);
    exploration->draw({.words = {}, .normals = dependent}, v);
    const Matrix x = matrix_of(v, 2, 3);
    EXPECT_LE((x * x.transpose() - Matrix::Identity(2, 2)).norm(), 1e-14) << value;
  }
}

TEST(SpectralSets, RefuseWhatTheyCannotBe) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)spectraplex(1); }),
            "a spectraplex of matrices of order 1 is a single point or empty: order 2 or more is "
            "needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)spectraplex(3, -1); }),
            "the trace of a spectraplex must be a number from 1e-50 to 1e50, not -1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)fantope(3, 0); }),
            "a fantope of matrices of order 3 needs a trace k of 1 to 2, not 0");
  EXPECT_EQ(message<InvalidArgument>([] { (void)fantope(3, 3); }),
            "a fantope of matrices of order 3 needs a trace k of 1 to 2, not 3: with k = n there "
            "is only the identity");
  EXPECT_EQ(message<InvalidArgument>([] { (void)fantope(1, 1); }),
            "a fantope of matrices of order 1 is a single point or empty: order 2 or more is "
            "needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)operator_norm_ball(0, 3); }),
            "an operator norm ball needs at least one row and one column, not 0 and 3");
  // The number of entries is 2^64.
  const std::size_t side = std::size_t{1} << 32U;
  EXPECT_EQ(message<InvalidArgument>([&] { (void)operator_norm_ball(side, side); }),
            "an operator norm ball of 4294967296 x 4294967296 matrices is too large: 1e9 entries "
            "are the most");
  EXPECT_THROW((void)spectraplex(side), InvalidArgument);
  EXPECT_THROW((void)fantope(side, 1), InvalidArgument);
  EXPECT_THROW((void)nuclear_ball(side, side), InvalidArgument);
  EXPECT_THROW((void)symmetric_nuclear_ball(side), InvalidArgument);
  EXPECT_THROW((void)psd_trace_ball(side), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([] { (void)operator_norm_ball(2, 2, 0); }),
            "the radius of an operator norm ball must be a number from 1e-50 to 1e50, not 0");
}

/// Of diagonal matrices it is the lp ball of the diagonal.
TEST(SchattenBall, HasTheLpBallForItsDiagonal) {
  Random random(61);
  for (const double p : {1.2, 1.5, 2.0, 3.0, 7.0}) {
    const SetPtr set = schatten_ball(3, 3, p, 2);
    const SetPtr of_values = lp_ball(3, p, 2);
    EXPECT_NEAR(set->inner_radius(), of_values->inner_radius(), 1e-13);
    EXPECT_NEAR(set->outer_radius(), of_values->outer_radius(), 1e-13);
    const auto oracle = set->oracle();
    const auto of_diagonal = of_values->oracle();
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> d = random.normals(3, 4);
      std::vector<double> matrix(9, 0.0);
      for (std::size_t i = 0; i < 3; ++i) matrix[4 * i] = d[i];
      std::vector<double> expected(3);
      std::vector<double> found(9);
      of_diagonal->minimise(d).write_to(expected);
      oracle->minimise(matrix).write_to(found);
      for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(found[k], k % 4 == 0 ? expected[k / 4] : 0, 1e-12) << p;
      }
      of_diagonal->project(d, expected);
      oracle->project(matrix, found);
      for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(found[k], k % 4 == 0 ? expected[k / 4] : 0, 1e-11) << p;
      }
    }
  }
}

TEST(SchattenBall, RefusesWithTheValueAndWhatToDo) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)schatten_ball(2, 2, 1); }),
            "the p of a Schatten ball is 1: use nuclear_ball");
  EXPECT_EQ(message<InvalidArgument>([] { (void)schatten_ball(2, 2, infinity); }),
            "the p of a Schatten ball is inf: use operator_norm_ball");
  EXPECT_EQ(message<InvalidArgument>([] { (void)schatten_ball(2, 2, 0.5); }),
            "the p of a Schatten ball must be a number from 1.01 to 100, not 0.5");
  EXPECT_THROW((void)schatten_ball(2, 2, nan), InvalidArgument);
  EXPECT_THROW((void)schatten_ball(2, 2, 3, 0), InvalidArgument);
  EXPECT_THROW((void)schatten_ball(0, 2, 3), InvalidArgument);
  EXPECT_EQ(schatten_ball(2, 3, 1.5, 4)->spec(), "schatten_ball(2, 3, 1.5, radius=4)");
}

}  // namespace
}  // namespace keyhole::tests
