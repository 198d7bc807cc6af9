// Exploring switched off and on, what a live user sees of a learner, and where it starts.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double loss_at(const Play& play) { return std::cos(3 * play.point[0]) + 0.2 * play.point[1]; }

/// The same feedback whatever the number of the play.
void tell_alike(Learner& learner, PlayId id, double number) { learner.tell(id, number); }
void tell_alike(GradientLearner& learner, PlayId id, double number) {
  learner.tell(id, Vector{number, -number, 0.5});
}

TEST(Explore, PlaysThePointToDeployWhileItIsOff) {
  const SetPtr set = simplex(3);
  for_each_learner([&](const std::string& name, const auto& make) {
    SCOPED_TRACE(name);
    auto learner = make(set, 100, {.seed = 1});
    for (int t = 0; t < 60; ++t) {
      if (t == 20) learner.explore(false);
      if (t == 40) learner.explore(true);
      EXPECT_EQ(learner.explores(), t < 20 || t >= 40);
      const Play play = learner.ask();
      EXPECT_TRUE(set->contains(play.point));
      // What was told before has been absorbed by then, and some learners move when they hear it.
      if (t > 20 && t < 40) {
        EXPECT_EQ(play.point, learner.recommend());
      }
      tell(learner, play.id, loss_at(play));
    }
    EXPECT_EQ(learner.summary().told, 60u);
    EXPECT_NE(learner.regret_bound().note.find("switched off"), std::string::npos);
  });
}

TEST(Explore, GoesOnAsIfThePlaysBetweenHadNotBeen) {
  const SetPtr set = ball(3);
  for_each_learner([&](const std::string& name, const auto& make) {
    SCOPED_TRACE(name);
    auto paused = make(set, 200, {.seed = 5, .window = 16});
    auto straight = make(set, 200, {.seed = 5, .window = 16});
    std::uint64_t own = 0;
    Random random(3);
    for (int t = 0; t < 200; ++t) {
      if (random.uniform() < 0.1) paused.explore(!paused.explores());
      const Play play = paused.ask();
      if (paused.explores()) {
        const Play expected = straight.ask();
        ASSERT_EQ(play.point, expected.point) << "own play " << ++own;
        tell_alike(straight, expected.id, loss_at(play));
      }
      tell_alike(paused, play.id, loss_at(play));
    }
    EXPECT_LT(straight.asked(), paused.asked());
  });
}

TEST(Explore, IsKeptInStates) {
  for (const std::optional<double> max_step : {std::optional<double>(), std::optional(0.125)}) {
    const auto make = [&] { return Learner(ball(2), {.seed = 3, .max_step = max_step}); };
    Learner in_one_go = make();
    std::vector<State> states;
    std::vector<Play> plays;
    const auto step = [](Learner& learner, int t) {
      if (t % 20 == 7) learner.explore(false);
      if (t % 20 == 13) learner.explore(true);
      Play play = learner.ask();
      if (t % 3 != 0) learner.tell(play.id, loss_at(play));
      return play;
    };
    for (int t = 0; t < 60; ++t) {
      states.push_back(in_one_go.state());
      plays.push_back(step(in_one_go, t));
    }
    for (int from = 0; from < 60; ++from) {
      Learner restored = make();
      if (from % 2 == 0) restored.explore(false);  // a used one
      restored.restore(State::from_bytes(states[static_cast<std::size_t>(from)].bytes()));
      for (int t = from; t < 60; ++t) {
        ASSERT_EQ(step(restored, t).point, plays[static_cast<std::size_t>(t)].point);
      }
      EXPECT_EQ(restored.state(), in_one_go.state());
    }
  }
}

TEST(Explore, OutlastsTheHorizon) {
  Learner learner(projection_free(ball(2), {.loss_bound = 1, .horizon = 3}));
  (void)learner.ask(3);
  EXPECT_THROW((void)learner.ask(), InvalidArgument);
  learner.explore(false);
  EXPECT_EQ(learner.ask().point, learner.recommend());
}

