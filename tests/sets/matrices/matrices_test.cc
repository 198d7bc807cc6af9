// The sets of matrices against a dense eigensolver: oracles, radii, projections, membership.

#include "matrices.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "catalogue.h"
#include "hidden_pair.h"
#include "math/spectral/extreme_pairs.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

enum class Family { nuclear, symmetric, psd };

/// A set of matrices with its numbers, and the same by Eigen.
struct MatrixSet {
  Family family;
  std::size_t rows;
  std::size_t columns;
  double size;

  [[nodiscard]] SetPtr set() const {
    switch (family) {
      case Family::nuclear:
        return nuclear_ball(rows, columns, size);
      case Family::symmetric:
        return symmetric_nuclear_ball(rows, size);
      default:
        return psd_trace_ball(rows, size);
    }
  }
  [[nodiscard]] Matrix as_matrix(std::span<const double> x) const {
    return matrix_of(x, rows, columns);
  }
  /// min over K of <d, X>.
  [[nodiscard]] double minimum(const Matrix& d) const {
    if (family == Family::nuclear) return -size * singular_values(d).maxCoeff();
    const Eigen::VectorXd lambda = eigenvalues((d + d.transpose()) / 2);
    if (family == Family::symmetric) return -size * lambda.cwiseAbs().maxCoeff();
    return size * std::min(lambda.minCoeff(), 0.0);
  }
  /// How far X is outside, in terms of its spectrum; up to 0 inside.
  [[nodiscard]] double excess(const Matrix& x) const {
    if (family == Family::nuclear) return singular_values(x).sum() - size;
    const double asymmetry = (x - x.transpose()).norm();
    const Eigen::VectorXd lambda = eigenvalues((x + x.transpose()) / 2);
    if (family == Family::symmetric) return std::max(asymmetry, lambda.cwiseAbs().sum() - size);
    return std::max({asymmetry, lambda.sum() - size, -lambda.minCoeff()});
  }
};

class MatrixSets : public ::testing::TestWithParam<Family> {
 protected:
  MatrixSet draw(std::size_t largest) {
    const std::size_t n = random_.integer(1, largest);
    const std::size_t m = GetParam() == Family::nuclear ? random_.integer(1, largest) : n;
    return {GetParam(), m, n, std::exp(random_.normal())};
  }
  Matrix direction(const MatrixSet& k, SpectrumKind kind) {
    if (k.family == Family::nuclear) return random_rectangular(kind, k.rows, k.columns, random_);
    return random_symmetric(kind, k.rows, random_);
  }

  Random random_{static_cast<std::uint64_t>(GetParam()) + 1};
};

TEST_P(MatrixSets, OraclesMatchADenseEigensolver) {
  for (const SpectrumKind kind : all_spectrum_kinds) {
    for (std::uint64_t i = 0; i < scaled_count(1000); ++i) {
      const MatrixSet k = draw(i % 50 == 0 ? 64 : 20);
      const SetPtr set = k.set();
      const Matrix d = direction(k, kind) * (i % 7 == 0 ? 1e-30 : i % 7 == 1 ? 1e30 : 1);
      const auto oracle = set->oracle();
      const Vertex& vertex = oracle->minimise(entries(d));
      Vector v(set->dimension());
      vertex.write_to(v);
      const double scale = k.size * d.norm();
      ASSERT_NEAR(vertex.dot(entries(d)), k.minimum(d), 1e-13 * scale) << set->spec();
      ASSERT_LE(k.excess(k.as_matrix(v)), 1e-13 * k.size) << set->spec();
      ASSERT_TRUE(i % 10 != 0 || set->contains(v)) << set->spec();
    }
  }
}

TEST_P(MatrixSets, DirectionsNeedNotBeSymmetric) {
  for (int i = 0; i < 200; ++i) {
    const MatrixSet k = draw(12);
    const SetPtr set = k.set();
    const Vector d = random_.normals(set->dimension());
    Vector v(set->dimension());
    set->oracle()->minimise(d).write_to(v);
    ASSERT_NEAR(inner(d, v), k.minimum(k.as_matrix(d)), 1e-13 * k.size * length(d));
  }
}

