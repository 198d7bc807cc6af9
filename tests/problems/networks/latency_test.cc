// latency: completion of a matrix of round trip times.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/files.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Round trip times between n nodes, 1 + |a - b| + something random, in random order.
std::string table(std::size_t n) {
  Random random(1);
  std::string text = "i,j,rtt_ms\n";
  for (std::size_t a = 1; a <= n; ++a) {
    for (std::size_t b = a + 1; b <= n; ++b) {
      const bool turned = random.uniform() < 0.5;
      text += std::to_string(turned ? b : a) + "," + std::to_string(turned ? a : b) + "," +
              std::to_string(1 + static_cast<double>(b - a) + random.uniform()) + "\n";
    }
  }
  return text;
}

TEST(Latency, KeepsWhatProblemsMust) {
  const TemporaryFile file(table(12));
  check_problem(*latency({.file = file.path(), .nodes = 5}, {2}));
  check_problem(*latency({.file = file.path(), .nodes = 12, .share = 2}, {3}));
  check_problem(*latency({.file = file.path(), .nodes = 2}, {4}));
}

TEST(Latency, FollowsItsFormula) {
  // Of the times 1, 2 and 3 of each pair twice the 99 % quantile is 3.
  const TemporaryFile file("i,j,rtt_ms\nx,y,1\nz,x,2\ny,z,3\n");
  const auto problem = latency({.file = file.path(), .nodes = 3}, {5});
  EXPECT_EQ(problem->spec(), "latency(\"" + file.path() + "\", nodes=3, share=0.5)");
  const Vector N = {0, 1.0 / 3, 2.0 / 3, 1.0 / 3, 0, 1, 2.0 / 3, 1, 0};
  // The eigenvalues of N add up to 0: the trace norm is twice the only positive one, the root of
  // l^3 - (1/9 + 4/9 + 1) l - 2 (1/3)(2/3)(1).
  const double radius = problem->set().outer_radius();  // half of twice that
  EXPECT_NEAR(std::pow(radius, 3) - 14.0 / 9 * radius - 4.0 / 9, 0, 1e-12);
  // Four of nine entries are seen: their mean.
  const Vector X = {0.1, 0.2, 0.3, 0.2, 0.4, 0.5, 0.3, 0.5, 0.6};
  Vector times(9, 0.0);
  const std::uint64_t count = scaled_count(9000);
  for (std::uint64_t t = 1; t <= count; ++t) {
    problem->draw(t);
    Vector g(9);
    problem->gradient(Vector(9, 2.0), g);  // nowhere N: seen entries have a slope
    double expected = 0;
    std::size_t seen = 0;
    for (std::size_t e = 0; e < 9; ++e) {
      if (g[e] == 0) continue;
      EXPECT_NEAR(g[e], (2 - N[e]) / 4, 1e-15);
      expected += (X[e] - N[e]) * (X[e] - N[e]) / 2 / 4;
      ++seen;
      times[e] += 1;
    }
    EXPECT_EQ(seen, 4u);
    EXPECT_NEAR(problem->value(X), expected, 1e-14);
  }
  // Five standard errors.
  for (const double time : times) {
    EXPECT_NEAR(time / static_cast<double>(count), 4.0 / 9,
                5 * std::sqrt(4.0 / 9 * 5 / 9 / static_cast<double>(count)));
  }
}

TEST(Latency, IsLeastAtItsTargetWhereTheSetHoldsIt) {
  const TemporaryFile file(table(9));
  const auto problem = latency({.file = file.path(), .nodes = 9, .share = 1.5}, {6});
  const auto played = play(*problem, 40);
  const FixedPoint best = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-12});
  EXPECT_LE(best.value, 1e-12);
  EXPECT_EQ(*std::max_element(best.point.begin(), best.point.end()) > 0.999, true);
  // A smaller set does not: the least has the whole radius, and is certified.
  const auto small = latency({.file = file.path(), .nodes = 9}, {6});
  const auto small_played = play(*small, 40);
  const FixedPoint there = best_fixed_point(small->set(), *small_played.total, {.tolerance = 1e-8});
  EXPECT_LE(there.gap, 1e-8);
  EXPECT_GT(there.value, 0.01);
}

TEST(Latency, DrawsItsNodesFromTheSeed) {
  const TemporaryFile file(table(30));
  const auto radius = [&](ProblemSeed seed) {
    return latency({.file = file.path(), .nodes = 8}, seed)->set().outer_radius();
  };
  EXPECT_EQ(radius({1, 2}), radius({1, 2}));
  EXPECT_NE(radius({1, 2}), radius({1, 3}));
  EXPECT_NE(radius({1, 2}), radius({2, 2}));
}

TEST(Latency, CompletesPlanetLab) {
  KEYHOLE_DATA_FILE_OR_SKIP(file, "planetlab_rtt_frame1.csv");
  const auto problem = latency({.file = file}, {7});
  EXPECT_EQ(problem->set().dimension(), 3600u);
  const auto played = play(*problem, 20);
  const FixedPoint best = best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-4});
  EXPECT_LE(best.gap, 1e-4);
  // Better than no guess at all by far; and not perfect, with half of the trace norm.
  EXPECT_LT(best.value, 0.2 * played.total->value(Vector(3600, 0.0)));
  EXPECT_GT(best.value, 0);
}

TEST(Latency, RefusesNonsense) {
  const TemporaryFile file(table(5));
  EXPECT_EQ(message<InvalidArgument>([&] { (void)latency({.file = file.path(), .nodes = 1}, {}); }),
            "the nodes of latency must be from 2 to 4096, not 1");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)latency({.file = file.path()}, {}); }),
            file.path() + " has 5 nodes, fewer than the 60 of latency");
  EXPECT_THROW((void)latency({.file = file.path(), .nodes = 3, .share = 0}, {}), InvalidArgument);
  const auto refusal = [&](const std::string& text) {
    const TemporaryFile odd(text);
    const std::string said =
        message<InputError>([&] { (void)latency({.file = odd.path(), .nodes = 3}, {}); });
    return said.substr(odd.path().size());
  };
  EXPECT_EQ(refusal("i,j\n1,2\n"), ":1: there is no column 'rtt_ms'");
  EXPECT_EQ(refusal("i,j,rtt_ms\n1,1,3\n"), ":2: column 'j': '1' and '1' are the same node");
  EXPECT_EQ(refusal("i,j,rtt_ms\n1,2,0\n"),
            ":2: column 'rtt_ms': must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal("i,j,rtt_ms\n1,2,3\n2,1,3\n"),
            ":3: column 'j': the pair '2' and '1' is there twice");
  EXPECT_EQ(refusal("i,j,rtt_ms\n1,2,3\n2,3,3\n"),
            ": there is no round trip time between '1' and '3'");
}

}  // namespace
}  // namespace keyhole::tests
