#include "reproduction/claims.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <sstream>

#include "reproduction/claims_text.h"
#include "reproduction/published_curves.h"

namespace keyhole::reproduction {
namespace {

/// A run that ends like the published one, times a factor, each repeat off by its own amount; the
/// curves fall from twice the end at the start to 1.5 times the end at a quarter of the way.
Outcome like_the_paper(Setting setting, const std::string& experiment) {
  Outcome outcome{.run = {.setting = setting,
                          .experiment = experiment,
                          .region = "",
                          .name = std::string(name_of(setting)) + "-" + experiment,
                          .title = "",
                          .toml = "",
                          .default_toml = ""},
                  .summary = {},
                  .curves = {}};
  outcome.summary.repeats = 3;
  experiment::ProblemSummary problem;
  problem.rounds = 2000;
  for (const std::string& name : paper_learners()) {
    const double end = published_curve(experiment).back().of(name);
    experiment::LearnerSummary learner;
    learner.named.name = name;
    learner.average_loss = {.mean = end, .half_width = 0.1 * end};
    problem.learners.push_back(learner);
    outcome.average_losses[name] = {0.8 * end, end, 1.2 * end};
    const double quarter = name == "Unregularized" ? end : 1.5 * end;
    outcome.curves.average_loss.push_back(
        {.name = name,
         .points = {{.t = 1, .mean = 2 * end},
                    {.t = 500, .mean = quarter, .lower = 0.95 * quarter, .upper = 1.05 * quarter},
                    {.t = 2000, .mean = end, .lower = 0.95 * end, .upper = 1.05 * end}}});
    if (name == "FKM" || name == "StochOCG") {
      const double time = published_time(experiment, name);
      outcome.relative_time[name] = {time, 0.9 * time, 1.1 * time};
    }
  }
  outcome.summary.problems.push_back(problem);
  return outcome;
}

std::vector<Outcome> all_like_the_paper() {
  std::vector<Outcome> outcomes;
  for (const Setting setting : {Setting::published, Setting::proven}) {
    for (const char* const experiment : {"quadratic", "portfolio", "completion"}) {
      outcomes.push_back(like_the_paper(setting, experiment));
    }
  }
  return outcomes;
}

/// The verdict of the first claim whose text contains the words.
Verdict verdict_on(const std::string& words, const std::vector<Outcome>& outcomes) {
  for (const Claim& claim : judge(outcomes)) {
    if (claim.text.find(words) != std::string::npos) return claim.verdict;
  }
  ADD_FAILURE() << "no claim on " << words;
  return Verdict::not_reproduced;
}

/// Gives a learner other average losses.
void set_losses(Outcome& outcome, const std::string& name, std::vector<double> losses) {
  outcome.average_losses[name] = std::move(losses);
}

TEST(Claims, WhatEndsLikeThePaperIsReproduced) {
  const auto claims = judge(all_like_the_paper());
  EXPECT_EQ(claims.size(), 11U);
  for (const Claim& claim : claims) {
    EXPECT_EQ(claim.verdict, Verdict::reproduced) << claim.text;
    for (const Evidence& evidence : claim.measured) {
      EXPECT_EQ(evidence.numbers.size(), claim.columns.size()) << claim.text;
    }
    EXPECT_EQ(claim.paper.size(), claim.columns.size()) << claim.text;
  }
}

TEST(Claims, AnotherOrderIsNot) {
  auto outcomes = all_like_the_paper();
  set_losses(outcomes[0], "Proposed", {3, 4, 5});  // below StochOCG
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::only_proven);
  set_losses(outcomes[3], "Proposed", {3, 4, 5});
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::not_reproduced);
  EXPECT_EQ(verdict_on("portfolio: the order", outcomes), Verdict::reproduced);
}

TEST(Claims, AnOrderThatRepeatsDisagreeOnIsNot) {
  auto outcomes = all_like_the_paper();
  const double fkm = published_curve("quadratic").back().fkm;
  // The mean of StochOCG is above FKM's, but not by more than chance allows.
  set_losses(outcomes[3], "StochOCG", {0.8 * fkm - 2, fkm + 3, 1.2 * fkm + 2});
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::only_published);
}

TEST(Claims, PublishedTiesMayEndEitherWay) {
  auto outcomes = all_like_the_paper();
  for (Outcome& outcome : outcomes) {
    if (outcome.run.experiment != "completion") continue;
    std::swap(outcome.average_losses["StochOCG"], outcome.average_losses["Unregularized"]);
  }
  EXPECT_EQ(verdict_on("completion: the order", outcomes), Verdict::reproduced);
}

