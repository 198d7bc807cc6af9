// Regret divided by that of the control `stay`.

#include "experiment/relative.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiment/table.h"
#include "experiment/unit.h"
#include "instances.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using experiment::ExperimentSummary;
using experiment::Interval;
using experiment::LearnerSummary;

TEST(Quotient, IsThatOfTheMeansWithTheDeltaMethod) {
  Random random(5);
  const std::size_t count = 12;
  std::vector<double> x;
  std::vector<double> y;
  experiment::QuotientMoments moments;
  for (std::size_t k = 0; k < count; ++k) {
    y.push_back(2 + 0.3 * random.normal());
    x.push_back(0.5 * y.back() + 0.1 * random.normal());
    moments.add(x.back(), y.back());
  }
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t k = 0; k < count; ++k) {
    mean_x += x[k] / 12;
    mean_y += y[k] / 12;
  }
  const double r = mean_x / mean_y;
  double squares = 0;
  for (std::size_t k = 0; k < count; ++k) squares += (x[k] - r * y[k]) * (x[k] - r * y[k]);
  const Interval interval = moments.interval(2.2);
  EXPECT_NEAR(interval.mean, r, 1e-14);
  EXPECT_NEAR(interval.half_width.value(), 2.2 * std::sqrt(squares / 11 / 12) / mean_y, 1e-13);
}

TEST(Quotient, CoversTheTruthAsOftenAsItSays) {
  // x and y with means 1 and 2: the quotient 0.5 is covered in 95 % of 2000 samples of 8; a
  // binomial count of standard deviation 9.7, and the delta method is not exact.
  Random random(6);
  const double t = experiment::student_t_95(7);
  int covered = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    experiment::QuotientMoments moments;
    for (int k = 0; k < 8; ++k) {
      const double common = 0.2 * random.normal();
      moments.add(1 + common + 0.1 * random.normal(), 2 + common + 0.1 * random.normal());
    }
    const Interval interval = moments.interval(t);
    covered += std::abs(interval.mean - 0.5) <= interval.half_width.value() ? 1 : 0;
  }
  EXPECT_NEAR(covered, 1900, 60);
}

TEST(Quotient, OfANumberByItselfIsOneForCertain) {
  experiment::QuotientMoments moments;
  for (const double x : {0.1, 0.7, 0.3, 1.9}) moments.add(x, x);
  EXPECT_EQ(moments.interval(3).mean, 1);
  EXPECT_EQ(moments.interval(3).half_width, 0.0);
  experiment::QuotientMoments by_a_constant;
  experiment::Moments alone;
  for (const double x : {0.1, 0.7, 0.3}) {
    by_a_constant.add(x, 0.5);
    alone.add(x);
  }
  EXPECT_DOUBLE_EQ(by_a_constant.interval(2).mean, 2 * alone.interval(2).mean);
  EXPECT_DOUBLE_EQ(by_a_constant.interval(2).half_width.value(),
                   2 * alone.interval(2).half_width.value());
  experiment::QuotientMoments single;
  single.add(1, 4);
  EXPECT_EQ(single.interval(0).mean, 0.25);
  EXPECT_FALSE(single.interval(0).half_width.has_value());
}

/// f(x) = ||x||^2 / 2 on ball(3): the centre is best, `stay` has no regret.
class Still final : public Problem {
 public:
  Still() : Problem(ball(3)) {}
  [[nodiscard]] std::string spec() const override { return "still()"; }
  [[nodiscard]] LossBounds bounds() const override { return {0.5, 1, true}; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 2;
  }
  void gradient(std::span<const double> x, std::span<double> g) const override {
    std::copy(x.begin(), x.end(), g.begin());
  }

 private:
  void realise(std::uint64_t) override {}
};

Catalogue with_still() {
  Catalogue all = catalogue();
  all.add(problem("still", [](const ProblemContext&) { return std::make_unique<Still>(); }));
  return all;
}

