// How often and how far to explore: what the sizes balance, against a search, and their limits.

#include "learners/parameter_free/exploration_sizes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "random.h"

namespace keyhole::tests {
namespace {

using Sizes = algorithms::PlayLog::Sizes;

constexpr double unclipped = std::numeric_limits<double>::infinity();

/// algorithms::Costs of these means, each told `count` times with a spread to both sides.
algorithms::Costs costs(double exploring, double at_iterate, double shrunk, double spread,
                        int count = 1000) {
  algorithms::Costs made;
  for (int j = 0; j < count; ++j) {
    const double away = j % 2 == 0 ? spread : -spread;
    made.take(algorithms::PlayKind::exploring, exploring + away, unclipped);
    made.take(algorithms::PlayKind::at_iterate, at_iterate + away, unclipped);
    made.take(algorithms::PlayKind::shrunk, shrunk + away, unclipped);
  }
  return made;
}

/// The number in (0, 1] where f is least, to a part in a thousand.
template <class Function>
double argmin(const Function& f) {
  double best = 1;
  for (double x = 1; x > 1e-6; x *= 0.999) best = f(x) < f(best) ? x : best;
  return best;
}

TEST(ExplorationSizes, BeforeTheCostsAreKnown) {
  EXPECT_EQ(algorithms::first_sizes(0), (Sizes{0.15, 0.9, 0.5}));
  EXPECT_EQ(algorithms::first_sizes(100), (Sizes{0.15, 0.9, 0.5}));
  EXPECT_NEAR(algorithms::first_sizes(1000000).reach, std::pow(1e6, -0.25), 1e-15);
  EXPECT_EQ(algorithms::fixed_sizes(100), (Sizes{0.15, 0.97, 1}));
  EXPECT_NEAR(algorithms::fixed_sizes(1024).reach, std::pow(1024, -0.25), 1e-15);
  EXPECT_NEAR(algorithms::fixed_sizes(1000000).reach, std::pow(1e6, -0.25), 1e-15);
}

TEST(ExplorationSizes, CostsAreKnownOnceEachKindHasBeenSeen) {
  EXPECT_FALSE(algorithms::Costs().known(1000));
  EXPECT_FALSE(costs(0, 0, 0, 1, 7).known(1000));
  EXPECT_TRUE(costs(0, 0, 0, 1, 8).known(1000));
  EXPECT_FALSE(costs(0, 0, 0, 1, 8).known(31));
  algorithms::Costs rare = costs(0, 0, 0, 1, 3);
  for (int j = 0; j < 100; ++j) rare.take(algorithms::PlayKind::exploring, 0, unclipped);
  EXPECT_FALSE(rare.known(1000));
}

TEST(ExplorationSizes, ARareKindIsClippedByTheSpreadOfExploringPlays) {
  algorithms::Costs costs;
  EXPECT_EQ(costs.take(algorithms::PlayKind::shrunk, 1e6, 8), 1e6);  // nothing is known
  costs = {};
  for (int j = 0; j < 6; ++j) costs.take(algorithms::PlayKind::exploring, j % 2 == 0 ? 1 : -1, 8);
  const double spread = std::sqrt(costs.of(algorithms::PlayKind::exploring).variance());
  for (const algorithms::PlayKind kind :
       {algorithms::PlayKind::exploring, algorithms::PlayKind::at_iterate,
        algorithms::PlayKind::shrunk}) {
    EXPECT_EQ(algorithms::Costs(costs).take(kind, 1e6, 8), 8 * spread);
    EXPECT_EQ(algorithms::Costs(costs).take(kind, -1e6, 8), -8 * spread);
    EXPECT_EQ(algorithms::Costs(costs).take(kind, 1e6, unclipped), 1e6 - costs.of(kind).mean());
  }
  for (int j = 0; j < 6; ++j) costs.take(algorithms::PlayKind::shrunk, j % 2 == 0 ? 0.1 : -0.1, 8);
  const double own = std::sqrt(costs.of(algorithms::PlayKind::shrunk).variance());
  EXPECT_EQ(costs.take(algorithms::PlayKind::shrunk, 1e6, 8), 8 * own);
}

TEST(ExplorationSizes, CurvatureIsHalfOfWhatExploringCostsLessAnError) {
  const double s = 0.1;
  const double n = 4;
  const double kappa = 3;
  const double C = 0.5 * kappa * s * s * n;
  EXPECT_NEAR(costs(1 + C, 0, 1, 0).curvature(s * s, n), kappa / 2, 0.01);
  EXPECT_LT(costs(1 + C, 0, 1, 0.1).curvature(s * s, n), 0.9 * kappa / 2);
  EXPECT_EQ(costs(1 - C, 0, 1, 0).curvature(s * s, n), 0);
}

TEST(ExplorationSizes, SettleWhereWhatTheyBalanceIsLeast) {
  // Losses whose exploring costs a s by the way and c s^2 by curvature, with noise of variance V:
  // u is the least of u P + 2 noise / sqrt(u), s that of u a / s + 2 c s^2.
  const std::uint64_t k = 1 << 20;
  const double n = 5;
  for (const double a : {0.1, 0.2}) {
    for (const double c : {0.2, 0.5}) {
      const double sigma = 0.1;
      const double noise = 0.1 * n * sigma / 1024;
      Sizes sizes = algorithms::first_sizes(k);
      for (int block = 0; block < 100; ++block) {
        const double s = sizes.reach;
        sizes = algorithms::sizes_by_cost(sizes, costs(a * s + c * s * s, 0, a * s, sigma), k, n);
      }
      const double s = sizes.reach;
      const double u = sizes.exploring * s * s;
      const double P = a / s + c;
      ASSERT_LT(u, 5.9 / 1024);
      ASSERT_GT(u, 0.21 / 1024);
      ASSERT_LT(sizes.exploring, 0.89);
      EXPECT_NEAR(u / argmin([&](double v) { return v * P + 2 * noise / std::sqrt(v); }), 1, 0.03);
      EXPECT_NEAR(s / argmin([&](double r) { return u * a / r + 2 * c * r * r; }), 1, 0.03);
    }
  }
}

TEST(ExplorationSizes, StayWithinTheirLimits) {
  Random random(1);
  for (int run = 0; run < 200; ++run) {
    Sizes sizes = algorithms::first_sizes(32);
    for (std::uint64_t k = 32; k < 100000; k += k / 8) {
      const double scale = std::exp(5 * random.normal());
      const algorithms::Costs told = costs(scale * random.normal(), scale * random.normal(),
                                           scale * random.normal(), scale * random.uniform(), 10);
      const Sizes next = algorithms::sizes_by_cost(sizes, told, k, 3);
      const double root_k = std::sqrt(static_cast<double>(k));
      ASSERT_GT(next.reach, 0);
      ASSERT_LE(next.reach, std::min(k < 1024 ? 0.15 : 0.3, 3 / std::sqrt(root_k) * (1 + 1e-12)));
      ASSERT_GT(next.exploring, 0);
      ASSERT_LE(next.exploring, 0.9);
      ASSERT_LE(next.exploring * next.reach * next.reach, 6 / root_k * (1 + 1e-12));
      ASSERT_GE(next.at_iterate, 0.1 * next.exploring);
      ASSERT_LE(next.at_iterate, 1 - 0.1 * next.exploring);
      sizes = next;
    }
  }
}

TEST(ExplorationSizes, CautionLimitsWhatExploringCosts) {
  // A = 0.02 and C = 0.02 at s = 0.1: P = 4. The errors are next to nothing.
  const algorithms::Costs dear = costs(0.04, 0, 0.02, 1e-4);
  const Sizes before{0.1, 0.9, 0.5};
  const auto u = [](const Sizes& sizes) { return sizes.exploring * sizes.reach * sizes.reach; };
  EXPECT_GT(u(algorithms::sizes_by_cost(before, dear, 400, 10)), 0.0075);
  const algorithms::Limits limits{.squared_reach = 0.01, .price = 0.004};
  EXPECT_NEAR(u(algorithms::sizes_by_cost(before, dear, 400, 10, limits)), 0.001, 1e-5);
  // It is never nothing.
  const algorithms::Limits none{.squared_reach = 0.01, .price = 0};
  EXPECT_NEAR(u(algorithms::sizes_by_cost(before, dear, 400, 10, none)), 0.0004 / 20, 1e-9);
}

TEST(ExplorationSizes, WithCautionSmallSizesGrowStepByStep) {
  const algorithms::Costs flat = costs(0, 0, 0, 1);
  const Sizes before{0.02, 0.9, 0.5};
  const algorithms::Limits limits{.squared_reach = 0.0004, .price = 1};
  const Sizes after = algorithms::sizes_by_cost(before, flat, 400, 10, limits);
  EXPECT_NEAR(after.exploring * after.reach * after.reach, 2 * 0.9 * 0.0004, 1e-9);
}

TEST(ExplorationSizes, TheOtherPlaysGoWhereTheLossesAreLess) {
  const Sizes before = algorithms::first_sizes(10000);
  const Sizes iterate = algorithms::sizes_by_cost(before, costs(2, 0, 1, 0.1), 10000, 3);
  EXPECT_EQ(iterate.at_iterate, 1 - 0.1 * iterate.exploring);
  const Sizes shrunk = algorithms::sizes_by_cost(before, costs(2, 1, 0, 0.1), 10000, 3);
  EXPECT_EQ(shrunk.at_iterate, 0.1 * shrunk.exploring);
  EXPECT_EQ(algorithms::sizes_by_cost(before, costs(2, 0.001, 0, 1), 10000, 3).at_iterate, 0.5);
}

TEST(ExplorationSizes, TheUnitOfTheLossesDoesNotMatter) {
  const Sizes before = algorithms::first_sizes(10000);
  const auto sizes = [&](double unit) {
    return algorithms::sizes_by_cost(before, costs(0.3 * unit, 0.1 * unit, 0.2 * unit, 0.05 * unit),
                                     10000, 3);
  };
  EXPECT_EQ(sizes(1), sizes(0x1p30));
  EXPECT_EQ(sizes(1), sizes(0x1p-30));
}

}  // namespace
}  // namespace keyhole::tests
