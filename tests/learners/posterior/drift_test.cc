// A level that drifts is followed by both models of a strand, and seen only where it does.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/posterior/models.h"
#include "random.h"

namespace keyhole::tests {
namespace {

TEST(Drift, TheModelWithAllCurvaturesIsFittedWithIt) {
  using algorithms::Origin;
  const SetPtr set = box(-1, 1, 6);
  const auto nu = set->exploration();
  const algorithms::Frame frame(set, *nu, set->centre());
  const std::vector<double> here(6, 0.0);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    algorithms::Strand strand(frame, {.rate = 0.01}, algorithms::no_contexts);
    strand.begin(1, 1, 16);
    Random random(seed);
    double level = 0;
    for (int t = 0; t < 120; ++t) {  // by one standard deviation of the noise a loss
      level += 1;
      const std::vector<double> z = random.normals(6);
      strand.note(z, {}, Origin::play);
      strand.learn(z, {}, level + random.normal(), here, Origin::play);
    }
    strand.refit(120, 0, here);
    ASSERT_EQ(strand.all_is_fitted, 1);
    EXPECT_NEAR(strand.few.mean()[0], level, 4) << seed;
    EXPECT_NEAR(strand.all->mean()[0], level, 4) << seed;
  }
}

TEST(Drift, IsNotSeenWhereLossesTieCoordinatesTogether) {
  // The model with all curvatures predicts far better than the other: that is no proof of a drift.
  using algorithms::Origin;
  const SetPtr set = box(-1, 1, 4);
  const auto nu = set->exploration();
  const algorithms::Frame frame(set, *nu, set->centre());
  const std::vector<double> here(4, 0.0);
  algorithms::Models models(frame);
  models.begin(1, 1, 16);
  Random random(1);
  const auto learn = [&](std::uint64_t t, double level) {
    const std::vector<double> z = random.normals(4);
    const double tied = z[0] * z[1] - z[2] * z[3] + z[0] * z[3];
    models.learn(z, {}, level + 0.5 * tied + random.normal(), here, Origin::play);
    if (t % 50 == 0) models.refit(t, 0.1, here);
  };
  for (std::uint64_t t = 17; t <= 3000; ++t) {
    learn(t, 0);
    ASSERT_EQ(models.motion().rate, 0) << t;
  }
  EXPECT_TRUE(models.better().model.has_pairs());
  // But one that is there is seen.
  for (std::uint64_t t = 3001; t <= 3500; ++t) learn(t, 0.1 * static_cast<double>(t - 3000));
  EXPECT_GT(models.motion().rate, 0);
}

}  // namespace
}  // namespace keyhole::tests