TEST(Claims, DeclineAndLinearLoss) {
  auto outcomes = all_like_the_paper();
  outcomes[0].curves.average_loss[0].points.back().upper = 1e9;  // Proposed
  EXPECT_EQ(verdict_on("Proposed declines", outcomes), Verdict::only_proven);
  outcomes[3].curves.average_loss[2].points.back().mean *= 0.8;  // Unregularized
  EXPECT_EQ(verdict_on("Unregularized does not decline", outcomes), Verdict::only_published);
}

/// All passes take longer by a factor.
void stretch(Spread& times, double factor) {
  times = {times.median * factor, times.lower * factor, times.upper * factor};
}

TEST(Claims, TimesWithinAFactor) {
  const std::string claim = "portfolio: time per round, FKM";
  auto outcomes = all_like_the_paper();
  stretch(outcomes[1].relative_time["FKM"], 1.3);
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::reproduced);
  stretch(outcomes[1].relative_time["FKM"], 1.3);
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::only_proven);
  stretch(outcomes[4].relative_time["FKM"], 0.5);
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::not_reproduced);
}

TEST(Claims, OnePassThatIsDisturbedDecidesNothing) {
  const Spread spread = spread_of({3, 100, 1, 4, 2, 9, 5, 8, 6});
  EXPECT_EQ(spread.median, 5);
  EXPECT_EQ(spread.lower, 2);
  EXPECT_EQ(spread.upper, 9);
}

TEST(Claims, TheIntervalOfTimesHasTheMedianIn96Of100Cases) {
  int outside = 0;  // of all ways in which nine passes can lie below or above it
  for (unsigned sides = 0; sides < 1U << passes; ++sides) {
    std::array<double, passes> times{};
    for (std::size_t k = 0; k < passes; ++k) times[k] = (sides >> k & 1U) != 0 ? 1 : -1;
    const Spread spread = spread_of(times);
    if (spread.lower > 0 || spread.upper < 0) ++outside;
  }
  EXPECT_EQ(outside, 20);
}

TEST(Claims, TimesOfWhichAPartIsWithinItAreUndecided) {
  const std::string claim = "portfolio: time per round, FKM";
  const double published = published_time("portfolio", "FKM");
  auto outcomes = all_like_the_paper();
  Spread& times = outcomes[1].relative_time["FKM"];
  times.upper = 1.51 * published;
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::undecided);
  times = {1.6 * published, 1.4 * published, 1.7 * published};
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::undecided);
  times = {published, published / 1.51, published};
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::undecided);
  EXPECT_EQ(headline(judge(outcomes)),
            "10 of 11 claims reproduced, 0 not reproduced, 1 undecided.");
  // Another run of the setting that decides against it decides.
  outcomes.push_back(like_the_paper(Setting::published, "portfolio"));
  stretch(outcomes.back().relative_time["FKM"], 10);
  EXPECT_EQ(verdict_on(claim, outcomes), Verdict::only_proven);
}

TEST(Claims, OneSettingAloneCanReproduce) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  outcomes.resize(3);
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::reproduced);
}

TEST(Claims, ARunBesideIsShownAndDoesNotCount) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  outcomes.push_back(like_the_paper(Setting::published, "portfolio"));
  stretch(outcomes.back().relative_time["FKM"], 10);
  EXPECT_EQ(verdict_on("portfolio: time per round, FKM", outcomes), Verdict::only_proven);
  outcomes.back().run.counts = false;
  EXPECT_EQ(verdict_on("portfolio: time per round, FKM", outcomes), Verdict::reproduced);
  for (const Claim& claim : judge(outcomes)) {
    if (claim.text.find("portfolio: time per round, FKM") == std::string::npos) continue;
    const Evidence& last = claim.measured.back();
    EXPECT_FALSE(last.counts);
    EXPECT_EQ(last.label, "published, for comparison");
    EXPECT_EQ(last.numbers[0].value, 50);
    EXPECT_EQ(last.numbers[0].lower, 45);
    EXPECT_EQ(last.numbers[0].upper, 55);
  }
}

