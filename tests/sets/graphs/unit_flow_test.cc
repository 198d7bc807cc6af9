// Flows against the enumeration of all paths: oracle, radii, the law of random paths.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;

/// A graph with all its paths from node 0 to the last: as 0-1 vectors, found by depth-first search
/// in the order of the edges.
struct SlowFlow {
  std::size_t nodes;
  std::vector<Edge> edges;
  std::vector<Vector> paths;

  explicit SlowFlow(std::pair<std::size_t, std::vector<Edge>> graph)
      : nodes(graph.first), edges(std::move(graph.second)) {
    Vector path(edges.size(), 0.0);
    const std::function<void(std::size_t)> go_on = [&](std::size_t node) {
      if (node == sink()) paths.push_back(path);
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].from != node) continue;
        path[e] = 1;
        go_on(edges[e].to);
        path[e] = 0;
      }
    };
    go_on(0);
  }

  [[nodiscard]] std::size_t sink() const { return 1; }
  [[nodiscard]] SetPtr set() const { return unit_flow(nodes, edges, 0, sink()); }

  /// The probability of each path: an edge at random, then onwards and back at random.
  [[nodiscard]] Vector law() const {
    const auto degree = [&](std::size_t Edge::*end, std::size_t node) {
      double count = 0;
      for (const Edge& edge : edges) count += edge.*end == node ? 1 : 0;
      return count;
    };
    Vector probabilities;
    for (const Vector& path : paths) {
      double probability = 0;
      for (std::size_t start = 0; start < edges.size(); ++start) {
        if (path[start] == 0) continue;
        double product = 1 / static_cast<double>(edges.size());
        // The edges after the first one drawn, then those before it.
        for (std::size_t v = edges[start].to; v != sink();) {
          product /= degree(&Edge::from, v);
          v = next(path, &Edge::from, &Edge::to, v);
        }
        for (std::size_t v = edges[start].from; v != 0;) {
          product /= degree(&Edge::to, v);
          v = next(path, &Edge::to, &Edge::from, v);
        }
        probability += product;
      }
      probabilities.push_back(probability);
    }
    return probabilities;
  }

 private:
  [[nodiscard]] std::size_t next(const Vector& path, std::size_t Edge::*end,
                                 std::size_t Edge::*other, std::size_t node) const {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (path[e] != 0 && edges[e].*end == node) return edges[e].*other;
    }
    return 0;
  }
};

SlowFlow random_flow(Random& random, std::size_t most) {
  return SlowFlow(random_graph(random.integer(2, most), random));
}

TEST(UnitFlow, OracleMatchesTheEnumerationOfPaths) {
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    const SlowFlow slow = random_flow(random, 14);
    const SetPtr set = slow.set();
    const auto oracle = set->oracle();
    Vector v(set->dimension());
    for (int trial = 0; trial < 10; ++trial) {
      Vector d = random.normals(v.size());
      if (trial % 2 == 0) {
        for (double& cost : d) cost = std::round(cost);  // ties, and zeros
      }
      if (trial == 0) std::fill(d.begin(), d.end(), 0.0);
      double least = HUGE_VAL;
      for (const Vector& path : slow.paths) least = std::min(least, inner(d, path));
      oracle->minimise(d).write_to(v);
      ASSERT_NEAR(inner(d, v), least, 1e-12);
      // The rule for ties: the first in the order of the search, if sums are exact.
      if (trial % 2 == 0) {
        const auto first =
            std::find_if(slow.paths.begin(), slow.paths.end(),
                         [&](const Vector& path) { return inner(d, path) == least; });
        ASSERT_EQ(v, *first) << set->spec();
      }
    }
  }
}

TEST(UnitFlow, KeepsTheContract) {
  Random random(2);
  for (int k = 0; k < 15; ++k) {
    const SlowFlow slow = random_flow(random, 25);
    const auto minimum = [&](std::span<const double> d) {
      double least = HUGE_VAL;
      for (const Vector& path : slow.paths) least = std::min(least, inner(d, path));
      return least;
    };
    const auto report = check_set(slow.set(), {.directions = 50, .slow_minimum = minimum});
    EXPECT_TRUE(report.ok()) << slow.set()->spec() << "\n" << report.text();
  }
}

TEST(UnitFlow, RadiiMatchTheEnumerationOfPaths) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const SlowFlow slow = random_flow(random, 12);
    const SetPtr set = slow.set();
    for (const SetPtr& s : {set, recentred_at_random(set, random)}) {
      const auto& [p, r, R, D, R_exact, D_exact] = s->geometry();
      double farthest = 0;
      double apart = 0;
      for (const Vector& a : slow.paths) {
        farthest = std::max(farthest, distance(a, p));
        for (const Vector& b : slow.paths) apart = std::max(apart, distance(a, b));
      }
      ASSERT_NEAR(R, farthest, 1e-12);
      ASSERT_TRUE(R_exact && !D_exact);
      ASSERT_GE(D, apart * (1 - 1e-12));
    }
  }
}