TEST(Relative, RegretIsDividedByThatOfStay) {
  const Folder folder;
  const auto all = with_still();
  const auto experiment = experiment::parse_experiment(
      "rounds = 200\nrepeats = 4\nseed = 2\ncheckpoints = [8, 50]\nproblems = ['target', 'short', "
      "'still', {name = 'known', spec = 'still', normalise = 0.5}]\n"
      "learners = ['ogd', 'anytime', 'stay']\ncontrols = false\n",
      "relative.toml", "", all);
  auto options = quick(folder.path("out"));
  options.catalogue = all;
  const ExperimentSummary summary = experiment::run(experiment, options).summary;
  EXPECT_EQ(summary.checkpoints, (std::vector<std::uint64_t>{8, 50, 200}));
  ASSERT_EQ(summary.problems.size(), 4U);

  // The same from the units: at 1, 2, 4, 8, 16, 32, 50, 64, 128, 200.
  experiment::UnitWatch watch;
  std::vector<experiment::Part> parts;
  for (std::uint64_t repeat = 0; repeat < 4; ++repeat) {
    parts.push_back(experiment::run_unit(experiment, all, 0, repeat, watch));
  }
  const auto quotient = [&](std::size_t player, std::size_t mark) {
    double above = 0;
    double below = 0;
    for (const auto& part : parts) {
      EXPECT_EQ(part.players[player].average_regret.size(), 10U);
      above += part.players[player].average_regret[mark];
      below += part.players[2].average_regret[mark];
    }
    return above / below;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const LearnerSummary& learner = summary.problems[0].learners[k];
    ASSERT_EQ(learner.checkpoints.size(), 3U);
    const std::size_t marks[] = {3, 6, 9};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(learner.checkpoints[i].round, summary.checkpoints[i]);
      EXPECT_NEAR(learner.checkpoints[i].relative_regret->mean, quotient(k, marks[i]), 1e-12);
      EXPECT_GE(learner.checkpoints[i].relative_regret->half_width.value(), 0);
    }
    EXPECT_EQ(learner.relative_regret->mean, learner.checkpoints[2].relative_regret->mean);
    EXPECT_NEAR(learner.largest_relative_regret.value(),
                std::max({quotient(k, 7), quotient(k, 8), quotient(k, 9)}), 1e-12);
  }
  const LearnerSummary& stay = summary.problems[0].learners[2];
  EXPECT_EQ(stay.relative_regret->mean, 1);
  EXPECT_EQ(stay.relative_regret->half_width, 0.0);
  EXPECT_LT(summary.problems[0].learners[0].relative_regret->mean, 0.5);
  EXPECT_NEAR(stay.recommended->mean, 1, 1e-12);
  double recommended = 0;
  double by_stay = 0;
  for (const auto& part : parts) {
    recommended += part.players[0].recommended_regret[6];
    by_stay += part.players[2].average_regret[6];
  }
  EXPECT_NEAR(summary.problems[0].learners[0].checkpoints[1].recommended->mean,
              recommended / by_stay, 1e-12);

  // Twenty rounds: the first checkpoint only, and nothing from round 64 on.
  const LearnerSummary& of_short = summary.problems[1].learners[0];
  ASSERT_EQ(of_short.checkpoints.size(), 1U);
  EXPECT_EQ(of_short.checkpoints[0].round, 8U);
  EXPECT_TRUE(of_short.relative_regret.has_value());
  EXPECT_FALSE(of_short.largest_relative_regret.has_value());

  // Nothing to divide by, or a number.
  EXPECT_EQ(summary.problems[2].why_no_relative_regret,
            "the regret of 'stay' is not positive for certain");
  EXPECT_FALSE(summary.problems[2].learners[1].relative_regret.has_value());
  EXPECT_EQ(summary.problems[3].why_no_relative_regret, "");
  const LearnerSummary& known = summary.problems[3].learners[1];
  EXPECT_DOUBLE_EQ(known.relative_regret->mean, 2 * known.average_regret.mean);
  EXPECT_NEAR(known.relative_regret->half_width.value(),
              2 * known.average_regret.half_width.value(), 1e-15);

  // Of the problems, target, short (8 only) and known enter the means.
  const auto means = experiment::relative_means(summary);
  ASSERT_EQ(means.size(), 3U);
  EXPECT_EQ(means[1].learner, "anytime");
  ASSERT_EQ(means[1].means.size(), 3U);
  EXPECT_EQ(means[1].means[0].problems, 3U);
  EXPECT_EQ(means[1].means[1].problems, 2U);
  EXPECT_EQ(means[1].means[2].problems, 2U);
  const double one = summary.problems[0].learners[1].relative_regret->mean;
  const double other = known.relative_regret->mean;
  EXPECT_NEAR(means[1].means[2].arithmetic.value(), (one + other) / 2, 1e-14);
  EXPECT_NEAR(means[1].means[2].geometric.value(), std::sqrt(one * other), 1e-14);
  EXPECT_EQ(means[1].means[2].recommended_problems, 2U);
  const double first = summary.problems[0].learners[1].checkpoints[2].recommended->mean;
  const double second = known.checkpoints[2].recommended->mean;
  EXPECT_NEAR(means[1].means[2].recommended.value(),
              std::sqrt(std::max(first, 0.001) * std::max(second, 0.001)), 1e-14);
  // stay on known has the relative regret 0, which counts as 0.001.
  EXPECT_NEAR(means[2].means[2].geometric.value(), std::sqrt(0.001), 1e-9);

  const std::string json = bytes(folder.path("out/summary.json")).value();
  for (const std::string field : {"relative_regret", "largest_relative_regret", "checkpoints",
                                  "relative_regret_means", "why_no_relative_regret", "normalise"}) {
    EXPECT_NE(json.find("\"" + field + "\": "), std::string::npos) << field;
  }
  // The curves have the checkpoints.
  const std::string curves = bytes(folder.path("out/curves.csv")).value();
  EXPECT_NE(curves.find("\ntarget,ogd,average_regret,50,"), std::string::npos);
}