TEST(Claims, WhatComesOutOnAStandInForPricesAloneIsNotComparable) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  for (Outcome& outcome : outcomes) outcome.run.stand_in = outcome.run.experiment == "portfolio";
  EXPECT_EQ(verdict_on("portfolio: the order", outcomes), Verdict::not_comparable);
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::reproduced);
  EXPECT_EQ(verdict_on("portfolio: time per round, FKM", outcomes), Verdict::reproduced);
  EXPECT_EQ(headline(judge(outcomes)),
            "10 of 11 claims reproduced, 0 not reproduced, 1 not comparable without real prices.");
  // What does not even come out there is not reproduced.
  for (Outcome& outcome : outcomes) {
    if (outcome.run.stand_in) set_losses(outcome, "StochOCG", {0, 0, 0});
  }
  EXPECT_EQ(verdict_on("portfolio: the order", outcomes), Verdict::not_reproduced);
}

TEST(Claims, TheHeadlineCounts) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  stretch(outcomes[0].relative_time["FKM"], 10);
  stretch(outcomes[2].relative_time["FKM"], 10);
  stretch(outcomes[5].relative_time["FKM"], 10);
  EXPECT_EQ(headline(judge(outcomes)),
            "9 of 11 claims reproduced, 1 in one setting only, 1 not reproduced.");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Claims, TheTableHasTheVerdictFirstAndFits) {
  const auto lines = lines_of(claims_table(judge(all_like_the_paper())));
  EXPECT_EQ(lines[0], "reproduced: quadratic: the order of the four curves at the end");
  EXPECT_EQ(lines[1], "  average loss  holds   FKM  StochOCG  Proposed  Unregularized");
  EXPECT_EQ(lines[2], "  paper                4.69     10.45     11.67          31.44");
  EXPECT_EQ(lines[3], "  published     yes    4.69     10.45     11.67          31.44");
  for (const std::string& line : lines) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Claims, TheCsvHasNumbersInColumns) {
  const auto lines = lines_of(claims_csv(judge(all_like_the_paper())));
  EXPECT_EQ(lines[0],
            "claim,verdict,run,counts,holds,quantity,of,round,paper,measured,lower,upper");
  // Two settings: three orders of four curves, two courses of two points, six times.
  EXPECT_EQ(lines.size(), 1U + 2 * (3 * 4 + 2 * 2 + 6));
  const std::string first =
      "quadratic: the order of the four curves at the end,reproduced,published-quadratic,yes,yes,"
      "average loss,FKM,2000,4.69,4.69,4.22";
  EXPECT_EQ(lines[1].substr(0, first.size()), first);
}

TEST(Runs, BothRegionsOfPortfoliosInEachSetting) {
  for (const Setting setting : {Setting::published, Setting::proven}) {
    std::vector<std::string> regions;
    for (const auto& run : runs_of(setting, {})) {
      if (run.experiment == "portfolio") regions.push_back(run.region);
    }
    EXPECT_EQ(regions, (std::vector<std::string>{"enlarged", "simplex"}));
  }
}

// Repeat k is the same whatever the number of repeats: the default learner meets the losses of the
// first repeats of the others.
TEST(Runs, TheDefaultLearnerMeetsTheSameLosses) {
  for (const Setting setting : {Setting::published, Setting::proven}) {
    for (const auto& run : runs_of(setting, {.repeats = 50, .quick = false, .prices = "p.csv"})) {
      const auto line = [](const std::string& toml, const std::string& key) {
        const auto at = toml.find(key + " = ");
        return toml.substr(at, toml.find('\n', at) - at);
      };
      EXPECT_EQ(line(run.default_toml, "problems"), line(run.toml, "problems")) << run.name;
      EXPECT_EQ(line(run.default_toml, "seed"), line(run.toml, "seed")) << run.name;
      EXPECT_EQ(line(run.default_toml, "repeats"), "repeats = 5");
      EXPECT_EQ(run.toml.find("posterior"), std::string::npos);
      EXPECT_FALSE(run.stand_in);
    }
  }
}

TEST(Runs, HaveTheHorizonsOfThePaper) {
  const auto runs = runs_of(Setting::published, {});
  ASSERT_EQ(runs.size(), 4U);
  for (const auto& run : runs) {
    const auto last = static_cast<std::uint64_t>(published_curve(run.experiment).back().t);
    EXPECT_NE(run.toml.find("rounds = " + std::to_string(last) + "\n"), std::string::npos)
        << run.toml;
  }
}

}  // namespace
}  // namespace keyhole::reproduction
