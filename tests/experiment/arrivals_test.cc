// Values that arrive late or never.

#include "experiment/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "experiment/measures/grid.h"
#include "experiment/unit.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Arrivals;
using experiment::Experiment;

Experiment late(const std::string& keys, std::uint64_t rounds = 500,
                const std::string& learners = "['anytime', 'ogd', 'stay']") {
  return experiment::parse_experiment("rounds = " + std::to_string(rounds) +
                                          "\nrepeats = 3\nseed = 4\nproblems = [{spec = 'target'" +
                                          keys + "}]\nlearners = " + learners +
                                          "\ncontrols = false\n",
                                      "late.toml", "", catalogue());
}

TEST(Arrivals, AreUniformIndependentOfEachOtherAndOfNothingElse) {
  const std::uint64_t count = 20'000;
  const Experiment experiment = late(", delay = 10, missing = 0.3");
  const Arrivals arrivals(experiment, 0, 2);
  std::map<std::uint64_t, double> counts;
  double never = 0;
  for (std::uint64_t t = 1; t <= count; ++t) {
    const auto delay = arrivals.delay_of(t);
    EXPECT_EQ(Arrivals(experiment, 0, 2).delay_of(t), delay);
    if (delay) {
      ++counts[*delay];
    } else {
      ++never;
    }
  }
  // Binomial counts, five standard deviations: sqrt(20000 0.3 0.7) = 65, sqrt(20000 0.07) = 37.
  EXPECT_NEAR(never, 6000, 325);
  ASSERT_EQ(counts.size(), 10U);
  for (const auto& [delay, times] : counts) {
    EXPECT_LT(delay, 10U);
    EXPECT_NEAR(times, 1400, 185) << delay;
  }
  // Another repeat has others: of ten values and never, equal in 0.3^2 + 10 x 0.07^2 = 13.9 %, with
  // a standard deviation of 49.
  const Arrivals other(experiment, 0, 1);
  int equal = 0;
  for (std::uint64_t t = 1; t <= count; ++t) {
    equal += other.delay_of(t) == arrivals.delay_of(t) ? 1 : 0;
  }
  EXPECT_NEAR(equal, 2780, 245);
}

TEST(Arrivals, EachValueArrivesOnceWhenItIsDue) {
  for (const std::string keys :
       {"", ", delay = 1", ", delay = 7, missing = 0.2", ", missing = 1",
        ", delay = 7, arrivals = 'late'", ", delay = 7, arrivals = 'batches', missing = 0.2"}) {
    const Experiment experiment = late(keys);
    const Arrivals pure(experiment, 0, 0);
    Arrivals arrivals(experiment, 0, 0);
    std::map<std::uint64_t, std::uint64_t> arrived;
    for (std::uint64_t t = 1; t <= 300; ++t) {
      for (const std::uint64_t round : arrivals.in_round(t)) {
        EXPECT_TRUE(arrived.emplace(round, t).second);
      }
    }
    for (std::uint64_t t = 1; t <= 290; ++t) {
      const auto delay = pure.delay_of(t);
      ASSERT_EQ(arrived.contains(t), delay.has_value());
      if (delay) {
        EXPECT_EQ(arrived[t], t + *delay);
      }
    }
  }
}

TEST(Arrivals, LateValuesAndBatchesComeWhenStated) {
  const auto told_in = [](const std::string& keys, std::uint64_t t) {
    Arrivals arrivals(late(keys), 0, 0);
    std::vector<std::uint64_t> rounds;
    for (std::uint64_t s = 1; s <= t; ++s) rounds = arrivals.in_round(s);
    return rounds;
  };
  using Rounds = std::vector<std::uint64_t>;
  const std::string seven = ", delay = 7, arrivals = 'late'";
  EXPECT_EQ(told_in(seven, 7), Rounds());
  EXPECT_EQ(told_in(seven, 8), Rounds({1}));
  EXPECT_EQ(told_in(seven, 100), Rounds({93}));
  const std::string four = ", delay = 4, arrivals = 'batches'";
  EXPECT_EQ(told_in(four, 3), Rounds());
  EXPECT_EQ(told_in(four, 4), Rounds({1, 2, 3, 4}));
  EXPECT_EQ(told_in(four, 5), Rounds());
  EXPECT_EQ(told_in(four, 12), Rounds({9, 10, 11, 12}));
  EXPECT_EQ(told_in(", arrivals = 'late'", 3), Rounds({3}));
  EXPECT_EQ(told_in(", arrivals = 'batches'", 3), Rounds({3}));
}

