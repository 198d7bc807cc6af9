#include "experiment/measures/block_times.h"

#include <gtest/gtest.h>

namespace keyhole::tests {
namespace {

using experiment::BlockTimes;

TEST(BlockTimes, OnePreemptionDoesNotShow) {
  for (const int preempted : {0, 17, 899}) {
    BlockTimes times(900, 100);
    for (int t = 0; t < 900; ++t) times.add(t == preempted ? 5 : 1e-3);
    EXPECT_NEAR(times.per_round(), 1e-3, 1e-15) << preempted;
    EXPECT_NEAR(times.total(), 5.899, 1e-9);
  }
}

TEST(BlockTimes, ExpensiveRoundsThatComeRegularlyCount) {
  BlockTimes times(900, 100);
  for (int t = 0; t < 900; ++t) times.add(t % 10 == 0 ? 1 : 0);
  EXPECT_NEAR(times.per_round(), 0.1, 1e-12);
}

TEST(BlockTimes, BlocksEndWithTheTimeToo) {
  BlockTimes times(1'000'000, 0.9);
  for (int t = 0; t < 30; ++t) times.add(t < 8 ? 7 : 0.05);
  EXPECT_NEAR(times.per_round(), 0.05, 1e-15);  // 8 blocks of one round, 11 of two
}

TEST(BlockTimes, FewRounds) {
  EXPECT_EQ(BlockTimes(0, 1).per_round(), 0);
  BlockTimes one(1, 1);
  one.add(0.25);
  EXPECT_EQ(one.per_round(), 0.25);
  BlockTimes below(1, 1);
  below.add(-1e-9);  // the clock costs more than the round
  EXPECT_EQ(below.per_round(), 0);
  BlockTimes begun(900, 100);
  begun.add(0.5);
  begun.add(0.25);
  EXPECT_EQ(begun.per_round(), 0.375);
}

}  // namespace
}  // namespace keyhole::tests
