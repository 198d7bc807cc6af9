// Flows against linear programs, matchings against enumeration: what the sweeps over the catalogue
// do not see.

#include "instances/graphs.h"

#include <gtest/gtest.h>

#include <bit>

#include "catalogue.h"
#include "clp.h"
#include "keyhole/spec.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Vector minimiser(const SetPtr& set, const Vector& d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

double squared_distance(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/// Two ways of two edges, joined both ways in the middle.
const std::vector<Edge> bridge = {{0, 2}, {0, 3}, {2, 3}, {3, 2}, {2, 1}, {3, 1}};

#ifdef KEYHOLE_WITH_CLP

/// The flows as a linear program.
Clp flow_program(std::size_t nodes, const std::vector<Edge>& edges, const Vector& capacities,
                 double amount) {
  math::LinearConstraints constraints;
  const std::size_t m = edges.size();
  constraints.columns = m;
  constraints.lower.assign(m, 0.0);
  constraints.upper = capacities;
  constraints.inequalities = 0;
  constraints.right.assign(nodes, 0.0);
  constraints.right[0] = amount;
  constraints.right[1] = -amount;
  constraints.rows.assign(nodes * m, 0.0);
  for (std::size_t e = 0; e < m; ++e) {
    constraints.rows[edges[e].from * m + e] += 1;
    constraints.rows[edges[e].to * m + e] -= 1;
  }
  return Clp(constraints);
}

TEST(Flow, MatchesLinearProgramsForRealCapacities) {
  Random random(1);
  int compared = 0;
  while (compared < 200) {
    const auto size = random.integer(5, 40);
    const auto [nodes, edges] =  // with and without cycles
        compared % 2 == 0 ? random_digraph(size, random) : random_graph(size, random);
    Vector capacities(edges.size());
    for (double& capacity : capacities) capacity = random.uniform(0.1, 2);
    const double amount = random.uniform(0.05, 0.6);
    SetPtr set;
    try {
      set = flow(nodes, edges, 0, 1, capacities, amount);
    } catch (const InvalidArgument&) {
      continue;
    }
    Clp program = flow_program(nodes, edges, capacities, amount);
    const auto oracle = set->oracle();
    for (int k = 0; k < 5; ++k) {
      const Vector d = random.normals(edges.size());
      const Vertex& v = oracle->minimise(d);
      EXPECT_NEAR(v.dot(d), program.minimum(d), 1e-9 * static_cast<double>(edges.size()));
      Vector point(edges.size());
      v.write_to(point);
      EXPECT_TRUE(set->contains(point)) << set->spec();
    }
    ++compared;
  }
}

#endif

TEST(Flow, RealCapacitiesKeepTheContract) {
  const Vector capacities = {0.7, 0.9, 0.31, 0.43, 0.8, 0.65};
  const auto report = testing::check_set(flow(4, bridge, 0, 1, capacities, 0.95),
                                         {.directions = scaled_count(100)});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(Flow, RadiiMatchTheEnumeration) {
  Random random(2);
  for (int k = 0; k < 30; ++k) {
    const auto [nodes, edges] = random_digraph(random.integer(2, 9), random);
    SetPtr set;
    try {
      set = flow(nodes, edges, 0, 1);
    } catch (const InvalidArgument&) {
      continue;
    }
    const auto flows = whole_flows(nodes, edges, Vector(edges.size(), 1.0), 1);
    const Geometry& geometry = set->geometry();
    double R = 0;
    double D = 0;
    for (const Vector& f : flows) {
      R = std::max(R, std::sqrt(squared_distance(f, geometry.centre)));
      for (const Vector& g : flows) D = std::max(D, std::sqrt(squared_distance(f, g)));
    }
    EXPECT_TRUE(geometry.outer_radius_exact);
    EXPECT_NEAR(geometry.outer_radius, R, 1e-12) << set->spec();
    EXPECT_GE(geometry.diameter, D * (1 - 1e-12)) << set->spec();
  }
}

TEST(Flow, TakesWhatUnitFlowTakes) {
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const auto [nodes, edges] = random_graph(random.integer(3, 30), random);
    const SetPtr paths = unit_flow(nodes, edges, 0, 1);
    const SetPtr flows = flow(nodes, edges, 0, 1);
    EXPECT_EQ(flows->hull_dimension(), paths->hull_dimension());
    const Vector d = random.normals(edges.size());
    EXPECT_NEAR(paths->oracle()->minimise(d).dot(d), flows->oracle()->minimise(d).dot(d), 1e-12);
  }
}

/// An edge that every flow uses is a coordinate that does not vary.
TEST(Flow, EdgesThatEveryFlowUsesAreFlat) {
  const std::vector<Edge> edges = {{0, 2}, {2, 1}, {2, 1}, {2, 1}};
  const SetPtr set = flow(3, edges, 0, 1, 2, 2);
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_EQ(set->centre()[0], 2);
  Vector d = {1, 1, 2, 4};
  set->flatten(d);
  EXPECT_EQ(d[0], 0);
  Vector off = set->centre();
  off[0] -= 1e-6;
  EXPECT_FALSE(set->contains(off));
  const auto report = testing::check_set(set, {.directions = scaled_count(100)});
  EXPECT_TRUE(report.ok()) << report.text();
}

/// Dead ends, in and out, and what cannot be reached, are coordinates that are 0: road networks
/// have many, and their edges keep their numbers.
TEST(Flow, EdgesThatNoFlowUsesAreZero) {
  std::vector<Edge> edges = bridge;
  const std::vector<Edge> useless = {{0, 4}, {2, 5}, {5, 6}, {7, 3}, {8, 9}, {1, 8}};
  edges.insert(edges.begin() + 3, useless.begin(), useless.end());
  const SetPtr with = flow(10, edges, 0, 1);
  const SetPtr without = flow(4, bridge, 0, 1);
  EXPECT_EQ(with->dimension(), 12U);
  EXPECT_EQ(with->hull_dimension(), without->hull_dimension());
  const auto widened = [](const Vector& flow) {
    Vector result = flow;
    result.insert(result.begin() + 3, 6, 0.0);
    return result;
  };
  EXPECT_EQ(make_set(with->spec())->spec(), with->spec());
  Random random(9);
  for (int k = 0; k < 50; ++k) {
    const Vector d = random.normals(6);
    Vector wide = widened(d);
    for (std::size_t e = 3; e < 9; ++e) wide[e] = random.uniform(-10, 10);
    EXPECT_EQ(minimiser(with, wide), widened(minimiser(without, d)));
    Vector flat = d;
    with->flatten(wide);
    without->flatten(flat);
    EXPECT_NEAR(squared_distance(wide, widened(flat)), 0, 1e-28);
  }
  Vector off = with->centre();
  off[3] += 1e-6;
  EXPECT_TRUE(with->contains(with->centre()));
  EXPECT_FALSE(with->contains(off));
  const auto report = testing::check_set(with, {.directions = scaled_count(100)});
  EXPECT_TRUE(report.ok()) << report.text();
}

/// The links of a grid of crossings, both ways; the sink is the last crossing, which has number 1.
std::vector<Edge> two_way_grid(std::size_t rows, std::size_t columns) {
  const auto number = [&](std::size_t place) {
    const std::size_t last = rows * columns - 1;
    return place == last ? 1 : place == 1 ? last : place;
  };
  std::vector<Edge> edges;
  for (std::size_t place = 0; place < rows * columns; ++place) {
    const auto connect = [&](std::size_t other) {
      edges.push_back({number(place), number(other)});
      edges.push_back({number(other), number(place)});
    };
    if ((place + 1) % columns != 0) connect(place + 1);
    if (place + columns < rows * columns) connect(place + columns);
  }
  return edges;
}

/// Whether a flow carries something around a cycle: taking away nodes that nothing enters leaves
/// some.
bool has_cycle(const std::vector<Edge>& edges, std::size_t nodes, Vector flow) {
  for (std::size_t round = 0; round < nodes; ++round) {
    std::vector<bool> entered(nodes, false);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (flow[e] > 0) entered[edges[e].to] = true;
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (!entered[edges[e].from]) flow[e] = 0;
    }
  }
  return *std::max_element(flow.begin(), flow.end()) > 0;
}

