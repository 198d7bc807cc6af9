// alternating: costs that swing about their mean; lognormal_market: one stock is better by far.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(Alternating, KeepsWhatProblemsMust) {
  Random random(1);
  for (const SetFamily& family : set_families()) {
    check_problem(*alternating(family.draw(6, random), {}, {2}));
  }
  check_problem(*alternating(ball(3), {.offset = 0, .spread = 0, .swing = 0}, {2}));
}

TEST(Alternating, FollowsItsFormula) {
  const std::size_t n = 3000;
  const auto problem = alternating(box(-1, 1, n), {}, {3});
  Vector odd(n);
  Vector even(n);
  const Vector zero(n, 0.0);
  problem->draw(1);
  problem->gradient(zero, odd);
  EXPECT_EQ(problem->value(zero), 5);
  problem->draw(2);
  problem->gradient(zero, even);
  EXPECT_EQ(problem->value(zero), -5);
  Vector g(n);
  problem->draw(1001);
  problem->gradient(zero, g);
  EXPECT_EQ(g, odd);
  problem->draw(std::uint64_t{1} << 40);
  problem->gradient(zero, g);
  EXPECT_EQ(g, even);
  const Vector mu = combine(0.5, odd, 0.5, even);
  const Vector h = combine(0.5, odd, -0.5, even);
  // Variances 0.04 and 1, of squares of normal numbers twice their squares: five standard errors.
  const auto count = static_cast<double>(n);
  EXPECT_NEAR(inner(mu, mu) / count, 0.04, 5 * 0.04 * std::sqrt(2 / count));
  EXPECT_NEAR(inner(h, h) / count, 1, 5 * std::sqrt(2 / count));
  EXPECT_NEAR(inner(mu, h) / count, 0, 5 * 0.2 / std::sqrt(count));
}

TEST(Alternating, IsLeastAtTheVertexOfItsMean) {
  const SetPtr set = box(0, 1, 10);
  const auto problem = alternating(set, {}, {4});
  const auto played = play(*problem, 1000);
  Vector odd(10);
  Vector even(10);
  problem->draw(1);
  problem->gradient(odd, odd);
  problem->draw(2);
  problem->gradient(even, even);
  const FixedPoint best = best_fixed_point(*set, *played.total, {.tolerance = 1e-9});
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(best.point[i], odd[i] + even[i] < 0 ? 1 : 0);
  EXPECT_NEAR(best.value, 500 * inner(combine(1, odd, 1, even), best.point), 1e-9);
}

TEST(Waves, KeepWhatProblemsMust) {
  for (const Wave wave : {Wave::cosine, Wave::square, Wave::coins, Wave::walk}) {
    check_problem(*alternating(box(0, 1, 4), {.wave = wave, .period = 7}, {5}));
    check_problem(*alternating(simplex(5), {.wave = wave}, {5}));
  }
}

/// s_t, by the constant of the losses.
double swing(Problem& problem, std::uint64_t t) {
  problem.draw(t);
  return problem.value(Vector(problem.set().dimension(), 0.0)) / 5;
}

TEST(Waves, FollowTheirFormulas) {
  for (const std::uint64_t period : {2u, 3u, 4u, 100u, 1001u}) {
    const auto cosine = alternating(ball(1), {.wave = Wave::cosine, .period = period}, {6});
    for (std::uint64_t t = 1; t <= 2 * period; ++t) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(t) / static_cast<double>(period);
      EXPECT_NEAR(swing(*cosine, t), std::cos(angle), 1e-14);
    }
  }
  const auto square = alternating(ball(1), {.wave = Wave::square, .period = 6}, {6});
  for (std::uint64_t t = 1; t <= 12; ++t) EXPECT_EQ(swing(*square, t), (t - 1) % 6 < 3 ? -1 : 1);
  const auto coins = alternating(ball(1), {.wave = Wave::coins}, {6});
  const auto count = static_cast<double>(scaled_count(10000));
  double sum = 0;
  double together = 0;
  double before = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    const double s = swing(*coins, t);
    ASSERT_EQ(std::abs(s), 1);
    sum += s;
    together += s * before;
    before = s;
  }
  EXPECT_LE(std::abs(sum), 5 * std::sqrt(count));
  EXPECT_LE(std::abs(together), 5 * std::sqrt(count));
}

