// Bayesian regression against the normal equations, solved by Eigen.

#include "learners/regression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "matrices.h"

namespace keyhole::tests {
namespace {

/// A regression and the same data as dense sums.
struct Regressed {
  Regressed(std::size_t d, std::size_t values, Random& random)
      : regression(d),
        ridge(d),
        G(Matrix::Zero(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(d))),
        b(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(d))) {
    for (double& r : ridge) r = std::exp(2 * random.normal());
    regression.begin(ridge);
    const Eigen::VectorXd truth = vector_of(random.normals(d));
    for (std::size_t t = 0; t < values; ++t) {
      std::vector<double> phi = random.normals(d);
      if (t % 3 == 0) phi[random.integer(0, d - 1)] = 0;
      const double precision = std::exp(random.normal());
      const double value = vector_of(phi).dot(truth) + random.normal();
      const Eigen::VectorXd mean = vector_of(regression.mean());
      regression.learn(phi, precision, value - vector_of(phi).dot(mean));
      G += precision * vector_of(phi) * vector_of(phi).transpose();
      b += precision * value * vector_of(phi);
    }
  }

  static Eigen::VectorXd vector_of(std::span<const double> x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  /// A = diag(ridge) + G.
  [[nodiscard]] Matrix A() const { return A(ridge); }
  [[nodiscard]] Matrix A(const std::vector<double>& with) const {
    Matrix sum = G;
    sum.diagonal() += vector_of(with);
    return sum;
  }
  /// The mean by the normal equations A mean = b.
  [[nodiscard]] Eigen::VectorXd mean(const std::vector<double>& with) const {
    return solution(A(with), b).value();
  }
  /// theta - mean for some xi.
  [[nodiscard]] Eigen::VectorXd away(const std::vector<double>& xi) const {
    std::vector<double> theta(xi.size());
    regression.sample(xi, theta);
    return vector_of(theta) - vector_of(regression.mean());
  }

  algorithms::Regression regression;
  std::vector<double> ridge;
  Matrix G;
  Eigen::VectorXd b;
};

/// Twenty of them: no value, fewer values than coefficients, many.
std::vector<Regressed> some_regressions() {
  Random random(7);
  std::vector<Regressed> all;
  for (std::size_t k = 0; k < 20; ++k) {
    const std::size_t d = k % 10 + 1;
    all.emplace_back(d, k < 2 ? 0 : k % 2 == 0 ? d / 2 : 20 * d, random);
  }
  return all;
}

/// Roundings of numbers that range over some e^8.
constexpr double rounding = 1e-9;

TEST(Regression, TheMeanSolvesTheNormalEquations) {
  for (const Regressed& made : some_regressions()) {
    const Eigen::VectorXd mean = made.mean(made.ridge);
    const Eigen::VectorXd found = Regressed::vector_of(made.regression.mean());
    EXPECT_LE((found - mean).norm(), rounding * (1 + mean.norm()));
  }
}

TEST(Regression, TheVarianceIsThatOfTheInverse) {
  Random random(8);
  for (Regressed& made : some_regressions()) {
    const std::size_t d = made.regression.size();
    const std::vector<double> phi = random.normals(d);
    const Eigen::VectorXd x = Regressed::vector_of(phi);
    const double variance = x.dot(solution(made.A(), x).value());
    EXPECT_NEAR(made.regression.variance(phi), variance, rounding * variance);
  }
}

TEST(Regression, TheVarianceOfTheLastCoefficientsIsThatOfTheInverse) {
  Random random(9);
  for (Regressed& made : some_regressions()) {
    const std::size_t d = made.regression.size();
    for (std::size_t from = 0; from < d; ++from) {
      std::vector<double> phi = random.normals(d);
      std::fill(phi.begin(), phi.begin() + static_cast<std::ptrdiff_t>(from), 0.0);
      const Eigen::VectorXd x = Regressed::vector_of(phi);
      const double variance = x.dot(solution(made.A(), x).value());
      EXPECT_NEAR(made.regression.variance_from(from, phi), variance, rounding * variance);
    }
  }
}

TEST(Regression, AnotherCoefficientHasThePriorAloneAndLearns) {
  Random random(10);
  for (Regressed& made : some_regressions()) {
    const std::size_t d = made.regression.size();
    made.regression.append(3);
    made.ridge.push_back(3);
    const auto size = static_cast<Eigen::Index>(d + 1);
    Matrix G = Matrix::Zero(size, size);
    G.topLeftCorner(size - 1, size - 1) = made.G;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
    b.head(size - 1) = made.b;
    const std::vector<double> phi = random.normals(d + 1);
    const Eigen::VectorXd x = Regressed::vector_of(phi);
    made.regression.learn(phi, 2, 1.5 - x.dot(Regressed::vector_of(made.regression.mean())));
    made.G = G + 2 * x * x.transpose();
    made.b = b + 2 * 1.5 * x;
    const Eigen::VectorXd mean = made.mean(made.ridge);
    const Eigen::VectorXd found = Regressed::vector_of(made.regression.mean());
    EXPECT_LE((found - mean).norm(), rounding * (1 + mean.norm()));
    const double variance = x.dot(solution(made.A(), x).value());
    EXPECT_NEAR(made.regression.variance(phi), variance, rounding * variance);
  }
}

TEST(Regression, SamplesHaveTheCovarianceOfTheInverse) {
  // theta - mean is linear in xi, so the sum over the unit vectors is its covariance: A times that
  // is the unit matrix.
  for (const Regressed& made : some_regressions()) {
    const std::size_t d = made.regression.size();
    const auto order = static_cast<Eigen::Index>(d);
    Matrix covariance = Matrix::Zero(order, order);
    for (std::size_t k = 0; k < d; ++k) {
      std::vector<double> xi(d, 0.0);
      xi[k] = 1;
      const Eigen::VectorXd away = made.away(xi);
      covariance += away * away.transpose();
    }
    EXPECT_LE((made.A() * covariance - Matrix::Identity(order, order)).norm(), 1e-8);
  }
}

TEST(Regression, TheLastCoefficientOfASampleDependsOnTheLastNumberAlone) {
  Random random(10);
  for (const Regressed& made : some_regressions()) {
    std::vector<double> xi = random.normals(made.regression.size());
    const Eigen::VectorXd one = made.away(xi);
    for (std::size_t k = 0; k + 1 < xi.size(); ++k) xi[k] = random.normal();
    const Eigen::VectorXd other = made.away(xi);
    EXPECT_EQ(one[one.size() - 1], other[one.size() - 1]);
    EXPECT_EQ(one.size() > 1, one != other);
    xi.back() += 1;
    EXPECT_NE(one[one.size() - 1], made.away(xi)[one.size() - 1]);
  }
}

/// Opened, and closed with another ridge.
void reopen(Regressed& made, const std::vector<double>& ridge) {
  const std::size_t d = ridge.size();
  std::vector<double> G(d * (d + 1) / 2);
  std::vector<double> b(d);
  made.regression.open(made.ridge, G, b);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_NEAR(G[i * (i + 1) / 2 + j],
                  made.G(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                  rounding * made.A().norm());
    }
  }
  EXPECT_LE((Regressed::vector_of(b) - made.b).norm(), rounding * (1 + made.b.norm()));
  made.regression.close(ridge, G, b);
  made.ridge = ridge;
}

/// Whether mean and variances are those of the normal equations.
void expect_solved(Regressed& made) {
  const Eigen::VectorXd mean = made.mean(made.ridge);
  EXPECT_LE((Regressed::vector_of(made.regression.mean()) - mean).norm(), 1e-8 * (1 + mean.norm()));
  for (std::size_t k = 0; k < made.ridge.size(); ++k) {
    std::vector<double> phi(made.ridge.size(), 0.0);
    phi[k] = 1;
    const Eigen::VectorXd x = Regressed::vector_of(phi);
    const double variance = x.dot(solution(made.A(), x).value());
    EXPECT_NEAR(made.regression.variance(phi), variance, 1e-8 * variance);
  }
}

TEST(Regression, ClosedWithTheSameRidgeItIsWhatItWas) {
  for (Regressed& made : some_regressions()) {
    reopen(made, made.ridge);
    expect_solved(made);
  }
}

TEST(Regression, ClosedWithAnotherRidgeItIsTheDirectSolution) {
  Random random(11);
  for (Regressed& made : some_regressions()) {
    std::vector<double> ridge(made.ridge);
    for (double& r : ridge) r *= std::exp(random.normal());
    reopen(made, ridge);
    expect_solved(made);
  }
}

TEST(Regression, BeginsWithThePrior) {
  algorithms::Regression regression(2);
  regression.begin(std::vector<double>{4, 0.25});
  EXPECT_EQ(regression.mean()[0], 0);
  EXPECT_EQ(regression.mean()[1], 0);
  EXPECT_EQ(regression.variance(std::vector<double>{1, 0}), 0.25);
  EXPECT_EQ(regression.variance(std::vector<double>{0, 1}), 4);
  regression.learn(std::vector<double>{1, 1}, 1, 3);
  regression.begin(std::vector<double>{1, 1});
  EXPECT_EQ(regression.mean()[0], 0);
  EXPECT_EQ(regression.variance(std::vector<double>{3, 4}), 25);
}

TEST(Regression, GoesOnFromItsState) {
  Random random(12);
  Regressed made(5, 30, random);
  Archive writer;
  made.regression.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  algorithms::Regression loaded(5);
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  const std::vector<double> phi = random.normals(5);
  made.regression.learn(phi, 2, 0.5);
  loaded.learn(phi, 2, 0.5);
  EXPECT_TRUE(
      std::equal(loaded.mean().begin(), loaded.mean().end(), made.regression.mean().begin()));
  EXPECT_EQ(loaded.variance(phi), made.regression.variance(phi));
}

/// A^-1 has q more in its first entry, and the mean moves by the drift alone.
TEST(Regression, ALevelThatWandersIsKnownLess) {
  Random random(21);
  for (const std::size_t d : {1U, 2U, 7U}) {
    for (const double q : {1e-6, 0.3, 1e6}) {
      Regressed values(d, 20, random);
      Matrix covariance(d, d);
      for (std::size_t k = 0; k < d; ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        covariance.col(column) =
            solution(values.A(), Eigen::VectorXd::Unit(static_cast<Eigen::Index>(d), column))
                .value();
      }
      Eigen::VectorXd mean = values.mean(values.ridge);
      values.regression.wander(q, 0.25);
      covariance(0, 0) += q;
      mean[0] += 0.25;
      const Eigen::VectorXd found = Regressed::vector_of(values.regression.mean());
      EXPECT_LT((found - mean).norm(), 1e-9 * (1 + mean.norm()));
      for (int k = 0; k < 10; ++k) {
        const std::vector<double> phi = random.normals(d);
        const Eigen::VectorXd x = Regressed::vector_of(phi);
        const double expected = x.dot(covariance * x);
        EXPECT_NEAR(values.regression.variance(phi), expected, 1e-8 * expected);
      }
    }
  }
}

Matrix inverse(const Matrix& A) {
  Matrix found(A.rows(), A.cols());
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    found.col(k) = solution(A, Eigen::VectorXd::Unit(A.rows(), k)).value();
  }
  return found;
}

