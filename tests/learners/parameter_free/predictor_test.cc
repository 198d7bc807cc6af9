// Which predictor is chosen on which stream.

#include "learners/parameter_free/predictor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

TEST(Predictor, AConstantStreamIsPredictedExactly) {
  algorithms::Predictor predictor;
  EXPECT_EQ(predictor.best(), 0);
  for (int j = 0; j < 100; ++j) {
    predictor.take(0.7);
    EXPECT_EQ(predictor.best(), 0.7);
    EXPECT_EQ(predictor.average(), 0.7);
  }
}

TEST(Predictor, AnAlternatingStreamIsPredictedByTheLastButOne) {
  algorithms::Predictor predictor;
  for (int j = 0; j < 200; ++j) {
    const double number = j % 2 == 0 ? 3 : -1;
    if (j > 10) {
      EXPECT_EQ(predictor.best(), number) << j;
    }
    predictor.take(number);
  }
}

TEST(Predictor, ARandomWalkIsPredictedByTheLast) {
  Random random(3);
  algorithms::Predictor predictor;
  double walk = 0;
  int by_last = 0;
  for (int j = 0; j < 5000; ++j) {
    predictor.take(walk);
    if (predictor.best() == walk) ++by_last;
    walk += random.normal();
  }
  EXPECT_GT(by_last, 4800);
}

TEST(Predictor, WhiteNoiseIsPredictedByTheSlowAverage) {
  Random random(4);
  algorithms::Predictor predictor;
  double slow = 0;
  int by_slow = 0;
  for (int j = 1; j <= 5000; ++j) {
    const double number = 2 + random.normal();
    slow += std::max(0.005, 1.0 / j) * (number - slow);
    predictor.take(number);
    if (predictor.best() == slow) ++by_slow;
  }
  // The fast average is nearly as good, and may seem better for a while.
  EXPECT_GT(by_slow, 3500);
}

TEST(Predictor, PredictionsDependOnThePastOnly) {
  Random random(5);
  algorithms::Predictor one;
  algorithms::Predictor other;
  for (int j = 0; j < 100; ++j) {
    const double number = random.normal();
    one.take(number);
    other.take(number);
  }
  EXPECT_EQ(one.best(), other.best());
  one.take(1e9);
  other.take(-1e9);
  EXPECT_NE(one.best(), other.best());
}

TEST(Predictor, GoesOnFromItsState) {
  Random random(6);
  algorithms::Predictor predictor;
  for (int j = 0; j < 50; ++j) predictor.take(random.normal());
  Archive writer;
  predictor.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  algorithms::Predictor loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  for (int j = 0; j < 50; ++j) {
    EXPECT_EQ(loaded.best(), predictor.best());
    EXPECT_EQ(loaded.average(), predictor.average());
    const double number = random.normal();
    predictor.take(number);
    loaded.take(number);
  }
}

}  // namespace
}  // namespace keyhole::tests
