// posterior within limits: how well they are kept, what happens where they cannot be, and the laws
// with metrics that come with the loss, later or never.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <utility>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

Learner limited(const SetPtr& set, std::vector<Limit> limits, std::vector<double> start,
                std::uint64_t seed, std::vector<std::string> contexts = {}) {
  return Learner(posterior(set, {.start = std::move(start),
                                 .contexts = std::move(contexts),
                                 .limits = std::move(limits)}),
                 {.seed = seed});
}

double squares(const Vector& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}
double sum_of(const Vector& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

/// What the rounds of a run were: more of every coordinate is better, and a metric forbids it.
struct LimitedRounds {
  double loss = 0;       // its mean in the last quarter
  double over = 0;       // the share of rounds above the limit
  double last_over = 0;  // that of the second half
  double metric = 0;     // its mean
};
/// Metrics may come that many rounds after their losses.
LimitedRounds run(Learner& learner, int rounds, double limit, std::uint64_t seed,
                  const std::function<double(const Vector&)>& metric, std::size_t late = 0) {
  Random random(seed);
  LimitedRounds result;
  std::deque<std::pair<PlayId, double>> untold;
  Vector x(learner.set().dimension());
  for (int t = 0; t < rounds; ++t) {
    const PlayId id = learner.ask(x);
    const double true_metric = metric(x);
    const double over = true_metric > limit ? 1.0 : 0.0;
    result.over += over / rounds;
    if (t >= rounds / 2) result.last_over += over / (rounds - rounds / 2);
    result.metric += true_metric / rounds;
    if (t >= rounds * 3 / 4) result.loss -= sum_of(x) / (rounds / 4);
    const double loss = 0.1 * random.normal() - sum_of(x);
    const double told = true_metric + 0.05 * random.normal();
    if (late == 0) {
      learner.tell(id, {.loss = loss, .metrics = {told}});
      continue;
    }
    learner.tell(id, loss);
    untold.emplace_back(id, told);
    if (untold.size() <= late) continue;
    learner.measure(untold.front().first, {untold.front().second});
    untold.pop_front();
  }
  return result;
}

TEST(Limits, OfEachRoundAreKeptWithTheProbabilityThatIsSaid) {
  // The rounds of a run hang together, so that runs are what is counted. The mean over 40 runs of
  // the share of rounds above the limit is at most 1 - each; two standard errors are added.
  for (const double each : {0.9, 0.999}) {
    double mean = 0;
    double squared = 0;
    constexpr int runs = 40;
    for (int r = 0; r < runs; ++r) {
      const auto seed = static_cast<std::uint64_t>(r);
      Learner learner = limited(box(0, 1, 2), {{.most = 0.8, .each = each}}, {0.3, 0.3}, seed);
      const LimitedRounds of = run(learner, 600, 0.8, seed + 100, squares);
      mean += of.over / runs;
      squared += of.over * of.over / runs;
      EXPECT_LT(of.loss, -1.1) << "the best is -1.265, the start -0.6";
    }
    const double error = std::sqrt((squared - mean * mean) / (runs - 1));
    EXPECT_LT(mean, 1 - each + 2 * error) << each;
  }
}

/// One play of each of 400 runs, on a quadratic metric of its own, so that those over the limit
/// have a binomial distribution: at most 1 - each = Phi(-kappa) of them, and 2.6 standard
/// deviations more (a right learner fails in 1 of 200 such tests).
TEST(Limits, OnQuadraticMetricsARunIsOverWithTheProbabilityThatIsSaid) {
  constexpr int runs = 400;
  for (const double each : {0.9, 0.99, 0.999}) {
    for (const int rounds : {100, 400}) {
      int over = 0;
      for (int r = 0; r < runs; ++r) {
        Random random(static_cast<std::uint64_t>(r) + 1000);
        const std::size_t n = 2 + static_cast<std::size_t>(r) % 3;
        Vector centre(n);
        Vector bend(n);
        for (std::size_t i = 0; i < n; ++i) {
          centre[i] = random.uniform(-1, 0.2);
          bend[i] = random.uniform(0.2, 2);
        }
        const double turn = random.uniform(-0.5, 0.5);
        const auto metric = [&](const Vector& x) {
          double sum = turn * (x[0] - centre[0]) * (x[1] - centre[1]) * std::min(bend[0], bend[1]);
          for (std::size_t i = 0; i < n; ++i) {
            sum += bend[i] * (x[i] - centre[i]) * (x[i] - centre[i]);
          }
          return sum;
        };
        const Vector start(n, 0.2);
        const double most = metric(start) + 0.5 * (metric(Vector(n, 0.9)) - metric(start));
        Learner learner = limited(box(0, 1, n), {{.most = most, .each = each}}, start,
                                  static_cast<std::uint64_t>(r));
        (void)run(learner, rounds - 1, most, static_cast<std::uint64_t>(r) + 2000, metric);
        if (metric(learner.ask().point) > most) ++over;
      }
      const double expected = runs * (1 - each);
      EXPECT_LE(over, expected + 2.6 * std::sqrt(expected * each)) << each << " " << rounds;
    }
  }
}

/// The first plays that leave the start are seen when their metrics come: until then some are over,
/// for fewer rounds than these are late. In the second half the limit is kept as it is said. Means
/// over 20 runs, and two standard errors of that.
TEST(Limits, WithMetricsThreeHundredRoundsLateAreKeptOnceTheyHaveCome) {
  for (const double each : {0.9, 0.999}) {
    double over = 0;
    double last = 0;
    double squared = 0;
    constexpr int runs = 20;
    for (int r = 0; r < runs; ++r) {
      const auto seed = static_cast<std::uint64_t>(r);
      Learner learner = limited(box(0, 1, 2), {{.most = 0.8, .each = each}}, {0.3, 0.3}, seed);
      const LimitedRounds of = run(learner, 2000, 0.8, seed + 100, squares, 300);
      over += of.over / runs;
      last += of.last_over / runs;
      squared += of.last_over * of.last_over / runs;
      EXPECT_LT(of.loss, -1.1) << "the best is -1.265, the start -0.6";
    }
    const double error = std::sqrt((squared - last * last) / (runs - 1));
    EXPECT_LT(over, 300.0 / 2000) << each;
    EXPECT_LT(last, 1 - each + 2 * error) << each;
  }
}

TEST(Limits, OverAllRoundsHoldForTheMean) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8, .over_all = true}}, {0.3, 0.3}, 1);
  const LimitedRounds of = run(learner, 3000, 0.8, 2, squares);
  EXPECT_LT(of.metric, 0.8);
  EXPECT_LT(of.loss, -1.22) << "the best is -1.265";
}