TEST(Status, HasTheRecentMeanAndWhatTheAlgorithmSays) {
  Learner learner(ball(2), {.seed = 1, .window = 50, .maximize = true});
  EXPECT_TRUE(std::isnan(learner.status().recent_average));
  for (int t = 1; t <= 100; ++t) {
    const Play play = learner.ask();
    if (t % 2 == 0) learner.tell(play.id, t);
  }
  const Status status = learner.status(10);
  EXPECT_EQ(status.recent_told, 5u);
  EXPECT_EQ(status.recent_average, 96);            // of 92, 94, ..., 100
  EXPECT_EQ(learner.status().recent_told, 25u);    // of the window
  EXPECT_EQ(learner.status().recent_average, 76);  // of 52, 54, ..., 100
  EXPECT_EQ(learner.status(0).recent_told, 0u);
  EXPECT_EQ(status.average, 51);
  EXPECT_GT(status.exploring, 0);
  EXPECT_GT(status.reach, 0);
  EXPECT_EQ(status.oracle_calls, learner.summary().oracle_calls);
  learner.explore(false);
  EXPECT_EQ(learner.status().exploring, 0);
}

TEST(Status, EveryLearnerSaysHowItExplores) {
  for_each_learner([](const std::string& name, const auto& make) {
    SCOPED_TRACE(name);
    auto learner = make(box(-1, 1, 3), 50, {});
    for (int t = 0; t < 50; ++t) {
      const Play play = learner.ask();
      tell(learner, play.id, loss_at(play));
      const Status status = learner.status();
      EXPECT_GE(status.exploring, 0);
      EXPECT_LE(status.exploring, 1);
      EXPECT_GE(status.reach, 0);
    }
    if (name.starts_with("anytime_")) {
      EXPECT_EQ(learner.status().restarts, 5u);  // at 2, 4, ..., 32
    }
    if (name == "restarting_fkm") {
      EXPECT_EQ(learner.status().restarts, 2u);
    }
  });
}

TEST(Start, ParameterFreeBeginsThereAndStaysWhileItKnowsNothing) {
  const SetPtr set = box(0, 1, 3);
  const Vector start = {0.25, 0.5, 1};
  Learner learner(parameter_free(set, {.start = start}));
  EXPECT_EQ(learner.recommend(), start);
  EXPECT_NE(learner.spec().find("start=[0.25, 0.5, 1]"), std::string::npos);
  for (int t = 0; t < 200; ++t) {
    const Play play = learner.ask();
    EXPECT_TRUE(set->contains(play.point));
    learner.tell(play.id, 1);  // nothing is learned from constants
  }
  EXPECT_EQ(learner.recommend(), start);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)parameter_free(set, {.start = {2, 0, 0}});
            }),
            "the start is not in the set " + set->spec());
}

TEST(Start, OfTheCentreIsTheDefault) {
  const SetPtr set = simplex(4);
  Learner without(set, {.seed = 2});
  Learner with(posterior(set, {.start = set->centre()}), {.seed = 2});
  for (int t = 0; t < 500; ++t) {
    const Play play = without.ask();
    ASSERT_EQ(play.point, with.ask().point);
    for (Learner* learner : {&without, &with}) learner->tell(play.id, loss_at(play));
  }
}

TEST(Reach, NoPlayGoesFarther) {
  const SetPtr set = box(0, 1, 3);
  Learner learner(parameter_free(set, {.reach = 0.05}), {.seed = 1});
  for (int t = 0; t < 3000; ++t) {
    const Play play = learner.ask();
    const Vector x = learner.recommend();
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_LE(std::abs(play.point[i] - x[i]), 0.05 + 1e-12);
    }
    learner.tell(play.id, loss_at(play));
  }
  EXPECT_GT(std::abs(learner.recommend()[0] - 0.5), 0.1);  // it has learned all the same
  EXPECT_THROW((void)parameter_free(set, {.reach = 0.0}), InvalidArgument);
  EXPECT_THROW((void)parameter_free(set, {.reach = 1.5}), InvalidArgument);
}

TEST(Horizon, IsAskedForWhereNoneIsGiven) {
  EXPECT_EQ(message<InvalidArgument>([] { Learner(projection_free(ball(2), {.loss_bound = 1})); }),
            "projection_free(loss_bound=1, c=0.5) does not know how many rounds it will play: give "
            "it a horizon, such as .horizon = 1000, or wrap it in anytime()");
  EXPECT_THROW(Learner(fed_constant(projection_free(ball(2), {.loss_bound = 1}))), InvalidArgument);
  EXPECT_THROW(GradientLearner(ocg(ball(2), {.gradient_bound = 1})), InvalidArgument);
  EXPECT_NO_THROW(Learner(anytime(projection_free(ball(2), {.loss_bound = 1}))));
  EXPECT_EQ(message<InvalidArgument>([] { (void)projection_free(ball(2), {.horizon = 10}); }),
            "projection_free needs loss_bound: M, the largest magnitude of a loss");
}

}  // namespace
}  // namespace keyhole::tests
