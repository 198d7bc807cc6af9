#include "experiment/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/csv_text.h"
#include "experiment/merge.h"
#include "experiment/relative.h"
#include "experiment/table.h"
#include "experiment/times.h"
#include "experiment/unit.h"
#include "instances.h"
#include "keyhole/algorithms.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::ExperimentSummary;
using experiment::LearnerSummary;

TEST(Summary, WarnsOfABestPointThatIsNotKnown) {
  const Folder folder;
  const auto experiment = small_experiment(10, 3);
  const auto warnings = [&] {
    return experiment::run(experiment, quick(folder.path("out"))).summary.problems[0].warnings;
  };
  EXPECT_EQ(warnings(), std::vector<std::string>());
  for (const auto& [repeat, gap] : {std::pair("1", 0.01), std::pair("2", 0.004)}) {
    const std::string path = folder.path("out/parts/0-" + std::string(repeat) + ".json");
    experiment::Part part = experiment::read_part(bytes(path).value()).value();
    part.hindsight_gap = gap;
    write_bytes(path, experiment::part_text(part));
  }
  EXPECT_EQ(warnings(), std::vector<std::string>{
                            "the best fixed point is known to a share of 0.01 of the total loss "
                            "only: regret may be larger by as much"});
}

TEST(Summary, HasEveryFieldForEachProblemAndLearner) {
  const Folder folder;
  const experiment::Experiment experiment = experiment::parse_experiment(
      "title = 'All fields'\nrounds = 300\nrepeats = 3\nseed = 8\nproblems = ['target', 'short']\n"
      "learners = ['projection_free', 'ogd', 'leaves']\ncontrols = false\n",
      "fields.toml", "", catalogue());
  auto options = quick(folder.path("out"));
  options.timing_seconds = 0.01;
  const ExperimentSummary summary = experiment::run(experiment, options).summary;
  EXPECT_EQ(summary.title, "All fields");
  ASSERT_EQ(summary.problems.size(), 2U);
  EXPECT_EQ(summary.problems[0].rounds, 300U);
  EXPECT_EQ(summary.problems[1].rounds, 20U);
  EXPECT_EQ(summary.problems[1].warnings.size(), 1U);
  for (const auto& problem : summary.problems) {
    ASSERT_EQ(problem.learners.size(), 3U);
    EXPECT_LE(problem.hindsight_gap, 1e-6);
    EXPECT_TRUE(problem.bounds_proven);
    for (const LearnerSummary& learner : problem.learners) {
      EXPECT_TRUE(std::isfinite(learner.average_loss.mean));
      EXPECT_TRUE(std::isfinite(learner.average_regret.mean));
      EXPECT_GT(learner.average_loss.half_width.value(), 0);
      EXPECT_GT(learner.average_regret.half_width.value(), 0);
      EXPECT_GE(learner.seconds_per_round.value(), 0);
      EXPECT_LT(learner.seconds_per_round.value(), 0.01);
    }
    EXPECT_TRUE(problem.learners[0].regret_bound.has_value());
    EXPECT_GT(problem.learners[0].seconds_per_round.value(), 0);
    // A step is made before each ask but the first.
    const double rounds = static_cast<double>(problem.rounds);
    EXPECT_DOUBLE_EQ(problem.learners[0].oracle_calls_per_round, (rounds - 1) / rounds);
    EXPECT_DOUBLE_EQ(problem.learners[1].regret_bound.value(), 1.5 * 1.9 * 2 / std::sqrt(rounds));
    EXPECT_TRUE(problem.learners[1].regret_bound_holds);
    EXPECT_FALSE(problem.learners[2].regret_bound.has_value());
    EXPECT_EQ(problem.learners[2].regret_bound_note, "it does not learn");
    EXPECT_EQ(problem.learners[2].infeasible_plays, 15U);
    EXPECT_EQ(problem.learners[2].alarms, 15U);
  }
  const std::string json = bytes(folder.path("out/summary.json")).value();
  EXPECT_EQ(json, experiment::summary_json(summary));
  for (const std::string field : {"version",
                                  "commit",
                                  "trace_revision",
                                  "seed",
                                  "rounds",
                                  "repeats",
                                  "experiment",
                                  "problems",
                                  "learners",
                                  "average_loss",
                                  "average_regret",
                                  "regret_bound",
                                  "why_no_regret_bound",
                                  "seconds_per_round",
                                  "oracle_calls_per_round",
                                  "infeasible_plays",
                                  "alarms",
                                  "set",
                                  "warnings",
                                  "hindsight_gap"}) {
    EXPECT_NE(json.find("\"" + field + "\": "), std::string::npos) << field;
  }
  // Times are measured once.
  EXPECT_EQ(experiment::summary_json(experiment::run(experiment, options).summary), json);
}