TEST(Limits, FromBelowAreLimitsOfTheNegative) {
  Learner above = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  Learner below = limited(box(0, 1, 2), {{.least = -0.8}}, {0.3, 0.3}, 1);
  Random random(3);
  Vector x(2);
  Vector y(2);
  for (PlayId t = 1; t <= 300; ++t) {
    above.ask(x);
    below.ask(y);
    ASSERT_EQ(x, y) << t;
    const double metric = squares(x) + 0.05 * random.normal();
    const double loss = 0.1 * random.normal() - sum_of(x);
    above.tell(t, {.loss = loss, .metrics = {metric}});
    below.tell(t, {.loss = loss, .metrics = {-metric}});
  }
}

TEST(Limits, AStartThatIsOverIsLeft) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}}, {0.9, 0.9}, 1);
  const LimitedRounds of = run(learner, 1500, 0.8, 4, squares);
  EXPECT_LT(of.over, 0.05) << "the first plays are near the start";
  EXPECT_LT(of.loss, -1.15);
  const Vector best = learner.recommend();
  EXPECT_LT(squares(best), 0.8);
  EXPECT_TRUE(learner.status().limits.at(0).start_is_over);
  EXPECT_FALSE(learner.status().limits.at(0).none_is_within);
}

TEST(Limits, OverAllRoundsAStartThatIsOverIsLeft) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8, .over_all = true}}, {0.9, 0.9}, 1);
  const LimitedRounds of = run(learner, 3000, 0.8, 4, squares);
  EXPECT_LT(of.metric, 0.82) << "the start has 1.62";
  EXPECT_LT(of.loss, -1.15);
}

