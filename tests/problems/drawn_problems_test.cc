// Problems whose losses are drawn: quadratic, completion, tracking, synthetic linear losses.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/draws.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(Draws, UniformsArePureAndUniform) {
  const problems::Draws draws({.seed = 3, .stream = 5});
  Vector all(1001);
  draws.uniforms(problems::Purpose::rounds, 7, all);
  Vector part(130);
  draws.uniforms(problems::Purpose::rounds, 7, part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin()));
  Vector other(1001);
  draws.uniforms(problems::Purpose::samples, 7, other);
  EXPECT_NE(all, other);
  draws.uniforms(problems::Purpose::rounds, 8, other);
  EXPECT_NE(all, other);

  const std::size_t count = 100001;
  Vector u(count);
  draws.uniforms(problems::Purpose::rounds, 9, u);
  double mean = 0;
  double square = 0;
  std::vector<std::size_t> tenths(10, 0);
  for (const double value : u) {
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    mean += value / count;
    square += value * value / count;
    ++tenths[static_cast<std::size_t>(10 * value)];
  }
  // Five standard errors: sqrt(1/12 / 1e5), sqrt(4/45 / 1e5), sqrt(0.09 * 1e5).
  EXPECT_NEAR(mean, 0.5, 5 * 0.00092);
  EXPECT_NEAR(square, 1.0 / 3, 5 * 0.00095);
  for (const std::size_t tenth : tenths) EXPECT_NEAR(static_cast<double>(tenth), 1e4, 5 * 95.0);
}

TEST(Quadratic, KeepsWhatProblemsMust) {
  for (const std::size_t n : {1u, 2u, 7u, 20u}) {
    for (const std::size_t rows : {0u, 1u, 8u}) check_problem(*quadratic({n, rows}, {n + rows}));
  }
  check_problem(*quadratic({}, {1}));
}

TEST(Quadratic, HasThePapersSetAndMoments) {
  const auto problem = quadratic({.n = 10, .rows = 4}, {.seed = 11});
  EXPECT_EQ(problem->spec(), "quadratic(n=10, rows=4)");
  EXPECT_EQ(problem->set().spec().substr(0, 32), "polytope(10, lower=0, upper=1, A");
  EXPECT_TRUE(problem->set().contains(Vector(10, 0.0)));
  // Each row of A has entries in [0, 1], so 1/10 in each coordinate is feasible, 1 in each is not.
  EXPECT_TRUE(problem->set().contains(Vector(10, 0.1)));
  EXPECT_FALSE(problem->set().contains(Vector(10, 1.0)));
  // E f(x) = n/2 ||x||^2, Var f(x) = n/2 ||x||^4 + ||x||^2: five standard errors.
  const Vector x(10, 0.1);
  const double s = inner(x, x);
  const auto count = static_cast<double>(scaled_count(20000));
  double mean = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    problem->draw(t);
    mean += problem->value(x) / count;
  }
  EXPECT_NEAR(mean, 5 * s, 5 * std::sqrt((5 * s * s + s) / count));
}

TEST(Completion, KeepsWhatProblemsMust) {
  for (const auto region : {MatrixRegion::nuclear, MatrixRegion::symmetric, MatrixRegion::psd}) {
    check_problem(*completion({.n = 2, .k = 1, .region = region}, {1}));
    check_problem(*completion({.n = 5, .k = 3, .region = region}, {2}));
    check_problem(*completion({.region = region}, {3}));
  }
}

TEST(Completion, SeesExactlyHalfOfTheEntries) {
  for (const std::size_t n : {4u, 5u}) {
    const auto problem = completion({.n = n, .k = 3}, {4});
    // An entry that is seen has X_ij - M_ij as its slope: almost surely not 0.
    Vector g(n * n);
    std::vector<double> times(n * n, 0);
    const auto count = static_cast<double>(scaled_count(10000));
    for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
      problem->draw(t);
      problem->gradient(Vector(n * n, 0.0), g);
      std::size_t seen = 0;
      for (std::size_t e = 0; e < g.size(); ++e) {
        seen += g[e] != 0 ? 1 : 0;
        times[e] += g[e] != 0 ? 1 : 0;
      }
      ASSERT_EQ(seen, n * n / 2);
    }
    const double share = static_cast<double>(n * n / 2) / static_cast<double>(n * n);
    for (const double time : times) {
      EXPECT_NEAR(time / count, share, 5 * std::sqrt(share * (1 - share) / count));
    }
  }
}