TEST(Summary, HasTheMeanOfWhatLearnersBelieve) {
  const Folder folder;
  Catalogue known = catalogue();
  known.add(algorithm("posterior",
                      [](const AlgorithmContext& context) { return posterior(context.set); }));
  const experiment::Experiment experiment = experiment::parse_experiment(
      "rounds = 300\nrepeats = 3\nseed = 8\nproblems = ['target']\n"
      "learners = ['posterior', 'ogd']\ncontrols = false\n",
      "beliefs.toml", "", known);
  auto options = quick(folder.path("out"));
  options.catalogue = known;
  const ExperimentSummary summary = experiment::run(experiment, options).summary;
  const auto& learners = summary.problems[0].learners;
  double noise = 0;
  experiment::UnitWatch watch;
  for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
    const experiment::Part part = experiment::run_unit(experiment, known, 0, repeat, watch);
    ASSERT_FALSE(part.players[0].beliefs.empty());
    EXPECT_EQ(part.players[0].beliefs[0].first, "noise");
    noise += part.players[0].beliefs[0].second / 3;
  }
  ASSERT_GE(learners[0].beliefs.size(), 5U);
  EXPECT_EQ(learners[0].beliefs[0].first, "noise");
  EXPECT_NEAR(learners[0].beliefs[0].second, noise, 1e-12 * noise);
  EXPECT_EQ(learners[0].beliefs[4].first, "fit");
  EXPECT_TRUE(learners[1].beliefs.empty());
  const std::string json = experiment::summary_json(summary);
  EXPECT_NE(json.find("\"gain_error\": "), std::string::npos);
}

ExperimentSummary example() {
  return {.version = "1.2.3",
          .commit = "abc",
          .trace_revision = 4,
          .experiment = "0123456789abcdef",
          .seed = 5,
          .rounds = 1000,
          .repeats = 2,
          .problems = {{.named = {"tracking", "tracking(ball(3))"},
                        .rounds = 1000,
                        .set = "ball(3)",
                        .dimension = 3,
                        .loss_bound = 2.0,
                        .learners = {{.named = {"a, b", "anytime(projection_free)"},
                                      .algorithm = "x",
                                      .average_loss = {0.12345678, 0.03125},
                                      .average_regret = {0.125, 0.0625},
                                      .relative_regret = {{0.5, 0.25}},
                                      .regret_bound = 2.5,
                                      .regret_bound_holds = false,
                                      .regret_bound_note = "note",
                                      .seconds_per_round = 1.234e-6,
                                      .oracle_calls_per_round = 1},
                                     {.named = {"stay", "stay"},
                                      .average_loss = {0.5, 0.25},
                                      .average_regret = {-0.5, 0.125},
                                      .regret_bound_note = "it does not learn",
                                      .infeasible_plays = 7,
                                      .alarms = 12}}}}};
}

TEST(Summary, AsATable) {
  EXPECT_EQ(experiment::summary_table(example()),
            "tracking on ball(3), 1000 rounds, 2 repeats\n"
            "                                          regret   seconds       oracle\n"
            "learner     average loss  average regret   bound    /round  calls/round\n"
            "a, b     0.1235 +- 0.031  0.125 +- 0.062   (2.5)  1.23e-06            1\n"
            "stay         0.5 +- 0.25    -0.5 +- 0.12       -         -            0\n"
            "infeasible plays: stay 7\n"
            "alarms: stay 12\n");
}

TEST(Summary, AVacuousBoundHasAStar) {
  ExperimentSummary summary = example();
  auto& problem = summary.problems[0];
  problem.learners[0].regret_bound_holds = true;
  EXPECT_FALSE(experiment::is_vacuous(problem, problem.learners[0]));  // 2.5 < 2M = 4
  problem.learners[0].regret_bound = 4;
  EXPECT_TRUE(experiment::is_vacuous(problem, problem.learners[0]));
  EXPECT_FALSE(experiment::is_vacuous(problem, problem.learners[1]));  // it has none
  const std::string table = experiment::summary_table(summary);
  EXPECT_NE(table.find("    4*  1.23e-06"), std::string::npos) << table;
  EXPECT_NE(table.find("\n* a bound of 2M or more says nothing"), std::string::npos) << table;
}

TEST(Summary, PortfoliosShowTheirWealth) {
  ExperimentSummary summary = example();
  summary.problems[0].named.spec = "portfolio(n=5)";
  summary.problems[0].rounds = 2;
  // exp(-2 x 0.12345678), exp(-2 x 0.5), and the best: exp(-2 (0.12345678 - 0.125)).
  EXPECT_NE(experiment::summary_table(summary).find(
                "wealth at the end, from 1: best constant portfolio 1.003, a, b 0.7812, "
                "stay 0.3679\n"),
            std::string::npos)
      << experiment::summary_table(summary);
}