TEST(Limits, AMetricThatNeverVariesIsNoHindrance) {
  Learner learner =
      limited(box(0, 1, 2), {{.most = 0.8}, {.most = 0.01}, {.least = 5}}, {0.3, 0.3}, 1);
  Random random(10);
  Vector x(2);
  for (PlayId t = 1; t <= 1500; ++t) {
    learner.ask(x);
    const double loss = 0.1 * random.normal() - sum_of(x);
    const double errors = t > 1000 && t % 50 == 0 ? 0.001 : 0;
    learner.tell(t, {.loss = loss, .metrics = {squares(x) + 0.05 * random.normal(), errors, 7}});
  }
  EXPECT_LT(-sum_of(learner.recommend()), -1.1) << "the best is -1.265, the start -0.6";
  EXPECT_EQ(learner.status().limits.at(1).over, 0);
}

TEST(Limits, AMetricThatNeverVariesIsSeenOverItsLimit) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}, {.least = 0.8}}, {0.5, 0.5}, 1);
  Random random(11);
  Vector x(2);
  for (PlayId t = 1; t <= 100; ++t) {
    learner.ask(x);
    learner.tell(t, {.loss = 0.1 * random.normal() - sum_of(x), .metrics = {1, 1}});
  }
  for (const bool over : {true, false}) {
    const LimitStatus limit = learner.status().limits.at(over ? 0 : 1);
    EXPECT_EQ(limit.recommended, 1);
    EXPECT_EQ(limit.error, 0);
    EXPECT_EQ(limit.start_is_over, over);
    EXPECT_EQ(limit.none_is_within, over);
    EXPECT_EQ(limit.over, over ? 1 : 0);
  }
}

TEST(Limits, StatusSaysHowTheyAreKeptAndWhatTheyCost) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  EXPECT_TRUE(std::isnan(learner.status().limits.at(0).recommended));
  run(learner, 3000, 0.8, 9, squares);
  const LimitStatus limit = learner.status().limits.at(0);
  const double metric = squares(learner.recommend());
  EXPECT_NEAR(limit.recommended, metric, 4 * limit.error);
  EXPECT_LT(limit.error, 0.02);
  EXPECT_NEAR(limit.recent, 0.78, 0.02);
  EXPECT_LT(limit.over, 0.5) << "by noise, which is 0.05";
  // -sqrt(2 limit) is the best loss, which falls by 1 / sqrt(2 limit) = 0.79.
  EXPECT_NEAR(limit.price, 0.79, 0.1);
  EXPECT_FALSE(limit.start_is_over);
}

TEST(Limits, ThatNoPointKeepsAreExceededAsLittleAsCanBe) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}}, {0.5, 0.5}, 1);
  const LimitedRounds of =
      run(learner, 1500, 0.8, 5, [](const Vector& x) { return 1 + squares(x); });
  EXPECT_LT(of.metric, 1.05) << "the least is 1";
  EXPECT_TRUE(learner.status().limits.at(0).none_is_within);
  EXPECT_TRUE(std::isnan(learner.status().limits.at(0).price));  // none would do
}

TEST(Limits, TwoAtOnceAreKept) {
  Learner learner = limited(box(0, 1, 3), {{.most = 0.5}, {.most = 0.8}}, {0.3, 0.3, 0.3}, 1);
  Random random(6);
  Vector x(3);
  double over = 0;
  for (PlayId t = 1; t <= 2000; ++t) {
    learner.ask(x);
    const double first = x[0] * x[0] + x[1] * x[1];
    const double second = x[1] + 0.5 * x[2];
    over += first > 0.5 || second > 0.8 ? 1 : 0;
    const double loss = 0.1 * random.normal() - sum_of(x);
    const double noise = 0.05 * random.normal();
    learner.tell(t, {.loss = loss, .metrics = {first + noise, second + 0.05 * random.normal()}});
  }
  EXPECT_LT(over / 2000, 0.01);
  EXPECT_LT(-sum_of(learner.recommend()), -1.75) << "the best is -1.94, the start -0.9";
}

