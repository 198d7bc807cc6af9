// online_newton against its formulas with explicit inverses; the parts it is made of; where it
// plays, what it refuses, and that it finds a minimum.

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/algorithms.h"
#include "keyhole/learner.h"
#include "keyhole/sets.h"
#include "learners/hull_basis.h"
#include "learners/precision_matrix.h"
#include "math/spectral/decompositions.h"
#include "random.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// The inverse, by Gauss and Jordan without pivots: for positive definite matrices.
std::vector<Vector> inverse(std::vector<Vector> a) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = a[k][k];
    for (std::size_t j = 0; j < n; ++j) a[k][j] = j == k ? 1 / pivot : a[k][j] / pivot;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] = (j == k ? 0 : a[i][j]) - factor * a[k][j];
      }
    }
  }
  return a;
}

Vector product(const std::vector<Vector>& a, const Vector& x) {
  Vector y;
  for (const Vector& row : a) y.push_back(inner(row, x));
  return y;
}

/// L'^-1 z for a = L L': the draw of covariance a^-1.
Vector drawn(const std::vector<Vector>& a, const Vector& z) {
  const std::size_t n = a.size();
  std::vector<Vector> L(n, Vector(n, 0.0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double left = a[i][j];
      for (std::size_t k = 0; k < j; ++k) left -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(left) : left / L[j][j];
    }
  }
  Vector d = z;
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) d[i] -= L[k][i] * d[k];
    d[i] /= L[i][i];
  }
  return d;
}

double curved_loss(std::uint64_t t, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = y[i] - 0.3 * std::sin(static_cast<double>(i + t % 3));
    sum += off * off / 2;
  }
  return 5 + sum;
}

void expect_the_same_plays(const SetPtr& set, const OnlineNewtonOptions& options) {
  const auto& [p, r, R, D, R_exact, D_exact] = set->geometry();
  const algorithms::HullBasis basis(*set);
  const std::size_t m = basis.size();
  const auto n = static_cast<double>(m);
  const double T = static_cast<double>(*options.horizon);
  const double rho = options.radius.value_or(R);
  const double eta = options.eta.value_or(std::sqrt(n / T) / (1 + 1 / n));
  const double lambda = options.lambda.value_or(1 / n);
  const double b = options.penalty * R / rho;
  const auto oracle = set->oracle();

  Learner learner(online_newton(set, options), {.seed = 4, .stream = 9});
  const Randomness directions(set, 4, 9);
  Vector mu(m, 0.0);
  std::vector<Vector> P(m, Vector(m, 0.0));  // the inverse of Sigma
  for (std::size_t i = 0; i < m; ++i) P[i][i] = n * n;
  double Y_before = 0;
  double gamma_before = 0;
  std::size_t outside = 0;
  for (std::uint64_t t = 1; t <= *options.horizon; ++t) {
    Vector z(m);
    directions.normals(t, z);
    const Vector off = drawn(P, z);
    Vector X = mu;
    for (std::size_t i = 0; i < m; ++i) X[i] += off[i];
    Vector point = p;
    basis.add_to(point, rho, X);
    Vector s(p.size());
    const double gamma = std::max(1.0, oracle->gauge(point, s));
    outside += gamma > 1 ? 1 : 0;
    Vector y(p.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = p[i] + (point[i] - p[i]) / gamma;
    const Play play = learner.ask();
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(play.point[i], y[i], 1e-12) << set->spec() << ", round " << t;
    }
    const double f = curved_loss(t, y);
    learner.tell(play.id, f);
    const double Y = f / (*options.gradient_bound * rho);
    if (t > 1) {
      const double difference = gamma * (Y - Y_before) + b * (gamma - gamma_before);
      ASSERT_LT(std::abs(eta * lambda / 4 * difference), 0.5);  // nothing is clipped
      const Vector v = product(P, off);
      std::vector<Vector> next = P;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          next[i][j] += eta / 4 * lambda * difference * (v[i] * v[j] - P[i][j]);
        }
      }
      P = next;
      const Vector step = product(inverse(P), v);
      for (std::size_t i = 0; i < m; ++i) mu[i] -= eta * difference * step[i];
    }
    Y_before = Y;
    gamma_before = gamma;
  }
  EXPECT_GT(outside, 3u) << set->spec();
}