TEST(Arrivals, NoDelayGivesTheSameBytesAsNoKey) {
  const Folder folder;
  (void)experiment::run(late(""), quick(folder.path("plain")));
  const auto curves = bytes(folder.path("plain/curves.csv"));
  int number = 0;
  for (const std::string keys :
       {", delay = 0", ", missing = 0", ", delay = 0, missing = 0.0", ", delay = 1",
        ", arrivals = 'late'", ", delay = 1, arrivals = 'batches'"}) {
    const std::string out = folder.path(std::to_string(++number));
    (void)experiment::run(late(keys), quick(out));
    EXPECT_EQ(bytes(out + "/curves.csv"), curves) << keys;
  }
  (void)experiment::run(late(", delay = 2"), quick(folder.path("late")));
  EXPECT_NE(bytes(folder.path("late/curves.csv")), curves);
}

TEST(Arrivals, PlayersHearLateAsInAPlainLoop) {
  for (const std::string arrivals_key : {"spread", "late", "batches"}) {
    const std::uint64_t rounds = 400;
    const Experiment experiment =
        late(", delay = 50, missing = 0.25, arrivals = '" + arrivals_key + "'", rounds,
             "['anytime', 'ogd']");
    experiment::UnitWatch watch;
    const experiment::Part part = run_unit(experiment, catalogue(), 0, 1, watch);
    const Arrivals arrivals(experiment, 0, 1);
    Learner bandit(anytime(projection_free(ball(3), {.loss_bound = 1.9 * 1.9 / 2})),
                   {.seed = 4, .stream = 2});
    GradientLearner descent(ogd(ball(3), {.gradient_bound = 1.9}),
                            {.seed = 4, .stream = 2, .window = 4096});
    Target problem({4, 3}, rounds, nullptr);
    std::vector<std::vector<double>> plays[2];
    double totals[2] = {0, 0};
    std::vector<double> x(3);
    std::vector<double> gradient(3);
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      // What has arrived since the last ask, the latest play first.
      for (std::uint64_t s = t; s-- > 1;) {
        if (arrivals.delay_of(s) != t - 1 - s) continue;
        problem.draw(s);
        bandit.tell(s, problem.value(plays[0][s - 1]));
        problem.gradient(plays[1][s - 1], gradient);
        descent.tell(s, gradient);
      }
      problem.draw(t);
      bandit.ask(x);
      totals[0] += problem.value(x);
      plays[0].push_back(x);
      descent.ask(x);
      totals[1] += problem.value(x);
      plays[1].push_back(x);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(part.players[k].average_loss.back(), totals[k] / static_cast<double>(rounds));
    }
    EXPECT_EQ(bandit.summary().expired, 0U);
    EXPECT_FALSE(part.players[1].regret_bound_holds);
    EXPECT_EQ(part.players[1].regret_bound_note,
              "theorems want every value at once, and here values are told late or never");
  }
}

/// The average regret of each player in the end.
std::vector<double> regrets(const std::string& keys) {
  experiment::UnitWatch watch;
  const auto part = run_unit(late(keys, 4096), catalogue(), 0, 0, watch);
  std::vector<double> last;
  for (const auto& player : part.players) last.push_back(player.average_regret.back());
  return last;
}

TEST(Arrivals, WithoutValuesNothingIsLearned) {
  const auto told = regrets("");
  const auto late_values = regrets(", delay = 10");
  const auto rare = regrets(", missing = 0.9995");  // two values of 4096 on average
  const auto none = regrets(", missing = 1");
  // ogd; stay, whom it makes no difference to, is the last.
  EXPECT_LT(told[1], 0.05 * told[2]);
  EXPECT_GT(late_values[1], 1.5 * told[1]);
  EXPECT_LT(late_values[1], 0.5 * told[2]);
  EXPECT_GT(rare[1], 0.5 * told[2]);
  EXPECT_EQ(none[1], told[2]);
  EXPECT_EQ(late_values[2], told[2]);
  EXPECT_EQ(rare[2], told[2]);
}

