// How late losses come, against sums over all of them.

#include "learners/parameter_free/lateness.h"

#include <gtest/gtest.h>

#include <cmath>

namespace keyhole::tests {
namespace {

TEST(Lateness, IsNothingIfLossesArePrompt) {
  algorithms::Lateness lateness;
  for (PlayId t = 1; t <= 100; ++t) {
    lateness.play(t);
    lateness.take(t);
    if (t % 10 == 0) lateness.end_block();
    EXPECT_EQ(lateness.in_blocks(), 0);
    EXPECT_EQ(lateness.share_of_earlier_blocks(), 0);
  }
}

TEST(Lateness, IsTheMeanOfThePlaysMadeSince) {
  algorithms::Lateness lateness;
  for (PlayId t = 1; t <= 30; ++t) lateness.play(t);
  for (PlayId t = 1; t <= 20; ++t) lateness.take(t);  // from 29 down to 10 plays late
  lateness.end_block();
  const double mean = 19.5;
  EXPECT_NEAR(lateness.in_blocks(), mean / 30, 1e-14);  // 30 plays were made in this block
  // The chance that an exponential law of that mean is above 30 plays, in whole plays.
  EXPECT_NEAR(lateness.share_of_earlier_blocks(), std::pow(1 - 1 / (1 + mean), 30), 1e-14);
  lateness.play(31);
  lateness.end_block();  // a block of one play
  EXPECT_NEAR(lateness.in_blocks(), mean, 1e-13);
  EXPECT_NEAR(lateness.share_of_earlier_blocks(), mean / (1 + mean), 1e-14);
}

TEST(Lateness, IsNothingBeforeTheFirstBlock) {
  const algorithms::Lateness lateness;
  EXPECT_EQ(lateness.in_blocks(), 0);
  EXPECT_EQ(lateness.share_of_earlier_blocks(), 0);
}

}  // namespace
}  // namespace keyhole::tests
