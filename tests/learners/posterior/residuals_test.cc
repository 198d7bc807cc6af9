// What residuals show: the noise, a swing, a change.

#include "learners/posterior/residuals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

using algorithms::Residuals;

/// After 16 losses of that variance, with no patience.
Residuals begun(double variance, std::uint64_t patience = 0) {
  Residuals residuals;
  residuals.begin(16, variance, patience);
  return residuals;
}

TEST(Residuals, BeginWithTheNoiseThatTheyAreTold) {
  EXPECT_EQ(begun(4).noise(), 4);
  EXPECT_EQ(begun(4).suspicion(), 0);
  EXPECT_EQ(begun(4).swing(), 0);
  EXPECT_FALSE(begun(4).changed());
}

TEST(Residuals, FindTheLevelOfTheNoise) {
  for (const double deviation : {0.1, 1.0, 30.0}) {
    Random random(1);
    Residuals residuals = begun(1);
    for (int t = 0; t < 5000; ++t) residuals.take(deviation * random.normal(), 0);
    // The variance of some 1000 normal numbers has a standard error of 4.5 %; clipping at three
    // deviations takes 1 % off.
    EXPECT_NEAR(residuals.noise(), deviation * deviation, 0.15 * deviation * deviation);
  }
}

TEST(Residuals, TheModelsOwnVarianceIsNoNoise) {
  // Of residuals with the variance 1 + 3 the share of the noise is a quarter.
  Random random(2);
  Residuals residuals = begun(1);
  for (int t = 0; t < 5000; ++t) residuals.take(2 * random.normal(), 3);
  EXPECT_NEAR(residuals.noise(), 1, 0.15);  // three standard errors
}

TEST(Residuals, TheNoiseIsNeverNothing) {
  Random random(3);
  Residuals residuals = begun(1);
  for (int t = 0; t < 500; ++t) residuals.take(random.normal(), 0);
  for (int t = 0; t < 200; ++t) residuals.take(0, 0);
  EXPECT_GT(residuals.noise(), 0.01);  // a twentieth of the mean over all, at least
  EXPECT_LT(residuals.noise(), 0.5);
}

TEST(Residuals, WhatIsLearnedIsClipped) {
  Residuals residuals = begun(1);
  EXPECT_EQ(residuals.take(0.5, 0), 0.5);
  residuals = begun(4);
  EXPECT_EQ(residuals.take(1e9, 0), 6);  // three deviations
  residuals = begun(4);
  EXPECT_EQ(residuals.take(-1e9, 0), -6);
  residuals = begun(4);
  EXPECT_EQ(residuals.take(1e9, 12), 12);  // of the noise and the model together: sqrt 16
}

TEST(Residuals, AnAbsurdOneHardlyRaisesTheNoise) {
  Random random(4);
  Residuals residuals = begun(1);
  for (int t = 0; t < 200; ++t) residuals.take(random.normal(), 0);
  const double before = residuals.noise();
  residuals.take(1e12, 0);
  EXPECT_LT(residuals.noise(), 1.2 * before);
}

TEST(Residuals, ASwingIsPredictedAfterFiftyWins) {
  // Late enough that nothing is used before it is proven: noise for 200 losses, then +- 10.
  Random random(5);
  Residuals residuals = begun(1, 1000000);
  for (int t = 0; t < 200; ++t) {
    residuals.take(random.normal(), 0);
    EXPECT_EQ(residuals.swing(), 0);
  }
  int first = 0;
  for (int t = 1; t <= 400; ++t) {
    const double error = residuals.take(t % 2 == 0 ? 10 : -10, 0);
    if (std::abs(error) < 1e-6 && first == 0) first = t;
    if (first > 0) {
      EXPECT_NEAR(error, 0, 1e-6) << t;  // the last but one is what comes
    }
    if (t <= 50) {
      EXPECT_NE(error, 0) << t;
      EXPECT_EQ(residuals.swing(), 0) << t;
    }
  }
  EXPECT_GT(first, 50);
  EXPECT_LT(first, 120);
  EXPECT_NEAR(std::abs(residuals.swing()), 10, 1);  // relative to the slow average, which is near 0
}

TEST(Residuals, NoiseIsNotPredicted) {
  // In the first hundred losses a predictor need not be proven.
  Random random(6);
  Residuals residuals = begun(1, 1000000);
  for (int t = 17; t <= 20000; ++t) {
    const double residual = random.normal();
    const double most = 3 * std::sqrt(residuals.noise());
    const double error = residuals.take(residual, 0);
    if (t <= 100) continue;
    ASSERT_NEAR(error, std::clamp(residual, -most, most), 1e-12) << t;
    ASSERT_EQ(residuals.swing(), 0) << t;
  }
}