TEST(OnlineNewton, PlaysItsFormulas) {
  for (const SetPtr& set : {ball(1, 2), ball(3), box(-1, 2, 2), simplex(4), l1_ball(3)}) {
    expect_the_same_plays(set, {.gradient_bound = 3, .horizon = 1000});
    expect_the_same_plays(set, {.gradient_bound = 2,
                                .horizon = 1000,
                                .radius = 1.5 * set->outer_radius(),
                                .eta = 0.02,
                                .lambda = 0.3,
                                .penalty = 1});
  }
}

TEST(OnlineNewton, FindsAMinimum) {
  // 1/2 ||x - theta||^2 with noise of 0.1 in every value: five runs, each mean within 0.2 of theta,
  // which is 0.6 away from the start.
  const std::size_t n = 3;
  const std::uint64_t T = 1 << 14;
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    Random random(seed);
    Learner learner(online_newton(ball(n), {.gradient_bound = 1.6, .horizon = T}), {.seed = seed});
    const Vector theta = {0.6, 0, 0};
    Vector x(n);
    const auto off = [&] { return std::hypot(x[0] - theta[0], x[1] - theta[1], x[2] - theta[2]); };
    for (std::uint64_t t = 0; t < T; ++t) {
      const PlayId id = learner.ask(x);
      learner.tell(id, off() * off() / 2 + 0.1 * random.normal() - 7);
    }
    learner.recommend(x);
    EXPECT_LT(off(), 0.2) << seed;
  }
}

TEST(OnlineNewton, PlaysByBisectionWhereThereIsNoGauge) {
  // About its own centre, a set knows no closed form of its gauge: the plays are the same but for
  // the tolerance of membership.
  for (const SetPtr& set : {ball(3), box(-1, 2, 2), simplex(4)}) {
    const SetPtr about = recentred(set, set->centre());
    ASSERT_FALSE(about->can_gauge());
    const OnlineNewtonOptions options{.gradient_bound = 3, .horizon = 300};
    Learner closed(online_newton(set, options));
    Learner bisected(online_newton(about, options));
    for (std::uint64_t t = 1; t <= 300; ++t) {
      const Play one = closed.ask();
      const Play other = bisected.ask();
      ASSERT_TRUE(set->contains(other.point));
      for (std::size_t i = 0; i < one.point.size(); ++i) {
        ASSERT_NEAR(one.point[i], other.point[i], 1e-6) << set->spec() << ", round " << t;
      }
      closed.tell(one.id, curved_loss(t, one.point));
      bisected.tell(other.id, curved_loss(t, one.point));
    }
  }
}

TEST(OnlineNewton, RefusesWhatItCannotPlay) {
  const auto why = [](const SetPtr& set, const OnlineNewtonOptions& options) {
    return message<InvalidArgument>([&] { (void)online_newton(set, options); });
  };
  EXPECT_EQ(why(ball(65), {.gradient_bound = 1}),
            "online_newton is for at most 64 dimensions, and ball(65) has 65: use parameter_free");
  EXPECT_EQ(why(simplex(65), {.gradient_bound = 1}), "nothing was thrown");
  EXPECT_EQ(why(ball(2), {}),
            "online_newton needs gradient_bound: G, the largest norm of a gradient");
  EXPECT_EQ(why(ball(2), {.gradient_bound = 1, .radius = 0}),
            "the radius of online_newton must be from 1e-50 to 1e+50, not 0");
  EXPECT_EQ(why(ball(2), {.gradient_bound = 1, .lambda = -1}),
            "the lambda of online_newton must be from 1e-50 to 1e+50, not -1");
  EXPECT_EQ(why(ball(2), {.gradient_bound = 1, .penalty = -1}),
            "the penalty of online_newton must be from 0 to 1e+50, not -1");
  EXPECT_EQ(why(ball(2), {.gradient_bound = 1, .start = {2, 0}}),
            "the start is not in the set ball(2)");
  EXPECT_EQ(online_newton(ball(2), {.gradient_bound = 1})->regret_bound(1).note,
            "no bound: the theorem is for losses defined everywhere, and names no constants");
}

