// What is told of a loss: noise, a level that moves, clicks, disasters. Regret has none of these.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/level.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

constexpr double pi = std::numbers::pi;

std::unique_ptr<Problem> bowl(double offset = 1) {
  return tracking(ball(3), {.jitter = 0, .offset = offset}, {7});
}

std::unique_ptr<Problem> seen(const ObservedOptions& options, std::uint64_t seed = 7) {
  return observed(bowl(), options, {seed});
}

double told_at(Problem& problem, std::uint64_t t, std::span<const double> x) {
  problem.draw(t);
  return problem.told(x, problem.value(x));
}

TEST(Observed, KeepsWhatProblemsMust) {
  for (const SetPtr& set : {ball(4), simplex(5)}) {
    const auto inner = [&] { return tracking(set, {.offset = 1}, {1}); };
    check_problem(*observed(inner(), {.noise = 0.1, .level = LossLevel::walk}, {1}));
    check_problem(*observed(inner(), {.outcomes = Outcomes::clicks}, {1}));
    check_problem(*observed(inner(), {.outcomes = Outcomes::disasters}, {1}));
  }
  check_problem(*separable(box(0, 1, 4), {.power = 2, .inner = 0.8, .turn = 20}, {1}));
}

/// What is told less the noise is the loss and the stated level, and the level shifts all points
/// alike.
TEST(Observed, TheLevelIsTheStatedFunction) {
  const double unit = 0.25;  // 2.5 noises of 0.1
  const auto at_rest = seen({.noise = 0.1});
  const auto expect = [&](LossLevel level, std::uint64_t period, double (*f)(double t)) {
    const auto moving = seen({.noise = 0.1, .level = level, .size = 2.5, .period = period});
    for (const std::uint64_t t : {1, 2, 24, 99, 100, 101, 288, 1000, 100000}) {
      for (const Vector& x : {Vector{0, 0, 0}, Vector{0.5, -0.5, 0.25}}) {
        EXPECT_NEAR(told_at(*moving, t, x) - told_at(*at_rest, t, x),
                    unit * f(static_cast<double>(t)), 1e-12)
            << t;
        EXPECT_EQ(moving->value(x), at_rest->value(x));
      }
    }
  };
  expect(LossLevel::none, 100, [](double) { return 0.0; });
  expect(LossLevel::trend, 100, [](double t) { return std::min(t, 100.0) / 100; });
  expect(LossLevel::season, 24, [](double t) { return std::sin(2 * pi * t / 24); });
  expect(LossLevel::season, 10080, [](double t) { return std::sin(2 * pi * t / 10080); });
}

TEST(Observed, JumpsStayForAPeriodAndAreUniform) {
  const problems::MovingLevel level(LossLevel::jumps, 3, 10, {5});
  const auto count = static_cast<double>(scaled_count(10000));
  double mean = 0;
  double square = 0;
  double lag = 0;
  double last = 0;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k) {
    const double first = level(10 * k + 1);
    ASSERT_LE(std::abs(first), 3);
    for (std::uint64_t t = 2; t <= 10; ++t) ASSERT_EQ(level(10 * k + t), first);
    mean += first / 3 / count;
    square += first * first / 9 / count;
    lag += first * last / 9 / count;
    last = first;
  }
  // Variances 1/3, 1/5 - 1/9 and 1/9; five standard errors.
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(1 / 3. / count));
  EXPECT_NEAR(square, 1 / 3., 5 * std::sqrt((1 / 5. - 1 / 9.) / count));
  EXPECT_NEAR(lag, 0, 5 * std::sqrt(1 / 9. / count));
}

/// Steps are independent of each other, and normal with the stated deviation: moments of steps and
/// of longer ways, five standard errors.
TEST(Observed, WalksHaveIndependentStepsOfTheirSize) {
  const double period = 100;
  const problems::MovingLevel level(LossLevel::walk, 2, 100, {5});
  const auto rounds = scaled_count(40000);
  const double step = 2 / std::sqrt(period);
  for (const std::uint64_t apart : {1, 2, 7, 100}) {
    double count = 0;
    double mean = 0;
    double square = 0;
    double lag = 0;
    double last = 0;
    for (std::uint64_t t = 1 + apart; t <= rounds; t += apart) {
      const double way =
          (level(t) - level(t - apart)) / (step * std::sqrt(static_cast<double>(apart)));
      count += 1;
      mean += way;
      square += way * way;
      lag += way * last;
      last = way;
    }
    EXPECT_NEAR(mean / count, 0, 5 / std::sqrt(count)) << apart;
    EXPECT_NEAR(square / count, 1, 5 * std::sqrt(2 / count)) << apart;
    EXPECT_NEAR(lag / count, 0, 5 / std::sqrt(count)) << apart;
  }
}

