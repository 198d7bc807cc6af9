#include "reproduction/claims.h"

#include <gtest/gtest.h>

#include <cmath>

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
                          .counts = true},
                  .summary = {},
                  .curves = {}};
  outcome.summary.repeats = 3;
  experiment::ProblemSummary problem;
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
    EXPECT_EQ(claim.verdict, Verdict::reproduced) << claim.text << ": " << claim.measured.front();
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
  EXPECT_EQ(verdict_on("appears to be linear", outcomes), Verdict::only_published);
}

TEST(Claims, TimesWithinAFactor) {
  auto outcomes = all_like_the_paper();
  outcomes[1].relative_time["FKM"].median *= 1.4;
  EXPECT_EQ(verdict_on("portfolio: a round of FKM", outcomes), Verdict::reproduced);
  outcomes[1].relative_time["FKM"].median *= 1.4;
  outcomes[4].relative_time["FKM"].median /= 2;
  EXPECT_EQ(verdict_on("portfolio: a round of FKM", outcomes), Verdict::not_reproduced);
}

TEST(Claims, OneSettingAloneCanReproduce) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  outcomes.resize(3);
  EXPECT_EQ(verdict_on("quadratic: the order", outcomes), Verdict::reproduced);
}

TEST(Claims, ARunBesideIsShownAndDoesNotCount) {
  std::vector<Outcome> outcomes = all_like_the_paper();
  outcomes.push_back(like_the_paper(Setting::published, "portfolio"));
  outcomes.back().relative_time["FKM"].median *= 10;
  EXPECT_EQ(verdict_on("portfolio: a round of FKM", outcomes), Verdict::only_proven);
  outcomes.back().run.counts = false;
  EXPECT_EQ(verdict_on("portfolio: a round of FKM", outcomes), Verdict::reproduced);
  for (const Claim& claim : judge(outcomes)) {
    if (claim.text.find("portfolio: a round of FKM") == std::string::npos) continue;
    EXPECT_NE(claim.measured.back().find("50 [4.5, 5.5] (for comparison)"), std::string::npos)
        << claim.measured.back();
  }
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