/// f(x) = ||x - theta||^2 / 2 on ball(3), theta away from the centre in the first repeat only.
class Seldom final : public Problem {
 public:
  explicit Seldom(double theta) : Problem(ball(3)), theta_(theta) {}
  [[nodiscard]] std::string spec() const override { return "seldom()"; }
  [[nodiscard]] LossBounds bounds() const override { return {2, 2, true}; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return ((x[0] - theta_) * (x[0] - theta_) + x[1] * x[1] + x[2] * x[2]) / 2;
  }
  void gradient(std::span<const double> x, std::span<double> g) const override {
    std::copy(x.begin(), x.end(), g.begin());
    g[0] -= theta_;
  }

 private:
  void realise(std::uint64_t) override {}

  double theta_;
};

TEST(Relative, AMeanThatMayBeZeroIsNoDivisor) {
  const Folder folder;
  Catalogue all = catalogue();
  all.add(problem("seldom", [](const ProblemContext& context) {
    return std::make_unique<Seldom>(context.seed.stream == 1 ? 0.9 : 0);
  }));
  const auto read = experiment::parse_experiment(
      "rounds = 16\nrepeats = 4\nproblems = 'seldom'\nlearners = ['stay', 'ogd']\n"
      "controls = false\n",
      "seldom.toml", "", all);
  auto options = quick(folder.path("out"));
  options.catalogue = all;
  const auto summary = experiment::run(read, options).summary;
  const LearnerSummary& stay = summary.problems[0].learners[0];
  EXPECT_GT(stay.average_regret.mean, 0.1);
  EXPECT_GT(stay.average_regret.half_width.value(), stay.average_regret.mean);
  EXPECT_EQ(summary.problems[0].why_no_relative_regret,
            "the regret of 'stay' is not positive for certain");
  EXPECT_FALSE(summary.problems[0].learners[1].relative_regret.has_value());
}

TEST(Relative, WithoutStayThereIsNone) {
  const Folder folder;
  const auto summary = experiment::run(small_experiment(20, 2), quick(folder.path("out"))).summary;
  EXPECT_EQ(summary.problems[0].why_no_relative_regret, "the control 'stay' does not play");
  EXPECT_FALSE(summary.problems[0].learners[0].relative_regret.has_value());
  EXPECT_FALSE(experiment::relative_means(summary)[0].means[0].arithmetic.has_value());
}

TEST(Relative, TheSlopeOfARunThatIsLongEnough) {
  const Folder folder;
  const auto experiment = experiment::parse_experiment(
      "rounds = 8192\nrepeats = 2\nproblems = ['tracking(ball(3))', "
      "{name = 'short', spec = 'tracking(ball(3))', rounds = 2048}]\n"
      "learners = ['stay', 'parameter_free']\ncontrols = false\n",
      "slope.toml");
  auto options = quick(folder.path("out"));
  options.catalogue = Catalogue::standard();
  const ExperimentSummary summary = experiment::run(experiment, options).summary;
  EXPECT_EQ(summary.problems[0].rounds, 8192U);
  EXPECT_EQ(summary.problems[1].rounds, 2048U);
  const auto& learners = summary.problems[0].learners;
  // Staying costs the same in every round but for the jitter of the targets.
  EXPECT_NEAR(learners[0].regret_slope.value(), 1, 0.02);
  EXPECT_LT(learners[1].regret_slope.value(), 0.8);
  EXPECT_FALSE(summary.problems[1].learners[0].regret_slope.has_value());  // 1024 and 2048 only
}

