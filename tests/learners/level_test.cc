// The level of a stream against sums over all of it.

#include "learners/level.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

/// The weight of number i (from 1) in the mean after j numbers: what number i has got when it came,
/// less what those after it have taken.
long double weight(std::size_t i, std::size_t j) {
  const auto rate = [](std::size_t k) {
    const auto count = static_cast<long double>(k);
    return k <= 25 ? 1 / count : 1 / (20 + count / 5);
  };
  long double product = rate(i);
  for (std::size_t k = i + 1; k <= j; ++k) product *= 1 - rate(k);
  return product;
}

TEST(Level, MeanAndVarianceAreWeightedSums) {
  Random random(1);
  algorithms::Level level;
  std::vector<double> numbers;
  std::vector<double> away;  // from the mean before
  for (std::size_t j = 1; j <= 600; ++j) {
    numbers.push_back(3 + random.normal());
    away.push_back(numbers.back() - level.mean());
    EXPECT_EQ(level.take(numbers.back()), away.back());
    if (j % 50 != 0 && j > 30) continue;
    long double mean = 0;
    long double variance = 0;
    for (std::size_t i = 1; i <= j; ++i) {
      mean += weight(i, j) * numbers[i - 1];
      variance += weight(i, j) * away[i - 1] * away[i - 1];
    }
    EXPECT_EQ(level.count(), j);
    EXPECT_NEAR(level.mean(), static_cast<double>(mean), 1e-12);
    EXPECT_NEAR(level.variance(), static_cast<double>(variance), 1e-11);
  }
}

TEST(Level, TheFirst25NumbersCountAlikeAndTheLastFifthLater) {
  for (std::size_t i = 1; i <= 25; ++i) {
    EXPECT_NEAR(static_cast<double>(weight(i, 25)), 0.04, 1e-15);
  }
  // A stream that jumps: four fifths of the way to the new mean once a third of it is new.
  algorithms::Level level;
  for (int j = 0; j < 2000; ++j) level.take(0);
  for (int j = 0; j < 1000; ++j) level.take(1);
  EXPECT_GT(level.mean(), 0.8);
}

TEST(Level, TheErrorOfTheMeanIsThatOfManyStreams) {
  // The variance of the mean after 400 numbers, over 2000 streams: known to 3 %.
  double squares = 0;
  double stated = 0;
  Random random(2);
  const int streams = 2000;
  for (int k = 0; k < streams; ++k) {
    algorithms::Level level;
    for (int j = 0; j < 400; ++j) level.take(random.normal());
    squares += level.mean() * level.mean();
    stated += level.squared_error();
  }
  EXPECT_NEAR(stated / squares, 1, 0.15);  // measured: 0.94
  EXPECT_EQ(algorithms::Level().squared_error(), 0);
}

TEST(Level, TakesNoMoreThanItIsLet) {
  algorithms::Level level;
  for (const double number : {1.0, -1.0, 1.0, -1.0, 1.0, -1.0}) level.take(number);
  for (const double sign : {1.0, -1.0}) {
    algorithms::Level clipped = level;
    EXPECT_EQ(clipped.take(sign * 1e6, 8), sign * 8);
    EXPECT_LE(std::abs(clipped.mean() - level.mean()), 8.0 / 7 * (1 + 1e-12));
    EXPECT_EQ(algorithms::Level(level).take(0.5, 8), 0.5 - level.mean());  // within: as it is
  }
}

TEST(Level, SixNumbersShowADeviation) {
  algorithms::Level level;
  for (const double number : {1.0, -1.0, 1.0, -1.0, 1.0}) {
    level.take(number);
    EXPECT_TRUE(std::isinf(level.deviation()));
  }
  level.take(-1);
  EXPECT_EQ(level.deviation(), std::sqrt(level.variance()));
  algorithms::Level zeros;
  for (int j = 0; j < 100; ++j) zeros.take(0);
  EXPECT_TRUE(std::isinf(zeros.deviation()));  // there is none: a jump is taken whole
  EXPECT_EQ(zeros.take(7, 8 * zeros.deviation()), 7);
  EXPECT_FALSE(std::isinf(zeros.deviation()));
  EXPECT_TRUE(std::isfinite(zeros.take(1e50)));
}

}  // namespace
}  // namespace keyhole::tests
