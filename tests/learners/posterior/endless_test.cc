// A contest ends where the new life can learn nothing, or is told nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "keyhole/keyhole.h"
#include "learners/posterior/status.h"
#include "random.h"

namespace keyhole::tests {
namespace {

/// What a play near the start is told in round t, whose loss would be that; nothing if none.
using ToldNearStart = std::function<std::optional<double>(std::uint64_t t, double loss)>;

/// Plays with three losses that are far too large, which begin a contest, and expects that the
/// old life wins it within `most` rounds.
void expect_an_end(const ToldNearStart& told, int most) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto made = posterior(box(-1, 1, 2));
    const auto& algorithm = dynamic_cast<const PosteriorAlgorithm&>(*made);
    Learner learner(std::move(made), {.seed = seed});
    Random random(seed);
    int comparing = 0;
    for (std::uint64_t t = 1; t <= 3000; ++t) {
      const Play play = learner.ask();
      const double x = play.point[0];
      const double y = play.point[1];
      const double noisy = std::pow(x - 0.6, 2) + std::pow(y - 0.6, 2) + 0.05 * random.normal();
      const bool near_start = std::max(std::abs(x), std::abs(y)) < 0.2;
      const bool jumps = t > 500 && t <= 503;
      const std::optional<double> loss = near_start ? told(t, noisy) : noisy;
      if (loss) learner.tell(play.id, jumps ? *loss + 5 : *loss);
      comparing += algorithm.status().comparing ? 1 : 0;
    }
    EXPECT_GT(comparing, 10) << seed;
    EXPECT_LT(comparing, most) << seed;
    EXPECT_FALSE(algorithm.status().comparing) << seed;
    EXPECT_EQ(algorithm.status().restarts, 0U) << seed;
  }
}

TEST(EndlessContest, EndsWhereAllLossesNearTheStartAreTheSame) {
  expect_an_end([](std::uint64_t t, double loss) { return t > 400 ? 1 : loss; }, 300);
}

// As where every play near the start crashes.
TEST(EndlessContest, EndsWhereTheNewLifeIsNeverToldALoss) {
  expect_an_end([](std::uint64_t t,
                   double loss) { return t > 503 ? std::nullopt : std::optional<double>(loss); },
                600);
}

}  // namespace
}  // namespace keyhole::tests
