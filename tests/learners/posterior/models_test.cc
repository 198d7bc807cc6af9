// Models whose level stands still, wanders or jumps.

#include "learners/posterior/models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

using algorithms::Models;
using algorithms::Origin;

/// Models of a box that learn level(t) + 2 z_1 - z_2 + noise at random points.
struct Learning {
  explicit Learning(std::uint64_t seed, std::size_t n = 3)
      : set(box(-1, 1, n)),
        nu(set->exploration()),
        frame(set, *nu, set->centre()),
        models(frame),
        here(n, 0.0),
        random(seed) {
    models.begin(1, 1, 16);
  }
  Learning(const Learning&) = delete;
  Learning& operator=(const Learning&) = delete;

  /// Learns the losses from t on, and fits as posterior does; returns how often they jumped.
  int learn(int from, int to, const std::function<double(int)>& level) {
    int jumps = 0;
    for (int t = from; t < to; ++t) {
      const std::vector<double> z = random.normals(here.size());
      const double value = level(t) + 2 * z[0] - z[1] + random.normal();
      models.learn(z, {}, value, here, Origin::play);
      jumps += models.said().jumped ? 1 : 0;
      if (t % 50 == 0) models.refit(static_cast<std::uint64_t>(t + 16), 0, here);
    }
    return jumps;
  }
  /// How far the first two slopes are off.
  [[nodiscard]] double off() const {
    const auto mean = models.better().mean();
    return std::hypot(mean[1] - 2, mean[2] + 1);
  }

  SetPtr set;
  std::unique_ptr<Exploration> nu;
  algorithms::Frame frame;
  Models models;
  std::vector<double> here;
  Random random;
};

/// Gives another the state of one.
void go_on_from(Learning& one, Learning& other) {
  Archive writer;
  one.models.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  other.random = one.random;
  Archive reader(bytes);
  other.models.state(reader);
  EXPECT_EQ(reader.left(), 0U);
}

TEST(Models, ALevelThatStandsStillIsBelievedToStandStill) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Learning learning(seed);
    for (int t = 0; t < 3000; t += 100) {
      learning.learn(t, t + 100, [](int) { return 5.0; });
      ASSERT_EQ(learning.models.motion().rate, 0) << seed;
    }
    // The standard error of a slope is 1 / sqrt 3000 = 0.018.
    EXPECT_LT(learning.off(), 0.1) << seed;
  }
}

TEST(Models, ALevelThatWandersIsFollowed) {
  const std::vector<std::function<double(int)>> levels = {
      [](int t) { return 0.05 * t; }, [](int t) { return -0.5 * t; },
      [](int t) { return 10 * std::sin(t * 0.2618); },  // a day of 24 losses
      [](int t) { return 50 * std::sin(t * 0.0218); }};
  for (const auto& level : levels) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Learning learning(seed);
      learning.learn(0, 4000, level);
      EXPECT_GT(learning.models.motion().rate, 0);
      EXPECT_LT(learning.off(), 0.2);
      // Noise of variance 1, and what the filter cannot follow; the level varies by 50 and more.
      EXPECT_LT(learning.models.noise(), 5);
    }
  }
}

TEST(Models, AJumpOfTheLevelIsNoticedOnceAndLearned) {
  Learning learning(7);
  const auto level = [](int t) { return t < 1000 ? 0.0 : 30.0; };
  EXPECT_EQ(learning.learn(0, 1000, level), 0);
  const double before = learning.off();
  EXPECT_EQ(learning.learn(1000, 1100, level), 1);
  EXPECT_NEAR(learning.models.better().mean()[0], 30, 1);
  EXPECT_LT(learning.off(), before + 0.1);
}

TEST(Models, WhatWasTaughtHasNoPlaceInTime) {
  // Points of other times, at levels of their own, do not make the level wander.
  Learning learning(8);
  learning.learn(0, 500, [](int) { return 0.0; });
  for (int t = 0; t < 500; ++t) {
    const std::vector<double> z = learning.random.normals(3);
    learning.models.learn(z, {}, 10 * std::sin(t * 0.2618) + 2 * z[0] - z[1], learning.here,
                          Origin::taught);
  }
  EXPECT_EQ(learning.models.motion().rate, 0);
}

