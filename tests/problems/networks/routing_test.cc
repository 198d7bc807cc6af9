// routing: shortest paths, and traffic that is split over them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "catalogue.h"
#include "clp.h"
#include "keyhole/keyhole.h"
#include "problems/files.h"
#include "problems/networks/flows.h"
#include "problems/networks/shortest_paths.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// All paths that visit no node twice, by trying everything, in the order that is promised.
std::vector<problems::Path> all_paths(const std::vector<problems::Link>& links, std::size_t nodes,
                                      std::size_t from, std::size_t to) {
  std::vector<problems::Path> paths;
  std::vector<bool> visited(nodes, false);
  problems::Path path;
  const std::function<void(std::size_t)> walk = [&](std::size_t node) {
    if (node == to) {
      paths.push_back(path);
      return;
    }
    visited[node] = true;
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (links[l].from != node || visited[links[l].to]) continue;
      path.push_back(l);
      walk(links[l].to);
      path.pop_back();
    }
    visited[node] = false;
  };
  walk(from);
  const auto length = [&](const problems::Path& p) {
    double sum = 0;
    for (const std::size_t l : p) sum += links[l].weight;
    return sum;
  };
  std::sort(paths.begin(), paths.end(), [&](const problems::Path& a, const problems::Path& b) {
    return std::pair(length(a), a) < std::pair(length(b), b);
  });
  return paths;
}

TEST(ShortestPaths, AreThoseOfTryingEverything) {
  Random random(1);
  std::size_t compared = 0;
  for (std::uint64_t k = 0; k < scaled_count(300); ++k) {
    const std::size_t nodes = random.integer(2, 7);
    std::vector<problems::Link> links;
    const std::size_t tries = random.integer(1, 24);
    for (std::size_t l = 0; l < tries; ++l) {
      const std::size_t from = random.integer(0, nodes - 1);
      const std::size_t to = random.integer(0, nodes - 1);
      // Small whole weights: many ties, and sums without rounding. Parallel links too.
      if (from != to) links.push_back({from, to, static_cast<double>(random.integer(1, 4))});
    }
    const std::vector<problems::Path> all = all_paths(links, nodes, 0, nodes - 1);
    for (const std::size_t most : {0u, 1u, 2u, 4u, 1000u}) {
      const std::vector<problems::Path> found =
          problems::shortest_paths(links, nodes, 0, nodes - 1, most);
      const std::vector<problems::Path> expected(
          all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
      EXPECT_EQ(found, expected);
      compared += expected.size();
    }
  }
  EXPECT_GT(compared, static_cast<std::size_t>(scaled_count(1000)));
}

/// a -> b by three ways: 1 alone, through c, through d; and a tail b -> e.
const char* const edges =
    "from,to,ospf_weight,capacity_kbps\n"
    "a,b,1,10\na,c,1,20\nc,b,1,40\na,d,2,5\nd,b,2,5\nb,e,1,100\n";

RoutingOptions options_of(const TemporaryFile& network, const TemporaryFile& traffic) {
  return {.edges = network.path(), .demand = traffic.path(), .demands = 1, .unit = 1};
}

TEST(Routing, FollowsItsFormula) {
  const TemporaryFile network(edges);
  const TemporaryFile traffic("time,a-c,a-b,b-e,c-a\n1,1,10,20,0\n2,0,20,90,0\n3,0,0,0,0\n");
  const auto problem = routing(options_of(network, traffic));
  EXPECT_EQ(problem->rounds(), 3u);
  EXPECT_EQ(problem->set().dimension(), 1u + 2u);  // b-e is larger, but has a single path
  EXPECT_EQ(problem->set().hull_dimension(), 2u);
  const auto loss = [&](std::uint64_t t, const Vector& x) {
    problem->draw(t);
    return problem->value(x);
  };
  // The paths: a b; a c b; a d b.
  EXPECT_DOUBLE_EQ(loss(1, {1, 0, 0}), 1);            // 10 on 10
  EXPECT_DOUBLE_EQ(loss(1, {0, 1, 0}), 11.0 / 20);    // with what goes from a to c
  EXPECT_DOUBLE_EQ(loss(1, {0, 0, 1}), 2);            // 10 on 5
  EXPECT_DOUBLE_EQ(loss(1, {0.5, 0.25, 0.25}), 0.5);  // all three
  EXPECT_DOUBLE_EQ(loss(2, {1, 0, 0}), 2);
  EXPECT_DOUBLE_EQ(loss(2, {0, 0.5, 0.5}), 2);
  EXPECT_DOUBLE_EQ(loss(2, {0.4, 0.4, 0.2}), 0.9);  // the tail
  EXPECT_DOUBLE_EQ(loss(3, {1, 0, 0}), 0);
  Vector g(3);
  problem->draw(1);
  problem->gradient(Vector{0.1, 0.8, 0.1}, g);
  EXPECT_EQ(g, (Vector{0, 0.5, 0}));
  const LossBounds bounds = problem->bounds();
  EXPECT_TRUE(bounds.proven);
  EXPECT_NEAR(bounds.loss, 4, 1e-5);                           // all of 20 on 5
  EXPECT_NEAR(bounds.gradient, 4 * std::sqrt(2.0 / 3), 1e-5);  // (0, 0, 4) along the hull
  EXPECT_EQ(problem->spec(), "routing(edges=\"" + network.path() + "\", demand=\"" +
                                 traffic.path() + "\", paths=4, demands=1, unit=1)");
}

TEST(Routing, NodesMayHaveDashes) {
  const TemporaryFile network(
      "from,to,ospf_weight,capacity_kbps\nx-1,y,1,1\nx-1,z-z,1,2\nz-z,y,1,4\n");
  const TemporaryFile traffic("x-1-y,z-z-y\n1,1\n");
  const auto problem = routing(options_of(network, traffic));
  problem->draw(1);
  EXPECT_DOUBLE_EQ(problem->value(Vector{0, 1}), 0.5);
  EXPECT_DOUBLE_EQ(problem->value(Vector{0.25, 0.75}), 1.75 / 4);
}

TEST(Routing, IsLeastWhereTheLinksAreEven) {
  const TemporaryFile network(edges);
  // Without the tail: the best split of a-b is by capacities 10, 20 and 5, whatever the demand.
  const TemporaryFile traffic("a-b\n7\n3\n11\n");
  const auto problem = routing(options_of(network, traffic));
  const auto played = play(*problem, 3);
  Vector x(3);
  ASSERT_TRUE(played.total->guess(x));
  EXPECT_TRUE(problem->set().contains(x));
  EXPECT_LE(distance(x, Vector{10.0 / 35, 20.0 / 35, 5.0 / 35}), 2e-3);
  EXPECT_NEAR(played.total->value(x), 21.0 / 35, 2e-3);
  const FixedPoint best =
      best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-9, .start = x});
  EXPECT_GE(best.value, 21.0 / 35 - 1e-12);
  EXPECT_LE(best.value - best.gap, 21.0 / 35 + 1e-12);
}

