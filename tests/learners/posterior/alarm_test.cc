// What surprises the model that is believed.

#include "learners/posterior/alarm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

using algorithms::Alarm;
using Said = algorithms::Models::Said;

/// A loss that is off by so many deviations, at that level.
Said said(double away, double level = 0) { return {.level = level, .away = away}; }

/// How many losses it takes until they surprise, 1000 at most.
int losses_until_surprise(Alarm& alarm, Random& random, double shift) {
  for (int t = 1; t <= 1000; ++t) {
    if (alarm.take(said(shift + random.normal()), 0, 1, 1)) return t;
  }
  return 1000;
}

TEST(Alarm, LossesThatAreHigherForLongSurprise) {
  for (const double shift : {1.0, 2.0, 100.0}) {
    Random random(7);
    Alarm alarm;
    for (int t = 0; t < 2000; ++t) ASSERT_FALSE(alarm.take(said(random.normal()), 0, 1, 1));
    const int rounds = losses_until_surprise(alarm, random, shift);
    // A loss adds shift - 1/2 to a sum that must pass 20, and 5/2 at most.
    EXPECT_GE(rounds, 8) << shift;
    EXPECT_LE(rounds, 3 * 20 / (std::min(shift, 3.0) - 0.5)) << shift;
    EXPECT_EQ(alarm.suspicion(), 1);
    alarm.begin(0);
    EXPECT_EQ(alarm.suspicion(), 0);
  }
}

TEST(Alarm, LossesThatFallDoNot) {
  Random random(8);
  Alarm alarm;
  EXPECT_EQ(losses_until_surprise(alarm, random, -2), 1000);
}

TEST(Alarm, NoiseDoesNot) {
  // E exp(x - 1/2) = 1 for normal x, so Page's sum passes 20 in one excursion with a probability of
  // at most e^-20 (Wald), and in 10^5 losses with 2e-4 at most.
  Random random(9);
  Alarm alarm;
  double most = 0;
  for (int t = 0; t < 100000; ++t) {
    ASSERT_FALSE(alarm.take(said(random.normal()), 0, 1, 1)) << t;
    most = std::max(most, alarm.suspicion());
  }
  EXPECT_GT(most, 0.2);  // it looks
}

TEST(Alarm, AJumpSurprises) {
  Alarm alarm;
  EXPECT_TRUE(alarm.take({.jumped = true}, 0, 1, 1));
}

TEST(Alarm, ALevelThatHasRisenByATenthOfTheGainSurprisesIfItWanders) {
  // The error of a level that wanders at the rate 0.01 has the variance noise sqrt(rate) = 0.1 in
  // the long run: three errors are 0.949.
  Alarm alarm;
  alarm.begin(5);
  EXPECT_FALSE(alarm.take(said(0, 4), 0.01, 1, 2));
  EXPECT_FALSE(alarm.take(said(0, 5.14), 0.01, 1, 2));
  EXPECT_TRUE(alarm.take(said(0, 5.16), 0.01, 1, 2));
  EXPECT_FALSE(alarm.take(said(0, 5.16), 0.01, 1, 3));  // of a larger gain it is less
  alarm.begin(5);
  EXPECT_FALSE(alarm.take(said(0, 100), 0, 1, 2));  // it does not wander
}

TEST(Alarm, GoesOnFromItsState) {
  Alarm alarm;
  alarm.begin(3);
  alarm.take(said(2, 1), 0, 1, 1);
  Archive writer;
  alarm.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Alarm loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0U);
  EXPECT_EQ(loaded.suspicion(), alarm.suspicion());
  EXPECT_TRUE(loaded.take(said(0, 2.2), 1e-8, 1, 10));  // 1.2 above the lowest
}

}  // namespace
}  // namespace keyhole::tests
