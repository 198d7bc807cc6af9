// Whether the model's plays are worth it: when it retreats, and when it returns.

#include "learners/posterior/worth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

using algorithms::Worth;

constexpr double coefficients = 5;
constexpr double long_life = 100 * coefficients;

/// So many losses of unit noise, of plays near the start as often as it says, where the model's
/// plays cost `above` more than those: how many it takes until it has retreated or not, as asked;
/// `most` if it does not come to that.
int losses_until(Worth& worth, bool retreated, double above, int most, Random& random) {
  for (int t = 0; t < most; ++t) {
    if (worth.retreated() == retreated) return t;
    const bool near_start = random.uniform() < worth.compared();
    worth.take(near_start, (near_start ? 0 : above) + random.normal());
  }
  return most;
}

TEST(Worth, DoesNothingBeforeTheFirstChange) {
  Random random(1);
  Worth worth(coefficients);
  for (int t = 0; t < 5000; ++t) {
    worth.take(t % 2 == 0, t % 2 == 0 ? 0 : 10 + random.normal());
    ASSERT_EQ(worth.compared(), 0);
    ASSERT_FALSE(worth.retreated());
  }
}

TEST(Worth, ComparesAFifthOfThePlaysAfterAChange) {
  Worth worth(coefficients);
  worth.changed(long_life);
  EXPECT_EQ(worth.compared(), 0.2);
  EXPECT_FALSE(worth.retreated());
}

TEST(Worth, ComparesLessAndLessWhileNothingIsShown) {
  // 10 / sqrt(t + 1), from 2500 losses on, if both kinds of plays cost the same to the digit.
  Worth worth(coefficients);
  worth.changed(long_life);
  for (int t = 0; t < 9999; ++t) worth.take(t % 10 == 0, 1);
  EXPECT_NEAR(worth.compared(), 0.1, 1e-12);
}

TEST(Worth, ComparesNothingOnceTheModelIsProven) {
  Random random(2);
  Worth worth(coefficients);
  worth.changed(long_life);
  EXPECT_EQ(losses_until(worth, true, -2, 300, random), 300);
  EXPECT_LE(worth.compared(), 0.02);
  EXPECT_EQ(losses_until(worth, true, -2, 5000, random), 5000);
}

TEST(Worth, RetreatsIfTheModelIsWorse) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Worth worth(coefficients);
    worth.changed(long_life);
    // 100 losses a coefficient at least; a difference of 1 is ten standard errors by then.
    const int losses = losses_until(worth, true, 1, 2000, random);
    EXPECT_GE(losses, 500) << seed;
    EXPECT_LE(losses, 600) << seed;
    EXPECT_EQ(worth.compared(), 0.9) << seed;
  }
}

TEST(Worth, RetreatsSoonerAfterSeveralChanges) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Worth worth(coefficients);
    worth.changed(long_life);
    losses_until(worth, true, 0, 60, random);
    worth.changed(60);
    EXPECT_LE(losses_until(worth, true, 1, 2000, random), 150) << seed;
  }
}

TEST(Worth, ALongLifeMakesChangesFew) {
  Random random(4);
  Worth worth(coefficients);
  worth.changed(10);
  worth.changed(10);
  worth.changed(long_life);
  EXPECT_GE(losses_until(worth, true, 1, 2000, random), 500);
}

TEST(Worth, TriesTheModelLessAndLessInARetreat) {
  Random random(5);
  Worth worth(coefficients);
  worth.changed(long_life);
  losses_until(worth, true, 1, 2000, random);
  ASSERT_TRUE(worth.retreated());
  losses_until(worth, false, 1, 9999, random);
  ASSERT_TRUE(worth.retreated());
  EXPECT_NEAR(worth.compared(), 1 - 2 / std::sqrt(1e4), 1e-3);
}

TEST(Worth, ReturnsWhenTheModelIsBetter) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Worth worth(coefficients);
    worth.changed(long_life);
    losses_until(worth, true, 1, 2000, random);
    ASSERT_TRUE(worth.retreated());
    // What was compared before weighs as much as some hundreds of losses.
    EXPECT_LT(losses_until(worth, false, -2, 5000, random), 5000) << seed;
    EXPECT_LE(worth.compared(), 0.2) << seed;
  }
}

TEST(Worth, OneAbsurdLossIsNoReason) {
  Random random(6);
  Worth worth(coefficients);
  worth.changed(long_life);
  EXPECT_EQ(losses_until(worth, true, -0.5, 1000, random), 1000);
  worth.take(false, 1e12);
  EXPECT_EQ(losses_until(worth, true, -0.5, 1000, random), 1000);
}

TEST(Worth, TheUnitOfTheLossesDoesNotMatter) {
  Random random(7);
  Worth plain(coefficients);
  Worth large(coefficients);
  for (Worth* worth : {&plain, &large}) worth->changed(long_life);
  for (int t = 0; t < 2000; ++t) {
    const double loss = random.normal() + (t % 4 == 0 ? 0 : 0.5);
    plain.take(t % 4 == 0, loss);
    large.take(t % 4 == 0, 0x1p30 * loss);
    ASSERT_EQ(plain.compared(), large.compared()) << t;
  }
  EXPECT_TRUE(plain.retreated());
}

TEST(Worth, GoesOnFromItsState) {
  Random random(8);
  Worth worth(coefficients);
  worth.changed(20);
  losses_until(worth, true, 0.3, 400, random);
  Archive writer;
  worth.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Worth loaded(coefficients);
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  for (int t = 0; t < 1000; ++t) {
    ASSERT_EQ(loaded.compared(), worth.compared());
    ASSERT_EQ(loaded.retreated(), worth.retreated());
    const double loss = random.normal() + (t % 3 == 0 ? 0 : 0.5);
    worth.take(t % 3 == 0, loss);
    loaded.take(t % 3 == 0, loss);
    if (t == 500) {
      worth.changed(100);
      loaded.changed(100);
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
