// posterior in more than 512 dimensions: it plays members, learns, notices changes without false
// alarms, keeps to its start and reach, and its state goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue.h"
#include "keyhole/spec.h"
#include "keyhole/testing.h"
#include "learners/posterior/status.h"
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
  Wide(std::unique_ptr<Algorithm> made, std::uint64_t seed)
      : algorithm(dynamic_cast<const PosteriorAlgorithm*>(made.get())),
        learner(std::move(made), {.seed = seed}) {}
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

TEST(ManyDimensions, IsFaceWhereTheSetIsNarrow) {
  const auto believes = [](const SetPtr& set, const PosteriorOptions& options) {
    Wide wide(set, options);
    for (int t = 1; t <= 100; ++t) {
      const Play play = wide.learner.ask();
      wide.learner.tell(play.id, halves(play.point));
    }
    return !std::isnan(wide.algorithm->status().noise);
  };
  EXPECT_TRUE(believes(simplex(600), {}));
  EXPECT_TRUE(believes(l1_ball(600), {}));
  EXPECT_TRUE(believes(nuclear_ball(25, 25), {}));
  EXPECT_FALSE(believes(ball(600), {}));
  EXPECT_FALSE(believes(simplex(600), {.reach = 0.1}));
}

TEST(ManyDimensions, GoesOnFromStatesOfBefore) {
  const SetPtr set = simplex(600);
  // What it was: watchful around parameter_free, and the losses.
  auto old = watchful(parameter_free(set, {.restarts = false, .caution = 0.1}));
  Randomness random(set, 3, 0);
  old->prepare(random);
  std::vector<double> y(set->dimension());
  for (PlayId t = 1; t <= 300; ++t) {
    if (t > 1) old->advance();
    if (t > 1) old->absorb(t - 1, halves(y), random);
    old->play(t, random, y);
  }
  Archive written;
  old->state(written);
  std::uint64_t losses = 299;
  written.field(losses);
  const auto bytes = std::move(written).take();

  const auto now = posterior(set);
  now->prepare(random);
  Archive read(bytes, 7);
  now->state(read);
  EXPECT_EQ(read.left(), 0U);
  const auto learned = [](const Algorithm& algorithm) {
    return dynamic_cast<const PosteriorAlgorithm&>(algorithm).status().losses;
  };
  EXPECT_EQ(learned(*now), 299U);
  std::vector<double> z(set->dimension());
  for (PlayId t = 301; t <= 400; ++t) {
    for (Algorithm* one :
         {static_cast<Algorithm*>(old.get()), static_cast<Algorithm*>(now.get())}) {
      one->advance();
      one->absorb(t - 1, halves(y), random);
    }
    old->play(t, random, y);
    now->play(t, random, z);
    ASSERT_EQ(y, z) << "at " << t;
  }
  // And from its own.
  Archive again;
  now->state(again);
  const auto own = std::move(again).take();
  const auto next = posterior(set);
  next->prepare(random);
  Archive reading(own);
  next->state(reading);
  EXPECT_EQ(learned(*next), learned(*now));
}

/// How often it starts again on a target that jumps to the other side every `flip` rounds, if any.
std::uint64_t restarts_in_many(std::uint64_t flip, const PosteriorOptions& options,
                               std::uint64_t seed, const SetPtr& set = box(-1, 1, 513),
                               double size = 1) {
  // What is learned is worth much.
  Random random(seed);
  Wide wide(set, options, seed);
  for (std::uint64_t t = 1; t <= 6000; ++t) {
    const Play play = wide.learner.ask();
    const double side = flip != 0 && t / flip % 2 == 1 ? -1 : 1;
    wide.learner.tell(play.id, side * size * halves(play.point) + 0.01 * random.normal());
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

TEST(ManyDimensions, NoticesAChangeWhereTheSetIsNarrow) {
  std::uint64_t noticed = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_EQ(restarts_in_many(0, {}, seed, simplex(600), 6), 0U);
    noticed += restarts_in_many(5000, {}, seed, simplex(600), 6);
    EXPECT_EQ(restarts_in_many(5000, {.restarts = false}, seed, simplex(600), 6), 0U);
  }
  EXPECT_GE(noticed, 2U);
}

TEST(ManyDimensions, LearningLongIsNoChange) {
  // For thousands of rounds it explores, farther and farther, and gains nothing.
  const auto problem = make_problem("tracking(ball(1000))", {.seed = {.seed = 9401, .stream = 1}});
  Wide wide(problem->shared_set(), {}, 9401);
  std::vector<double> y(1000);
  for (std::uint64_t t = 1; t <= 4000; ++t) {
    problem->draw(t);
    const PlayId id = wide.learner.ask(y);
    wide.learner.tell(id, problem->value(y));
  }
  EXPECT_EQ(wide.algorithm->status().restarts, 0U);
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
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.trials = 100}), InvalidArgument);
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.start = {1, 2}}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