struct Explored {
  double cycles = 0;  // the share of draws that have one
  double length = 0;  // the mean of what the edges carry together
};

Explored explored(const SetPtr& set, const std::vector<Edge>& edges, std::size_t nodes) {
  const auto nu = set->exploration();
  Vector v(edges.size());
  Random random(7);
  Explored result;
  constexpr int draws = 2000;
  for (int k = 0; k < draws; ++k) {
    const std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(random.uniform() * 0x1p53)
                                              << 11U};
    nu->draw({words, {}}, v);
    EXPECT_TRUE(set->contains(v));
    result.cycles += has_cycle(edges, nodes, v) ? 1.0 / draws : 0;
    for (const double f : v) result.length += f / draws;
  }
  return result;
}

/// Each of the 12 links along the border of a 4 x 4 grid that lead back is on no simple path (it
/// would cut the rest of the path off), so simple paths have 33 - 12 dimensions.
TEST(Flow, ExploresFewCyclesOfTwoWayRoads) {
  const std::vector<Edge> edges = two_way_grid(4, 4);
  const SetPtr set = flow(16, edges, 0, 1);
  ASSERT_EQ(set->hull_dimension(), 33U);
  const auto [cycles, length] = explored(set, edges, 16);
  EXPECT_GT(cycles, 12.0 / 34 - 0.06);
  EXPECT_LT(cycles, 16.0 / 34);
  EXPECT_LT(length, 8);  // 6 is the least, and 14 what random directions find
  const auto report = testing::check_set(set, {.directions = scaled_count(20)});
  EXPECT_TRUE(report.ok()) << report.text();
}