TEST(Completion, HasTheMomentsOfThePaper) {
  // n = 20, k = 18: E f is 3510 at 0, 3429 at every rank-one vertex, 3352 (3510 - k^2/4 - 76.5) at
  // 0.9 I. Errors from the sample itself: five standard errors.
  const auto problem = completion({}, {.seed = 5});
  const std::size_t n = 20;
  Vector zero(n * n, 0.0);
  Vector vertex(n * n, 0.0);
  Vector identity(n * n, 0.0);
  Random random(6);
  Vector u = random.normals(n);
  const double length = std::sqrt(inner(u, u));
  for (std::size_t i = 0; i < n; ++i) {
    identity[i * n + i] = 0.9;
    for (std::size_t j = 0; j < n; ++j) vertex[i * n + j] = 18 * u[i] * u[j] / (length * length);
  }
  const auto expectation = [&](const Vector& X) {
    // 1/4 sum (X_ij^2 - 2 X_ij E M_ij + E M_ij^2), E M = k I, E M_ii^2 = k^2 + 2k, E M_ij^2 = k.
    double sum = 20 * (18.0 * 18 + 36) + 380 * 18.0 + inner(X, X);
    for (std::size_t i = 0; i < n; ++i) sum -= 2 * 18 * X[i * n + i];
    return sum / 4;
  };
  EXPECT_NEAR(expectation(zero), 3510, 0.5);
  EXPECT_NEAR(expectation(vertex), 3429, 0.5);
  EXPECT_NEAR(expectation(identity), 3352, 0.5);
  const std::uint64_t count = scaled_count(20000);
  for (const Vector& X : {zero, vertex, identity}) {
    double mean = 0;
    double square = 0;
    for (std::uint64_t t = 1; t <= count; ++t) {
      problem->draw(t);
      const double loss = problem->value(X);
      mean += loss / static_cast<double>(count);
      square += loss * loss / static_cast<double>(count);
    }
    const double error = std::sqrt((square - mean * mean) / static_cast<double>(count));
    EXPECT_LE(error, 12 / std::sqrt(test_scale()));
    EXPECT_NEAR(mean, expectation(X), 5 * error);
  }
}

TEST(Tracking, KeepsWhatProblemsMust) {
  Random random(7);
  for (const SetFamily& family : set_families()) {
    for (const std::size_t n : {2u, 9u}) {
      const SetPtr set = family.draw(n, random);
      check_problem(*tracking(set, {}, {n}));
      check_problem(*tracking(set, {.distance = 2, .jitter = 1, .offset = -5}, {n}));
    }
  }
}

TEST(Tracking, FollowsItsFormula) {
  const auto problem = tracking(simplex(4), {.distance = 0.6, .jitter = 0.3, .offset = 2}, {8});
  EXPECT_EQ(problem->spec(), "tracking(simplex(4), distance=0.6, jitter=0.3, offset=2)");
  const double r = problem->set().inner_radius();
  const Vector p = problem->set().centre();
  // The gradient at p is p - theta - jitter r w: their mean is p - theta, the rest of length 0.3 r.
  const std::uint64_t count = 4096;
  std::vector<Vector> gradients(count, Vector(4));
  Vector mean(4, 0.0);
  for (std::uint64_t t = 1; t <= count; ++t) {
    problem->draw(t);
    problem->gradient(p, gradients[t - 1]);
    EXPECT_NEAR(inner(gradients[t - 1], Vector(4, 1.0)), 0, 1e-15);  // within the hull
    EXPECT_NEAR(problem->value(p), inner(gradients[t - 1], gradients[t - 1]) / 2 + 2, 1e-15);
    mean = combine(1, mean, 1.0 / count, gradients[t - 1]);
  }
  // Five standard errors: 0.3 r / sqrt(count) in all directions together.
  EXPECT_NEAR(std::sqrt(inner(mean, mean)), 0.6 * r, 5 * 0.3 * r / 64);
  EXPECT_EQ(problem->rounds(), std::numeric_limits<std::uint64_t>::max() - 1);
  problem->draw(problem->rounds());
  EXPECT_THROW(problem->draw(problem->rounds() + 1), InvalidArgument);
  // Proven: R = sqrt(3/4), r = 1/sqrt(12).
  const double farthest = std::sqrt(0.75) * (1 + 1e-9) + 0.9 / std::sqrt(12);
  EXPECT_TRUE(problem->bounds().proven);
  EXPECT_NEAR(problem->bounds().gradient, farthest, 1e-12);
  EXPECT_NEAR(problem->bounds().loss, farthest * farthest / 2 + 2, 1e-12);
}

