// Teaching a learner the loss of a point that it did not choose: what is refused and how, what is
// not counted, when it is learned, and that states have it.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "catalogue.h"
#include "keyhole/spec.h"
#include "keyhole/testing.h"
#include "learners/posterior/status.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Points of a set, one after the other, and losses of them.
class Measured {
 public:
  explicit Measured(const SetPtr& set, std::uint64_t seed = 1)
      : set_(set), oracle_(set->oracle()), random_(seed), x_(set->dimension()) {}

  /// Writes the next point: on the way from the centre to a vertex.
  std::span<const double> next() {
    oracle_->minimise(random_.normals(x_.size())).write_to(x_);
    const double share = random_.uniform();
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += share * (set_->centre()[i] - x_[i]);
    oracle_->settle(x_);
    return x_;
  }
  /// What a point costs: it pulls to one side, with noise.
  double loss_of(std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double away = x[i] - set_->centre()[i] + (i % 2 == 0 ? 0.3 : -0.2);
      sum += away * away;
    }
    return sum + 0.1 * random_.normal();
  }
  /// Teaches the next point.
  void teach(Learner& learner) {
    const std::span<const double> x = next();
    learner.learn(x, loss_of(x));
  }

 private:
  SetPtr set_;
  std::unique_ptr<Oracle> oracle_;
  Random random_;
  std::vector<double> x_;
};

constexpr const char* cannot =
    " cannot be taught points that it did not choose: posterior and linear_thompson can, in up to "
    "512 dimensions";

// What is refused.

TEST(Learn, WhoCannotSaysSo) {
  const SetPtr set = ball(3);
  const auto refusal = [](std::unique_ptr<Algorithm> algorithm) {
    Learner learner(std::move(algorithm));
    EXPECT_FALSE(learner.can_learn());
    const State before = learner.state();
    const std::string text =
        message<InvalidArgument>([&] { learner.learn(learner.set().centre(), 0.5); });
    EXPECT_EQ(learner.state(), before);
    (void)learner.ask();
    return text;
  };
  EXPECT_EQ(refusal(stay(set)), std::string("stay()") + cannot);
  const FkmOptions known{.loss_bound = 1, .gradient_bound = 1};
  EXPECT_EQ(refusal(anytime(fkm(set, known))), anytime(fkm(set, known))->spec() + cannot);
  EXPECT_EQ(refusal(parameter_free(set)), parameter_free(set)->spec() + cannot);
  // These forget what they are taught at the next window, or hide the losses.
  EXPECT_EQ(refusal(restarting(posterior(set), 100)),
            restarting(posterior(set), 100)->spec() + cannot);
  EXPECT_EQ(refusal(fed_constant(posterior(set))), fed_constant(posterior(set))->spec() + cannot);
  // What is inside cannot.
  EXPECT_EQ(refusal(watchful(parameter_free(set))), parameter_free(set)->spec() + cannot);
  // There is no model in so many dimensions.
  EXPECT_EQ(refusal(posterior(box(0, 1, 513))), posterior(box(0, 1, 513))->spec() + cannot);
}

TEST(Learn, PosteriorAndLinearThompsonCan) {
  for (const LearnerFamily& family : learner_families()) {
    Learner learner(family.make(ball(3), 100));
    const std::string& name = family.name;
    const bool can = (name.find("posterior") == 0 || name.find("linear_thompson") == 0);
    EXPECT_EQ(learner.can_learn(), can) << name;
    if (can) {
      EXPECT_NO_THROW(learner.learn(ball(3)->centre(), 1)) << name;
    } else {
      EXPECT_THROW(learner.learn(ball(3)->centre(), 1), InvalidArgument) << name;
    }
  }
  EXPECT_TRUE(Learner(posterior(box(0, 1, 512))).can_learn());
  EXPECT_TRUE(Learner(watchful(linear_thompson(ball(3)))).can_learn());
}