/// Cycles at the source, and apart from every path: one dimension each.
TEST(Flow, ExploresCyclesThatAreOnNoPath) {
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 2}, {2, 0}, {3, 4}, {4, 3}};
  const SetPtr set = flow(5, edges, 0, 1);
  ASSERT_EQ(set->hull_dimension(), 5U);
  EXPECT_NEAR(explored(set, edges, 5).cycles, 2.0 / 6, 0.05);
  const auto report = testing::check_set(set, {.directions = scaled_count(20)});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(Flow, ExplorationSpansTheHullOfRandomGraphs) {
  Random random(8);
  for (int k = 0; k < 12; ++k) {
    const auto [nodes, edges] = random_digraph(random.integer(5, 20), random);
    Vector capacities(edges.size());
    for (double& capacity : capacities) capacity = random.uniform(0.1, 2);
    const double amount = random.uniform(0.05, 0.6);
    for (const bool real : {false, true}) {
      SetPtr set;
      try {
        set = real ? flow(nodes, edges, 0, 1, capacities, amount) : flow(nodes, edges, 0, 1);
      } catch (const InvalidArgument&) {
        continue;
      }
      EXPECT_EQ(set->exploration()->needs().words, 1U) << set->spec();  // a list, not a sphere
      const auto report = testing::check_set(set, {.directions = 2});
      EXPECT_TRUE(report.ok()) << report.text();
    }
  }
}