TEST(UnitFlow, ExploresByTheLawOfRandomPaths) {
  Random random(4);
  for (int k = 0; k < 60; ++k) {
    const SlowFlow slow = random_flow(random, 10);
    const SetPtr set = slow.set();
    const auto nu = set->exploration();
    const std::size_t n = set->dimension();
    const Vector law = slow.law();
    Vector mean(n, 0.0);
    double total = 0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      total += law[i];
      for (std::size_t e = 0; e < n; ++e) mean[e] += law[i] * slow.paths[i][e];
    }
    ASSERT_NEAR(total, 1, 1e-12);
    ASSERT_LE(distance(mean, nu->mean()), 1e-12) << set->spec();
    ASSERT_LE(distance(mean, set->centre()), 1e-12);
    EXPECT_GE(*std::min_element(mean.begin(), mean.end()), 1 / static_cast<double>(n) - 1e-12);

    // The score of each path, by draws until all were seen; then its moments exactly.
    std::map<Vector, Vector> scores;
    Vector v(n);
    Vector w(n);
    double farthest = 0;
    for (int draw = 0; draw < 20000 && scores.size() < law.size(); ++draw) {
      std::vector<std::uint64_t> words(nu->needs().words);
      for (std::uint64_t& word : words) {
        word = static_cast<std::uint64_t>(random.uniform() * 0x1p53) << 11U;
      }
      nu->draw({words, {}}, v);
      nu->score({words, {}}, w);
      ASSERT_TRUE(set->contains(v));
      scores[v] = w;
    }
    ASSERT_EQ(scores.size(), law.size()) << set->spec();
    Vector product(n * n, 0.0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      ASSERT_TRUE(scores.contains(slow.paths[i]));
      const Vector& score = scores[slow.paths[i]];
      double square = 0;
      for (std::size_t a = 0; a < n; ++a) {
        const double away = slow.paths[i][a] - mean[a];
        square += away * away / nu->variance()[a];
        for (std::size_t b = 0; b < n; ++b) product[b * n + a] += law[i] * score[b] * away;
      }
      farthest = std::max(farthest, square);
    }
    EXPECT_NEAR(farthest / nu->squared_radius(), 1, 1e-9);
    for (std::size_t j = 0; j < n; ++j) {
      Vector flat(n, 0.0);
      flat[j] = 1;
      set->flatten(flat);
      ASSERT_LE(distance(flat, std::span(product).subspan(j * n, n)), 1e-8) << set->spec();
    }
  }
}

TEST(UnitFlow, CountsPathsThatCannotBeListed) {
  // A ladder of 200 rungs has 2^200 paths.
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < 200; ++v) edges.insert(edges.end(), {{v, v + 1}, {v, v + 1}});
  const SetPtr set = unit_flow(201, edges, 0, 200);
  EXPECT_EQ(set->hull_dimension(), 200u);
  for (const double p : set->centre()) EXPECT_NEAR(p, 0.5, 1e-12);
  EXPECT_NEAR(set->inner_radius(), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(set->outer_radius(), 10, 1e-12);
  EXPECT_NEAR(set->diameter(), 20, 1e-12);
  const auto report = check_set(set, {.directions = 2});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(UnitFlow, ExploresTheInnerSphereOfLargeGraphs) {
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < 201; ++v) edges.insert(edges.end(), {{v, v + 1}, {v, v + 1}});
  const SetPtr set = unit_flow(202, edges, 0, 201);
  EXPECT_EQ(set->exploration()->needs().normals, 402u);
}

TEST(UnitFlow, Refusals) {
  const auto of = [](std::size_t nodes, const std::vector<Edge>& edges, std::size_t source,
                     std::size_t sink) {
    return message<InvalidArgument>([&] { (void)unit_flow(nodes, edges, source, sink); });
  };
  EXPECT_EQ(of(3, {{0, 1}, {1, 2}, {2, 1}}, 0, 2),
            "flows need a graph without cycles, and there is one through edge 1 (1 -> 2)");
  EXPECT_EQ(of(4, {{3, 1}, {0, 1}, {1, 2}, {2, 1}}, 0, 2),
            "flows need a graph without cycles, and there is one through edge 3 (2 -> 1)");
  EXPECT_EQ(of(2, {{0, 0}, {0, 1}}, 0, 1),
            "there is only one path from node 0 to node 1: a single flow leaves nothing to choose");
  EXPECT_EQ(of(3, {{0, 1}, {2, 1}}, 0, 2), "there is no path from node 0 to node 2");
  EXPECT_EQ(of(2, {}, 0, 1), "there is no path from node 0 to node 1");
  EXPECT_EQ(of(3, {{0, 1}, {1, 2}}, 0, 2),
            "there is only one path from node 0 to node 2: a single flow leaves nothing to choose");
  EXPECT_EQ(of(2, {{0, 1}, {0, 1}}, 1, 1),
            "the source and the sink of the flow are the same, node 1");
  EXPECT_EQ(of(2, {{0, 1}, {0, 2}}, 0, 1),
            "the end of edge 1 (0 -> 2) is node 2, and there are 2, counted from 0");
  EXPECT_EQ(of(2, {{0, 1}}, 0, 7),
            "the sink of the flow is node 7, and there are 2, counted from 0");
}

TEST(UnitFlow, SpecsReadBack) {
  const SetPtr set = unit_flow(5, std::vector<Edge>{{0, 3}, {0, 3}, {3, 1}}, 0, 1);
  EXPECT_EQ(set->spec(), "unit_flow(5, [[0, 3], [0, 3], [3, 1]], source=0, sink=1)");
  EXPECT_EQ(make_set(set->spec())->spec(), set->spec());
  EXPECT_EQ(message<SpecError>([] { (void)make_set("unit_flow(2, [[0, 1], [1]], 0, 1)"); }),
            "unit_flow(2, [[0, 1], [1]], 0, 1): edges at column 14 must be pairs of nodes");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("unit_flow(2, [[0, 0.5]], 0, 1)"); }),
            "unit_flow(2, [[0, 0.5]], 0, 1): edges at column 14 must be pairs of nodes");
}

}  // namespace
}  // namespace keyhole::tests