TEST(Observed, LognormalNoiseIsSkewedAndHasItsMoments) {
  const auto problem = seen({.noise = 0.5, .tails = Tails::lognormal});
  const Vector x = {0, 0, 0};
  const auto count = static_cast<double>(scaled_count(1e6));
  double mean = 0;
  double square = 0;
  double below = 0;
  for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
    const double z = (told_at(*problem, t, x) - problem->value(x)) / 0.5;
    mean += z / count;
    square += z * z / count;
    below += z < 0 ? 1 / count : 0;
  }
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(112.9 / count));             // the fourth moment is 113.9
  EXPECT_NEAR(below, 0.691, 5 * std::sqrt(0.691 * 0.309 / count));  // P(z < 1/2)
}

TEST(Observed, ClicksHaveTheirMean) {
  for (const double rate : {0.01, 0.05, 0.3}) {
    const auto problem = seen({.outcomes = Outcomes::clicks, .rate = rate});
    const auto count = static_cast<double>(scaled_count(2e5));
    for (const Vector& x : {Vector{0, 0, 0}, Vector{0.6, -0.2, 0.4}}) {
      double clicks = 0;
      for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
        const double told = told_at(*problem, t, x);
        ASSERT_TRUE(told == 0 || told == 1);
        clicks += told;
      }
      const double p = problem->value(x);
      EXPECT_NEAR(clicks / count, p, 5 * std::sqrt(p * (1 - p) / count));  // five standard errors
    }
    EXPECT_NEAR(problem->value(Vector{0, 0, 0}), rate, 1e-14);
    EXPECT_NEAR(problem->value(Vector{0.6, -0.2, 0.4}) / rate,
                bowl()->value(Vector{0.6, -0.2, 0.4}) / bowl()->value(Vector{0, 0, 0}), 1e-12);
  }
}

/// The mean is the loss, one round of 1 / rate is large, and the others tell of a slope that is not
/// there.
TEST(Observed, DisastersHaveNoMean) {
  const auto problem = seen({.outcomes = Outcomes::disasters, .rate = 0.02, .large = 30});
  const auto count = static_cast<double>(scaled_count(2e5));
  const double centre = problem->value(Vector{0, 0, 0});
  std::vector<double> usual;
  for (const Vector& x : {Vector{0, 0, 0}, Vector{0.6, -0.2, 0.4}, Vector{-0.6, 0.2, -0.4}}) {
    double mean = 0;
    double square = 0;
    double large = 0;
    double rest = 0;
    for (std::uint64_t t = 1; t <= static_cast<std::uint64_t>(count); ++t) {
      const double added = told_at(*problem, t, x) - problem->value(x);
      mean += added / count;
      square += added * added / count;
      large += added > 0 ? 1 / count : 0;
      if (added < 0) rest = added;
    }
    EXPECT_NEAR(mean, 0, 5 * std::sqrt(square / count));
    EXPECT_NEAR(large, 0.02, 5 * std::sqrt(0.02 * 0.98 / count));
    usual.push_back(rest / (0.02 * 30 * centre));
  }
  EXPECT_NEAR(usual[0], -1, 1e-12);
  EXPECT_NEAR(usual[1] + usual[2], -2, 1e-12);
  EXPECT_GT(std::abs(usual[1] - usual[2]), 0.05);
}

TEST(Observed, IsAPureFunctionOfSeedAndRound) {
  const Vector x = {0.1, 0.2, 0.3};
  for (const ObservedOptions& options :
       {ObservedOptions{.noise = 0.1, .tails = Tails::lognormal, .level = LossLevel::walk},
        ObservedOptions{.noise = 0.1, .level = LossLevel::jumps, .period = 7},
        ObservedOptions{.noise = 0.1, .level = LossLevel::season, .period = 24},
        ObservedOptions{.noise = 0.1, .outcomes = Outcomes::disasters, .rate = 0.3},
        ObservedOptions{.outcomes = Outcomes::clicks, .rate = 0.3}}) {
    const auto problem = seen(options);
    const auto other = seen(options, 8);
    std::vector<double> told;
    int different = 0;
    for (std::uint64_t t = 1; t <= 200; ++t) {
      told.push_back(told_at(*problem, t, x));
      different += told_at(*other, t, x) != told.back() ? 1 : 0;
    }
    EXPECT_GT(different, 20);
    for (std::uint64_t t = 200; t >= 1; --t) {
      EXPECT_EQ(told_at(*seen(options), t, x), told[t - 1]);
      EXPECT_EQ(told_at(*problem, t, x), told[t - 1]);
    }
  }
}