TEST(Flow, TiesGoToFewestEdgesAndVertices) {
  // Direct edges tie with a detour.
  EXPECT_EQ(minimiser(flow(3, std::vector<Edge>{{0, 2}, {2, 1}, {0, 1}}, 0, 1), Vector(3, 0.0)),
            (Vector{0, 0, 1}));
  // The cycle 2 -> 3 -> 2 is filled only if it pays.
  const SetPtr set = flow(4, bridge, 0, 1);
  EXPECT_EQ(minimiser(set, {1, 3, 1.5, -1, 1, 1}), (Vector{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(minimiser(set, {1, 3, 0.5, -1, 1, 1}), (Vector{1, 0, 1, 1, 1, 0}));
  // Three units over edges of capacity 2: one of the ties is half full, not two.
  const SetPtr wide = flow(2, std::vector<Edge>{{0, 1}, {0, 1}, {0, 1}}, 0, 1, 2, 3);
  for (const Vector& d : {Vector{0, 0, 0}, Vector{1, 1, 1}, Vector{-1, -1, -1}}) {
    Vector v = minimiser(wide, d);
    std::sort(v.begin(), v.end());
    EXPECT_EQ(v, (Vector{0, 1, 2}));
  }
}

TEST(Flow, NearItsCapacityKeepsTheContract) {
  const std::vector<Edge> parallel{{0, 1}, {0, 1}, {0, 1}};
  const Vector capacities{1, 1, 0.5};
  // The room that is left is 2.5 of these.
  for (const double left : {1e-2, 1e-3, 1e-4, 5e-5}) {
    const SetPtr set = flow(2, parallel, 0, 1, capacities, 2.5 * (1 - left));
    const testing::Report report = testing::check_set(set);
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)flow(2, parallel, 0, 1, capacities, 2.5 * (1 - 1e-7));
            }).substr(0, 38),
            "the flows differ by so little, 2.33853");
  // Through graphs with cycles: an amount near the largest flow, which a refusal names.
  Random random(91);
  for (int k = 0; k < 20; ++k) {
    const auto [nodes, edges] = random_digraph(8, random);
    Vector of_edges(edges.size());
    for (double& capacity : of_edges) capacity = random.uniform(0.5, 2);
    double most = 0;
    try {
      (void)flow(nodes, edges, 0, nodes - 1, of_edges, 1e6);
    } catch (const InvalidArgument& error) {
      const std::string text = error.what();
      const std::size_t last = text.rfind(' ');
      if (text.find("the largest flow") != std::string::npos) most = std::stod(text.substr(last));
    }
    if (most == 0) continue;
    SetPtr set;
    try {
      set = flow(nodes, edges, 0, nodes - 1, of_edges, most * (1 - 1e-4));
    } catch (const InvalidArgument&) {
      continue;  // one flow alone
    }
    const testing::Report report = testing::check_set(set, {.directions = 20});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(Flow, Refusals) {
  const auto refusal = [](std::size_t nodes, const std::vector<Edge>& edges, double capacity,
                          double amount) {
    return message<InvalidArgument>([&] { (void)flow(nodes, edges, 0, 1, capacity, amount); });
  };
  EXPECT_EQ(refusal(4, bridge, 1, 2.5),
            "a flow of 2.5 does not fit the capacities: the largest flow from the source to the "
            "sink is 2");
  EXPECT_EQ(refusal(3, {{0, 2}, {1, 2}}, 1, 1),
            "the sink of the flow cannot be reached from its source");
  EXPECT_EQ(refusal(3, {{0, 2}, {2, 1}}, 1, 1),
            "there is only one flow of that amount: a single flow leaves nothing to choose");
  EXPECT_EQ(refusal(2, {{0, 1}, {0, 1}}, 1, 2),
            "there is only one flow of that amount: a single flow leaves nothing to choose");
  EXPECT_EQ(refusal(2, {{0, 1}, {0, 2}}, 1, 1),
            "the end of edge 1 (0 -> 2) is node 2, and there are 2, counted from 0");
  EXPECT_EQ(refusal(2, {{0, 1}, {0, 1}}, 0, 1),
            "the capacity of edge 0 (0 -> 1) must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal(2, {{0, 1}, {0, 1}}, 1, -1),
            "the amount of the flow must be a number from 1e-50 to 1e50, not -1");
  EXPECT_EQ(refusal(2, {{0, 1}, {0, 1}}, 1e6, 1),
            "the capacity of edge 0 is far above what flows there, which costs digits: "
            "707.1067811865476 will do");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)flow(2, std::vector<Edge>{{0, 1}, {0, 1}}, 0, 1, Vector{1});
            }),
            "a graph of 2 edges needs as many capacities, not 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)flow(2, std::vector<Edge>{{0, 1}, {0, 1}}, 1, 1);
            }),
            "the source and the sink of the flow are the same, node 1");
}

