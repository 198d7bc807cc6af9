// What is added to losses: noise that all plays of a round share; a target that changes sides; a
// mean of linear costs.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/additive_noise.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(AdditiveNoise, NormalHasItsMoments) {
  const problems::AdditiveNoise noise(0.5, Tails::normal, {3, 4});
  const auto count = static_cast<double>(scaled_count(1e5));
  double mean = 0;
  double square = 0;
  double fourth = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    const double z = noise(t) / 0.5;
    mean += z / count;
    square += z * z / count;
    fourth += z * z * z * z / count;
  }
  // Five standard errors: of variances 1, 2 and 96.
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / count));
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96 / count));
}

TEST(AdditiveNoise, StudentHasItsDistribution) {
  // With 2 degrees of freedom P(Z <= z) = 1/2 + z / (2 sqrt(2 + z^2)).
  const problems::AdditiveNoise noise(2, Tails::student, {3, 4});
  const auto count = static_cast<double>(scaled_count(1e5));
  const std::vector<double> at = {-30, -5, -1, -0.2, 0, 0.5, 2, 10, 30};
  std::vector<double> below(at.size(), 0.0);
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    const double z = noise(t) / 2;
    for (std::size_t k = 0; k < at.size(); ++k) below[k] += z <= at[k] ? 1 : 0;
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double share = 0.5 + at[k] / (2 * std::sqrt(2 + at[k] * at[k]));
    EXPECT_NEAR(below[k] / count, share, 5 * std::sqrt(share * (1 - share) / count)) << at[k];
  }
}

TEST(AdditiveNoise, CauchyHasItsDistribution) {
  // P(Z <= z) = 1/2 + atan(z) / pi.
  const problems::AdditiveNoise noise(2, Tails::cauchy, {3, 4});
  const auto count = static_cast<double>(scaled_count(1e5));
  const std::vector<double> at = {-600, -30, -1, -0.2, 0, 0.5, 2, 30, 600};
  std::vector<double> below(at.size(), 0.0);
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    const double z = noise(t) / 2;
    for (std::size_t k = 0; k < at.size(); ++k) below[k] += z <= at[k] ? 1 : 0;
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double share = 0.5 + std::atan(at[k]) / std::numbers::pi;
    EXPECT_NEAR(below[k] / count, share, 5 * std::sqrt(share * (1 - share) / count)) << at[k];
  }
}

TEST(AdditiveNoise, IsPure) {
  for (const Tails tails : {Tails::normal, Tails::student, Tails::cauchy}) {
    const problems::AdditiveNoise noise(1, tails, {3, 4});
    const problems::AdditiveNoise same(1, tails, {3, 4});
    const problems::AdditiveNoise other(1, tails, {3, 5});
    EXPECT_EQ(noise(7), same(7));
    EXPECT_NE(noise(7), noise(8));
    EXPECT_NE(noise(7), other(7));
    EXPECT_EQ(problems::AdditiveNoise(0, tails, {3, 4})(7), 0);
  }
}

TEST(TrackingWithNoise, KeepsWhatProblemsMust) {
  for (const SetPtr& set : {ball(4), simplex(5), box(-1, 3, 3)}) {
    check_problem(*tracking(set, {.noise = 0.3}, {1}));
    check_problem(*tracking(set, {.offset = 1000, .noise = 0.3, .tails = Tails::student}, {1}));
    check_problem(*tracking(set, {.noise = 0.1, .flip = 7}, {1}));
  }
}

TEST(TrackingWithNoise, AddsTheSameToAllPlays) {
  const auto plain = tracking(ball(3), {}, {5});
  const auto noisy = tracking(ball(3), {.noise = 0.25}, {5});
  const auto heavy = tracking(ball(3), {.noise = 0.25, .tails = Tails::student}, {5});
  EXPECT_EQ(noisy->spec(), "tracking(ball(3), distance=0.6, jitter=0.3, offset=0, noise=0.25)");
  EXPECT_EQ(heavy->spec(),
            "tracking(ball(3), distance=0.6, jitter=0.3, offset=0, noise=0.25, tails=student)");
  Random random(6);
  for (const auto& problem : {noisy.get(), heavy.get()}) {
    for (std::uint64_t t = 1; t <= 20; ++t) {
      plain->draw(t);
      problem->draw(t);
      const Vector a = random_point(plain->set(), random);
      const Vector b = random_point(plain->set(), random);
      const double added = problem->value(a) - plain->value(a);
      EXPECT_NE(added, 0);
      EXPECT_NEAR(problem->value(b) - plain->value(b), added, 1e-14 * (1 + std::abs(added)));
      Vector g(3);
      Vector noisy_g(3);
      plain->gradient(a, g);
      problem->gradient(a, noisy_g);
      EXPECT_EQ(g, noisy_g);
    }
    EXPECT_FALSE(problem->bounds().proven);
    EXPECT_EQ(problem->bounds().gradient, plain->bounds().gradient);
  }
  EXPECT_NEAR(noisy->bounds().loss, plain->bounds().loss + 5 * 0.25, 1e-12);
  EXPECT_NEAR(heavy->bounds().loss, plain->bounds().loss + 30 * 0.25, 1e-12);
}

