// The first losses, judged together.

#include "learners/parameter_free/first_losses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random.h"

namespace keyhole::tests {
namespace {

constexpr std::uint64_t all = 16;

/// Takes sixteen losses of the normal law with the one of play `absurd` replaced; returns what the
/// last of them shows.
bool fill(algorithms::FirstLosses& first, Random& random, PlayId absurd, double by) {
  for (PlayId t = 1; t < all; ++t) {
    const double loss = 5 + random.normal();
    EXPECT_FALSE(first.take(t, t == absurd ? by : loss));
  }
  const bool shown = first.take(all, absurd == all ? by : 5 + random.normal());
  EXPECT_FALSE(first.take(all + 1, 1e9));  // it is not one of the first
  return shown;
}

TEST(FirstLosses, OneIsAbsurdFarFromTheOthers) {
  Random random(8);
  for (PlayId when = 1; when <= all; ++when) {
    for (const double by : {1e6, -1e6, 1e50, 400.0}) {
      algorithms::FirstLosses first;
      EXPECT_TRUE(fill(first, random, when, by));
      for (const auto& [play, loss] : first.clipped()) {
        EXPECT_LT(std::abs(loss - 5), play == when ? 30 : 5) << play;
      }
    }
  }
}

TEST(FirstLosses, OrdinaryLossesAreNot) {
  Random random(9);
  for (int k = 0; k < 1000; ++k) {
    algorithms::FirstLosses first;
    EXPECT_FALSE(fill(first, random, 7, 15));
  }
  algorithms::FirstLosses equal;  // no spread to judge by
  for (PlayId t = 1; t <= all; ++t) EXPECT_FALSE(equal.take(t, t % 4 == 0 ? 1000 : 1));
}

TEST(FirstLosses, ClippedLossesKeepTheirOrderAndTheOrdinaryOnesTheirValue) {
  algorithms::FirstLosses first;
  for (PlayId t = 1; t < all; ++t) first.take(2 * t, static_cast<double>(t));
  EXPECT_TRUE(first.take(40, 1e6));
  const auto clipped = first.clipped();
  for (std::size_t k = 0; k + 1 < all; ++k) {
    EXPECT_EQ(clipped[k].play, 2 * (k + 1));
    EXPECT_EQ(clipped[k].loss, static_cast<double>(k + 1));
  }
  EXPECT_EQ(clipped.back().play, 40u);
  // The median of 1, ..., 15, 10^6 is 8.5, the median distance from it 4.
  EXPECT_EQ(clipped.back().loss, 8.5 + 12 * 4);
}

}  // namespace
}  // namespace keyhole::tests