TEST(Summary, TablesFitAHundredColumns) {
  ExperimentSummary summary = example();
  auto& problem = summary.problems[0];
  problem.named.name = "quadratic(n=100, rows=10)";
  problem.set = std::string(200, 'x');
  problem.learners[0].named.name = "restarting(anytime(projection_free(c=0.25)), window=4096)";
  problem.learners[0].average_loss = {-0.0012345678, 1.25e-05};
  problem.learners[0].average_regret = {-0.0012345678, 1.25e-05};
  problem.learners[0].regret_bound = 1.234e+10;
  problem.learners[0].seconds_per_round = 1.234e-6;
  problem.learners[1].named.name = "anytime(projection_free)";
  problem.learners[0].regret_bound_holds = true;
  for (int k = 0; k < 9; ++k) problem.learners.push_back(problem.learners[1]);
  summary.checkpoints = {1024, 16384, 65536, 131072};
  for (const std::string& table :
       {experiment::summary_table(summary), experiment::relative_table(summary)}) {
    std::istringstream in(table);
    for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(Summary, AsCsv) {
  EXPECT_EQ(experiment::summary_csv(example()),
            "problem,learner,rounds,repeats,average_loss,average_loss_lower,average_loss_upper,"
            "average_regret,average_regret_lower,average_regret_upper,regret_bound,"
            "regret_bound_holds,seconds_per_round,oracle_calls_per_round,infeasible_plays,alarms,"
            "relative_regret,relative_regret_lower,relative_regret_upper\n"
            "tracking,\"a, b\",1000,2,0.12345678,0.09220678,0.15470678,0.125,0.0625,"
            "0.1875,2.5,false,1.234e-06,1,0,0,0.5,0.25,0.75\n"
            "tracking,stay,1000,2,0.5,0.25,0.75,-0.5,-0.625,-0.375,,,,0,7,12,,,\n");
}

TEST(Summary, FormatsByName) {
  using experiment::Format;
  EXPECT_EQ(experiment::formatted(example(), experiment::format_of("table")),
            experiment::summary_table(example()));
  EXPECT_EQ(experiment::formatted(example(), experiment::format_of("json")),
            experiment::summary_json(example()));
  EXPECT_EQ(experiment::formatted(example(), experiment::format_of("csv")),
            experiment::summary_csv(example()));
  EXPECT_EQ(message<InvalidArgument>([] { (void)experiment::format_of("xml"); }),
            "the format must be table, json or csv, not 'xml'");
}

TEST(Summary, TimesOfAnotherProblemOrOfRubbishAreNotTaken) {
  const experiment::Times times = {{"ogd", {1.25e-6, "node1"}}, {"slow", {1, "node2"}}};
  const std::string text = experiment::times_text(times, 7);
  EXPECT_EQ(experiment::read_times(text, 7), times);
  EXPECT_TRUE(experiment::read_times(text, 8).empty());
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_TRUE(experiment::read_times(text.substr(0, i), 7).empty()) << i;
  }
  ExperimentSummary summary = example();
  EXPECT_EQ(experiment::several_hosts(summary), "");
  auto& learners = summary.problems[0].learners;
  learners.resize(3);
  learners[0] = {.named = {"a", "ogd"}};
  learners[1] = {.named = {"b", "unknown"}};
  learners[2] = {.named = {"c", "slow"}, .left_out = true, .seconds_per_round = 5};
  experiment::take_times(times, summary.problems[0]);
  EXPECT_EQ(learners[0].seconds_per_round, 1.25e-6);
  EXPECT_EQ(learners[0].timed_on, "node1");
  EXPECT_FALSE(learners[1].seconds_per_round.has_value());
  EXPECT_EQ(learners[2].seconds_per_round, 5);  // that of the trial
  EXPECT_EQ(experiment::several_hosts(summary), "");
  learners[1].timed_on = "node0";
  EXPECT_EQ(experiment::several_hosts(summary), "node0, node1");
  EXPECT_NE(experiment::summary_json(summary).find("\"timed_on\": \"node1\""), std::string::npos);
}

TEST(Csv, FieldsAreQuotedWhereTheyMust) {
  EXPECT_EQ(base::csv_field("plain name"), "plain name");
  EXPECT_EQ(base::csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(base::csv_field("say \"a\""), "\"say \"\"a\"\"\"");
}

}  // namespace
}  // namespace keyhole::tests