TEST(Limits, ThreeToFiveAtOnceAreKept) {
  for (const std::size_t n : {3U, 4U, 5U}) {
    // One of each coordinate: x_i^2 is at most 0.5 in each round, from above or below, or on the
    // average.
    std::vector<Limit> limits;
    for (std::size_t i = 0; i < n; ++i) {
      limits.push_back(i % 3 == 1   ? Limit{.least = -0.5}
                       : i % 3 == 2 ? Limit{.most = 0.5, .over_all = true}
                                    : Limit{.most = 0.5});
    }
    Learner learner = limited(box(0, 1, n), limits, Vector(n, 0.3), n);
    Random random(n);
    Vector x(n);
    Metrics metrics(n);
    Vector means(n);
    double over = 0;
    constexpr int rounds = 2000;
    for (PlayId t = 1; t <= rounds; ++t) {
      learner.ask(x);
      bool is_over = false;
      for (std::size_t i = 0; i < n; ++i) {
        means[i] += x[i] * x[i] / rounds;
        is_over = is_over || (i % 3 != 2 && x[i] * x[i] > 0.5);
        metrics[i] = (i % 3 == 1 ? -1 : 1) * (x[i] * x[i] + 0.05 * random.normal());
      }
      over += is_over ? 1.0 / rounds : 0;
      learner.tell(t, {.loss = 0.1 * random.normal() - sum_of(x), .metrics = metrics});
    }
    EXPECT_LT(over, 0.01) << n;
    for (std::size_t i = 2; i < n; i += 3) EXPECT_LT(means[i], 0.5) << n;
    const double best = std::sqrt(0.5) * static_cast<double>(n);
    EXPECT_GT(sum_of(learner.recommend()), 0.9 * best) << n << ": the start has 0.42 of it";
  }
}

TEST(LimitsLaws, EveryPlayIsInTheSetAndEveryRoundResumes) {
  Random random(7);
  const std::vector<Limit> limits = {{.most = 0.9}, {.least = -0.7, .over_all = true}};
  for (const SetPtr& set : {box(0, 1, 3), simplex(4), ball(3)}) {
    for (const bool contextual : {false, true}) {
      const auto make = [&] {
        const std::vector<std::string> words =
            contextual ? std::vector<std::string>{"number"} : std::vector<std::string>{};
        return limited(set, limits, set->centre(), 5, words);
      };
      Learner whole = make();
      Learner resumed = make();
      Vector y(set->dimension());
      Vector y_resumed(y);
      for (PlayId t = 1; t <= 150; ++t) {
        const State state = whole.state();
        Learner fresh = make();
        fresh.restore(State::from_bytes(state.bytes()));
        ASSERT_EQ(fresh.state(), state);
        ASSERT_EQ(resumed.state(), state) << set->spec() << " at " << t;
        resumed = std::move(fresh);
        Context context;
        if (contextual) context.push_back(random.normal());
        whole.recommend(context, y);
        resumed.recommend(context, y_resumed);
        ASSERT_EQ(y, y_resumed) << t;
        ASSERT_TRUE(set->contains(y));
        ASSERT_EQ(whole.state(), state) << "to recommend changes nothing";
        ASSERT_EQ(whole.ask(context, y), resumed.ask(context, y_resumed));
        ASSERT_EQ(y, y_resumed) << set->spec() << " at " << t;
        ASSERT_TRUE(set->contains(y)) << set->spec() << " at " << t;
        const double loss = y[0] + 0.1 * random.normal();
        const double first = squares(y) + 0.1 * random.normal();
        for (Learner* learner : {&whole, &resumed}) {
          if (t % 5 != 0) {
            const double second = t % 3 == 0 ? not_measured : -y[0];
            learner->tell(t, {.loss = loss, .metrics = {first, second}});
          }
          if (t % 3 == 0 && t % 5 != 0) learner->measure(t, {not_measured, -y[0]});
          if (t > 7 && (t - 7) % 5 == 0) learner->measure(t - 7, {0.5, not_measured});
          if (t > 9 && (t - 9) % 5 == 0) learner->tell(t - 9, 0.3);
        }
      }
    }
  }
}

TEST(LimitsLaws, MetricsAreLearnedThousandsOfPlaysLate) {
  Learner late = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  Vector x(2);
  for (PlayId t = 1; t <= 3000; ++t) late.ask(x);
  EXPECT_EQ(late.tell(1, {.loss = 0.5, .metrics = {0.3}}), Receipt::fresh);
  late.ask(x);
  EXPECT_EQ(late.summary().late, 0U);
  EXPECT_EQ(late.status().limits.at(0).recent, 0.3);
}