ExperimentSummary example() {
  const auto at = [](std::uint64_t round, double mean) {
    return experiment::RegretAt{round, {}, Interval{mean, 0.125}, Interval{mean / 4, {}}};
  };
  ExperimentSummary summary{.rounds = 1000, .repeats = 3, .checkpoints = {64, 1000}};
  summary.problems = {
      {.named = {"a", "a"},
       .rounds = 1000,
       .learners = {{.named = {"slow, steady", "s"}, .left_out = true, .seconds_per_round = 0.25},
                    {.named = {"quick", "q"},
                     .recommended = Interval{2.5e-10, {}},
                     .largest_relative_regret = 1.5,
                     .regret_slope = 0.75,
                     .checkpoints = {at(64, 0.5), at(1000, 1e-9)},
                     .seconds_per_round = 1e-6,
                     .oracle_calls_per_round = 2}}},
      {.named = {"b", "b"},
       .rounds = 100,
       .why_no_relative_regret = "no reason",
       .learners = {{.named = {"slow, steady", "s"},
                     .largest_relative_regret = 2,
                     .checkpoints = {at(64, 2)},
                     .oracle_calls_per_round = 1},
                    {.named = {"quick", "q"}, .checkpoints = {{64, {}, {}, {}}}}}}};
  return summary;
}

TEST(Relative, AsATable) {
  EXPECT_EQ(experiment::relative_table(example()),
            "average regret / that of stay, 3 repeats\n"
            "\n"
            "a\n"
            "                                     recom-                       oracle  seconds\n"
            "learner       at 64        at 1000   mended  largest  slope  calls/round   /round\n"
            "slow, steady    n/a            n/a      n/a      n/a    n/a          n/a     0.25\n"
            "quick           0.5  1e-09 +- 0.12  2.5e-10      1.5   0.75            2    1e-06\n"
            "\n"
            "b\n"
            "                              recom-                       oracle  seconds\n"
            "learner       at 64  at 1000  mended  largest  slope  calls/round   /round\n"
            "slow, steady      2        -       -        2      -            1        -\n"
            "quick             -        -       -        -      -            0        -\n"
            "it has 100 of the 1000 rounds: add a checkpoint that it reaches\n"
            "no reason at its last round; 'normalise' gives another divisor\n"
            "\n"
            "arithmetic mean over the problems (their number)\n"
            "learner         at 64    at 1000\n"
            "slow, steady    2 (1)          -\n"
            "quick         0.5 (1)  1e-09 (1)\n"
            "\n"
            "geometric mean over the problems, each at least 0.001 (their number)\n"
            "learner         at 64    at 1000\n"
            "slow, steady    2 (1)          -\n"
            "quick         0.5 (1)  0.001 (1)\n"
            "\n"
            "the same for the points recommended then\n"
            "learner           at 64    at 1000\n"
            "slow, steady    0.5 (1)          -\n"
            "quick         0.125 (1)  0.001 (1)\n");
  using experiment::Format;
  EXPECT_EQ(experiment::formatted(example(), Format::table, true),
            experiment::relative_table(example()));
  EXPECT_EQ(experiment::formatted(example(), Format::json, true),
            experiment::summary_json(example()));
  // In the usual table too.
  EXPECT_NE(experiment::summary_table(example()).find("slow, steady           n/a"),
            std::string::npos);
}

TEST(Relative, AsCsv) {
  EXPECT_EQ(
      experiment::formatted(example(), experiment::Format::csv, true),
      "problem,learner,round,relative_regret,relative_regret_lower,relative_regret_upper,"
      "largest_relative_regret,oracle_calls_per_round,seconds_per_round,left_out,worst_window,"
      "recommended\n"
      "a,\"slow, steady\",64,,,,,,0.25,true,,\n"
      "a,\"slow, steady\",1000,,,,,,0.25,true,,\n"
      "a,quick,64,0.5,0.375,0.625,1.5,2,1e-06,false,,0.125\n"
      "a,quick,1000,1e-09,-0.124999999,0.125000001,1.5,2,1e-06,false,,2.5e-10\n"
      "b,\"slow, steady\",64,2,1.875,2.125,2,1,,false,,0.5\n"
      "b,\"slow, steady\",1000,,,,2,1,,false,,\n"
      "b,quick,64,,,,,0,,false,,\n"
      "b,quick,1000,,,,,0,,false,,\n"
      "arithmetic mean,\"slow, steady\",64,2,,,,,,,,\n"
      "arithmetic mean,\"slow, steady\",1000,,,,,,,,,\n"
      "arithmetic mean,quick,64,0.5,,,,,,,,\n"
      "arithmetic mean,quick,1000,1e-09,,,,,,,,\n"
      "geometric mean,\"slow, steady\",64,2,,,,,,,,0.5\n"
      "geometric mean,\"slow, steady\",1000,,,,,,,,,\n"
      "geometric mean,quick,64,0.5,,,,,,,,0.12500000000000003\n"
      "geometric mean,quick,1000,0.0010000000000000002,,,,,,,,0.0010000000000000002\n");
  EXPECT_NE(
      experiment::summary_csv(example()).find("\na,\"slow, steady\",1000,3,,,,,,,,,0.25,,,,,,\n"),
      std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
