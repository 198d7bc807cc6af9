// What residuals show: the noise, skew, a swing, a jump, how well a model predicts.

#include "learners/posterior/residuals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

using algorithms::Residuals;

/// After 16 losses of that variance; no jump is looked for before `calm` losses.
Residuals begun(double variance, double calm = 0) {
  Residuals residuals;
  residuals.begin(16, variance, calm);
  return residuals;
}

TEST(Residuals, BeginWithTheNoiseThatTheyAreTold) {
  EXPECT_EQ(begun(4).noise(), 4);
  EXPECT_EQ(begun(4).evidence(), 0);
  EXPECT_EQ(begun(4).swing(), 0);
  EXPECT_EQ(begun(4).jumped(), 0);
}

TEST(Residuals, FindTheLevelOfTheNoise) {
  for (const double deviation : {0.1, 1.0, 30.0}) {
    Random random(1);
    Residuals residuals = begun(1);
    for (int t = 0; t < 5000; ++t) residuals.take(deviation * random.normal(), 0, true);
    // The variance of some 1000 normal numbers has a standard error of 4.5 %; clipping at three
    // deviations takes 1 % off.
    EXPECT_NEAR(residuals.noise(), deviation * deviation, 0.15 * deviation * deviation);
  }
}

TEST(Residuals, TheModelsOwnVarianceIsNoNoise) {
  // Of residuals with the variance 1 + 3 the share of the noise is a quarter.
  Random random(2);
  Residuals residuals = begun(1);
  for (int t = 0; t < 5000; ++t) residuals.take(2 * random.normal(), 3, true);
  EXPECT_NEAR(residuals.noise(), 1, 0.15);  // three standard errors
}

TEST(Residuals, TheNoiseIsNeverNothing) {
  Random random(3);
  Residuals residuals = begun(1);
  for (int t = 0; t < 500; ++t) residuals.take(random.normal(), 0, true);
  for (int t = 0; t < 200; ++t) residuals.take(0, 0, true);
  EXPECT_GT(residuals.noise(), 0.01);  // a twentieth of the mean over all, at least
  EXPECT_LT(residuals.noise(), 0.5);
}

TEST(Residuals, WhatIsLearnedIsClipped) {
  Residuals residuals = begun(1);
  EXPECT_EQ(residuals.take(0.5, 0, true), 0.5);
  residuals = begun(4);
  EXPECT_EQ(residuals.take(1e9, 0, true), 6);  // three deviations
  residuals = begun(4);
  EXPECT_EQ(residuals.take(-1e9, 0, true), -6);
  residuals = begun(4);
  EXPECT_EQ(residuals.take(1e9, 12, true), 12);  // of the noise and the model together: sqrt 16
}

TEST(Residuals, AnAbsurdOneHardlyRaisesTheNoise) {
  Random random(4);
  Residuals residuals = begun(1);
  for (int t = 0; t < 200; ++t) residuals.take(random.normal(), 0, true);
  const double before = residuals.noise();
  residuals.take(1e12, 0, true);
  EXPECT_LT(residuals.noise(), 1.2 * before);
}

TEST(Residuals, ASwingIsPredictedAfterFiftyWins) {
  // Late enough that nothing is used before it is proven: noise for 200 losses, then +- 10.
  Random random(5);
  Residuals residuals = begun(1, 1000000);
  for (int t = 0; t < 200; ++t) {
    residuals.take(random.normal(), 0, true);
    EXPECT_EQ(residuals.swing(), 0);
  }
  int first = 0;
  for (int t = 1; t <= 400; ++t) {
    const double error = residuals.take(t % 2 == 0 ? 10 : -10, 0, true);
    if (std::abs(error) < 1e-6 && first == 0) first = t;
    if (first > 0) {
      EXPECT_NEAR(error, 0, 1e-6) << t;  // as far on the other side
    }
    if (t <= 50) {
      EXPECT_NE(error, 0) << t;
      EXPECT_EQ(residuals.swing(), 0) << t;
    }
  }
  EXPECT_GT(first, 50);
  EXPECT_LT(first, 120);
  EXPECT_NEAR(std::abs(residuals.swing()), 10, 1e-6);
}

/// What a model is wrong by is not taken for a part of the swing.
TEST(Residuals, TheMeanOfASwingIsLearned) {
  Residuals residuals = begun(1, 1000000);
  double error = 0;
  for (int t = 1; t <= 200; ++t) error = residuals.take(3 + (t % 2 == 0 ? 10 : -10), 0, true);
  EXPECT_NEAR(error, 3, 1e-6);
}

TEST(Residuals, NoiseIsNotPredicted) {
  // In the first hundred losses a predictor need not be proven.
  Random random(6);
  Residuals residuals = begun(1, 1000000);
  for (int t = 17; t <= 20000; ++t) {
    const double residual = random.normal();
    const double most = 3 * std::sqrt(residuals.noise());
    const double error = residuals.take(residual, 0, true);
    if (t <= 100) continue;
    ASSERT_NEAR(error, std::clamp(residual, -most, most), 1e-12) << t;
    ASSERT_EQ(residuals.swing(), 0) << t;
  }
}

