// When a watch calls for a fresh start, on streams of losses with normal noise. Seeds are fixed; a
// stream of thousands of losses may raise a doubt by chance, and a false call needs two at once.

#include "learners/wrappers/watch.h"

#include <gtest/gtest.h>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

/// Two sides of which the watch chooses, with their means and the noise that both have.
struct Streams {
  Random random;
  double learner;
  double centre;
  double noise = 1;
  algorithms::Watch watch{};

  /// Plays until the watch calls for a fresh start; the number of plays, or `rounds` if it does
  /// not.
  std::uint64_t play(std::uint64_t rounds) {
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      const bool at_centre = random.uniform() < watch.probing();
      const double loss = (at_centre ? centre : learner) + noise * random.normal();
      if (at_centre ? watch.take_from_centre(loss) : watch.take_from_learner(loss)) return t;
    }
    return rounds;
  }
};

TEST(Watch, CallsSoonAfterTheLearnerHasLostItsWorth) {
  std::uint64_t slowest = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Streams streams{.random = Random(seed), .learner = 0, .centre = 3};
    ASSERT_EQ(streams.play(10000), 10000u) << seed;
    EXPECT_NEAR(streams.watch.worth(), 3, 1.2);  // an average of about 19 plays: 5 deviations
    streams.learner = 12;
    slowest = std::max(slowest, streams.play(10000));
    EXPECT_EQ(streams.watch.restarts(), 1u);
    EXPECT_EQ(streams.watch.worth(), 0);
    streams.learner = 0;
    EXPECT_EQ(streams.play(10000), 10000u) << seed;
  }
  EXPECT_LE(slowest, 60u);
}

TEST(Watch, GoesOnNoticingChangesThatComeOften) {
  Streams streams{.random = Random(3), .learner = 0, .centre = 3};
  const std::uint64_t changes = 300;
  for (std::uint64_t k = 0; k < changes; ++k) {
    (void)streams.play(300);
    streams.learner = 12;
    (void)streams.play(100);
    streams.learner = 0;
  }
  EXPECT_GE(streams.watch.restarts(), changes - 3);
  EXPECT_LE(streams.watch.restarts(), changes + 3);
}

TEST(Watch, DoesNotCallWhenAllLossesRise) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Streams streams{.random = Random(seed), .learner = 0, .centre = 3};
    ASSERT_EQ(streams.play(5000), 5000u);
    streams.learner += 20;
    streams.centre += 20;
    EXPECT_EQ(streams.play(5000), 5000u) << seed;
    EXPECT_GE(streams.watch.doubts(), 1u);
    EXPECT_EQ(streams.watch.restarts(), 0u);
  }
}

TEST(Watch, CallsWhenMoreThanHalfIsLost) {
  int little = 0;
  int much = 0;
  const int seeds = 30;
  for (int seed = 0; seed < seeds; ++seed) {
    Streams streams{.random = Random(static_cast<std::uint64_t>(seed)), .learner = 0, .centre = 6};
    ASSERT_EQ(streams.play(5000), 5000u);
    Streams other = streams;
    streams.learner = 1.5;
    little += streams.play(2000) < 2000 ? 1 : 0;
    other.learner = 4.5;
    much += other.play(2000) < 2000 ? 1 : 0;
  }
  EXPECT_EQ(little, 0);
  EXPECT_EQ(much, seeds);
}

TEST(Watch, CallsWhenTheWorthIsLostTooSlowlyToRaiseDoubt) {
  Streams streams{.random = Random(4), .learner = 0, .centre = 3};
  ASSERT_EQ(streams.play(5000), 5000u);
  std::uint64_t rounds = 0;
  for (; streams.watch.restarts() == 0 && rounds < 200000; ++rounds) {
    streams.learner += 1e-4;
    (void)streams.play(1);
  }
  EXPECT_LT(rounds, 60000u);  // after 30000 nothing is left
  // Plays that were never worth anything cannot lose it.
  Streams worthless{.random = Random(5), .learner = 1, .centre = 0};
  EXPECT_EQ(worthless.play(50000), 50000u);
}

TEST(Watch, SpendsLittleOnShocks) {
  Streams streams{.random = Random(6), .learner = 0, .centre = 0.3};
  std::uint64_t in_doubt = 0;
  std::uint64_t at_centre = 0;
  const double rounds = 50000;
  for (double t = 0; t < rounds; ++t) {
    if (streams.random.uniform() < 0.02) {  // a shock to both
      const double by = 10 * streams.random.normal();
      streams.learner += by;
      streams.centre += by;
    }
    const double probing = streams.watch.probing();
    const bool here = streams.random.uniform() < probing;
    if (here) ++(probing == 0.5 ? in_doubt : at_centre);
    const double loss = (here ? streams.centre : streams.learner) + streams.random.normal();
    if (here) {
      (void)streams.watch.take_from_centre(loss);
    } else {
      (void)streams.watch.take_from_learner(loss);
    }
  }
  EXPECT_GT(streams.watch.doubts(), 5u);
  EXPECT_EQ(streams.watch.restarts(), 0u);
  EXPECT_LE(static_cast<double>(in_doubt), 2 * std::sqrt(rounds) + 64);
  EXPECT_LT(at_centre, 300u);
}

TEST(Watch, GoesOnFromAState) {
  Streams streams{.random = Random(7), .learner = 0, .centre = 3};
  for (const double learner : {0.0, 0.0, 5.0, 0.0}) {
    streams.learner = learner;
    (void)streams.play(777);
    Archive written;
    streams.watch.state(written);
    const auto bytes = std::move(written).take();
    algorithms::Watch copy;
    Archive read(bytes);
    copy.state(read);
    EXPECT_EQ(read.left(), 0u);
    Streams other = streams;
    other.watch = copy;
    EXPECT_EQ(other.play(3000), streams.play(3000));
    EXPECT_EQ(other.watch.worth(), streams.watch.worth());
    EXPECT_EQ(other.watch.probing(), streams.watch.probing());
  }
}

}  // namespace
}  // namespace keyhole::tests
