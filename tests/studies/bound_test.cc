// The alarm that a bound may be too tight: when it comes, and that it is rare where it is not due.

#include <gtest/gtest.h>

#include "keyhole/store.h"
#include "random.h"
#include "studies/json/alarms.h"
#include "studies/json/slope.h"

namespace keyhole::tests {
namespace {

using studies::TightBound;

std::vector<TightBound> bounds_of(const Store& store, const std::string& name, Study& study) {
  studies::TightBounds bounds;
  return bounds.look(store, name, study);
}

Space of_threads(std::int64_t most) {
  return Space({{"codec", Choice{{"zstd", "lz4"}}},
                {"threads", Integer{1, most}},
                {"wait", Number{.from = 1, .to = 100, .scale = Scale::log}}});
}

/// Best with 40 threads.
void run_threads(Study& study, int rounds) {
  Random random(5);
  for (int t = 0; t < rounds; ++t) {
    const StudyPlay play = study.ask();
    const auto threads = static_cast<double>(std::get<std::int64_t>(play.values.at("threads")));
    study.tell(play.id, (threads - 40) * (threads - 40) / 1000 + 0.05 * random.normal());
  }
}

TEST(TightBound, IsSaidOfTheParameterAndGoneWhenItIsWidened) {
  const Store store = Store::in_memory();
  Study study = store.create("s", {.on = of_threads(16), .options = {.seed = 2}});
  EXPECT_TRUE(bounds_of(store, "s", study).empty());
  run_threads(study, 200);
  const std::vector<TightBound> bounds = bounds_of(store, "s", study);
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].name, "threads");
  EXPECT_EQ(bounds[0].value, 16);
  const std::vector<std::string> alarms =
      studies::alarms_of(study.summary(), study.status(), study.description().options, bounds);
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0], "the best point lies at the bound of 'threads', 16: widen it?");
  (void)store.change("s", of_threads(64));
  Study wide = store.open("s");
  run_threads(wide, 300);
  EXPECT_TRUE(bounds_of(store, "s", wide).empty());
}

TEST(TightBound, IsLookedForWhereThePointIsOnceAGainIsReliable) {
  const Store store = Store::in_memory();
  const Study set = store.create("set", {.on = "box(0, 1, 2)"});
  const Study study = store.create("s", {.on = of_threads(16)});
  Status sure;
  sure.belief.gain = 1;
  sure.belief.gain_error = 0.4;
  EXPECT_TRUE(studies::near_bounds(set, sure, {0, 1}).empty());
  const std::vector<double> corner = {1, 0, 16, 0};
  ASSERT_EQ(studies::near_bounds(study, sure, corner).size(), 2U);
  EXPECT_EQ(studies::near_bounds(study, sure, corner)[1].value, 1);  // not its logarithm
  EXPECT_FALSE(studies::near_bounds(study, sure, corner)[1].upper);
  EXPECT_TRUE(studies::near_bounds(study, sure, {1, 0, 15.8, 0.1}).empty());
  Status unsure = sure;
  unsure.belief.gain_error = 0.6;
  EXPECT_TRUE(studies::near_bounds(study, unsure, corner).empty());
  EXPECT_TRUE(studies::near_bounds(study, Status(), corner).empty());
  unsure.proof = {.share = 0.1, .gain = 1, .error = 0.5, .proven = 7};
  EXPECT_EQ(studies::near_bounds(study, unsure, corner).size(), 2U);
}

TEST(Slope, IsThatOfALineAndOfASquare) {
  Random random(3);
  std::vector<studies::Seen> seen;
  for (int k = 0; k < 2000; ++k) {
    const double x = random.uniform();
    const double y = random.uniform();
    const double loss = 2 * x - 3 * y + 4 * y * y + 0.1 * random.normal();
    // Shares depend on each other, and counts say how sure a loss is.
    seen.push_back({{x, y, 1 - y}, loss, 1});
    seen.push_back({{x, y, 1 - y}, loss + 10 * random.normal(), 1e-4});
  }
  const studies::Slope along_x = studies::slope_along(seen, 0, 0.5);
  EXPECT_NEAR(along_x.rise, 2, 4 * along_x.error);
  EXPECT_LT(along_x.error, 0.1);
  EXPECT_NEAR(studies::slope_along(seen, 0).rise, 2, 0.05);
}

// The best point is inside, at 0.9 of the range of the first parameter, and the last one does not
// matter. Looked at 4 times in 40 runs: more than 3 of 160 would be more than 1.9 %.
TEST(TightBound, IsRarelySaidIfTheBestPointIsInside) {
  const Number unit{.from = 0, .to = 1};
  const Store store = Store::in_memory();
  int said = 0;
  int near = 0;
  for (std::uint64_t run = 1; run <= 40; ++run) {
    const std::string name = "s" + std::to_string(run);
    Study study = store.create(
        name, {.on = Space({{"a", unit}, {"b", unit}, {"c", unit}}), .options = {.seed = run}});
    Random random(run);
    for (int t = 1; t <= 1200; ++t) {
      const StudyPlay play = study.ask();
      const double a = play.point[0] - 0.9;
      const double b = play.point[1] - 0.3;
      study.tell(play.id, a * a + b * b + 0.3 * random.normal());
      if (t % 300 != 0) continue;
      if (!studies::near_bounds(study, study.status(), study.recommend()).empty()) ++near;
      if (!bounds_of(store, name, study).empty()) ++said;
    }
  }
  EXPECT_GT(near, 20);  // mostly at a bound of the one that does not matter
  EXPECT_LE(said, 3);
}

}  // namespace
}  // namespace keyhole::tests