TEST_P(MatrixSets, TheZeroDirectionGoesByTheRule) {
  const SetPtr set = MatrixSet{GetParam(), 3, 3, 2}.set();
  Vector v(9, 42.0);
  set->oracle()->minimise(Vector(9, 0.0)).write_to(v);
  Vector expected(9, 0.0);
  if (GetParam() != Family::psd) expected[0] = -2;
  EXPECT_LE(distance(v, expected), 1e-15);
}

TEST_P(MatrixSets, ProjectionsKeepTheVariationalInequality) {
  for (std::uint64_t i = 0; i < scaled_count(1000); ++i) {
    const MatrixSet k = draw(i % 50 == 0 ? 48 : 12);
    const SetPtr set = k.set();
    const auto oracle = set->oracle();
    const double R = set->outer_radius();
    const SpectrumKind kind = all_spectrum_kinds[i % std::size(all_spectrum_kinds)];
    for (const double far : {0.01, 0.5, 2.0, 1e3}) {
      Vector z = combine(1, set->centre(), far * R, entries(direction(k, kind)));
      z[0] += 0.1 * far * R * random_.normal();
      if (z.size() > 1) z[1] += 0.1 * far * R * random_.normal();  // off the hull
      Vector x(z.size());
      oracle->project(z, x);
      ASSERT_LE(k.excess(k.as_matrix(x)), 1e-12 * R) << set->spec();
      const Vector outward = combine(1, z, -1, x);
      // max over K of <z - x, v - x>, by Eigen.
      const double farthest = -k.minimum(-k.as_matrix(outward));
      ASSERT_LE(farthest - inner(outward, x), 1e-9 * R * R) << set->spec() << " " << far;
      Vector again = z;
      oracle->project(again, again);
      ASSERT_EQ(again, x);
      oracle->project(x, again);
      ASSERT_LE(distance(again, x), 1e-12 * R);
    }
  }
}

TEST_P(MatrixSets, ProjectionsFromVeryFarStayInside) {
  for (const double far : {1e6, 1e12, 1e40}) {
    for (int i = 0; i < 20; ++i) {
      const MatrixSet k = draw(10);
      const SetPtr set = k.set();
      Vector z = random_.normals(set->dimension(), far);
      set->oracle()->project(z, z);
      ASSERT_TRUE(set->contains(z)) << set->spec() << " from " << far;
    }
  }
}

TEST_P(MatrixSets, MembershipMatchesTheSpectrum) {
  for (int i = 0; i < 300; ++i) {
    const MatrixSet k = draw(8);
    const SetPtr set = k.set();
    const double R = set->outer_radius();
    Vector u = random_.normals(set->dimension());
    set->flatten(u);
    // A little inside and outside of the boundary on the ray along u.
    double inside = 0;
    double outside = 10 * R / length(u);
    const auto at = [&](double t) { return combine(1, set->centre(), t, u); };
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = (inside + outside) / 2;
      (k.excess(k.as_matrix(at(middle))) <= 0 ? inside : outside) = middle;
    }
    ASSERT_TRUE(set->contains(at(inside * (1 - 1e-12)))) << set->spec();
    ASSERT_FALSE(set->contains(at(outside * (1 + 1e-7)))) << set->spec();
    if (k.family != Family::nuclear && k.rows > 1) {
      Vector lopsided = at(inside / 2);
      lopsided[1] += 1e-7 * R;
      ASSERT_FALSE(set->contains(lopsided)) << set->spec();
    }
  }
}

TEST_P(MatrixSets, RadiiByMonteCarlo) {
  // Small matrices, about the centre and about another one: every point at r is inside, some
  // direction leaves within 2 % of r, and no vertex is beyond R, where some is within 1 %.
  for (int i = 0; i < 20; ++i) {
    const SetPtr own = MatrixSet{GetParam(), 2, 2, std::exp(random_.normal())}.set();
    for (const SetPtr& set : {own, recentred_at_random(own, random_)}) {
      const auto& [p, r, R, D, R_exact, D_exact] = set->geometry();
      EXPECT_TRUE(R_exact && D_exact);
      const auto oracle = set->oracle();
      double farthest = 0;
      double widest = 0;
      bool left = false;
      for (int trial = 0; trial < 20000; ++trial) {
        Vector u = random_.normals(4);
        set->flatten(u);
        u = combine(1 / length(u), u, 0, u);
        ASSERT_TRUE(set->contains(combine(1, p, r, u))) << set->spec();
        left = left || !set->contains(combine(1, p, 1.02 * r, u));
        Vector v(4);
        Vector w(4);
        oracle->minimise(u).write_to(v);
        oracle->minimise(combine(-1, u, 0, u)).write_to(w);
        farthest = std::max(farthest, distance(p, v));
        widest = std::max(widest, distance(v, w));
      }
      EXPECT_TRUE(left) << set->spec();
      EXPECT_LE(farthest, R * (1 + 1e-12)) << set->spec();
      EXPECT_GE(farthest, 0.99 * R) << set->spec();
      EXPECT_LE(widest, D * (1 + 1e-12)) << set->spec();
      EXPECT_GE(widest, 0.99 * D) << set->spec();
    }
  }
}