TEST(Waves, WalksGoOnFromWhereTheyAre) {
  const auto walk = alternating(ball(1), {.wave = Wave::walk}, {7});
  const int count = 65536;
  double before = 0;
  double steps = 0;
  double squares = 0;
  for (std::uint64_t t = 1; t <= count; ++t) {
    const double s = swing(*walk, t);
    const double step = (s - 0.999 * before) / 0.05;
    steps += step / count;
    squares += step * step / count;
    before = s;
  }
  EXPECT_NEAR(steps, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(squares, 1, 5 * std::sqrt(2.0 / count));
  EXPECT_EQ(swing(*walk, count + 1), swing(*walk, 1));
}

TEST(Waves, SayWhatTheyAre) {
  EXPECT_EQ(alternating(ball(2), {.wave = Wave::cosine, .period = 3}, {})->spec(),
            "alternating(ball(2), offset=5, spread=0.2, swing=1, wave=cosine, period=3)");
  EXPECT_EQ(alternating(ball(2), {.wave = Wave::coins, .period = 3}, {})->spec(),
            "alternating(ball(2), offset=5, spread=0.2, swing=1, wave=coins)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)alternating(ball(2), {.period = 1}, {}); }),
            "the period of alternating must be from 2 to 1000000, not 1");
}

TEST(Alternating, RefusesNonsense) {
  EXPECT_EQ(alternating(ball(2), {}, {})->spec(),
            "alternating(ball(2), offset=5, spread=0.2, swing=1)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)alternating(ball(2), {.offset = -1}, {}); }),
            "the offset of alternating must be from 0 to 1e+50, not -1");
  EXPECT_THROW((void)alternating(ball(2), {.spread = NAN}, {}), InvalidArgument);
  EXPECT_THROW((void)alternating(ball(2), {.swing = INFINITY}, {}), InvalidArgument);
  EXPECT_THROW((void)alternating(ball(2), {.offset = 1e50}, {}), InvalidArgument);  // M beyond
  EXPECT_THROW((void)alternating(nullptr, {}, {}), InvalidArgument);
}

TEST(LognormalMarket, KeepsWhatProblemsMust) {
  check_problem(*lognormal_market({}, {1}));
  check_problem(*lognormal_market({.n = 2}, {2}));
}

/// The relatives of a day: the loss of a stock alone is the negative of the logarithm of its own.
Vector log_relatives(Problem& problem, std::uint64_t t) {
  problem.draw(t);
  const std::size_t n = problem.set().dimension();
  Vector logs(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vector stock(n, 0.0);
    stock[i] = 1;
    logs[i] = -problem.value(stock);
  }
  return logs;
}

TEST(LognormalMarket, HasItsMomentsAndOneGoodStock) {
  const std::size_t n = 20;
  const auto problem = lognormal_market({}, {5});
  const auto days = static_cast<double>(scaled_count(4000));
  Vector mean(n, 0.0);
  double own = 0;
  double all = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(days); ++t) {
    const Vector logs = log_relatives(*problem, t);
    mean = combine(1, mean, 1 / days, logs);
    own += (logs[0] - logs[1]) * (logs[0] - logs[1]) / days;
    all += logs[2] * logs[2] / days;
  }
  // Five standard errors. Two stocks differ by their own noise: variance 2 0.02^2, and drifts of
  // 0.0005; a single one has the market's 0.01^2 besides.
  const double apart = 2 * 0.0004;
  EXPECT_NEAR(own, apart, 5 * apart * std::sqrt(2 / days) + 1e-5);
  EXPECT_NEAR(all, 0.0005, 5 * 0.0005 * std::sqrt(2 / days) + 1e-5);
  const auto best =
      static_cast<std::size_t>(std::max_element(mean.begin(), mean.end()) - mean.begin());
  const double error = 5 * std::sqrt(0.0005 / days);
  EXPECT_NEAR(mean[best], 0.01 - 0.0002, error);
  for (std::size_t i = 0; i < n; ++i) {
    if (i == best) continue;
    EXPECT_NEAR(mean[i], -0.0002, error + 5 * 0.0005);
  }
  // With a drift of 0.01 nothing is gained by spreading risks.
  const auto played = play(*problem, 3000);
  const FixedPoint found = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-6});
  EXPECT_LE(found.gap, 1e-6);
  EXPECT_NEAR(found.point[best], 1, 1e-6);
}

TEST(LognormalMarket, SaysWhatItIs) {
  const auto problem = lognormal_market({.n = 3}, {6});
  EXPECT_EQ(problem->spec(), "lognormal_market(n=3)");
  EXPECT_EQ(problem->set().spec(), "simplex(3)");
  EXPECT_FALSE(problem->bounds().proven);
  ASSERT_EQ(problem->warnings().size(), 1u);
  EXPECT_NE(problem->warnings()[0].find("made up"), std::string::npos);
  EXPECT_EQ(message<InvalidArgument>([] { (void)lognormal_market({.n = 1}, {}); }),
            "the n of lognormal_market must be from 2 to 100000, not 1");
  // The same seed, the same market; another seed, another good stock sooner or later.
  EXPECT_EQ(log_relatives(*lognormal_market({}, {7}), 3),
            log_relatives(*lognormal_market({}, {7}), 3));
  EXPECT_NE(log_relatives(*lognormal_market({}, {7}), 3),
            log_relatives(*lognormal_market({}, {8}), 3));
}

}  // namespace
}  // namespace keyhole::tests