/// What is known of the last coefficients is the same after forgetting the first: their covariance
/// is a block of A^-1.
TEST(Regression, ForgetsTheFirstCoefficientsAlone) {
  Random random(31);
  for (int run = 0; run < 20; ++run) {
    const auto d = static_cast<std::size_t>(random.integer(2, 9));
    const auto head = static_cast<std::size_t>(random.integer(1, d - 1));
    Regressed of(d, 40, random);
    const Eigen::VectorXd mean = Regressed::vector_of(of.regression.mean());
    const Matrix before = inverse(of.A());
    const double share = random.uniform(0.1, 1);
    of.regression.forget(head, share);
    EXPECT_LE((Regressed::vector_of(of.regression.mean()) - mean).norm(), 0);
    // Given the last, the first have a variance that is 1 / share times as large; so the first are
    // known to (A_11)^-1 / share + what the last leave open.
    const auto h = static_cast<Eigen::Index>(head);
    const Matrix given = inverse(of.A().topLeftCorner(h, h));
    Matrix after = before;
    after.topLeftCorner(h, h) += (1 / share - 1) * given;
    for (int k = 0; k < 5; ++k) {
      const std::vector<double> phi = random.normals(d);
      const Eigen::VectorXd x = Regressed::vector_of(phi);
      const double expected = x.dot(after * x);
      EXPECT_NEAR(of.regression.variance(phi), expected, 1e-9 * expected);
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
