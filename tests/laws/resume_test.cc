// The law: load(save(s)) == s, and both give the same bytes from then on, at every round.

#include <gtest/gtest.h>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

/// Late, missing and repeated feedback, as a pure function of the round.
template <class AnyLearner>
void some_feedback(AnyLearner& learner, std::uint64_t t) {
  const auto loss = [](PlayId id) { return static_cast<double>(id % 7) / 7 - 0.4; };
  if (t % 5 != 0) tell(learner, t, loss(t));
  if (t > 3 && t % 4 == 0) tell(learner, t - 3, loss(t - 3));
  if (t > 9 && t % 9 == 0) tell(learner, t - 9, loss(t - 9));
}

TEST(Resume, EveryLearnerOnEverySetAtEveryRound) {
  const std::uint64_t rounds = std::max<std::uint64_t>(40, scaled_count(200));
  Random random(77);
  Turns turns;
  bool with_short_steps = false;
  for (const SetFamily& sets : set_families()) {
    const std::size_t n = std::max<std::size_t>(sets.smallest_dimension, random.integer(1, 8));
    const SetPtr set = sets.draw(n, random);
    with_short_steps = !with_short_steps;
    for_each_learner([&](const std::string& name, const auto& make) {
      if (!turns.next() || !plays_on(name, *set)) return;
      LearnerOptions options{.seed = 5, .window = 8};
      if (with_short_steps) {
        options.expiry = 6;
        if (make(set, rounds, {}).contexts() == 0) options.max_step = 0.3 * set->diameter();
      }
      auto whole = make(set, rounds, options);
      auto resumed = make(set, rounds, options);
      std::vector<double> y(set->dimension());
      std::vector<double> y_resumed(set->dimension());
      for (std::uint64_t t = 1; t <= rounds; ++t) {
        // The resumed one is a new learner each round, before the ask and again before the tells.
        const auto renew = [&] {
          const State state = whole.state();
          const State loaded = State::from_bytes(state.bytes());
          ASSERT_EQ(state, loaded);
          auto fresh = make(set, rounds, options);
          fresh.restore(loaded);
          ASSERT_EQ(fresh.state(), state);
          ASSERT_EQ(resumed.state(), state) << name << " on " << set->spec() << " at " << t;
          resumed = std::move(fresh);
          whole.recommend(y);
          resumed.recommend(y_resumed);
          ASSERT_EQ(y, y_resumed) << name << " on " << set->spec() << " at " << t;
        };
        renew();
        ASSERT_EQ(whole.ask(y), resumed.ask(y_resumed));
        ASSERT_EQ(y, y_resumed) << name << " on " << set->spec() << " at " << t;
        renew();
        some_feedback(whole, t);
        some_feedback(resumed, t);
      }
      EXPECT_GT(whole.summary().duplicates, 0u);
      EXPECT_GT(whole.summary().expired, 0u);
    });
  }
}

/// Taught points before the first ask and between others, all plays in the set.
TEST(Resume, TaughtLearnersOnEverySetAtEveryRound) {
  const std::uint64_t rounds = std::max<std::uint64_t>(20, scaled_count(60));
  Random random(78);
  Turns turns;
  for (const SetFamily& sets : all_set_families()) {
    const std::size_t n = std::max<std::size_t>(sets.smallest_dimension, random.integer(1, 8));
    const SetPtr set = sets.draw(n, random);
    const auto oracle = set->oracle();
    for (const LearnerFamily& family : learner_families()) {
      if (!Learner(family.make(ball(2), rounds)).can_learn() || !turns.next()) continue;
      const LearnerOptions options{.seed = 6, .window = 8};
      Learner whole(family.make(set, rounds), options);
      Learner resumed(family.make(set, rounds), options);
      std::vector<double> x(set->dimension());
      std::vector<double> y(set->dimension());
      for (std::uint64_t t = 1; t <= rounds; ++t) {
        for (std::uint64_t k = t == 1 ? random.integer(0, 40) : t % 2; k > 0; --k) {
          oracle->minimise(random.normals(x.size())).write_to(x);
          const double share = random.uniform();
          for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * (set->centre()[i] - x[i]);
          oracle->settle(x);
          const double loss = random.normal();
          whole.learn(x, loss);
          resumed.learn(x, loss);
        }
        const State state = whole.state();
        ASSERT_EQ(resumed.state(), state) << family.name << " on " << set->spec() << " at " << t;
        Learner fresh(family.make(set, rounds), options);
        fresh.restore(State::from_bytes(state.bytes()));
        ASSERT_EQ(fresh.state(), state);
        resumed = std::move(fresh);
        ASSERT_EQ(whole.ask(x), resumed.ask(y));
        ASSERT_EQ(x, y) << family.name << " on " << set->spec() << " at " << t;
        ASSERT_TRUE(set->contains(x)) << family.name << " on " << set->spec() << " at " << t;
        ASSERT_TRUE(set->contains(whole.recommend()));
        some_feedback(whole, t);
        some_feedback(resumed, t);
      }
    }
  }
}

TEST(Resume, RunningOnEqualsOneLongResume) {
  // One save at each N <= 200, then 200 rounds more, against the undisturbed run.
  const std::uint64_t rounds = 400;
  const SetPtr set = simplex(5);
  const auto make = [&] { return anytime(projection_free(set, {.loss_bound = 1})); };
  Learner whole(make(), {.seed = 9});
  std::vector<std::vector<double>> plays;
  std::vector<State> states;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    states.push_back(whole.state());
    plays.push_back(whole.ask().point);
    some_feedback(whole, t);
  }
  for (std::uint64_t N = 0; N < 200; N += 7) {
    Learner learner(make(), {.seed = 9});
    learner.restore(states[N]);
    for (std::uint64_t t = N + 1; t <= rounds; ++t) {
      ASSERT_EQ(learner.ask().point, plays[t - 1]) << "resumed after " << N << ", round " << t;
      some_feedback(learner, t);
    }
    EXPECT_EQ(learner.state(), whole.state());
  }
}

}  // namespace
}  // namespace keyhole::tests
