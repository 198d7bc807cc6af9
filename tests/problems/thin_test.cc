// thin: sets that are thin askew; road_grid: links both ways.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

constexpr auto regions = {ThinRegion::box, ThinRegion::ellipsoid, ThinRegion::band};

TEST(Thin, KeepsWhatProblemsMust) {
  for (const ThinRegion region : regions) {
    for (const bool rotated : {false, true}) {
      for (const ThinLosses losses : {ThinLosses::linear, ThinLosses::quadratic}) {
        check_problem(
            *thin({.n = 5, .region = region, .thinness = 0.1, .rotated = rotated, .losses = losses},
                  {1}));
      }
    }
  }
}

/// How far the set reaches along a direction.
double width(const Set& set, const Vector& d) {
  const auto oracle = set.oracle();
  const double least = oracle->minimise(d).dot(d);
  const Vector back = combine(-1, d, 0, d);
  return -oracle->minimise(back).dot(back) - least;
}

TEST(Thin, AlignedSetsAreThinAlongCoordinatesAndRotatedOnesAlongNone) {
  for (const ThinRegion region : {ThinRegion::box, ThinRegion::ellipsoid}) {
    const double side = region == ThinRegion::box ? 1 : 2;
    const ThinOptions options{.n = 6, .region = region, .thinness = 0.02, .rotated = false};
    const auto aligned = thin(options, {2});
    ThinOptions askew = options;
    askew.rotated = true;
    const auto rotated = thin(askew, {2});
    for (std::size_t i = 0; i < 6; ++i) {
      Vector e(6, 0.0);
      e[i] = 1;
      EXPECT_NEAR(width(aligned->set(), e), i < 3 ? side : 0.02 * side, 1e-9);
      EXPECT_GT(width(rotated->set(), e), 0.1 * side);
    }
    EXPECT_NEAR(rotated->set().inner_radius(), aligned->set().inner_radius(), 1e-9);
  }
}

TEST(Thin, ABandIsAsThinAsItsTwin) {
  const auto band = thin({.n = 4, .region = ThinRegion::band, .thinness = 0.1}, {3});
  EXPECT_NEAR(width(band->set(), Vector{1, 2, 3, 4}), 0.1, 1e-9);
  const auto twin =
      thin({.n = 4, .region = ThinRegion::band, .thinness = 0.1, .rotated = false}, {3});
  EXPECT_NEAR(width(twin->set(), Vector{1, 0, 0, 0}), 0.1 / std::sqrt(30.0), 1e-12);
}

TEST(Thin, RotatedSetsAreAsHardAsAlignedOnes) {
  // The same losses on images of the same set: the same losses of the centre and of the best point.
  for (const ThinRegion region : {ThinRegion::box, ThinRegion::ellipsoid}) {
    for (const ThinLosses losses : {ThinLosses::linear, ThinLosses::quadratic}) {
      std::vector<double> least;
      std::vector<double> centre;
      for (const bool rotated : {false, true}) {
        const auto problem =
            thin({.n = 6, .region = region, .thinness = 0.05, .rotated = rotated, .losses = losses},
                 {4});
        const auto played = play(*problem, 50);
        const auto best = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-7});
        EXPECT_LE(best.gap, 1e-7);
        least.push_back(best.value);
        centre.push_back(played.total->value(problem->set().centre()));
      }
      EXPECT_NEAR(least[0], least[1], 3e-7);
      EXPECT_NEAR(centre[0], centre[1], 1e-11);
    }
  }
}

TEST(Thin, SaysWhatItIs) {
  EXPECT_EQ(thin({}, {})->spec(),
            "thin(n=20, region=box, thinness=0.01, losses=linear, noise=0.1)");
  EXPECT_EQ(thin({.n = 3, .rotated = false}, {})->spec(),
            "thin(n=3, region=box, thinness=0.01, rotated=false, losses=linear, noise=0.1)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)thin({.thinness = 0}, {}); }),
            "the thinness of thin must be from 0.001 to 1, not 0");
}

TEST(RoadGrid, KeepsWhatProblemsMust) {
  check_problem(*road_grid({.rows = 3, .columns = 2}, {1}));
  check_problem(*road_grid({.rows = 2, .columns = 3, .two_way = false}, {1}));
}

/// The least cost of a way through a grid with links both ways, by Bellman and Ford's method; links
/// in the order of the problem.
double shortest(const Vector& cost, std::size_t rows, std::size_t columns) {
  Vector away(rows * columns, std::numeric_limits<double>::infinity());
  away[0] = 0;
  for (std::size_t pass = 0; pass < away.size(); ++pass) {
    std::size_t link = 0;
    const auto relax = [&](std::size_t a, std::size_t b) {
      away[b] = std::min(away[b], away[a] + cost[link++]);
      away[a] = std::min(away[a], away[b] + cost[link++]);
    };
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t here = i * columns + j;
        if (j + 1 < columns) relax(here, here + 1);
        if (i + 1 < rows) relax(here, here + columns);
      }
    }
  }
  return away.back();
}

TEST(RoadGrid, IsLeastOnTheShortestWay) {
  const std::size_t rows = 3;
  const std::size_t columns = 4;
  const auto problem =
      road_grid({.rows = rows, .columns = columns, .spread = 0.2, .noise = 0.1}, {2});
  ASSERT_EQ(problem->set().dimension(), 34u);
  const auto played = play(*problem, 100);
  Vector sum(34);
  played.total->gradient(problem->set().centre(), sum);
  // No link costs less than nothing, so that cycles are of no use.
  for (const double cost : sum) ASSERT_GT(cost, 0);
  const FixedPoint best = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-9});
  EXPECT_NEAR(best.value, shortest(sum, rows, columns), 1e-9);
}

TEST(RoadGrid, SaysWhatItIs) {
  EXPECT_EQ(road_grid({}, {})->spec(),
            "road_grid(rows=4, columns=4, spread=0.3, noise=0.2, mean=1)");
  EXPECT_EQ(road_grid({}, {})->set().dimension(), 48u);
  EXPECT_EQ(road_grid({.two_way = false}, {})->set().dimension(), 24u);
  EXPECT_EQ(message<InvalidArgument>([] { (void)road_grid({.rows = 1}, {}); }),
            "the rows of road_grid must be from 2 to 60, not 1");
}

}  // namespace
}  // namespace keyhole::tests