TEST(Models, GoOnFromTheirState) {
  for (const double swing : {0.0, 10.0}) {
    const auto level = [&](int t) { return swing * std::sin(t * 0.2618); };
    Learning learning(9);
    learning.learn(0, 700, level);
    EXPECT_EQ(learning.models.motion().rate > 0, swing > 0);
    Learning other(9);
    go_on_from(learning, other);
    for (int t = 700; t < 1200; ++t) {
      learning.learn(t, t + 1, level);
      other.learn(t, t + 1, level);
      ASSERT_EQ(learning.models.motion().rate, other.models.motion().rate) << t;
      ASSERT_EQ(learning.models.better().mean()[1], other.models.better().mean()[1]) << t;
      ASSERT_EQ(learning.models.noise(), other.models.noise()) << t;
    }
  }
}

TEST(Models, ThatBeginAgainHaveForgottenEverything) {
  const auto state_of = [](Learning& one) {
    Archive writer;
    one.models.state(writer);
    return std::move(writer).take();
  };
  Learning learning(9);
  learning.learn(0, 700, [](int t) { return 10 * std::sin(t * 0.2618); });
  learning.models.begin(1, 1, 16);
  Learning other(9);
  EXPECT_EQ(state_of(learning), state_of(other));
  EXPECT_EQ(learning.models.said().expected, 0);
}

/// Losses whose slopes turn with time, at random points.
struct Turning : Learning {
  using Learning::Learning;
  /// Learns the losses from t on, where a turn takes so many of them.
  void turn(int from, int to, double length) {
    for (int t = from; t < to; ++t) {
      const std::vector<double> z = random.normals(here.size());
      const double angle = 2 * 3.14159265 * t / length;
      const double value = 3 * std::cos(angle) * z[0] + 3 * std::sin(angle) * z[1];
      models.learn(z, {}, value + random.normal(), here, Origin::play);
      if (t % 50 == 0) models.refit(static_cast<std::uint64_t>(t + 16), 0, here);
    }
  }
};

TEST(Models, WhatTurnsIsForgottenFasterTheFasterItTurns) {
  // The dimension is 5, so that memories are of 50, 200 and 800 losses.
  for (const auto& [length, least, most] :
       {std::tuple(600.0, 50.0, 50.0), {4000.0, 50.0, 200.0}, {60000.0, 200.0, 800.0}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Turning learning(seed);
      learning.models.expect_motion(true);
      learning.turn(0, 6000, length);
      const double memory = learning.models.motion().memory;
      EXPECT_GE(memory, least) << length;
      EXPECT_LE(memory, most) << length;
      EXPECT_EQ(learning.models.motion().rate, 0) << length;
    }
  }
}

TEST(Models, WhatStandsStillIsRememberedWhereTheWorldIsKnownToMove) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Learning learning(seed);
    learning.models.expect_motion(true);
    learning.learn(0, 3000, [](int) { return 5.0; });
    EXPECT_EQ(learning.models.motion().memory, 0) << seed;
    EXPECT_LT(learning.off(), 0.1) << seed;
  }
}

TEST(Models, GoOnFromTheirStateAtEveryStepOfAMemory) {
  Turning learning(9);
  learning.models.expect_motion(true);
  learning.turn(0, 700, 600);
  EXPECT_GT(learning.models.motion().memory, 0);
  for (int t = 700; t < 960; ++t) {
    Turning other(9);
    go_on_from(learning, other);
    learning.turn(t, t + 1, 600);
    other.turn(t, t + 1, 600);
    ASSERT_EQ(learning.models.motion().memory, other.models.motion().memory) << t;
    ASSERT_EQ(learning.models.better().mean()[1], other.models.better().mean()[1]) << t;
    ASSERT_EQ(learning.models.noise(), other.models.noise()) << t;
  }
}

}  // namespace
}  // namespace keyhole::tests