std::string family_name(const ::testing::TestParamInfo<Family>& instance) {
  if (instance.param == Family::nuclear) return "nuclear";
  return instance.param == Family::symmetric ? "symmetric" : "psd";
}

INSTANTIATE_TEST_SUITE_P(All, MatrixSets,
                         ::testing::Values(Family::nuclear, Family::symmetric, Family::psd),
                         family_name);

TEST(MatrixSet, RadiiInAnyDimensionAreAttained) {
  // r by the matrix with all singular values (eigenvalues) alike, or off the nearest face; R and D
  // by vertices.
  for (const std::size_t n : {2u, 3u, 7u, 20u}) {
    const auto size = static_cast<double>(n);
    const Matrix identity =
        Matrix::Identity(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    const Vector u = entries(identity / std::sqrt(size));
    const auto leaves_at = [](const SetPtr& set, const Vector& along, double t) {
      return set->contains(combine(1, set->centre(), t * (1 - 1e-7), along)) &&
             !set->contains(combine(1, set->centre(), t * (1 + 1e-7), along));
    };
    EXPECT_TRUE(leaves_at(nuclear_ball(n, n, 3), u, 3 / std::sqrt(size)));
    EXPECT_TRUE(leaves_at(symmetric_nuclear_ball(n, 3), u, 3 / std::sqrt(size)));
    const SetPtr psd = psd_trace_ball(n, 3);
    const double r = psd->inner_radius();
    EXPECT_DOUBLE_EQ(r, 3 / (size + std::sqrt(size)));
    EXPECT_TRUE(leaves_at(psd, u, r));  // to tr X = 3
    Vector minus_e_1(n * n, 0.0);
    minus_e_1[0] = -1;
    EXPECT_TRUE(leaves_at(psd, minus_e_1, r));  // to X >= 0
    const Vector vertex = combine(-3, minus_e_1, 0, u);
    EXPECT_NEAR(distance(vertex, psd->centre()), psd->outer_radius(), 1e-14);
    EXPECT_DOUBLE_EQ(psd->diameter(), 3 * std::sqrt(2.0));
    EXPECT_EQ(psd->hull_dimension(), n * (n + 1) / 2);
    EXPECT_EQ(nuclear_ball(n, n + 1)->hull_dimension(), n * (n + 1));
  }
  EXPECT_DOUBLE_EQ(psd_trace_ball(1, 3)->diameter(), 3);
  EXPECT_DOUBLE_EQ(nuclear_ball(2, 8, 3)->inner_radius(), 3 / std::sqrt(2.0));
}

TEST(MatrixSet, ASingleRowIsAEuclideanBall) {
  Random random(9);
  const SetPtr row = nuclear_ball(1, 6, 2);
  const SetPtr column = nuclear_ball(6, 1, 2);
  const SetPtr round = ball(6, 2);
  for (int i = 0; i < 50; ++i) {
    const Vector d = random.normals(6);
    Vector of_row(6);
    Vector of_column(6);
    Vector of_ball(6);
    row->oracle()->minimise(d).write_to(of_row);
    column->oracle()->minimise(d).write_to(of_column);
    round->oracle()->minimise(d).write_to(of_ball);
    EXPECT_LE(distance(of_row, of_ball), 1e-14);
    EXPECT_LE(distance(of_column, of_ball), 1e-14);
  }
}

TEST(MatrixSet, LargeMatricesKeepTheContract) {
  // Of an order where the oracles go by Lanczos's method: the kit, on few directions.
  const std::size_t n = math::largest_direct_order + 1;
  for (const SetPtr& set :
       {nuclear_ball(n, n + 5, 3), symmetric_nuclear_ball(n + 1), psd_trace_ball(n, 2),
        psd_trace_ball(n, 2, {.certified = true}), nuclear_ball(n, n + 5, 3, {.residual = 1e-6})}) {
    const auto oracle = set->oracle();
    const double R = set->outer_radius();
    Random random(12);
    for (std::uint64_t i = 0; i < scaled_count(20); ++i) {
      Vector d = random.normals(set->dimension());
      Vector v(set->dimension());
      oracle->minimise(d).write_to(v);
      ASSERT_TRUE(set->contains(v)) << set->spec();
      set->flatten(d);
      ASSERT_FALSE(set->contains(combine(1, v, -1e-6 * R / length(d), d))) << set->spec();
      Vector x(set->dimension());
      const Vector z = combine(1, set->centre(), 2 * R / length(d), d);
      oracle->project(z, x);
      ASSERT_TRUE(set->contains(x)) << set->spec();
      const Vector outward = combine(1, z, -1, x);
      oracle->minimise(combine(-1, outward, 0, outward)).write_to(v);
      ASSERT_LE(inner(outward, combine(1, v, -1, x)), 1e-9 * R * R) << set->spec();
    }
  }
}

TEST(MatrixSet, CertifiedOraclesFindAHiddenPair) {
  Random random(14);
  const std::size_t n = 120;
  const double missed = -3 * next_eigenvalue;  // sizes are 3
  const double right = -3 * hidden_eigenvalue;
  const auto value = [](const SetPtr& set, const Vector& d) {
    return -set->oracle()->minimise(d).dot(d);
  };
  const Vector d = entries(hidden_pair(n, random));
  // Without the certificate it may be found, by the errors of rough products, or not.
  EXPECT_GE(value(psd_trace_ball(n, 3), d), missed - 1e-8);
  EXPECT_NEAR(value(psd_trace_ball(n, 3, {.certified = true}), d), right, 1e-12);
  EXPECT_GE(value(symmetric_nuclear_ball(n, 3), d), missed - 1e-8);
  EXPECT_NEAR(value(symmetric_nuclear_ball(n, 3, {.certified = true}), d), right, 1e-12);
  const Vector b = entries(hidden_singular_pair(n, random));
  EXPECT_GE(value(nuclear_ball(n, n, 3), b), 3 * std::sqrt(-next_eigenvalue) - 1e-8);
  EXPECT_NEAR(value(nuclear_ball(n, n, 3, {.certified = true}), b),
              3 * std::sqrt(-hidden_eigenvalue), 1e-12);
}

TEST(MatrixSet, FourMillionCoordinates) {
  if (test_scale() < 1) GTEST_SKIP() << "seconds of memory-bound work";
  const std::size_t n = 2000;
  const SetPtr set = nuclear_ball(n, n, 18);
  Random random(13);
  const Vector d = random.normals(n * n);
  const auto oracle = set->oracle();
  const auto start = std::chrono::steady_clock::now();
  const Vertex& vertex = oracle->minimise(d);
  const std::chrono::duration<double> oracle_time = std::chrono::steady_clock::now() - start;
  // -D'u = sigma v and D v = -sigma u for the vertex 18 u v', and sigma is where the norm of a
  // Gaussian matrix concentrates: 2 sqrt n, up to n^(-1/6).
  const Matrix D = matrix_of(d, n, n);
  const double sigma = -vertex.dot(d) / 18;
  EXPECT_NEAR(sigma, 2 * std::sqrt(2000.0), 1);
  EXPECT_LE(residual(D, vertex.right, -sigma / 18, vertex.left), 1e-8 * sigma);
  EXPECT_LE(residual(D.transpose(), vertex.left, -sigma * 18, vertex.right), 1e-8 * sigma * 18);

  Learner learner(projection_free(set, {.loss_bound = 1, .horizon = 100}));
  Vector x(n * n);
  const auto rounds_start = std::chrono::steady_clock::now();
  for (int t = 0; t < 3; ++t) {
    const PlayId id = learner.ask(x);
    learner.tell(id, 0.5);
  }
  const std::chrono::duration<double> rounds = std::chrono::steady_clock::now() - rounds_start;
  EXPECT_LE(length(x), 18 * (1 + 1e-9));
  std::cout << "nuclear_ball(2000, 2000): oracle " << oracle_time.count() << " s, round "
            << rounds.count() / 3 << " s\n";
}

TEST(MatrixSet, ThreadsChangeNoDigitAndNoSpec) {
  Random random(77);
  const std::size_t n = 530;
  const Vector direction = random.normals(n * n);
  const MatrixOracleOptions two{.threads = 2};
  for (const auto& [alone, shared] :
       {std::pair{nuclear_ball(n, n), nuclear_ball(n, n, 1, two)},
        std::pair{symmetric_nuclear_ball(n), symmetric_nuclear_ball(n, 1, two)},
        std::pair{psd_trace_ball(n), psd_trace_ball(n, 1, two)},
        std::pair{spectraplex(n), spectraplex(n, 1, two)}}) {
    EXPECT_EQ(alone->spec(), shared->spec());
    const auto oracle = alone->oracle();
    const auto of_two = shared->oracle();
    const Vertex& v = oracle->minimise(direction);
    const Vertex& w = of_two->minimise(direction);
    EXPECT_TRUE(std::equal(v.left.begin(), v.left.end(), w.left.begin(), w.left.end()));
    EXPECT_TRUE(std::equal(v.right.begin(), v.right.end(), w.right.begin(), w.right.end()));
  }
  for (const unsigned bad : {0u, 257u}) {
    EXPECT_THROW((void)nuclear_ball(2, 2, 1, {.threads = bad}), InvalidArgument);
    EXPECT_THROW((void)symmetric_nuclear_ball(2, 1, {.threads = bad}), InvalidArgument);
    EXPECT_THROW((void)psd_trace_ball(2, 1, {.threads = bad}), InvalidArgument);
    EXPECT_THROW((void)spectraplex(2, 1, {.threads = bad}), InvalidArgument);
  }
}

TEST(MatrixSet, ResidualsLimitTheErrorOfTheValue) {
  Random random(78);
  const std::size_t n = 150;
  const Matrix d = random_rectangular(SpectrumKind::noise, n, n, random);
  const Matrix symmetric = (d + d.transpose()) / 2;
  const double norm = singular_values(d).maxCoeff();
  const Eigen::VectorXd lambda = eigenvalues(symmetric);
  for (const double residual : {1e-12, 1e-6, 1e-3, 1e-2}) {
    const MatrixOracleOptions options{.residual = residual};
    for (const auto& [set, expected] :
         {std::pair{nuclear_ball(n, n, 3, options), -3 * norm},
          std::pair{symmetric_nuclear_ball(n, 3, options), -3 * lambda.cwiseAbs().maxCoeff()},
          std::pair{psd_trace_ball(n, 3, options), 3 * lambda.minCoeff()},
          std::pair{spectraplex(n, 3, options), 3 * lambda.minCoeff()}}) {
      const auto oracle = set->oracle();
      const Vertex& vertex = oracle->minimise(entries(d));
      EXPECT_NEAR(vertex.dot(entries(d)), expected, (residual + 1e-13) * -expected) << set->spec();
      Vector v(n * n);
      vertex.write_to(v);
      EXPECT_TRUE(set->contains(v)) << set->spec();
    }
  }
}

TEST(MatrixSet, DeficientMatricesOfTheBoundaryAreProjectedToThemselves) {
  // Singular values that are zero, next to some whose sum is the radius up to a rounding, which the
  // projection then spreads over all.
  for (const std::size_t n : {3u, 20u, 64u}) {
    const SetPtr set = nuclear_ball(n, n + 2, 2);
    const auto oracle = set->oracle();
    for (int k = -20; k <= 20; ++k) {
      const double factor = 1 + k * 0x1p-53;
      Vector diagonal(n * (n + 2), 0.0);
      for (std::size_t i = 0; i < 3; ++i) {
        diagonal[i * (n + 2) + i] = static_cast<double>(i + 1) / 3.0 * factor;
      }
      const double all = 2 / std::sqrt(static_cast<double>(n * (n + 2)));
      for (const Vector& z : {Vector(n * (n + 2), all * factor), diagonal}) {
        Vector x(z.size());
        oracle->project(z, x);
        ASSERT_LE(distance(x, z), 1e-13) << n << " " << k;
      }
    }
  }
}

TEST(MatrixSet, SmallMatricesAreExactWhateverTheResidual) {
  Random random(79);
  const std::size_t n = math::largest_direct_order;
  const Vector d = random.normals(n * n);
  Vector exact(n * n);
  Vector v(n * n);
  nuclear_ball(n, n)->oracle()->minimise(d).write_to(exact);
  nuclear_ball(n, n, 1, {.residual = 1e-2})->oracle()->minimise(d).write_to(v);
  EXPECT_EQ(v, exact);
}

TEST(MatrixSet, SpecsAndErrors) {
  EXPECT_EQ(nuclear_ball(20, 30, 18)->spec(), "nuclear_ball(20, 30, radius=18)");
  EXPECT_EQ(nuclear_ball(2, 3)->spec(), "nuclear_ball(2, 3)");
  EXPECT_EQ(symmetric_nuclear_ball(4, 0.5)->spec(), "symmetric_nuclear_ball(4, radius=0.5)");
  EXPECT_EQ(psd_trace_ball(4, 2)->spec(), "psd_trace_ball(4, trace=2)");
  EXPECT_EQ(psd_trace_ball(4)->spec(), "psd_trace_ball(4)");
  const MatrixOracleOptions certified{.certified = true};
  EXPECT_EQ(nuclear_ball(2, 3, 4, certified)->spec(),
            "nuclear_ball(2, 3, radius=4, certified=true)");
  EXPECT_EQ(symmetric_nuclear_ball(4, 1, certified)->spec(),
            "symmetric_nuclear_ball(4, certified=true)");
  EXPECT_EQ(psd_trace_ball(4, 2, certified)->spec(), "psd_trace_ball(4, trace=2, certified=true)");
  EXPECT_NE(psd_trace_ball(4, 2, certified)->fingerprint(), psd_trace_ball(4, 2)->fingerprint());
  const MatrixOracleOptions coarse{.residual = 1e-6};
  EXPECT_EQ(nuclear_ball(2, 3, 4, coarse)->spec(), "nuclear_ball(2, 3, radius=4, residual=1e-06)");
  EXPECT_EQ(symmetric_nuclear_ball(4, 1, coarse)->spec(),
            "symmetric_nuclear_ball(4, residual=1e-06)");
  EXPECT_EQ(psd_trace_ball(4, 1, {.certified = true, .residual = 1e-3})->spec(),
            "psd_trace_ball(4, certified=true, residual=0.001)");
  EXPECT_EQ(spectraplex(4, 1, coarse)->spec(), "spectraplex(4, residual=1e-06)");
  EXPECT_EQ(psd_trace_ball(4, 2, {.residual = 1e-10})->spec(), "psd_trace_ball(4, trace=2)");
  EXPECT_NE(psd_trace_ball(4, 2, coarse)->fingerprint(), psd_trace_ball(4, 2)->fingerprint());
  for (const double bad : {0.0, -1e-6, 9e-13, 0.011, 1.0, std::nan("")}) {
    const MatrixOracleOptions options{.residual = bad};
    EXPECT_THROW((void)nuclear_ball(2, 2, 1, options), InvalidArgument);
    EXPECT_THROW((void)symmetric_nuclear_ball(2, 1, options), InvalidArgument);
    EXPECT_THROW((void)psd_trace_ball(2, 1, options), InvalidArgument);
    EXPECT_THROW((void)spectraplex(2, 1, options), InvalidArgument);
  }
  EXPECT_EQ(message<InvalidArgument>([] { (void)nuclear_ball(2, 2, 1, {.residual = 0.5}); }),
            "the residual of an oracle of matrices must be from 1e-12 to 0.01, not 0.5");
  EXPECT_THROW((void)nuclear_ball(0, 3), InvalidArgument);
  EXPECT_THROW((void)nuclear_ball(3, 0), InvalidArgument);
  EXPECT_THROW((void)symmetric_nuclear_ball(0), InvalidArgument);
  EXPECT_THROW((void)psd_trace_ball(0), InvalidArgument);
  for (const double bad : {0.0, -1.0, 1e60, std::nan("")}) {
    EXPECT_THROW((void)nuclear_ball(2, 2, bad), InvalidArgument);
    EXPECT_THROW((void)symmetric_nuclear_ball(2, bad), InvalidArgument);
    EXPECT_THROW((void)psd_trace_ball(2, bad), InvalidArgument);
  }
  EXPECT_THROW((void)recentred(psd_trace_ball(2), Vector(4, 0.0)), InvalidArgument);
  EXPECT_THROW((void)recentred(nuclear_ball(2, 2), Vector{1, 0, 0, 0}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