TEST(HullBasis, IsOrthonormalAndSpansTheHull) {
  for (const SetPtr& set :
       {ball(4), simplex(2), simplex(9), path_splits(std::vector<std::size_t>{3, 2, 4}),
        symmetric_nuclear_ball(3)}) {
    const algorithms::HullBasis basis(*set);
    ASSERT_EQ(basis.size(), set->hull_dimension());
    for (std::size_t k = 0; k < basis.size(); ++k) {
      Vector c(basis.size(), 0.0);
      c[k] = 1;
      Vector direction(set->dimension(), 0.0);
      basis.add_to(direction, 1, c);
      Vector flat = direction;
      set->flatten(flat);
      for (std::size_t i = 0; i < flat.size(); ++i) EXPECT_NEAR(flat[i], direction[i], 1e-15);
      Vector back(basis.size());
      basis.coordinates(direction, back);
      for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], c[i], 1e-15);
    }
  }
}

/// P^-1, by solving for the axes.
Vector covariance(const algorithms::PrecisionMatrix& P, std::size_t n) {
  Vector sigma(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    sigma[i * n + i] = 1;
    P.solve(std::span(sigma).subspan(i * n, n));
  }
  return sigma;
}

TEST(PrecisionMatrix, KeepsItsFloorAndItsFactor) {
  Random random(6);
  for (const std::size_t n : {1u, 2u, 5u, 20u}) {
    algorithms::PrecisionMatrix P(n);
    P.reset(4);
    Vector d(n);
    Vector v(n);
    for (int k = 0; k < 300; ++k) {
      const Vector z = random.normals(n);
      P.draw(z, d);
      P.score(z, v);
      EXPECT_NEAR(inner(d, v), inner(z, z), 1e-9 * inner(z, z));  // d' P d
      P.update(random.uniform(-0.5, 0.5) * (k < 150 ? 0.1 : 1), v);
      const Vector sigma = covariance(P, n);
      const Vector spectrum = math::eigenvalues(sigma, n);
      EXPECT_GT(spectrum.front(), 0);
      EXPECT_LE(spectrum.back(), 0.5 * (1 + 1e-5));  // eigenvalues of P from 2 on
      Vector back = v;
      P.solve(back);
      const Vector row = back;
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(row[i],
                    inner(Vector(sigma.begin() + static_cast<std::ptrdiff_t>(i * n),
                                 sigma.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)),
                          v),
                    1e-9 * (1 + std::abs(row[i])));
      }
    }
    EXPECT_GT(P.raised(), 0u);
  }
}

TEST(PrecisionMatrix, UpdatesByItsFormulaAboveTheFloor) {
  algorithms::PrecisionMatrix P(2);
  P.reset(4);
  P.update(0.25, Vector{2, 6});  // 3/4 diag(4, 4) + 1/4 (2, 6)(2, 6)' = (4 3; 3 12)
  EXPECT_EQ(P.raised(), 0u);
  Vector x = {4 + 2 * 3, 3 + 2 * 12};
  P.solve(x);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
  // The eigenvalue of (1, 0) would fall to 4 (3/2) - 1/2 (2)^2 4 = -2: it is raised to 2, the other
  // one is 6.
  P.reset(4);
  P.update(-0.5, Vector{4, 0});
  EXPECT_EQ(P.raised(), 1u);
  x = {2, 6};
  P.solve(x);
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 1, 1e-14);
  // Beyond 1e8 times the first trace it stays as it is.
  P.reset(4);
  P.update(0.5, Vector{1e5, 0});
  x = {4, 4};
  P.solve(x);
  EXPECT_EQ(x, Vector({1, 1}));
}

}  // namespace
}  // namespace keyhole::tests