TEST(Residuals, ALevelHasJumpedAfterThreeLossesFarOffTheSameWay) {
  for (const double jump : {10.0, -100.0}) {
    Residuals residuals = begun(1);
    residuals.take(jump, 0, true);
    EXPECT_EQ(residuals.jumped(), 0);
    residuals.take(0, 0, true);  // it counts anew
    residuals.take(jump, 0, true);
    residuals.take(jump, 0, true);
    EXPECT_EQ(residuals.jumped(), 0);
    residuals.take(jump, 0, true);
    EXPECT_NEAR(residuals.jumped(), jump * jump, 1e-9 * jump * jump);
    residuals.take(0, 0, true);
    EXPECT_EQ(residuals.jumped(), 0);
  }
}

TEST(Residuals, NoJumpIsLookedForBeforeTheModelIsCalm) {
  Residuals residuals = begun(1, 40);
  for (int t = 17; t <= 40; ++t) {
    residuals.take(1e3 * t, 0, true);
    EXPECT_EQ(residuals.jumped(), 0) << t;
  }
  residuals.take(1e9, 0, true);
  EXPECT_GT(residuals.jumped(), 0);
}

TEST(Residuals, TheEvidenceIsTheLikelihoodOfFreshLosses) {
  // Of one that is off by 2 deviations of 3: -log 3 - 2.5 log(1 + 4 / 4).
  Residuals residuals = begun(5);
  residuals.take(6, 4, true);
  EXPECT_NEAR(residuals.evidence(), -std::log(3) - 2.5 * std::log(2), 1e-12);
  const double before = residuals.evidence();
  residuals.take(6, 4, false);
  EXPECT_EQ(residuals.evidence(), before);
  // Those before fade by one part in 100 + count / 2.
  const double noise = residuals.noise();
  residuals.take(0, 4, true);
  EXPECT_NEAR(residuals.evidence(), (1 - 1 / 109.5) * before - std::log(noise + 4) / 2, 1e-12);
  residuals.forget_evidence();
  EXPECT_EQ(residuals.evidence(), 0);
}

TEST(Residuals, OfTwoModelsTheOneWithTheSmallerErrorsHasMoreEvidence) {
  Random random(11);
  Residuals good = begun(1);
  Residuals bad = begun(1);
  for (int t = 0; t < 300; ++t) {
    const double noise = random.normal();
    good.take(noise, 0, true);
    bad.take(noise + random.normal(), 0, true);  // variance 2: half of log 2 a loss
  }
  EXPECT_GT(good.evidence(), bad.evidence() + 15);
}

TEST(Residuals, RareLargeLossesAreNotCutOffForEver) {
  // One in twenty is 1 above the others: the mean is 0 and the variance 0.0475. Of losses that are
  // cut off at three deviations the variance would fall without end.
  Random random(12);
  Residuals residuals = begun(0.0475);
  int widened = 0;
  for (int t = 0; t < 20000; ++t) {
    residuals.take(random.uniform() < 0.05 ? 0.95 : -0.05, 0, true);
    widened += residuals.widened() ? 1 : 0;
  }
  EXPECT_GE(widened, 1);
  // The standard error of the variance of 4000 such losses is 6 %.
  EXPECT_NEAR(residuals.noise(), 0.0475, 0.2 * 0.0475);
}

TEST(Residuals, WhatIsSymmetricStaysCutOff) {
  // Cauchy's law: what is cut off has no mean, however large it is.
  Random random(13);
  Residuals residuals = begun(1);
  int widened = 0;
  for (int t = 0; t < 2000; ++t) {
    residuals.take(random.normal() / std::abs(random.normal()), 0, true);
    widened += residuals.widened() ? 1 : 0;
  }
  EXPECT_EQ(widened, 0);
}

/// Losses without a place in time: the same noise and clip, but no swing and no jump by them.
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
  for (int t = 0; t < 2000; ++t) {
    residuals.take_timeless(5 + random.normal(), 0);
    ASSERT_EQ(residuals.jumped(), 0);
  }
  EXPECT_EQ(residuals.evidence(), 0);
  // Among others they do not disturb a swing.
  residuals.begin(16, 1, 20);
  for (int t = 0; t < 300; ++t) {
    residuals.take(t % 2 == 0 ? 10 : -10, 0, true);
    if (t % 3 == 0) residuals.take_timeless(random.normal(), 0);
  }
  EXPECT_NEAR(residuals.swing(), 10, 1);
}

TEST(Residuals, GoOnFromTheirState) {
  Random random(10);
  Residuals residuals = begun(2, 20);
  for (int t = 0; t < 150; ++t) residuals.take(random.normal() + (t % 2 == 0 ? 5 : -5), 0.1, true);
  Archive writer;
  residuals.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Residuals loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  for (int t = 0; t < 50; ++t) {
    EXPECT_EQ(loaded.noise(), residuals.noise());
    EXPECT_EQ(loaded.evidence(), residuals.evidence());
    EXPECT_EQ(loaded.swing(), residuals.swing());
    const double number = random.normal() + (t % 2 == 0 ? 5 : -5);
    EXPECT_EQ(loaded.take(number, 0.1, true), residuals.take(number, 0.1, true));
  }
}

}  // namespace
}  // namespace keyhole::tests