TEST(Learn, RefusesPointsAndLossesThatAreNone) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool linear : {false, true}) {
    const SetPtr set = simplex(3);
    Learner learner =
        linear ? Learner(linear_thompson(set)) : Learner(posterior(set), {.maximize = true});
    Measured measured(set);
    for (int k = 0; k < 20; ++k) measured.teach(learner);
    const Play play = learner.ask();
    const State before = learner.state();
    const auto refused = [&](const std::vector<double>& point) {
      return message<InvalidArgument>([&] { learner.learn(point, 1); });
    };
    EXPECT_EQ(refused({0.5, 0.5}), "a point of simplex(3) has 3 coordinates, not 2");
    EXPECT_EQ(refused({}), "a point of simplex(3) has 3 coordinates, not 0");
    const std::string outside = "the point that is taught is not in the set simplex(3)";
    EXPECT_EQ(refused({0.5, 0.5, 0.1}), outside);
    EXPECT_EQ(refused({1.1, -0.1, 0}), outside);
    EXPECT_EQ(refused({0.5, nan, 0.5}), outside);
    const std::vector<double> inside = {0.5, 0.25, 0.25};
    for (const double loss : {nan, infinite, -infinite, 1.1e50, -1.1e50}) {
      try {
        learner.learn(inside, loss);
        ADD_FAILURE() << loss << " was taken";
      } catch (const FeedbackError& error) {
        EXPECT_EQ(error.code(), ErrorCode::unusable_feedback);
      }
    }
    EXPECT_EQ(
        message<FeedbackError>([&] { learner.learn(inside, nan); }),
        "the loss that is taught must be a number of magnitude up to 1e50, not nan; leave the "
        "point out if it is unknown");
    EXPECT_EQ(learner.state(), before);
    learner.tell(play.id, 0.5);
    // As members are: signs exactly, sums up to rounding.
    EXPECT_NO_THROW(learner.learn(std::vector<double>{0.5, 0.25, 0.25 + 1e-12}, 1e50));
    EXPECT_NO_THROW(learner.learn(std::vector<double>{0.5, 0.25, 0.25 - 1e-12}, -1e50));
    (void)learner.ask();
  }
}

/// Every call on the set fails in turn: what is taught is either not learned at all, or the learner
/// refuses everything until it is restored.
TEST(Learn, IsNeverHalfDone) {
  using keyhole::testing::Fault;
  for (const bool linear : {false, true}) {
    const SetPtr sound = box(0, 1, 3);
    const auto faults = std::make_shared<keyhole::testing::Faults>();
    const SetPtr set = keyhole::testing::faulty(sound, faults);
    const auto make = [&] { return Learner(linear ? linear_thompson(set) : posterior(set)); };
    Learner learner = make();
    Measured measured(sound);
    std::uint64_t failures = 0;
    std::uint64_t refusals = 0;
    for (int k = 0; k < 40; ++k) {
      const std::span<const double> x = measured.next();
      const double loss = measured.loss_of(x);
      const State before = learner.state();
      for (std::uint64_t answered = 0;; ++answered) {
        faults->thrown = 0;
        faults->answered_first = answered;
        bool threw = false;
        try {
          learner.learn(x, loss);
        } catch (const Fault&) {
          threw = true;
        }
        faults->answered_first = std::numeric_limits<std::uint64_t>::max();
        EXPECT_EQ(threw, faults->thrown > 0);
        if (!threw) break;
        ++failures;
        try {
          EXPECT_EQ(learner.state(), before);
        } catch (const StateError& error) {
          EXPECT_EQ(error.code(), ErrorCode::failed_learner);
          ++refusals;
          EXPECT_THROW(learner.learn(x, loss), StateError);
          EXPECT_THROW((void)learner.ask(), StateError);
          learner.restore(before);
        }
      }
    }
    EXPECT_GT(failures, 40u);  // contains() each time, and the oracle now and then
    EXPECT_GT(refusals, 0u);
    Learner other = make();
    Measured again(sound);
    for (int k = 0; k < 40; ++k) again.teach(other);
    EXPECT_EQ(other.ask().point, learner.ask().point);
  }
}