TEST(LimitsLaws, MetricsMayComeLateAndInAnyOrder) {
  Learner one = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  Learner other = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  Random random(8);
  Vector x(2);
  Vector y(2);
  for (int block = 0; block < 30; ++block) {
    std::vector<std::pair<PlayId, double>> metrics;
    for (int k = 0; k < 10; ++k) {
      const PlayId id = one.ask(x);
      ASSERT_EQ(other.ask(y), id);
      ASSERT_EQ(x, y);
      const double loss = 0.1 * random.normal() - sum_of(x);
      one.tell(id, loss);
      other.tell(id, loss);
      metrics.emplace_back(id, squares(x) + 0.05 * random.normal());
    }
    for (const auto& [id, metric] : metrics) one.measure(id, {metric});
    for (std::size_t k = metrics.size(); k-- > 0;) {
      other.measure(metrics[k].first, {metrics[k].second});
    }
  }
  EXPECT_EQ(one.state(), other.state());
}

/// Teaches what was measured at so many points.
void teach(Learner& learner, int points, bool with_loss) {
  Random random(11);
  for (int k = 0; k < points; ++k) {
    const Vector x = {random.uniform(), random.uniform()};
    const double loss = 0.1 * random.normal() - sum_of(x);
    learner.learn(x, {.loss = with_loss ? loss : not_measured,
                      .metrics = {squares(x) + 0.05 * random.normal()}});
  }
}

TEST(Limits, AreKnownFromWhatWasTaught) {
  Learner taught = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  teach(taught, 300, true);
  EXPECT_TRUE(std::isnan(taught.status().limits.at(0).recent)) << "nothing was played";
  // Before the first play it knows the best point within, which is sqrt(0.4) twice.
  EXPECT_NEAR(sum_of(taught.recommend()), 2 * std::sqrt(0.4), 0.1);
  Learner fresh = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  const LimitedRounds of_taught = run(taught, 100, 0.8, 2, squares);
  const LimitedRounds of_fresh = run(fresh, 100, 0.8, 2, squares);
  EXPECT_LE(of_taught.over, 0.02);
  EXPECT_GT(of_taught.metric, of_fresh.metric + 0.1) << "it goes there at once";
}

TEST(Limits, AreKnownFromMetricsThatWereTaughtWithoutALoss) {
  Learner taught = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  teach(taught, 300, false);
  EXPECT_EQ(taught.recommend(), Vector({0.3, 0.3})) << "nothing is known of the loss";
  const LimitedRounds of = run(taught, 300, 0.8, 2, squares);
  EXPECT_LE(of.over, 0.01);
  EXPECT_LT(of.loss, -1.1);
}

TEST(Limits, WhatIsTaughtMustBeSound) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  const State before = learner.state();
  const auto error = [&](const Feedback& feedback) {
    return message<FeedbackError>([&] { learner.learn(Vector{0.5, 0.5}, feedback); });
  };
  EXPECT_EQ(error({.metrics = {1, 2}}),
            "posterior(start=[0.3, 0.3], limits=[\"most=0.8\"]) takes 1 metrics, not 2");
  EXPECT_EQ(error({.metrics = {INFINITY}}),
            "metric 1 of a point that is taught must be a number of magnitude up to 1e50, not "
            "inf; NaN stands for one that was not measured");
  EXPECT_EQ(error({.loss = not_measured, .metrics = {not_measured}}),
            "the loss that is taught must be a number of magnitude up to 1e50, not nan; leave "
            "the point out if it is unknown");
  EXPECT_EQ(learner.state(), before);
}

TEST(Limits, AreTexts) {
  const SetPtr set = box(0, 1, 2);
  const auto algorithm = posterior(
      set, {.limits = {{.most = 200}, {.least = 3, .each = 0.99}, {.most = 10, .over_all = true}}});
  EXPECT_EQ(algorithm->spec(),
            "posterior(limits=[\"most=200\", \"least=3, each=0.99\", \"most=10, over=all\"])");
  EXPECT_EQ(make_learner(algorithm->spec(), set).metrics(), 3U);
  for (const char* bad :
       {"", "most", "most=", "most=x", "much=3", "most=1, over=some", "most=1 2"}) {
    const std::string spec = "posterior(limits=[\"" + std::string(bad) + "\"])";
    EXPECT_THROW((void)make_learner(spec, set), Error) << bad;
  }
}

