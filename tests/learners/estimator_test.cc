// The one-point estimate n / delta f(x + delta u) u is unbiased for the gradient of the smoothed
// loss: Monte Carlo against gradients known by another route, full-dimensional and flat.

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/keyhole.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// The mean of N estimates and its standard error, coordinate by coordinate.
struct Drawn {
  Vector mean;
  Vector error;
};

template <typename Loss>
Drawn estimate(const SetPtr& set, const Vector& x, double delta, std::uint64_t N, const Loss& f) {
  const double n = static_cast<double>(set->hull_dimension());
  Randomness u(set, 31, 4);
  Vector sum(x.size(), 0.0);
  Vector squares(x.size(), 0.0);
  for (std::uint64_t t = 1; t <= N; ++t) {
    const auto u_t = u.direction(t);
    const double loss = f(combine(1, x, delta, u_t));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double g = n / delta * loss * u_t[i];
      sum[i] += g;
      squares[i] += g * g;
    }
  }
  const double count = static_cast<double>(N);
  Drawn result{sum, squares};
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.mean[i] = sum[i] / count;
    result.error[i] = std::sqrt((squares[i] / count - result.mean[i] * result.mean[i]) / count);
  }
  return result;
}

/// Within 4.5 standard errors in every coordinate: a false alarm once in 10^5 coordinates.
void expect_unbiased(const Drawn& estimated, const Vector& gradient) {
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(estimated.mean[i], gradient[i], 4.5 * estimated.error[i]) << i;
    EXPECT_LT(estimated.error[i], 0.05) << "the error bar must be small enough to tell";
  }
}

constexpr std::uint64_t N = 400000;

TEST(Estimator, QuadraticLosses) {
  // f = 1/2 x' A x + b . x: smoothing adds a constant, so the gradient is A x + b, and within a
  // flat set its part along the hull.
  const auto f = [](const Vector& y) {
    return 0.5 * (3 * y[0] * y[0] + 2 * y[0] * y[1] + y[1] * y[1] + 0.5 * y[2] * y[2]) - y[0] +
           2 * y[2];
  };
  const Vector x = {0.3, 0.5, 0.2};
  const Vector gradient = {3 * 0.3 + 0.5 - 1, 0.3 + 0.5, 0.5 * 0.2 + 2};
  for (const SetPtr& set : {ball(3, 2), box(-1, 2, 3), solid_simplex(3, 2), simplex(3)}) {
    Vector along = gradient;
    set->flatten(along);
    expect_unbiased(estimate(set, x, 0.1, N, f), along);
  }
  const double mean = (gradient[0] + gradient[1] + gradient[2]) / 3;
  Vector flat = gradient;
  simplex(3)->flatten(flat);
  EXPECT_NEAR(flat[1], gradient[1] - mean, 1e-15);
}

TEST(Estimator, AKinkWhoseSmoothingIsKnown) {
  // f = |a . x| with ||a|| = 1: the smoothed gradient is a E sign(a . x + delta z), z the first
  // coordinate of a uniform point of the unit ball, of density (1 - z^2)^((n-1)/2) up to a factor.
  const std::size_t n = 4;
  const Vector a = {0.5, -0.5, 0.5, 0.5};
  const Vector x = {0.1, 0.05, -0.02, 0.03};
  const double delta = 0.2;
  const double s = inner(a, x) / delta;
  long double below = 0;
  long double all = 0;
  const int steps = 2000000;
  for (int k = 0; k < steps; ++k) {
    const double z = -1 + (k + 0.5) * 2 / steps;
    const double density = std::pow(1 - z * z, (static_cast<double>(n) - 1) / 2);
    all += density;
    if (z < -s) below += density;
  }
  const double slope = static_cast<double>(1 - 2 * below / all);
  const Vector gradient = combine(slope, a, 0, a);
  expect_unbiased(
      estimate(ball(n), x, delta, N, [&](const Vector& y) { return std::abs(inner(a, y)); }),
      gradient);
}

TEST(Estimator, DirectionsAreUniformInTheHull) {
  // Mean 0 and second moment (1/m) P for the projection P onto the hull's m directions, within 4.5
  // standard errors (at most 1/sqrt(N) each).
  for (const SetPtr& set : {ball(5), simplex(5), simplex(2), ball(1), image(simplex(4), 3, 1)}) {
    const std::size_t n = set->dimension();
    Randomness u(set, 1, 1);
    Vector mean(n, 0.0);
    std::vector<Vector> second(n, Vector(n, 0.0));
    for (std::uint64_t t = 1; t <= N; ++t) {
      const auto u_t = u.direction(t);
      for (std::size_t i = 0; i < n; ++i) {
        mean[i] += u_t[i] / static_cast<double>(N);
        for (std::size_t j = 0; j < n; ++j)
          second[i][j] += u_t[i] * u_t[j] / static_cast<double>(N);
      }
      ASSERT_NEAR(inner(u_t, u_t), 1, 1e-12);
    }
    const double error = 4.5 / std::sqrt(static_cast<double>(N));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(mean[i], 0, error);
      Vector P_e(n, 0.0);
      P_e[i] = 1;
      set->flatten(P_e);
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_NEAR(second[i][j], P_e[j] / static_cast<double>(set->hull_dimension()), error);
      }
    }
  }
}

TEST(Estimator, ShortFlattenedVectorsAreDrawnAgain) {
  // On a hull of one dimension one normal in 10^4 is shorter than 1e-4: the redraw is exercised,
  // and the directions stay flat to rounding.
  for (const SetPtr& set : {simplex(2), ball(1)}) {
    Randomness u(set, 5, 0);
    std::uint64_t plus = 0;
    for (std::uint64_t t = 1; t <= N; ++t) {
      const auto u_t = u.direction(t);
      ASSERT_NEAR(inner(u_t, u_t), 1, 1e-11);
      if (set->dimension() == 2) {
        ASSERT_NEAR(u_t[0] + u_t[1], 0, 1e-11);
      }
      plus += u_t[0] > 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(plus), N / 2.0, 4.5 * std::sqrt(N / 4.0));
  }
}

TEST(Directions, ArePureFunctionsOfTheirNumber) {
  const SetPtr set = simplex(7);
  Randomness forwards(set, 9, 9);
  Randomness backwards(set, 9, 9);
  std::vector<Vector> drawn;
  for (std::uint64_t t = 1; t <= 50; ++t) {
    const auto u = forwards.direction(t);
    drawn.emplace_back(u.begin(), u.end());
  }
  for (std::uint64_t t = 50; t >= 1; --t) {
    const auto u = backwards.direction(t);
    EXPECT_EQ(Vector(u.begin(), u.end()), drawn[t - 1]);
    const auto again = backwards.direction(t);
    EXPECT_EQ(Vector(again.begin(), again.end()), drawn[t - 1]);
  }
}

}  // namespace
}  // namespace keyhole::tests