// What is not counted.

TEST(Learn, IsNoPlay) {
  const SetPtr set = box(0, 1, 4);
  Learner learner(posterior(set), {.window = 16, .expiry = 8, .max_step = 0.5});
  Measured measured(set);
  for (int t = 1; t <= 100; ++t) {
    const Play play = learner.ask();
    if (t % 3 != 0) learner.tell(play.id, measured.loss_of(play.point));
    const Summary before = learner.summary();
    const Status status = learner.status();
    for (int k = 0; k < 3; ++k) measured.teach(learner);
    const Summary after = learner.summary();
    EXPECT_EQ(after.asked, before.asked);
    EXPECT_EQ(after.told, before.told);
    EXPECT_EQ(after.pending, before.pending);
    EXPECT_EQ(after.oldest_pending, before.oldest_pending);
    EXPECT_EQ(after.missing, before.missing);
    EXPECT_EQ(after.duplicates, before.duplicates);
    EXPECT_EQ(after.expired, before.expired);
    EXPECT_EQ(after.late, before.late);
    EXPECT_EQ(after.above_bound, before.above_bound);
    EXPECT_EQ(after.average, before.average);
    EXPECT_EQ(learner.status().recent_average, status.recent_average);
    EXPECT_EQ(learner.status().recent_told, status.recent_told);
    EXPECT_EQ(learner.asked(), static_cast<std::uint64_t>(t));
  }
}

/// Losses that are far above what was learned are no change: they may be old ones.
TEST(Learn, NeverStartsAgain) {
  const SetPtr set = box(0, 1, 4);
  auto made = posterior(set);
  const auto& algorithm = dynamic_cast<const PosteriorAlgorithm&>(*made);
  Learner learner(std::move(made));
  Measured measured(set);
  for (int t = 1; t <= 200; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, measured.loss_of(play.point));
  }
  const Play pending = learner.ask();
  EXPECT_EQ(algorithm.status().losses, 200u);
  for (int k = 1; k <= 200; ++k) {
    const std::span<const double> x = measured.next();
    learner.learn(x, 5 + measured.loss_of(x));
  }
  EXPECT_EQ(algorithm.status().restarts, 0u);
  EXPECT_EQ(algorithm.status().losses, 400u);
  EXPECT_EQ(algorithm.status().suspicion, 0);
  EXPECT_EQ(learner.tell(pending.id, 1), Receipt::fresh);
}

// When it is learned.