TEST(Limits, ThatAreNoneAreRefused) {
  const auto error = [](const Limit& limit) {
    return message<InvalidArgument>([&] { (void)posterior(box(0, 1, 2), {.limits = {limit}}); });
  };
  EXPECT_NE(error({}).find("one number"), std::string::npos);
  EXPECT_NE(error({.most = 1, .least = 0}).find("one number"), std::string::npos);
  EXPECT_NE(error({.most = not_measured}).find("one number"), std::string::npos);
  EXPECT_NE(error({.most = 1, .each = 1}).find("probability"), std::string::npos);
  EXPECT_THROW((void)posterior(box(0, 1, 2), {.reach = 0.5, .limits = {{.most = 1}}}),
               InvalidArgument);
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.limits = {{.most = 1}}}), InvalidArgument);
}

TEST(Limits, MetricsThatCannotBeUsedAreRefused) {
  Learner learner = limited(box(0, 1, 2), {{.most = 0.8}}, {0.3, 0.3}, 1);
  Learner plain(box(0, 1, 2));
  (void)learner.ask();
  (void)plain.ask();
  const auto error = [](Learner& of, const Metrics& metrics) {
    return message<FeedbackError>([&] { of.tell(1, {.loss = 0.5, .metrics = metrics}); });
  };
  EXPECT_EQ(error(plain, {1}), "posterior() takes no metrics");
  EXPECT_NE(error(learner, {1, 2}).find("takes 1 metrics, not 2"), std::string::npos);
  EXPECT_NE(error(learner, {std::numeric_limits<double>::infinity()}).find("metric 1 of play 1"),
            std::string::npos);
  EXPECT_FALSE(learner.told(1)) << "nothing was taken";
  learner.tell(1, {.loss = 0.5, .metrics = {0.7}});
  EXPECT_NE(error(learner, {0.6}).find("was told 0.7 before and 0.6 now"), std::string::npos);
  learner.measure(1, {0.7});
  EXPECT_THROW(learner.measure(2, {0.7}), FeedbackError) << "it was never asked";
}

// Of a bound b on x^2 the least of -(x_1 + x_2) is -sqrt(2 b).
TEST(Limits, HaveAFrontOfTheLossAndTheMetric) {
  for (const double sign : {1.0, -1.0}) {
    const Limit limit = sign > 0 ? Limit{.most = 0.8} : Limit{.least = -0.8};
    Learner learner = limited(box(0, 1, 2), {limit}, {0.3, 0.3}, 1);
    EXPECT_TRUE(learner.front(0).empty()) << "nothing is known";
    (void)run(learner, 1500, 0.8, 5, [&](const Vector& x) { return sign * squares(x); });
    const State before = learner.state();
    const std::vector<FrontPoint> front = learner.front(0);
    const State after = learner.state();
    EXPECT_TRUE(std::ranges::equal(before.bytes(), after.bytes())) << "nothing changes";
    ASSERT_EQ(front.size(), 11U);
    EXPECT_NEAR(sign * front.front().metric, 0, 0.2);
    EXPECT_NEAR(sign * front.back().metric, 2, 0.3);
    for (std::size_t k = 0; k < front.size(); ++k) {
      EXPECT_NEAR(sign * front[k].metric, squares(front[k].point), 0.2) << k;
      EXPECT_NEAR(front[k].loss, -sum_of(front[k].point), 0.15) << k;
      EXPECT_NEAR(front[k].loss, -std::sqrt(2 * squares(front[k].point)), 0.15) << k;
      EXPECT_GT(front[k].metric_error, 0);
      if (k == 0) continue;
      EXPECT_GT(sign * front[k].metric, sign * front[k - 1].metric);
      EXPECT_LT(front[k].loss, front[k - 1].loss);
    }
    EXPECT_THROW((void)learner.front(1), InvalidArgument);
  }
}

constexpr std::uint64_t always = std::numeric_limits<std::uint64_t>::max();

/// What an oracle throws that fails.
struct OracleAway : std::runtime_error {
  OracleAway() : std::runtime_error("the oracle is away") {}
};

/// [0, 1]^2 with an oracle that answers that many times more.
SetPtr square_that_fails(std::uint64_t& left) {
  return own_set({.dimension = 2,
                  .minimise =
                      [&left](std::span<const double> d, std::span<double> v) {
                        if (left == 0) throw OracleAway();
                        --left;
                        for (std::size_t i = 0; i < 2; ++i) v[i] = d[i] > 0 ? 0 : 1;
                      },
                  .name = "square",
                  .contains =
                      [](std::span<const double> x) {
                        return x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1;
                      },
                  .settle =
                      [](std::span<double> x) {
                        for (double& y : x) y = std::clamp(y, 0.0, 1.0);
                      }});
}