TEST(BipartiteMatchings, RadiiMatchTheEnumeration) {
  Random random(4);
  for (int k = 0; k < 40; ++k) {
    const Instance instance = random_bipartite_matchings(random.integer(2, 8), random);
    const Geometry& geometry = instance.set->geometry();
    const std::size_t n = instance.set->dimension();
    // Of the pairs of vertices that signs find, all of them for so few edges.
    std::vector<Vector> vertices;
    for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
      Vector d(n);
      for (std::size_t e = 0; e < n; ++e) d[e] = ((signs >> e) & 1U) != 0 ? -1 : 1;
      vertices.push_back(minimiser(instance.set, d));
    }
    double R = 0;
    double D = 0;
    for (const Vector& v : vertices) {
      R = std::max(R, std::sqrt(squared_distance(v, geometry.centre)));
      for (const Vector& w : vertices) D = std::max(D, std::sqrt(squared_distance(v, w)));
    }
    EXPECT_NEAR(geometry.outer_radius, R, 1e-12) << instance.set->spec();
    EXPECT_NEAR(geometry.diameter, D, 1e-12) << instance.set->spec();
  }
}

TEST(BipartiteMatchings, AgreesWithTheFormulas) {
  const SetPtr set = bipartite_matchings(3, 4);
  EXPECT_EQ(set->dimension(), 12U);
  EXPECT_EQ(set->spec(), "bipartite_matchings(3, 4)");
  EXPECT_DOUBLE_EQ(set->inner_radius(), 1.0 / 6);
  EXPECT_DOUBLE_EQ(set->outer_radius(), std::sqrt(12.0 / 36 + 3 * 2.0 / 3));
  EXPECT_DOUBLE_EQ(set->diameter(), std::sqrt(6.0));
  EXPECT_EQ(minimiser(set, Vector(12, 0.0)), Vector(12, 0.0));
  // Two that suit better together than the best alone.
  EXPECT_EQ(minimiser(bipartite_matchings(2, 2), {-3, -2, -2.5, -1}), (Vector{0, 1, 1, 0}));
}

TEST(BipartiteMatchings, Refusals) {
  const auto refusal = [](std::size_t left, std::size_t right, const std::vector<Edge>& edges) {
    return message<InvalidArgument>([&] { (void)bipartite_matchings(left, right, edges); });
  };
  EXPECT_EQ(refusal(2, 2, {}), "a graph to match needs at least one edge");
  EXPECT_EQ(refusal(2, 2, {{0, 1}, {0, 2}}),
            "edge 1 (0, 2) must join one of 2 left nodes to one of 2 right nodes, both counted "
            "from 0");
  EXPECT_EQ(message<InvalidArgument>([] { (void)bipartite_matchings(0, 2); }),
            "matchings need nodes on both sides, not 0 and 2");
  EXPECT_EQ(message<InvalidArgument>([] { (void)bipartite_matchings(10'000, 10'000); }),
            "a graph of 10000 times 10000 edges is too large to match: 10000000 are the most");
}

#ifdef KEYHOLE_WITH_LEMON

/// The most that edges of no node in common weigh, by dynamic programming over sets of nodes.
double heaviest_matching(std::size_t nodes, const std::vector<Edge>& edges, const Vector& weights) {
  Vector best(std::size_t{1} << nodes, 0.0);
  for (std::size_t free = 1; free < best.size(); ++free) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(free));
    best[free] = best[free & (free - 1)];
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const std::size_t ends = (std::size_t{1} << edges[e].from) | (std::size_t{1} << edges[e].to);
      const bool fits = (ends & free) == ends && ((ends >> lowest) & 1U) != 0;
      if (fits) best[free] = std::max(best[free], weights[e] + best[free & ~ends]);
    }
  }
  return best.back();
}

std::vector<Edge> random_pairs(std::size_t nodes, double share, Random& random) {
  std::vector<Edge> edges = {{1, 0}};
  for (std::size_t i = 2; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (random.uniform() < share) edges.push_back({i, j});
    }
  }
  return edges;
}

TEST(Matchings, MatchDynamicProgramming) {
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    const std::size_t nodes = random.integer(7, 13);
    const std::vector<Edge> edges = random_pairs(nodes, random.uniform(0.2, 1), random);
    const SetPtr set = matchings(nodes, edges);
    Vector d = random.normals(edges.size());
    if (k % 3 == 0) {
      for (double& value : d) value = -std::abs(std::round(2 * value));  // ties, and blossoms
    }
    Vector weights = d;
    for (double& weight : weights) weight = -weight;
    EXPECT_NEAR(-set->oracle()->minimise(d).dot(d), heaviest_matching(nodes, edges, weights), 1e-12)
        << set->spec();
  }
}

