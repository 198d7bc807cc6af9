// How far the first plays go, on losses that are flat, steep or noise.

#include "learners/parameter_free/first_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

/// The reaches of so many plays whose loss is a function of the squared reach.
std::vector<double> first_reaches(int plays, const std::function<double(double)>& loss) {
  algorithms::FirstReach reach;
  std::vector<double> all;
  for (int t = 0; t < plays; ++t) {
    all.push_back(reach.get());
    reach.take(reach.get() * reach.get(), loss(reach.get() * reach.get()));
  }
  return all;
}

TEST(FirstReach, DoublesEveryThreePlaysOnFlatLosses) {
  const std::vector<double> expected = {0.02, 0.02, 0.02, 0.04, 0.04, 0.04, 0.08, 0.08,
                                        0.08, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15};
  EXPECT_EQ(first_reaches(16, [](double) { return 7.0; }), expected);
}

TEST(FirstReach, GoesAsFarAsItIsTold) {
  algorithms::FirstReach reach;
  for (int t = 0; t < 30; ++t) reach.take(reach.get() * reach.get(), 7, 0.5);
  EXPECT_EQ(reach.get(), 0.5);
}

TEST(FirstReach, GrowsToItsMostOnNoise) {
  // A price of two standard errors by chance holds it back for a while: seldom for 60 losses.
  int grown = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const auto noise = [&](double) { return random.normal(); };
    grown += first_reaches(61, noise).back() == 0.15 ? 1 : 0;
  }
  EXPECT_GE(grown, 90);
}

TEST(FirstReach, StopsWhereLossesAreSteep) {
  // Going 0.04 far costs 1.6, in noise of 0.01: it is seen as soon as there are two reaches.
  Random random(2);
  const auto steep = [&](double squared) { return 1000 * squared + 0.01 * random.normal(); };
  const std::vector<double> all = first_reaches(60, steep);
  EXPECT_LE(*std::max_element(all.begin(), all.end()), 0.04);
  EXPECT_LE(all.back(), 0.02);
}

TEST(FirstReach, GoesOnWhereGoingFartherGains) {
  Random random(3);
  const auto falling = [&](double squared) { return -1000 * squared + 0.01 * random.normal(); };
  EXPECT_EQ(first_reaches(16, falling).back(), 0.15);
}

TEST(FirstReach, TheUnitOfTheLossesDoesNotMatter) {
  for (const double factor : {0x1p40, 0x1p-40}) {
    Random random(4);
    Random same(4);
    const auto loss = [](Random& of, double squared) { return 30 * squared + 0.1 * of.normal(); };
    EXPECT_EQ(first_reaches(60, [&](double s) { return factor * loss(random, s); }),
              first_reaches(60, [&](double s) { return loss(same, s); }));
  }
}

TEST(FirstReach, GoesOnFromItsState) {
  Random random(5);
  algorithms::FirstReach reach;
  for (int t = 0; t < 7; ++t) reach.take(reach.get() * reach.get(), random.normal());
  Archive writer;
  reach.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  algorithms::FirstReach loaded;
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  for (int t = 0; t < 50; ++t) {
    EXPECT_EQ(loaded.get(), reach.get());
    const double loss = 100 * reach.get() + random.normal();
    reach.take(reach.get() * reach.get(), loss);
    loaded.take(loaded.get() * loaded.get(), loss);
  }
}

}  // namespace
}  // namespace keyhole::tests
