// posterior in more than 512 dimensions: it plays members, learns, notices changes without false
// alarms, keeps to its start and reach, and its state goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "relative_regret.h"

namespace keyhole::tests {
namespace {

/// A learner in many dimensions and a look at its algorithm.
struct Wide {
  explicit Wide(const SetPtr& set, const PosteriorOptions& own = {}, std::uint64_t seed = 0)
      : Wide(posterior(set, own), seed) {}

  const PosteriorAlgorithm* algorithm;
  Learner learner;

 private:
  Wide(std::unique_ptr<PosteriorAlgorithm> made, std::uint64_t seed)
      : algorithm(made.get()), learner(std::move(made), {.seed = seed}) {}
};

/// The mean of the first half of the coordinates less that of the others.
double halves(const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += i < y.size() / 2 ? y[i] : -y[i];
  return 2 * sum / static_cast<double>(y.size());
}

TEST(ManyDimensions, PlaysMembersAndLearnsALinearLoss) {
  const SetPtr set = box(0, 1, 1000);
  Wide wide(set);
  for (std::uint64_t t = 1; t <= 20000; ++t) {
    const Play play = wide.learner.ask();
    ASSERT_TRUE(set->contains(play.point)) << "at " << t;
    wide.learner.tell(play.id, halves(play.point));
  }
  EXPECT_LT(halves(wide.learner.recommend()), -0.3);  // from 0 at the centre to -1
}

TEST(ManyDimensions, PlaysWhereTheHullHas512AndMore) {
  for (const SetPtr& set : {simplex(513), simplex(514), ball(512), ball(513), box(-1, 1, 513),
                            solid_simplex(600), l1_ball(513)}) {
    Wide wide(set);
    for (int t = 1; t <= 40; ++t) {
      const Play play = wide.learner.ask();
      ASSERT_TRUE(set->contains(play.point)) << set->spec() << " at " << t;
      wide.learner.tell(play.id, halves(play.point));
    }
    EXPECT_EQ(wide.learner.spec().find("learner(posterior()"), 0U) << wide.learner.spec();
  }
}

TEST(ManyDimensions, PlaysInAMillion) {
  const SetPtr set = simplex(1000000);
  Wide wide(set);
  std::vector<double> y(set->dimension());
  for (int t = 1; t <= 3; ++t) wide.learner.tell(wide.learner.ask(y), y[0]);
  EXPECT_TRUE(set->contains(y));
}

TEST(ManyDimensions, ItsStatusHasWhatIsKnown) {
  Wide wide(box(0, 1, 600));
  for (int t = 1; t <= 100; ++t) {
    const Play play = wide.learner.ask();
    wide.learner.tell(play.id, halves(play.point));
  }
  const PosteriorStatus status = wide.algorithm->status();
  EXPECT_EQ(status.losses, 99U);  // the last waits for the next ask
  EXPECT_EQ(status.restarts, 0U);
  EXPECT_FALSE(status.comparing);
  EXPECT_GT(status.reach, 0);
  EXPECT_LE(status.reach, 0.3);
  for (const double unknown : {status.suspicion, status.noise, status.gain, status.reliable,
                               status.width, status.curvature, status.fit, status.budget}) {
    EXPECT_TRUE(std::isnan(unknown));
  }
}

/// How often it starts again on a target that jumps to the other side every `flip` rounds, if any.
std::uint64_t restarts_in_many(std::uint64_t flip, const PosteriorOptions& options,
                               std::uint64_t seed) {
  // One coordinate matters: what is learned is worth much.
  Random random(seed);
  Wide wide(box(-1, 1, 513), options, seed);
  for (std::uint64_t t = 1; t <= 6000; ++t) {
    const Play play = wide.learner.ask();
    const double side = flip != 0 && t / flip % 2 == 1 ? -1 : 1;
    wide.learner.tell(play.id, side * halves(play.point) + 0.01 * random.normal());
  }
  (void)wide.learner.ask();
  return wide.algorithm->status().restarts;
}

TEST(ManyDimensions, NoticesAChangeAndNothingElse) {
  std::uint64_t noticed = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_EQ(restarts_in_many(0, {}, seed), 0U);
    noticed += restarts_in_many(5000, {}, seed);
    EXPECT_EQ(restarts_in_many(5000, {.restarts = false}, seed), 0U);
  }
  EXPECT_GE(noticed, 2U);
}

TEST(ManyDimensions, BeginsAtTheStartAndKeepsToTheReach) {
  const SetPtr set = box(-1, 1, 600);
  const std::vector<double> start(600, 0.9);
  Wide wide(set, {.reach = 0.05, .start = start});
  EXPECT_EQ(wide.learner.recommend(), start);
  for (int t = 1; t <= 500; ++t) {
    const Play play = wide.learner.ask();
    const std::vector<double> x = wide.learner.recommend();
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_LE(std::abs(play.point[i] - x[i]), 0.05 * 2) << "at " << t;
    }
    wide.learner.tell(play.id, halves(play.point));
  }
  // Without a reach some plays are made at the start, and none at the centre.
  Wide watching(set, {.start = start});
  for (int t = 1; t <= 500; ++t) {
    const Play play = watching.learner.ask();
    EXPECT_NE(play.point, set->centre());
    watching.learner.tell(play.id, halves(play.point));
  }
}

TEST(ManyDimensions, KeepsTheContract) {
  for (const SetPtr& set : {box(-1, 3, 513), simplex(520)}) {
    const auto scaled = [&](std::uint64_t seed, double /*scale*/) {
      return Learner(posterior(set), {.seed = seed});
    };
    const auto report = keyhole::testing::check_learner(
        [&](std::uint64_t seed) { return scaled(seed, 1); }, {.rounds = 160, .scaled = scaled});
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

TEST(ManyDimensions, BadOptionsAreRefused) {
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.caution = -1}), InvalidArgument);
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.start = {1, 2}}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