TEST(Matchings, AgreeWithBipartiteOnes) {
  Random random(6);
  for (int k = 0; k < 10; ++k) {
    std::vector<Edge> edges;
    std::vector<Edge> apart;
    for (std::size_t i = 0; i < 12; ++i) {
      for (std::size_t j = 0; j < 15; ++j) {
        if (random.uniform() < 0.5) continue;
        edges.push_back({i, j});
        apart.push_back({i, 12 + j});
      }
    }
    const SetPtr one = bipartite_matchings(12, 15, edges);
    const SetPtr other = matchings(27, apart);
    const Vector d = random.normals(edges.size());
    EXPECT_NEAR(one->oracle()->minimise(d).dot(d), other->oracle()->minimise(d).dot(d), 1e-12);
    // Odd sets add nothing to the sums at the nodes.
    Vector x(edges.size());
    for (double& value : x) value = random.uniform(0, 2.0 / 12);
    EXPECT_EQ(one->contains(x), other->contains(x));
  }
}

/// By the definition: all odd sets.
bool is_in_all_odd_sets(std::size_t nodes, const std::vector<Edge>& edges, const Vector& x) {
  for (std::size_t within = 1; within < (std::size_t{1} << nodes); ++within) {
    const auto size = static_cast<double>(std::popcount(within));
    double sum = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (((within >> edges[e].from) & (within >> edges[e].to) & 1U) != 0) sum += x[e];
    }
    if (std::popcount(within) % 2 == 1 && sum > (size - 1) / 2 + 1e-7) return false;
  }
  return true;
}

TEST(Matchings, MembershipMatchesAllOddSets) {
  Random random(7);
  int members = 0;
  int others = 0;
  for (int k = 0; k < 400; ++k) {
    const std::size_t nodes = random.integer(3, 9);
    const std::vector<Edge> edges = random_pairs(nodes, 0.6, random);
    const SetPtr set = matchings(nodes, edges);
    // Most of it within the first 3 or 5 nodes, and the sums at the nodes scaled to about 1, so
    // that odd sets decide.
    const std::size_t inner = std::min<std::size_t>(nodes, random.uniform() < 0.5 ? 3 : 5);
    Vector x(edges.size());
    Vector sums(nodes, 0.0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const bool is_inner = std::max(edges[e].from, edges[e].to) < inner;
      x[e] = is_inner ? random.uniform(0.5, 1) : random.uniform(0, 0.1);
      sums[edges[e].from] += x[e];
      sums[edges[e].to] += x[e];
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      x[e] *= random.uniform(0.6, 1) / std::max(sums[edges[e].from], sums[edges[e].to]);
    }
    const bool expected = is_in_all_odd_sets(nodes, edges, x);
    EXPECT_EQ(set->contains(x), expected) << set->spec();
    ++(expected ? members : others);
  }
  EXPECT_GE(members, 50);
  EXPECT_GE(others, 50);
}