TEST(Tracking, LosesNoDigitsFarFromTheOrigin) {
  const SetPtr near = ball(3);
  const SetPtr far = image(near, 1, 3e3);
  const auto at_origin = tracking(near, {}, {9});
  const auto away = tracking(far, {}, {9});
  const auto total = play(*at_origin, 1000).total;
  const auto far_total = play(*away, 1000).total;
  const Vector x = {0.5, -0.25, 0.125};
  const Vector far_x = {3e3 + 0.5, 3e3 - 0.25, 3e3 + 0.125};
  EXPECT_NEAR(far_total->value(far_x), total->value(x), 1e-9 * total->value(x));
}

TEST(LinearLosses, KeepWhatProblemsMust) {
  Random random(10);
  for (const SetFamily& family : set_families()) {
    check_problem(*linear(family.draw(8, random), LinearOptions{}, {8}));
  }
  EXPECT_EQ(linear(ball(2), LinearOptions{}, {1})->spec(),
            "linear(ball(2), spread=0.3, noise=0.2)");
}

TEST(LinearLosses, FlipAboutTheirMean) {
  const std::uint64_t flip = 5;
  const auto problem = linear(simplex(3), {.noise = 0, .mean = 0.5, .flip = flip}, {12});
  EXPECT_EQ(problem->spec(), "linear(simplex(3), spread=0.3, noise=0, mean=0.5, flip=5)");
  EXPECT_EQ(problem->segment(), flip);
  check_problem(*linear(ball(4), {.flip = flip}, {12}));
  const auto steady = linear(simplex(3), {.noise = 0, .mean = 0.5}, {12});
  Vector c(3);
  Vector mu(3);
  steady->draw(1);
  steady->gradient(c, mu);
  for (std::uint64_t t = 1; t <= 4 * flip; ++t) {
    problem->draw(t);
    problem->gradient(mu, c);
    const bool mirrored = (t - 1) / flip % 2 == 1;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(c[i], mirrored ? 1 - mu[i] : mu[i], 1e-15) << t;
    }
  }
}

TEST(LinearLosses, HaveTheirMoments) {
  const std::size_t n = 400;
  const auto problem = linear(box(-1, 1, n), {.spread = 3, .noise = 0.5}, {11});
  const std::uint64_t count = 2000;
  Vector mean(n, 0.0);
  Vector square(n, 0.0);
  Vector c(n);
  for (std::uint64_t t = 1; t <= count; ++t) {
    problem->draw(t);
    problem->gradient(mean, c);
    for (std::size_t i = 0; i < n; ++i) {
      mean[i] += c[i];
      square[i] += c[i] * c[i];
    }
  }
  double spread = 0;
  double noise = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean[i] /= static_cast<double>(count);
    spread += mean[i] * mean[i] / static_cast<double>(n);
    noise += (square[i] / static_cast<double>(count) - mean[i] * mean[i]) / static_cast<double>(n);
  }
  EXPECT_NEAR(spread, 9, 5 * 9 * std::sqrt(2.0 / n));
  EXPECT_NEAR(noise, 0.25,
              5 * 0.25 * std::sqrt(2.0 / (static_cast<double>(n * count))) + 0.25 / 2000);
}

/// Everything that is random about a problem, in a few numbers.
template <class Make>
Vector digits(Make make, ProblemSeed seed) {
  const auto problem = make(seed);
  Vector all = {problem->bounds().loss};
  Vector g(problem->set().dimension());
  for (const std::uint64_t t : {1u, 2u, 1000u}) {
    problem->draw(t);
    problem->gradient(problem->set().centre(), g);
    all.insert(all.end(), g.begin(), g.end());
  }
  return all;
}