/// 30 rounds of traffic between a, b, c and e.
std::string random_traffic(std::uint64_t seed) {
  std::string text = "a-b,b-e,a-e,a-c\n";
  Random random(seed);
  for (int t = 0; t < 30; ++t) {
    for (const char* const end : {",", ",", ",", "\n"}) {
      text += std::to_string(random.uniform(0, 9)) + end;
    }
  }
  return text;
}

TEST(Routing, KeepsWhatProblemsMust) {
  const TemporaryFile network(edges);
  const TemporaryFile traffic(random_traffic(2));
  RoutingOptions options = options_of(network, traffic);
  options.demands = 5;
  const auto problem = routing(options);
  EXPECT_EQ(problem->set().dimension(), 6u);  // a-b and a-e, three paths each
  check_problem(*problem);
}

#ifdef KEYHOLE_WITH_CLP

/// min of the sum over rounds 1 to T by a linear program: the least sum of z_t with z_t no less
/// than the utilisation of any link in round t.
double least_by_clp(const problems::Flows& flows, std::uint64_t T) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::size_t n = 0;
  for (const std::size_t size : flows.sizes()) n += size;
  PolytopeConstraints program{
      .n = n + T, .lower = Vector(n + T, 0.0), .upper = Vector(n + T, infinity)};
  LinearRows& rows = program.inequalities;
  for (std::size_t k = 0, j = 0; k < flows.sizes().size(); ++k) {
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t i = 0; i < flows.sizes()[k]; ++i) {
        rows.sparse.push_back({rows.right.size(), j + i, sign});
      }
      rows.right.push_back(sign);
    }
    j += flows.sizes()[k];
  }
  for (std::uint64_t t = 1; t <= T; ++t) {
    const std::size_t first = rows.right.size();
    Vector base(flows.links());
    flows.utilisation(t, Vector(n, 0.0), base);
    for (std::size_t l = 0; l < flows.links(); ++l) {
      rows.sparse.push_back({first + l, n + t - 1, -1});
      rows.right.push_back(-base[l]);
    }
    Vector u(flows.links());
    for (std::size_t j = 0; j < n; ++j) {
      Vector x(n, 0.0);
      x[j] = 1;
      flows.utilisation(t, x, u);
      for (std::size_t l = 0; l < u.size(); ++l) {
        if (u[l] != base[l]) rows.sparse.push_back({first + l, j, u[l] - base[l]});
      }
    }
  }
  Vector c(n + T, 0.0);
  std::fill(c.begin() + static_cast<std::ptrdiff_t>(n), c.end(), 1.0);
  return Clp(program).minimum(c);
}