TEST(Matchings, AgreeWithTheFormulas) {
  const SetPtr triangle = matchings(3, std::vector<Edge>{{0, 1}, {1, 2}, {0, 2}});
  const double s = 1 / (3 + std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(triangle->inner_radius(), s);
  EXPECT_DOUBLE_EQ(triangle->outer_radius(), std::sqrt(3 * s * s + 1 - 2 * s));
  EXPECT_DOUBLE_EQ(triangle->diameter(), std::sqrt(2.0));
  // The sums at the nodes allow (1/2, 1/2, 1/2), the odd set of all three does not.
  EXPECT_FALSE(triangle->contains(Vector(3, 0.5)));
  EXPECT_FALSE(triangle->contains(Vector(3, 1.0 / 3 + 1e-7)));
  EXPECT_TRUE(triangle->contains(Vector(3, 1.0 / 3)));
  EXPECT_EQ(minimiser(triangle, {0, 0, 0}), Vector(3, 0.0));
  EXPECT_EQ(minimiser(triangle, {-1, -2, 1}), (Vector{0, 1, 0}));
}

TEST(Matchings, Refusals) {
  const auto refusal = [](std::size_t nodes, const std::vector<Edge>& edges) {
    return message<InvalidArgument>([&] { (void)matchings(nodes, edges); });
  };
  EXPECT_EQ(refusal(3, {}), "a graph to match needs at least one edge");
  EXPECT_EQ(refusal(3, {{2, 2}}), "a graph to match needs at least one edge");
  EXPECT_EQ(refusal(3, {{0, 1}, {2, 3}}), "edge 1 (2, 3) must join nodes of 3, counted from 0");
}

TEST(PerfectMatchings, MatchDynamicProgramming) {
  Random random(8);
  for (const std::size_t nodes : {4U, 6U, 10U, 12U}) {
    const SetPtr set = perfect_matchings(nodes);
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = i + 1; j < nodes; ++j) edges.push_back({i, j});
    }
    for (int k = 0; k < 10; ++k) {
      Vector d = random.normals(edges.size());
      if (k % 3 == 0) {
        for (double& value : d) value = std::round(value);
      }
      // What is gained by another edge outweighs all else, so that the heaviest are perfect.
      const double more = 100;
      Vector weights = d;
      for (double& weight : weights) weight = more - weight;
      EXPECT_NEAR(set->oracle()->minimise(d).dot(d),
                  more * static_cast<double>(nodes / 2) - heaviest_matching(nodes, edges, weights),
                  1e-11);
    }
  }
}

TEST(PerfectMatchings, AgreeWithTheFormulas) {
  // Three matchings: a triangle of side 2.
  const SetPtr triangle = perfect_matchings(4);
  EXPECT_EQ(triangle->hull_dimension(), 2U);
  EXPECT_DOUBLE_EQ(triangle->inner_radius(), 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(triangle->outer_radius(), 2 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(triangle->diameter(), 2);
  EXPECT_EQ(minimiser(triangle, {0, -1, 0, 0, 0, 0}), (Vector{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(perfect_matchings(8)->hull_dimension(), 20U);
  // Two triangles with halves on their edges have the sums 1, and no edge between.
  Vector halves(15, 0.0);
  for (const std::size_t e : {0U, 1U, 5U, 12U, 13U, 14U}) halves[e] = 0.5;  // 01 02 12, 34 35 45
  EXPECT_FALSE(perfect_matchings(6)->contains(halves));
  // With a third of them replaced by matchings that cross, the cut is 1: a face.
  Vector mixed = halves;
  for (double& value : mixed) value *= 2.0 / 3;
  for (const std::size_t e : {2U, 7U, 11U}) mixed[e] += 1.0 / 3;  // 03 14 25
  EXPECT_TRUE(perfect_matchings(6)->contains(mixed));
  for (std::size_t e = 0; e < 15; ++e) mixed[e] += 1e-6 * (halves[e] - mixed[e]);
  EXPECT_FALSE(perfect_matchings(6)->contains(mixed));
}

TEST(PerfectMatchings, Refusals) {
  const auto refusal = [](std::size_t nodes) {
    return message<InvalidArgument>([&] { (void)perfect_matchings(nodes); });
  };
  EXPECT_EQ(
      refusal(2),
      "perfect matchings that leave a choice need an even number of nodes, 4 at least, not 2");
  EXPECT_EQ(
      refusal(7),
      "perfect matchings that leave a choice need an even number of nodes, 4 at least, not 7");
  EXPECT_EQ(refusal(1002),
            "a complete graph of 1002 nodes is too large to match: 1000 are the most");
}

#else

TEST(Matchings, NeedLemon) {
  const char* const refusal =
      "matchings of any graph need LEMON, which this library was built without "
      "(KEYHOLE_WITH_LEMON); bipartite_matchings does not need it";
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)matchings(2, std::vector<Edge>{{0, 1}});
            }),
            refusal);
  EXPECT_EQ(message<InvalidArgument>([] { (void)perfect_matchings(4); }), refusal);
}

#endif

}  // namespace
}  // namespace keyhole::tests