TEST(DrawnProblems, DependOnSeedAndStreamAlone) {
  const auto check = [](auto make) {
    EXPECT_EQ(digits(make, {1, 2}), digits(make, {1, 2}));
    EXPECT_NE(digits(make, {1, 2}), digits(make, {1, 3}));
    EXPECT_NE(digits(make, {1, 2}), digits(make, {2, 2}));
    EXPECT_NE(digits(make, {1, 2}), digits(make, {2, 1}));
  };
  check([](ProblemSeed seed) { return quadratic({5, 3}, seed); });
  check([](ProblemSeed seed) { return completion({4, 3}, seed); });
  check([](ProblemSeed seed) { return tracking(ball(5), {}, seed); });
  check([](ProblemSeed seed) { return linear(ball(5), LinearOptions{}, seed); });
  check([](ProblemSeed seed) { return separable(ball(5), {.power = 2}, seed); });
  check([](ProblemSeed seed) { return regression(ball(5), {}, seed); });
  check([](ProblemSeed seed) { return alternating(ball(5), {}, seed); });
  check([](ProblemSeed seed) { return max_affine(ball(5), {.kinks = Kinks::drawn}, seed); });
  check([](ProblemSeed seed) { return curved(ball(5), {}, seed); });
  check([](ProblemSeed seed) { return thin({.n = 5}, seed); });
  check([](ProblemSeed seed) { return road_grid({}, seed); });
}

TEST(DrawnProblems, NoLossBeforeTheFirstDraw) {
  const auto check = [](const std::unique_ptr<Problem>& problem) {
    EXPECT_EQ(problem->drawn(), 0u);
    EXPECT_THROW(problem->draw(0), InvalidArgument);
    const auto total = problem->total();
    EXPECT_EQ(message<InvalidArgument>([&] { total->add(); }),
              "no loss has been drawn yet that could be added");
    const Vector x = problem->set().centre();
    EXPECT_EQ(total->value(x), 0);
  };
  check(quadratic({5, 3}, {1}));
  check(completion({4, 3}, {1}));
  check(tracking(ball(5), {}, {1}));
  check(linear(ball(5), LinearOptions{}, {1}));
  check(separable(ball(5), {.noise = 1}, {1}));
  check(regression(ball(5), {}, {1}));
  check(alternating(ball(5), {}, {1}));
  check(max_affine(ball(5), {}, {1}));
  check(curved(ball(5), {}, {1}));
  check(thin({.n = 4}, {1}));
  check(road_grid({.rows = 2, .columns = 2}, {1}));
  check(lognormal_market({.n = 4}, {1}));
}

TEST(DrawnProblems, RefuseNonsense) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)quadratic({.n = 0}, {}); }),
            "the n of quadratic must be from 1 to 4096, not 0");
  EXPECT_EQ(message<InvalidArgument>([] { (void)completion({.n = 1}, {}); }),
            "the n of completion must be from 2 to 4096, not 1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)completion({.k = 0}, {}); }),
            "the k of completion must be from 1 to 4096, not 0");
  EXPECT_EQ(message<InvalidArgument>([] { (void)tracking(ball(2), {.distance = -1}, {}); }),
            "the distance of tracking must be from 0 to 1e+50, not -1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)tracking(ball(2), {.jitter = NAN}, {}); }),
            "the jitter of tracking must be from 0 to 1e+50, not nan");
  EXPECT_THROW((void)tracking(ball(2), {.offset = INFINITY}, {}), InvalidArgument);
  EXPECT_THROW((void)tracking(ball(2, 1e30), {}, {}), InvalidArgument);  // losses of 1e60
  EXPECT_THROW((void)tracking(nullptr, {}, {}), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([] { (void)linear(ball(2), {.spread = -1}, {}); }),
            "the spread of linear must be from 0 to 1e+50, not -1");
  EXPECT_THROW((void)linear(ball(2), {.noise = NAN}, {}), InvalidArgument);
  EXPECT_THROW((void)linear(nullptr, LinearOptions{}, {}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