/// The guess, and what the search makes of it, against the linear program.
void expect_nearly_least(const RoutingOptions& options, std::uint64_t T) {
  const auto problem = routing(options);
  const auto played = play(*problem, T);
  const double least = least_by_clp(problems::Flows(options), T);
  Vector x(problem->set().dimension());
  ASSERT_TRUE(played.total->guess(x));
  EXPECT_GE(played.total->value(x), least * (1 - 1e-9));
  EXPECT_LE(played.total->value(x), least * (1 + 3e-3));
  const FixedPoint best =
      best_fixed_point(problem->set(), *played.total, {.tolerance = 1e-6 * least, .start = x});
  EXPECT_GE(best.value, least * (1 - 1e-9));
  EXPECT_LE(best.value - best.gap, least * (1 + 1e-9));
}

TEST(Routing, GuessesWhereALinearProgramFindsTheLeast) {
  const TemporaryFile network(edges);
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    const TemporaryFile traffic(random_traffic(seed));
    RoutingOptions options = options_of(network, traffic);
    options.demands = 2;
    for (const std::uint64_t T : {1u, 7u, 30u}) expect_nearly_least(options, T);
  }
}

TEST(Routing, GuessesTheLeastOfAbilene) {
  KEYHOLE_DATA_FILE_OR_SKIP(network, "abilene_edges.csv");
  KEYHOLE_DATA_FILE_OR_SKIP(traffic, "abilene_demand_2004w1.csv");
  for (const std::uint64_t T : {1u, 16u, 48u}) {
    expect_nearly_least({.edges = network, .demand = traffic}, T);
  }
}

#endif

TEST(Routing, SplitsTheTrafficOfAbilene) {
  KEYHOLE_DATA_FILE_OR_SKIP(network, "abilene_edges.csv");
  KEYHOLE_DATA_FILE_OR_SKIP(traffic, "abilene_demand_2004w1.csv");
  const auto problem = routing({.edges = network, .demand = traffic});
  EXPECT_EQ(problem->rounds(), 2016u);
  EXPECT_EQ(problem->set().dimension(), 80u);
  EXPECT_EQ(problem->set().hull_dimension(), 60u);
  const auto played = play(*problem, 288);  // a day
  Vector shortest(80, 0.0);
  for (std::size_t i = 0; i < 80; i += 4) shortest[i] = 1;
  Vector x(80);
  ASSERT_TRUE(played.total->guess(x));
  EXPECT_TRUE(problem->set().contains(x));
  // Splitting beats the network's own routing, and no step of the day overloads a link.
  EXPECT_LT(played.total->value(x), 0.85 * played.total->value(shortest));
  EXPECT_LT(played.total->value(shortest) / 288, 1);
  EXPECT_GT(played.total->value(x) / 288, 0.02);
}

TEST(Routing, RefusesNonsense) {
  const TemporaryFile network(edges);
  const TemporaryFile traffic("a-b\n1\n");
  const auto refusal = [&](const std::string& links, const std::string& demands) {
    const TemporaryFile a(links);
    const TemporaryFile b(demands);
    std::string text = message<InputError>([&] { (void)routing(options_of(a, b)); });
    for (const std::string& path : {a.path(), b.path()}) {
      const std::size_t at = text.find(path);
      if (at != std::string::npos) text.replace(at, path.size(), "FILE");
    }
    return text;
  };
  EXPECT_EQ(refusal("from,to,ospf_weight\na,b,1\n", "a-b\n1\n"),
            "FILE:1: there is no column 'capacity_kbps'");
  EXPECT_EQ(refusal("from,to,ospf_weight,capacity_kbps\na,a,1,1\n", "a-b\n1\n"),
            "FILE:2: column 'to': the link leads from node 'a' to itself");
  EXPECT_EQ(refusal("from,to,ospf_weight,capacity_kbps\na,b,0,1\n", "a-b\n1\n"),
            "FILE:2: column 'ospf_weight': must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal(edges, "a-z\n1\n"),
            "FILE:1: column 'a-z' must be named by two different nodes of the network, such as "
            "'a-b'");
  EXPECT_EQ(refusal(edges, "a-b\n-1\n"),
            "FILE:2: column 'a-b': must be a number from 0 to 1e50, not -1");
  EXPECT_EQ(refusal(edges, "e-a\n1\n"),
            "FILE: there is no path from 'e' to 'a', between which FILE has traffic");
  EXPECT_EQ(refusal(edges, "a-b\n"), "FILE: there is no traffic");
  EXPECT_EQ(refusal("from,to,ospf_weight,capacity_kbps\n", "a-b\n1\n"), "FILE: there are no links");
  RoutingOptions options = options_of(network, traffic);
  options.paths = 1;
  EXPECT_EQ(message<InvalidArgument>([&] { (void)routing(options); }),
            "the paths of routing must be from 2 to 1000, not 1");
  options.paths = 2;
  options.demands = 0;
  EXPECT_EQ(message<InvalidArgument>([&] { (void)routing(options); }),
            "the demands of routing must be from 1 to 100000, not 0");
  const TemporaryFile single("b-e\n1\n");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)routing(options_of(network, single)); }),
            "routing has nothing to decide: no demand of " + single.path() + " has two paths in " +
                network.path());
}

}  // namespace
}  // namespace keyhole::tests
