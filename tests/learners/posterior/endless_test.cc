// A contest ends where the new life can learn nothing, or is told nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "keyhole/keyhole.h"
#include "random.h"

namespace keyhole::tests {
namespace {

TEST(EndlessContest, EndsWhereAllLossesNearTheStartAreTheSame) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto made = posterior(box(-1, 1, 2));
    const PosteriorAlgorithm& algorithm = *made;
    Learner learner(std::move(made), {.seed = seed});
    Random random(seed);
    int comparing = 0;
    for (std::uint64_t t = 1; t <= 3000; ++t) {
      const Play play = learner.ask();
      const double x = play.point[0];
      const double y = play.point[1];
      const bool near_start = std::max(std::abs(x), std::abs(y)) < 0.2;
      const double noisy = std::pow(x - 0.6, 2) + std::pow(y - 0.6, 2) + 0.05 * random.normal();
      const double loss = t > 400 && near_start ? 1 : noisy;
      const bool jumps = t > 500 && t <= 503;
      learner.tell(play.id, jumps ? loss + 5 : loss);
      comparing += algorithm.status().comparing ? 1 : 0;
    }
    EXPECT_GT(comparing, 10) << seed;
    EXPECT_LT(comparing, 300) << seed;
    EXPECT_FALSE(algorithm.status().comparing) << seed;
    EXPECT_EQ(algorithm.status().restarts, 0U) << seed;
  }
}

// As where every play near the start crashes.
TEST(EndlessContest, EndsWhereTheNewLifeIsNeverToldALoss) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto made = posterior(box(-1, 1, 2));
    const PosteriorAlgorithm& algorithm = *made;
    Learner learner(std::move(made), {.seed = seed});
    Random random(seed);
    int comparing = 0;
    for (std::uint64_t t = 1; t <= 3000; ++t) {
      const Play play = learner.ask();
      const double x = play.point[0];
      const double y = play.point[1];
      const double loss = std::pow(x - 0.6, 2) + std::pow(y - 0.6, 2) + 0.05 * random.normal();
      const bool jumps = t > 500 && t <= 503;
      const bool is_lost = t > 503 && std::max(std::abs(x), std::abs(y)) < 0.2;
      if (!is_lost) learner.tell(play.id, jumps ? loss + 5 : loss);
      comparing += algorithm.status().comparing ? 1 : 0;
    }
    EXPECT_GT(comparing, 10) << seed;
    EXPECT_LT(comparing, 600) << seed;
    EXPECT_FALSE(algorithm.status().comparing) << seed;
    EXPECT_EQ(algorithm.status().restarts, 0U) << seed;
  }
}

}  // namespace
}  // namespace keyhole::tests
