// Which of two models predicts better, by errors worked out by hand.

#include "learners/posterior/better_model.h"

#include <gtest/gtest.h>

#include "random.h"

namespace keyhole::tests {
namespace {

using algorithms::BetterModel;

TEST(BetterModel, IsTheFirstToBeginWith) {
  const BetterModel better;
  EXPECT_FALSE(better.is_second());
  EXPECT_EQ(better.share_of_second(), 0.5);
}

TEST(BetterModel, IsTheSecondOnceThatIsProven) {
  BetterModel better;
  // Each loss saves 1, so after n of them the sum is n and its error sqrt n, but for what fades.
  int losses = 0;
  for (; !better.is_second(); ++losses) better.take(1, 0, 1);
  EXPECT_GE(losses, 16);
  EXPECT_LE(losses, 20);
  EXPECT_EQ(better.share_of_second(), 1);
}

TEST(BetterModel, IsTheFirstAgainOnceThatIsAsGood) {
  BetterModel better;
  for (int k = 0; k < 30; ++k) better.take(1, 0, 1);
  ASSERT_TRUE(better.is_second());
  int losses = 0;
  for (; better.is_second(); ++losses) better.take(0, 1, 1);
  EXPECT_GE(losses, 20);
  EXPECT_LE(losses, 31);
}

TEST(BetterModel, OneAbsurdLossProvesNothing) {
  BetterModel better;
  for (int k = 0; k < 5; ++k) better.take(1e9, 0, 1);  // each saves 9, with an error of 9
  EXPECT_FALSE(better.is_second());
}

TEST(BetterModel, TheSecondIsNotTriedWhereItIsWorse) {
  BetterModel better;
  for (int k = 0; k < 10; ++k) better.take(0.1, 1, 1);
  EXPECT_EQ(better.share_of_second(), 0);
}

TEST(BetterModel, ErrorsAreInUnitsOfTheNoise) {
  BetterModel one;
  BetterModel other;
  Random random(1);
  for (int k = 0; k < 50; ++k) {
    const double first = random.normal();
    const double second = random.normal();
    one.take(first, second, 1);
    other.take(8 * first, 8 * second, 64);
    ASSERT_EQ(one.share_of_second(), other.share_of_second());
  }
}

/// Two models that err alike: the second is called better in at most 2 of 200 runs.
TEST(BetterModel, ChanceIsNoProof) {
  int called = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    BetterModel better;
    bool ever = false;
    for (int k = 0; k < 2000; ++k) {
      const double noise = random.normal();
      better.take(noise + 0.1 * random.normal(), noise + 0.1 * random.normal(), 1);
      ever = ever || better.is_second();
    }
    called += ever ? 1 : 0;
  }
  EXPECT_LE(called, 2);
}

TEST(BetterModel, GoesOnFromItsState) {
  Random random(2);
  BetterModel better;
  for (int k = 0; k < 40; ++k) better.take(1 + random.uniform(), random.uniform(), 1);
  Archive writer;
  better.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  BetterModel loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0U);
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(loaded.is_second(), better.is_second());
    for (BetterModel* one : {&better, &loaded}) one->take(0.2, 1, 1);
    EXPECT_EQ(loaded.share_of_second(), better.share_of_second());
  }
}

}  // namespace
}  // namespace keyhole::tests
