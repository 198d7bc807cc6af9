// How often a change is seen where there is none, and how soon where there is one.

#include "learners/parameter_free/change_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random.h"

namespace keyhole::tests {
namespace {

using Verdict = algorithms::ChangeTest::Verdict;

/// The sum of `count` normal numbers about a shift, in standard deviations of the sum.
double block(Random& random, double count, double shift) {
  return std::sqrt(count) * (random.normal() + shift);
}

TEST(ChangeTest, NoiseAboutZeroIsHardlyEverAChange) {
  // 20 streams of 10^4 sums, of growing counts.
  Random random(1);
  int changes = 0;
  int suspicions = 0;
  for (int stream = 0; stream < 20; ++stream) {
    algorithms::ChangeTest test;
    for (int m = 1; m <= 10000; ++m) {
      const Verdict verdict = test.take(block(random, m, 0), m);
      changes += verdict == Verdict::change ? 1 : 0;
      suspicions += verdict == Verdict::suspicion ? 1 : 0;
    }
  }
  EXPECT_LE(changes, 2);  // measured: none in these 2 * 10^5 sums
  EXPECT_GT(suspicions, 1000);
}

TEST(ChangeTest, NumbersBelowZeroAreNoChange) {
  Random random(2);
  algorithms::ChangeTest test;
  for (int m = 1; m <= 10000; ++m) {
    EXPECT_NE(test.take(block(random, m, -2), m), Verdict::change);
  }
}

TEST(ChangeTest, AShiftOfTwoStandardDeviationsIsNoticed) {
  Random random(3);
  int slowest = 0;
  double sum = 0;
  const int streams = 500;
  for (int stream = 0; stream < streams; ++stream) {
    algorithms::ChangeTest test;
    for (int m = 1; m <= 200; ++m) test.take(block(random, m, 0), m);
    int taken = 1;
    while (test.take(block(random, 200, 2), 200) != Verdict::change && taken < 1000) ++taken;
    slowest = std::max(slowest, taken);
    sum += taken;
  }
  EXPECT_LE(sum / streams, 13);  // measured: 10.7 in the mean...
  EXPECT_LE(slowest, 40);        // ...and 27 at most
}

TEST(ChangeTest, ZerosSayNothing) {
  algorithms::ChangeTest test;
  for (int m = 1; m <= 100; ++m) EXPECT_EQ(test.take(0, m), Verdict::nothing);
  // The first five numbers show how large numbers are; one as large is no change.
  for (int m = 1; m <= 5; ++m) EXPECT_EQ(test.take(1, 1), Verdict::nothing) << m;
  EXPECT_EQ(test.take(2, 1), Verdict::suspicion);
  EXPECT_EQ(test.take(0, 1), Verdict::suspicion);
  EXPECT_EQ(test.take(-3, 1), Verdict::nothing);
}

TEST(ChangeTest, BeginsAnewAfterAChangeAndKeepsTheScale) {
  algorithms::ChangeTest test;
  for (int m = 1; m <= 100; ++m) test.take(m % 2 == 0 ? 1 : -1, 1);
  int changes = 0;
  for (int m = 1; m <= 4; ++m) changes += test.take(100, 1) == Verdict::change ? 1 : 0;
  EXPECT_EQ(changes, 1);  // one number counts for three standard deviations: four are needed
  EXPECT_NE(test.take(1, 1), Verdict::change);
}

}  // namespace
}  // namespace keyhole::tests