TEST(TrackingThatFlips, ChangesSidesAndSaysSo) {
  const std::uint64_t flip = 16;
  const auto problem = tracking(ball(3), {.jitter = 0, .flip = flip}, {7});
  EXPECT_EQ(problem->spec(), "tracking(ball(3), distance=0.6, jitter=0, offset=0, flip=16)");
  EXPECT_EQ(problem->segment(), flip);
  EXPECT_EQ(tracking(ball(3), {}, {7})->segment(), std::numeric_limits<std::uint64_t>::max());
  // Without jitter the gradient at the centre 0 is -theta.
  Vector first(3);
  problem->draw(1);
  problem->gradient(Vector(3, 0.0), first);
  EXPECT_NEAR(std::sqrt(inner(first, first)), 0.6, 1e-15);
  for (const std::uint64_t t : {2u, 16u, 17u, 32u, 33u, 48u, 49u}) {
    problem->draw(t);
    Vector g(3);
    problem->gradient(Vector(3, 0.0), g);
    const double side = (t - 1) / flip % 2 == 0 ? 1 : -1;
    EXPECT_LE(distance(g, combine(side, first, 0, first)), 1e-15) << t;
  }
}

TEST(TrackingThatFlips, HasItsOptimumOnEitherSide) {
  const auto problem = tracking(box(2, 4, 5), {.jitter = 0.2, .noise = 1, .flip = 100}, {8});
  std::vector<Vector> best;
  for (const std::uint64_t start : {1u, 101u}) {
    const auto total = problem->total();
    for (std::uint64_t t = start; t < start + 100; ++t) {
      problem->draw(t);
      total->add();
    }
    const FixedPoint found = best_fixed_point(problem->set(), *total, {.tolerance = 1e-9});
    EXPECT_LE(found.gap, 1e-9);
    best.push_back(found.point);
  }
  // p + a + a mean of 100 jitters of length 0.2, and p - a + another: five standard errors.
  const Vector middle = combine(0.5, best[0], 0.5, best[1]);
  EXPECT_LE(distance(middle, Vector(5, 3.0)), 5 * 0.2 / std::sqrt(200.0));
  EXPECT_NEAR(distance(best[0], best[1]), 1.2, 5 * 0.2 * std::sqrt(2 / 100.0));
}

TEST(LinearLossesWithAMean, AreShifted) {
  const auto plain = linear(solid_simplex(6), LinearOptions{}, {9});
  const auto shifted = linear(solid_simplex(6), {.mean = -0.5}, {9});
  EXPECT_EQ(shifted->spec(), "linear(solid_simplex(6), spread=0.3, noise=0.2, mean=-0.5)");
  check_problem(*shifted);
  Vector c(6);
  Vector shifted_c(6);
  for (std::uint64_t t = 1; t <= 5; ++t) {
    plain->draw(t);
    shifted->draw(t);
    plain->gradient(c, c);
    shifted->gradient(c, shifted_c);
    EXPECT_LE(distance(shifted_c, combine(1, c, -0.5, Vector(6, 1.0))), 1e-15);
  }
}

TEST(LinearLossesWithNoise, AddTheSameToAllPlays) {
  const auto plain = linear(solid_simplex(4), LinearOptions{}, {9});
  for (const Tails tails : {Tails::normal, Tails::student, Tails::cauchy}) {
    const auto noisy = linear(solid_simplex(4), {.added = 0.3, .tails = tails}, {9});
    check_problem(*noisy);
    const problems::AdditiveNoise noise(0.3, tails, {9});
    Vector c(4);
    Vector noisy_c(4);
    for (std::uint64_t t = 1; t <= 20; ++t) {
      plain->draw(t);
      noisy->draw(t);
      plain->gradient(c, c);
      noisy->gradient(c, noisy_c);
      EXPECT_EQ(c, noisy_c);
      EXPECT_EQ(noisy->value(Vector(4, 0.0)), noise(t));
    }
    EXPECT_FALSE(noisy->bounds().proven);
  }
  EXPECT_EQ(linear(ball(2), {.added = 0.3, .tails = Tails::cauchy}, {})->spec(),
            "linear(ball(2), spread=0.3, noise=0.2, added=0.3, tails=cauchy)");
  EXPECT_EQ(linear(ball(2), {.tails = Tails::cauchy}, {})->spec(),
            "linear(ball(2), spread=0.3, noise=0.2)");
}

TEST(NoiseOptions, RefuseNonsense) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)tracking(ball(2), {.noise = -1}, {}); }),
            "the noise of tracking must be from 0 to 1e+50, not -1");
  EXPECT_THROW((void)tracking(ball(2), {.noise = NAN}, {}), InvalidArgument);
  EXPECT_THROW((void)tracking(ball(2), {.noise = 1e50}, {}), InvalidArgument);  // M beyond 1e50
  EXPECT_EQ(message<InvalidArgument>([] { (void)linear(ball(2), {.mean = INFINITY}, {}); }),
            "the mean of linear must be from -1e+50 to 1e+50, not inf");
}

}  // namespace
}  // namespace keyhole::tests