/// The sum that regret is counted by is that of the problem, whatever is told.
TEST(Observed, RegretDoesNotContainTheLevel) {
  const auto plain = bowl();
  const auto problem = seen({.noise = 0.1, .level = LossLevel::trend, .size = 1e6, .period = 100});
  const auto total = play(*problem, 200).total;
  const auto expected = play(*plain, 200).total;
  const Vector x = {0.1, 0.2, 0.3};
  EXPECT_EQ(total->value(x), expected->value(x));
  EXPECT_EQ(best_fixed_point(problem->set(), *total, {}).point,
            best_fixed_point(plain->set(), *expected, {}).point);
  EXPECT_EQ(problem->segment(), plain->segment());
  EXPECT_EQ(observed(tracking(ball(2), {.flip = 3}, {1}), {}, {1})->segment(), 3U);
}

TEST(Observed, GoesAroundAnother) {
  const auto problem = observed(seen({.noise = 0.1, .level = LossLevel::trend}),
                                {.noise = 0.2, .level = LossLevel::season, .period = 24}, {7});
  const Vector x = {0.1, 0.2, 0.3};
  const double inner = told_at(*seen({.noise = 0.1, .level = LossLevel::trend}), 5, x);
  const double outer =
      told_at(*seen({.noise = 0.2, .level = LossLevel::season, .period = 24}), 5, x);
  EXPECT_NEAR(told_at(*problem, 5, x), inner + outer - problem->value(x), 1e-12);
}

TEST(Observed, TargetsThatTurnGoRoundOnce) {
  const auto problem = separable(box(-1, 3, 2), {.power = 2, .inner = 0.5, .turn = 40}, {3});
  EXPECT_EQ(problem->segment(), 1U);
  Vector gradient(2);
  const auto target = [&](std::uint64_t t) {
    problem->draw(t);
    problem->gradient(Vector{0, 0}, gradient);
    return Vector{-gradient[0], -gradient[1]};
  };
  const Vector first = target(1);
  for (std::uint64_t t = 1; t <= 40; ++t) {
    const Vector now = target(t);
    const Vector opposite = target(t + 20);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(std::abs(now[i] - 1), 1 + 1e-14);  // about the middle 1, by half of 2
      EXPECT_NEAR(now[i] + opposite[i], 2, 1e-12);
      // cos(a + b) + cos(a - b) = 2 cos a cos b: a sine of this period and no other.
      EXPECT_NEAR(target(t + 1)[i] + target(t + 39)[i] - 2,
                  2 * std::cos(2 * pi / 40) * (now[i] - 1), 1e-12);
    }
  }
  EXPECT_EQ(target(41), first);
  // The best point of a round is its target, also when the next one has been drawn.
  const auto kinked = separable(box(-1, 3, 2), {.power = 1, .inner = 0.5, .turn = 40}, {3});
  for (Problem* const turning : {problem.get(), kinked.get()}) {
    turning->draw(7);
    const auto total = turning->total();
    total->add();
    turning->draw(8);
    const FixedPoint best = best_fixed_point(turning->set(), *total, {});
    EXPECT_EQ(best.point, target(7));
    EXPECT_EQ(best.gap, 0);
  }
}

TEST(Observed, NonsenseIsRefusedByName) {
  const auto refusal = [](const std::string& text) {
    return message<SpecError>([&] { (void)make_problem(text); });
  };
  const auto with = [&](const std::string& keys) {
    return refusal("observed(tracking(ball(2), offset=1), " + keys + ")");
  };
  EXPECT_NE(with("level=sesaon")
                .find("level at column 45 must be none or trend or season or jumps "
                      "or walk, not sesaon; did you mean 'season'?"),
            std::string::npos)
      << with("level=sesaon");
  EXPECT_NE(with("outcomes=cash").find("must be losses or clicks or disasters, not cash"),
            std::string::npos)
      << with("outcomes=cash");
  EXPECT_NE(with("level=trend").find("noise must be above 0"), std::string::npos);
  EXPECT_NE(with("noise=1, level=season, period=1").find("a period of 2 rounds or more"),
            std::string::npos);
  EXPECT_NE(with("period=0").find("period"), std::string::npos);
  EXPECT_NE(with("rate=2").find("rate"), std::string::npos);
  EXPECT_NE(with("noise=1, outcomes=clicks").find("neither noise nor a level"), std::string::npos);
  EXPECT_NE(with("outcomes=clicks, rate=0.9").find("rate must be at most 0."), std::string::npos)
      << with("outcomes=clicks, rate=0.9");
  EXPECT_NE(refusal("observed(linear(ball(2), mean=-1), outcomes=clicks)")
                .find("the loss at the centre, which must be positive"),
            std::string::npos);
  EXPECT_NE(
      refusal("observed(ball(2))").find("'ball' at column 10 is a set, and a problem is expected"),
      std::string::npos)
      << refusal("observed(ball(2))");
  EXPECT_NE(refusal("separable(box(0, 1, 2), corners=true, turn=5)")
                .find("go round or are in corners, not both"),
            std::string::npos);
  EXPECT_THROW((void)observed(nullptr, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
