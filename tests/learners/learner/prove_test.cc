// A coin that plays the start, and what it proves.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// Better by 1 at most than at the middle, with noise.
double noisy_loss_of(const Vector& x, Random& random) {
  return 4 * (x[0] - 0.5) * (x[0] - 0.5) + 0.5 * random.normal();
}

const Vector middle = {0, 0};

void tell_noisy(Learner& learner, int count, Random& random, double sign = 1) {
  for (int t = 0; t < count; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, sign * noisy_loss_of(play.point, random));
  }
}

TEST(Prove, PlaysTheStartForItsShare) {
  for_each_learner([&](const std::string& name, const auto& make) {
    auto learner = make(simplex(3), 1000, {.seed = 1});
    if constexpr (std::is_same_v<decltype(learner), Learner>) {
      SCOPED_TRACE(name);
      const Vector start = {0.5, 0.25, 0.25};
      learner.prove(0.25, start);
      int at_start = 0;
      for (int t = 0; t < 400; ++t) {
        const Play play = learner.ask();
        at_start += play.point == start ? 1 : 0;
        if (t % 5 != 0) learner.tell(play.id, play.point[0]);
      }
      EXPECT_NEAR(at_start, 100, 30);
      EXPECT_EQ(learner.summary().asked, 400U);
      EXPECT_NE(learner.regret_bound().note.find("coin"), std::string::npos);
    }
  });
}

TEST(Prove, LearnsFromTheOtherPlaysAsIfThereWereNoCoin) {
  Learner with(ball(3), {.seed = 5, .window = 16});
  Learner without(ball(3), {.seed = 5, .window = 16});
  const Vector start = {0.5, 0, 0};
  with.prove(0.3, start);
  for (int t = 0; t < 300; ++t) {
    const Play play = with.ask();
    if (play.point != start) {
      const Play expected = without.ask();
      ASSERT_EQ(play.point, expected.point);
      without.tell(expected.id, play.point[0]);
    }
    with.tell(play.id, play.point[0]);
  }
  EXPECT_LT(without.asked(), 250U);
}

TEST(Prove, MeasuresTheGain) {
  for (const bool maximize : {false, true}) {
    Learner learner(ball(2), {.seed = 2, .maximize = maximize});
    Random random(3);
    learner.prove(0.1);
    EXPECT_EQ(learner.status().proof.share, 0.1);
    EXPECT_TRUE(std::isnan(learner.status().proof.gain));
    tell_noisy(learner, 3000, random, maximize ? -1 : 1);
    const Proof proof = learner.status().proof;
    EXPECT_NEAR(proof.gain, 0.95, 0.15);
    EXPECT_GT(proof.gain, proof.error);
    EXPECT_GT(proof.proven, 50U);
    EXPECT_LT(proof.proven, 600U);
    EXPECT_EQ(proof.worse, 0U);
  }
}

TEST(Prove, ProvesNothingWhereThereIsNothing) {
  Learner learner(ball(2), {.seed = 2});
  Random random(7);
  learner.prove(0.1);
  for (int t = 0; t < 3000; ++t) learner.tell(learner.ask().id, random.normal());
  const Proof proof = learner.status().proof;
  EXPECT_LT(std::abs(proof.gain), proof.error);
  EXPECT_LT(proof.error, 0.3);
  EXPECT_EQ(proof.proven, 0U);
}

TEST(Prove, SeesThatWhatIsPlayedHasBecomeWorse) {
  Learner learner(ball(2), {.seed = 4});
  const Vector start = {0.25, 0.5};
  Random random(9);
  learner.prove(0.1, start);
  const auto play = [&](int count, double sign) {
    for (int t = 0; t < count; ++t) {
      const Play asked = learner.ask();
      const double loss = asked.point == start ? 0 : sign;
      learner.tell(asked.id, loss + 0.5 * random.normal());
    }
  };
  play(2000, -1);
  EXPECT_EQ(learner.status().proof.worse, 0U);
  play(300, 1);
  const Proof proof = learner.status().proof;
  EXPECT_GT(proof.worse, 2000U);
  EXPECT_GT(proof.gain, 0);  // over all plays it was better
  play(600, -1);
  EXPECT_EQ(learner.status().proof.worse, 0U);  // it has become better again
}

TEST(Prove, IsKeptInStates) {
  const auto make = [] { return Learner(ball(2), {.seed = 3, .window = 32}); };
  Learner straight = make();
  Random random(1);
  tell_noisy(straight, 10, random);
  straight.prove(0.2, middle);
  (void)straight.ask();  // which is never told
  tell_noisy(straight, 200, random);
  Learner restored = make();
  restored.restore(straight.state());
  EXPECT_EQ(restored.state(), straight.state());
  Random same = random;
  tell_noisy(straight, 200, random);
  tell_noisy(restored, 200, same);
  EXPECT_EQ(restored.state(), straight.state());
  EXPECT_EQ(restored.status().proof.gain, straight.status().proof.gain);
  restored.prove(0);
  EXPECT_EQ(restored.status().proof.share, 0);
  Learner again = make();
  again.prove(0.5);
  again.restore(restored.state());
  EXPECT_EQ(again.status().proof.share, 0);
}

TEST(Prove, RestsWhileExploringIsOff) {
  Learner learner(ball(2), {.seed = 3});
  const Vector start = {0, 0.5};
  learner.prove(0.5, start);
  Random random(2);
  tell_noisy(learner, 20, random);
  learner.explore(false);
  const State before = learner.state();
  for (int t = 0; t < 50; ++t) {
    const Play play = learner.ask();
    EXPECT_NE(play.point, start);
    learner.tell(play.id, 1000);
  }
  learner.explore(true);
  tell_noisy(learner, 200, random);
  EXPECT_LT(std::abs(learner.status().proof.gain), 10);
}

TEST(Prove, RefusesWhatItCannotDo) {
  Learner learner(ball(2));
  for (const double share : {-0.1, 0.6, std::nan("")}) {
    EXPECT_NE(message<InvalidArgument>([&] { learner.prove(share); }).find("from 0 to 0.5"),
              std::string::npos);
  }
  EXPECT_NE(message<InvalidArgument>([&] {
              learner.prove(0.1, Vector{2, 0});
            }).find("point of"),
            std::string::npos);
  EXPECT_NE(message<InvalidArgument>([&] { learner.prove(0.1, Vector{0}); }).find("point of"),
            std::string::npos);
  Learner slow(ball(2), {.max_step = 0.1});
  EXPECT_NE(message<InvalidArgument>([&] { slow.prove(0.1); }).find("max_step"), std::string::npos);
  EXPECT_EQ(learner.state(), Learner(ball(2)).state());
}

}  // namespace
}  // namespace keyhole::tests