TEST(Arrivals, ShortStepsCost) {
  const auto any = regrets("");
  EXPECT_EQ(regrets(", max_step = 2"), any);  // the diameter
  const auto short_steps = regrets(", max_step = 0.01");
  EXPECT_GT(short_steps[0], 1.1 * any[0]);
  EXPECT_GT(short_steps[1], 1.1 * any[1]);
  EXPECT_LT(short_steps[1], 0.5 * short_steps[2]);
  EXPECT_EQ(short_steps[2], any[2]);  // one who stays needs no steps
}

TEST(Arrivals, AnInterruptedRunGoesOn) {
  for (const std::string arrivals : {"spread", "late", "batches"}) {
    const Folder folder;
    const Experiment experiment =
        late(", delay = 100, missing = 0.1, arrivals = '" + arrivals + "'");
    (void)experiment::run(experiment, quick(folder.path("whole")));
    (void)experiment::run(experiment, quick(folder.path("out"), 2));
    std::filesystem::remove(folder.path("out/parts/0-1.json"));
    std::filesystem::remove(folder.path("out/curves.csv"));
    EXPECT_EQ(experiment::run(experiment, quick(folder.path("out"))).computed, 1U);
    EXPECT_EQ(bytes(folder.path("out/curves.csv")), bytes(folder.path("whole/curves.csv")));
  }
}

TEST(Arrivals, NonsenseIsRefusedWithItsLine) {
  const auto refusal = [](const std::string& keys) {
    return message<InputError>([&] { (void)late(keys); });
  };
  EXPECT_EQ(refusal(", delay = -1"), "late.toml:4: 'delay' must be from 0 to 1000000, not -1");
  EXPECT_EQ(refusal(", delay = 1000001"),
            "late.toml:4: 'delay' must be from 0 to 1000000, not 1000001");
  EXPECT_EQ(refusal(", delay = 1.5"), "late.toml:4: 'delay' must be a whole number, such as 1_000");
  EXPECT_EQ(refusal(", missing = 1.5"),
            "late.toml:4: 'missing' must be a number from 0 to 1, not 1.5");
  EXPECT_EQ(refusal(", missing = -0.1"),
            "late.toml:4: 'missing' must be a number from 0 to 1, not -0.1");
  EXPECT_EQ(refusal(", missing = nan"),
            "late.toml:4: 'missing' must be a number from 0 to 1, not nan");
  EXPECT_EQ(refusal(", missing = 'often'"), "late.toml:4: 'missing' must be a number from 0 to 1");
  EXPECT_EQ(refusal(", max_step = 0"),
            "late.toml:4: 'max_step' must be a number from 1e-50 to 1e+50, not 0");
  EXPECT_EQ(refusal(", arrivals = 'lately'"),
            "late.toml:4: 'arrivals' must be \"spread\", \"late\" or \"batches\", not "
            "\"lately\"");
  EXPECT_EQ(refusal(", arrivals = 3"),
            "late.toml:4: 'arrivals' must be \"spread\", \"late\" or \"batches\"");
  EXPECT_EQ(refusal(", dealy = 3"), "late.toml:4: unknown key 'dealy'; did you mean 'delay'?");
  // Learners have no such keys.
  EXPECT_EQ(message<InputError>([] { (void)late("", 5, "[{spec = 'ogd', delay = 3}]"); }),
            "late.toml:5: unknown key 'delay'");
  EXPECT_EQ(message<InputError>([] {
              (void)experiment::parse_experiment(
                  "rounds = 1000000\nproblems = [\n{spec = 'tracking(ball(200))', delay = 1000000}]"
                  "\nlearners = [\n'ogd']\n",
                  "late.toml");
            }),
            "late.toml:5: learner 'ogd' on problem 'tracking(ball(200))': gradients of 200 numbers "
            "that are up to 1000000 rounds late take more than 1 GiB: shorten the delay to 335544 "
            "or less");
}

}  // namespace
}  // namespace keyhole::tests