TEST(LimitsLaws, AnOracleThatFailsInARoundChangesNothing) {
  std::uint64_t left = always;
  const SetPtr square = square_that_fails(left);
  for (const bool over_all : {false, true}) {
    const std::vector<Limit> limits = {{.most = 0.8, .over_all = over_all}, {.least = -0.7}};
    Learner learner = limited(square, limits, {0.3, 0.3}, 1);
    Learner twin = limited(square, limits, {0.3, 0.3}, 1);
    Random random(9);
    int failures = 0;
    // The call fails after some answers of the oracle. Then it is made again.
    const auto done = [&](std::uint64_t answers, auto call) {
      const State before = learner.state();
      left = answers;
      try {
        call();
      } catch (const OracleAway&) {
        ++failures;
        left = always;
        try {
          EXPECT_EQ(learner.state(), before);
        } catch (const StateError&) {  // it refuses to go on
          learner.restore(before);
        }
        call();
      }
      left = always;
    };
    Vector x(2);
    Vector y(2);
    for (PlayId t = 1; t <= 400; ++t) {
      done(t % 5, [&] { learner.ask(x); });
      twin.ask(y);
      ASSERT_EQ(x, y) << t;
      const Feedback told{.loss = 0.1 * random.normal() - sum_of(x),
                          .metrics = {squares(x) + 0.05 * random.normal(), -x[0]}};
      if (t % 3 == 0) {
        done(t % 2, [&] { learner.measure(t, told.metrics); });
        twin.measure(t, told.metrics);
      }
      done(t % 2, [&] { learner.tell(t, told); });
      twin.tell(t, told);
      if (t % 50 == 0) {
        done(t % 3, [&] { learner.recommend(x); });
        twin.recommend(y);
        ASSERT_EQ(x, y) << t;
      }
    }
    EXPECT_GT(failures, 20);
    EXPECT_EQ(learner.state(), twin.state());
  }
}

TEST(Limits, AreWhatTheyWereAfterAFrontThatFails) {
  std::uint64_t left = always;
  const SetPtr square = square_that_fails(left);
  for (const bool over_all : {false, true}) {
    Learner learner = limited(square, {{.most = 0.8, .over_all = over_all}}, {0.3, 0.3}, 1);
    (void)run(learner, 300, 0.8, 5, squares);
    const State before = learner.state();
    Learner twin = limited(square, {{.most = 0.8, .over_all = over_all}}, {0.3, 0.3}, 1);
    twin.restore(before);
    std::uint64_t failures = 0;
    for (bool fails = true; fails; failures += fails ? 1 : 0) {
      left = 7 * failures;
      try {
        (void)learner.front(0);
        fails = false;
      } catch (const std::runtime_error&) {
        EXPECT_EQ(learner.state(), before);
      }
      left = always;
    }
    EXPECT_GT(failures, 3U);
    const LimitedRounds of = run(learner, 100, 0.8, 6, squares);
    const LimitedRounds of_twin = run(twin, 100, 0.8, 6, squares);
    EXPECT_EQ(of.metric, of_twin.metric);
    EXPECT_EQ(of.loss, of_twin.loss);
    EXPECT_EQ(learner.state(), twin.state());
  }
}

TEST(Limits, HaveAFrontWithinTheOthers) {
  Learner learner(
      posterior(box(0, 1, 2), {.start = {0.3, 0.3}, .limits = {{.most = 0.8}, {.most = 0.5}}}),
      {.maximize = true});
  Random random(3);
  Vector x(2);
  for (int t = 0; t < 1500; ++t) {
    const PlayId id = learner.ask(x);
    learner.tell(id,
                 {.loss = sum_of(x) + 0.1 * random.normal(),
                  .metrics = {squares(x) + 0.05 * random.normal(), x[0] + 0.05 * random.normal()}});
  }
  const std::vector<FrontPoint> front = learner.front(0);
  ASSERT_EQ(front.size(), 11U);
  EXPECT_NEAR(front.back().metric, 1.25, 0.15) << "at 0.5, 1";
  EXPECT_NEAR(front.back().loss, 1.5, 0.1) << "a gain, as it was told";
}

}  // namespace
}  // namespace keyhole::tests