TEST(Residuals, AShiftIsAnAlarm) {
  for (const double shift : {1.0, 2.0, 100.0}) {
    Random random(7);
    Residuals residuals = begun(1);
    for (int t = 0; t < 2000; ++t) residuals.take(random.normal(), 0);
    ASSERT_FALSE(residuals.changed());
    int rounds = 0;
    while (!residuals.changed() && rounds < 1000) {
      residuals.take(shift + random.normal(), 0);
      ++rounds;
    }
    // A loss adds shift - 1/2 to a sum that must pass 20, and 5/2 at most.
    EXPECT_GE(rounds, 8) << shift;
    EXPECT_LE(rounds, 3 * 20 / (std::min(shift, 3.0) - 0.5)) << shift;
    EXPECT_EQ(residuals.suspicion(), 1);
  }
}

TEST(Residuals, LossesThatFallAreNoAlarm) {
  Random random(8);
  Residuals residuals = begun(1);
  for (int t = 0; t < 500; ++t) residuals.take(-2 + random.normal(), 0);
  EXPECT_LT(residuals.suspicion(), 0.5);  // it is expected by then, and there is noise about it
}

TEST(Residuals, NoiseIsNoAlarm) {
  // E exp(x - 1/2) = 1 for normal x, so Page's sum passes 20 in one excursion with a probability of
  // at most e^-20 (Wald), and in 10^5 losses with 2e-4 at most.
  Random random(9);
  Residuals residuals = begun(1);
  double most = 0;
  for (int t = 0; t < 100000; ++t) {
    residuals.take(random.normal(), 0);
    ASSERT_FALSE(residuals.changed()) << t;
    most = std::max(most, residuals.suspicion());
  }
  EXPECT_GT(most, 0.2);  // it looks
}

TEST(Residuals, NoChangeIsLookedForBeforeItsPatience) {
  Residuals residuals = begun(1, 40);
  for (int t = 17; t <= 40; ++t) residuals.take(100, 0);
  EXPECT_EQ(residuals.suspicion(), 0);
  residuals.take(1e6, 0);
  EXPECT_GT(residuals.suspicion(), 0);
}

/// Losses without a place in time: the same noise and clip, but no swing and no alarm by them.
TEST(Residuals, WhatHasNoTimeShowsTheNoiseAlone) {
  Random random(8);
  algorithms::Residuals residuals;
  residuals.begin(16, 4, 20);
  EXPECT_EQ(residuals.take_timeless(1e9, 0), 6);
  residuals.begin(16, 4, 20);
  EXPECT_EQ(residuals.take_timeless(-1e9, 12), -12);
  residuals.begin(16, 4, 20);
  for (int t = 0; t < 2000; ++t) residuals.take_timeless(t % 2 == 0 ? 10 : -10, 0);
  EXPECT_EQ(residuals.swing(), 0);
  for (int t = 0; t < 2000; ++t) residuals.take_timeless(5 + random.normal(), 0);
  EXPECT_EQ(residuals.suspicion(), 0);
  // Among others they do not disturb a swing.
  residuals.begin(16, 1, 20);
  for (int t = 0; t < 300; ++t) {
    residuals.take(t % 2 == 0 ? 10 : -10, 0);
    if (t % 3 == 0) residuals.take_timeless(random.normal(), 0);
  }
  EXPECT_NEAR(residuals.swing(), 10, 1);
}

TEST(Residuals, GoOnFromTheirState) {
  Random random(10);
  Residuals residuals = begun(2, 20);
  for (int t = 0; t < 150; ++t) residuals.take(random.normal() + (t % 2 == 0 ? 5 : -5), 0.1);
  Archive writer;
  residuals.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Residuals loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  for (int t = 0; t < 50; ++t) {
    EXPECT_EQ(loaded.noise(), residuals.noise());
    EXPECT_EQ(loaded.suspicion(), residuals.suspicion());
    EXPECT_EQ(loaded.swing(), residuals.swing());
    const double number = random.normal() + (t % 2 == 0 ? 5 : -5);
    EXPECT_EQ(loaded.take(number, 0.1), residuals.take(number, 0.1));
  }
}

}  // namespace
}  // namespace keyhole::tests