TEST(Learn, ComesBeforeWhatWasToldSinceTheAskBefore) {
  for (const bool linear : {false, true}) {
    const SetPtr set = simplex(4);
    const auto make = [&] {
      return Learner(linear ? linear_thompson(set) : posterior(set), {.seed = 3});
    };
    Learner before = make();
    Learner between = make();
    Learner after = make();
    Measured measured(set);
    for (int round = 1; round <= 60; ++round) {
      const std::vector<Play> plays = before.ask(std::size_t{3});
      for (Learner* other : {&between, &after}) {
        const std::vector<Play> same = other->ask(std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(same[i].point, plays[i].point);
      }
      std::vector<double> losses;
      for (const Play& play : plays) losses.push_back(measured.loss_of(play.point));
      const std::span<const double> point = measured.next();
      const double loss = measured.loss_of(point);
      const auto tell = [&](Learner& learner, std::size_t i) {
        learner.tell(plays[i].id, losses[i]);
      };
      before.learn(point, loss);
      for (const std::size_t i : {0, 1, 2}) tell(before, i);
      tell(between, 2);
      between.learn(point, loss);
      for (const std::size_t i : {0, 1}) tell(between, i);
      for (const std::size_t i : {1, 0, 2}) tell(after, i);
      after.learn(point, loss);
      ASSERT_EQ(before.state(), between.state());
      ASSERT_EQ(before.state(), after.state());
    }
  }
}

TEST(Learn, ShowsInTheRecommendationAtOnce) {
  for (const bool linear : {false, true}) {
    const SetPtr set = simplex(4);
    Learner learner(linear ? linear_thompson(set) : posterior(set));
    Measured measured(set);
    EXPECT_EQ(learner.recommend(), set->centre());
    for (int k = 0; k < 400; ++k) {
      const std::span<const double> x = measured.next();
      learner.learn(x, x[0] - x[2]);
    }
    EXPECT_GT(learner.recommend()[2], 0.9);
    EXPECT_EQ(learner.asked(), 0u);
    EXPECT_TRUE(set->contains(learner.recommend()));
    // Also where plays are made at the point to deploy.
    learner.explore(false);
    EXPECT_EQ(learner.ask().point, learner.recommend());
  }
}

TEST(Learn, OfGainsIsLearnOfLossesTurnedRound) {
  const SetPtr set = box(0, 1, 3);
  Learner losses(posterior(set), {.seed = 4});
  Learner gains(posterior(set), {.seed = 4, .maximize = true});
  Measured measured(set);
  for (int t = 1; t <= 100; ++t) {
    const std::span<const double> x = measured.next();
    const double loss = measured.loss_of(x);
    losses.learn(x, loss);
    gains.learn(x, -loss);
    const Play play = losses.ask();
    ASSERT_EQ(gains.ask().point, play.point);
    const double told = measured.loss_of(play.point);
    losses.tell(play.id, told);
    gains.tell(play.id, -told);
  }
}

// States.

/// Saved at every moment and continued by a learner that has done something else before, a taught
/// learner goes on bit for bit.
TEST(Learn, IsInTheState) {
  const SetPtr set = box(0, 1, 3);
  const std::vector<std::function<std::unique_ptr<Algorithm>()>> algorithms = {
      [&] { return posterior(set); }, [&] { return posterior(set, {.reach = 0.4}); },
      [&] { return linear_thompson(set); }, [&] { return watchful(posterior(set)); }};
  for (const auto& algorithm : algorithms) {
    for (const int taught_first : {0, 5, 16, 40}) {
      for (const bool stepping : {false, true}) {
        LearnerOptions options{.seed = 6, .window = 64};
        if (stepping) options.max_step = 0.3;
        Learner whole(algorithm(), options);
        Learner used(algorithm(), options);
        Measured other(set, 99);
        for (int t = 1; t <= 60; ++t) {
          const Play play = used.ask();
          used.tell(play.id, -3 * other.loss_of(play.point));
        }
        used.restore(used.state());  // what it remembers of its plays is somewhere else now
        Measured measured(set);
        for (int k = 0; k < taught_first; ++k) measured.teach(whole);
        for (int t = 1; t <= 60; ++t) {
          const State state = whole.state();
          ASSERT_EQ(State::from_bytes(state.bytes()), state);
          Learner fresh(algorithm(), options);
          fresh.restore(state);
          used.restore(state);
          ASSERT_EQ(fresh.state(), state);
          ASSERT_EQ(used.recommend(), whole.recommend());
          const Play play = whole.ask();
          ASSERT_EQ(fresh.ask().point, play.point) << whole.spec() << " at " << t;
          ASSERT_EQ(used.ask().point, play.point) << whole.spec() << " at " << t;
          const std::span<const double> x = measured.next();
          const double of_x = measured.loss_of(x);
          const double loss = measured.loss_of(play.point);
          for (Learner* learner : {&whole, &fresh, &used}) {
            if (t % 2 == 0) learner->learn(x, of_x);
            if (t % 4 != 0) learner->tell(play.id, loss);
            if (t > 8 && t % 8 == 0) learner->tell(play.id - 4, 1);
          }
          ASSERT_EQ(fresh.state(), whole.state());
          ASSERT_EQ(used.state(), whole.state()) << whole.spec() << " at " << t;
        }
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
