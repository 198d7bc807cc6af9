// Arborescences, perfect matchings of a graph and b-matchings: what the sweeps over the catalogue
// do not see.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalogue.h"
#include "clp.h"
#include "instances/graphs.h"
#include "keyhole/spec.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// The dimension of the affine hull of points, by elimination.
std::size_t rank_of(std::vector<Vector> points) {
  std::vector<Vector> rows;
  for (std::size_t k = 1; k < points.size(); ++k) {
    for (std::size_t i = 0; i < points[k].size(); ++i) points[k][i] -= points[0][i];
    rows.push_back(points[k]);
  }
  std::size_t rank = 0;
  for (std::size_t column = 0; !rows.empty() && column < rows[0].size(); ++column) {
    std::size_t pivot = rank;
    for (std::size_t k = rank; k < rows.size(); ++k) {
      if (std::abs(rows[k][column]) > std::abs(rows[pivot][column])) pivot = k;
    }
    if (pivot >= rows.size() || std::abs(rows[pivot][column]) < 1e-9) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t k = rank + 1; k < rows.size(); ++k) {
      const double factor = rows[k][column] / rows[rank][column];
      for (std::size_t i = 0; i < rows[k].size(); ++i) rows[k][i] -= factor * rows[rank][i];
    }
    ++rank;
  }
  return rank;
}

/// Hull dimension and outer radius are those of the vertices.
void expect_shape_of(const SetPtr& set, const std::vector<Vector>& vertices) {
  EXPECT_EQ(set->hull_dimension(), rank_of(vertices)) << set->spec();
  double R = 0;
  double D = 0;
  for (const Vector& v : vertices) {
    EXPECT_TRUE(set->contains(v)) << set->spec();
    double square = 0;
    for (std::size_t e = 0; e < v.size(); ++e) {
      square += (v[e] - set->centre()[e]) * (v[e] - set->centre()[e]);
    }
    R = std::max(R, std::sqrt(square));
    for (const Vector& w : vertices) {
      double apart = 0;
      for (std::size_t e = 0; e < v.size(); ++e) apart += (v[e] - w[e]) * (v[e] - w[e]);
      D = std::max(D, std::sqrt(apart));
    }
  }
  const Geometry geometry = set->geometry();
  EXPECT_GE(geometry.outer_radius, R * (1 - 1e-12)) << set->spec();
  EXPECT_GE(geometry.diameter, D * (1 - 1e-12)) << set->spec();
  if (geometry.outer_radius_exact) {
    EXPECT_NEAR(geometry.outer_radius, R, 1e-12) << set->spec();
  }
  if (geometry.diameter_exact) {
    EXPECT_NEAR(geometry.diameter, D, 1e-12) << set->spec();
  }
}

/// Chu's and Liu's method as it is told: the cheapest edge into each node, and cycles contracted
/// one at a time, in a graph that is written out again.
double slow_arborescence(std::size_t nodes, std::vector<Edge> edges, Vector costs,
                         std::size_t root) {
  double value = 0;
  Vector least(nodes, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(nodes, root);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    if (a == b || b == root || costs[e] >= least[b]) continue;
    least[b] = costs[e];
    from[b] = a;
  }
  for (std::size_t v = 0; v < nodes; ++v) value += v == root ? 0 : least[v];
  for (std::size_t v = 0; v < nodes; ++v) {
    std::vector<bool> on_cycle(nodes, false);
    std::size_t w = v;
    for (std::size_t step = 0; step < nodes && w != root; ++step) w = from[w];
    if (w == root) continue;
    for (; !on_cycle[w]; w = from[w]) on_cycle[w] = true;
    value = 0;  // of the cycle, and of the graph in which it is node w
    for (std::size_t u = 0; u < nodes; ++u) value += on_cycle[u] ? least[u] : 0;
    std::vector<std::size_t> name(nodes);
    std::size_t count = 0;
    for (std::size_t u = 0; u < nodes; ++u) name[u] = on_cycle[u] ? 0 : ++count;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (on_cycle[edges[e].to]) costs[e] -= least[edges[e].to];
      edges[e] = {name[edges[e].from], name[edges[e].to]};
    }
    return value + slow_arborescence(count + 1, edges, costs, name[root]);
  }
  return value;
}

TEST(Arborescences, CostWhatContractingOneCycleAtATimeFinds) {
  Random random(41);
  for (std::uint64_t k = 0; k < scaled_count(60); ++k) {
    const std::size_t nodes = random.integer(3, 12);
    const std::size_t root = random.integer(0, nodes - 1);
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < nodes; ++v) {  // a way to every node, and cycles
      if (v != root) edges.push_back({(v + nodes - 1) % nodes, v});
    }
    while (edges.size() < 3 * nodes) {
      edges.push_back({random.integer(0, nodes - 1), random.integer(0, nodes - 1)});
    }
    const SetPtr set = arborescences(nodes, edges, root);
    const auto oracle = set->oracle();
    for (int trial = 0; trial < 20; ++trial) {
      Vector d = random.normals(edges.size());
      if (trial % 2 == 0) {
        for (double& value : d) value = std::round(2 * value);
      }
      const Vertex& v = oracle->minimise(d);
      EXPECT_NEAR(v.dot(d), slow_arborescence(nodes, edges, d, root), 1e-12) << set->spec();
      Vector tree(edges.size());
      v.write_to(tree);
      EXPECT_TRUE(set->contains(tree)) << set->spec();
    }
  }
}

TEST(Arborescences, HaveTheShapeOfTheirVertices) {
  Random random(42);
  int compared = 0;
  while (compared < 40) {
    const std::size_t nodes = random.integer(2, 5);
    std::vector<Edge> edges(random.integer(3, 10));
    for (Edge& edge : edges) edge = {random.integer(0, nodes - 1), random.integer(0, nodes - 1)};
    const auto all = all_arborescences(nodes, edges, 1);
    if (all.size() < 2) {
      EXPECT_THROW((void)arborescences(nodes, edges, 1), InvalidArgument);
      continue;
    }
    expect_shape_of(arborescences(nodes, edges, 1), all);
    ++compared;
  }
  // Edges that no arborescence has: into the root, a loop, back from where only node 1 leads.
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 0}, {2, 2}, {1, 3}, {3, 1}};
  const SetPtr set = arborescences(4, edges);
  ASSERT_EQ(all_arborescences(4, edges, 0).size(), 3U);
  expect_shape_of(set, all_arborescences(4, edges, 0));
  EXPECT_EQ(set->centre()[4], 0);
  EXPECT_EQ(set->centre()[5], 0);
  EXPECT_EQ(set->centre()[6], 1);
  EXPECT_EQ(set->centre()[7], 0);
  EXPECT_EQ(kit(set), "");
}

/// Sums alone would hold a cycle apart from the root.
TEST(Arborescences, RefuseCyclesApartFromTheRoot) {
  const SetPtr set = arborescences(3, {{0, 1}, {0, 2}, {1, 2}, {2, 1}});
  EXPECT_FALSE(set->contains(Vector{0, 0, 1, 1}));
  EXPECT_FALSE(set->contains(Vector{0.5 - 1e-6, 0.5 - 1e-6, 0.5 + 1e-6, 0.5 + 1e-6}));
  EXPECT_TRUE(set->contains(Vector{0.5, 0.5, 0.5, 0.5}));
  EXPECT_TRUE(set->contains(Vector{1, 0, 1, 0}));
  EXPECT_FALSE(set->contains(Vector{1, 0, 0.5, 0}));
  EXPECT_EQ(minimiser(set, {0, 0, 0, 0}), (Vector{1, 1, 0, 0}));
}

TEST(Arborescences, AreRefusedWithTheReason) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  EXPECT_EQ(refusal([&] { return arborescences(3, edges); }),
            "there is only one arborescence of this graph, which leaves nothing to choose");
  EXPECT_EQ(refusal([&] { return arborescences(3, edges, 1); }),
            "node 0 cannot be reached from the root, node 1: there is no arborescence");
  EXPECT_EQ(refusal([&] { return arborescences(3, edges, 3); }),
            "the root of arborescences must be one of 3 nodes, counted from 0, not 3");
  EXPECT_EQ(refusal([&] { return arborescences(2, edges); }),
            "edge 1 (1 -> 2) must join nodes of 2, counted from 0");
  EXPECT_EQ(refusal([&] { return arborescences(5, edges); }),
            "arborescences of 5 nodes need at least 4 edges, not 2");
  EXPECT_EQ(refusal([&] {
              return arborescences(2, std::vector<Edge>(1501, {0, 1}));
            }),
            "arborescences of 1501 edges are too many: 1500 edges are the most");
  EXPECT_EQ(make_set("arborescences(2, [[1, 0], [1, 0]], root=1)")->spec(),
            "arborescences(2, [[1, 0], [1, 0]], root=1)");
}

#ifdef KEYHOLE_WITH_LEMON

/// Bipartite graphs and graphs with tight odd cuts have hulls of fewer dimensions than edges less
/// nodes; edges of no perfect matching are 0.
TEST(PerfectMatchingsOfAGraph, HaveTheShapeOfTheirVertices) {
  const std::vector<std::pair<std::size_t, std::vector<Edge>>> graphs = {
      {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},                                          // a square
      {6, {{0, 3}, {0, 4}, {1, 3}, {1, 4}, {1, 5}, {2, 4}, {2, 5}}},                  // bipartite
      {6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {0, 3}, {1, 4}, {2, 5}}},  // a prism
      {6,
       {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {3, 4}, {4, 5}}},  // an edge that is always there
      {2 * 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 5}, {0, 7}}}};
  for (const auto& [nodes, edges] : graphs) {
    const auto all = all_perfect_matchings(nodes, edges);
    if (all.size() < 2) continue;
    const SetPtr set = perfect_matchings(nodes, edges);
    expect_shape_of(set, all);
    EXPECT_EQ(kit(set), "");
  }
}

/// In two triangles that three edges join, half of each edge of the triangles keeps all sums but
/// not the odd cut between them.
TEST(PerfectMatchingsOfAGraph, RefuseHalvesAroundOddCycles) {
  const SetPtr set = perfect_matchings(
      6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {0, 3}, {1, 4}, {2, 5}});
  EXPECT_FALSE(set->contains(Vector{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0, 0, 0}));
  EXPECT_TRUE(set->contains(Vector(9, 1.0 / 3)));
  EXPECT_TRUE(set->contains(Vector{0, 0, 0, 0, 0, 0, 1, 1, 1}));
}

TEST(PerfectMatchingsOfAGraph, OfAllPairsAreThoseOfTheCompleteGraph) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = i + 1; j < 6; ++j) edges.push_back({i, j});
  }
  EXPECT_EQ(perfect_matchings(6, edges)->spec(), "perfect_matchings(6)");
  std::reverse(edges.begin(), edges.end());
  const SetPtr reversed = perfect_matchings(6, edges);
  const SetPtr complete = perfect_matchings(6);
  EXPECT_EQ(reversed->hull_dimension(), complete->hull_dimension());
  Random random(43);
  for (int k = 0; k < 50; ++k) {
    Vector d = random.normals(15);
    const double least = complete->oracle()->minimise(d).dot(d);
    std::reverse(d.begin(), d.end());
    EXPECT_NEAR(reversed->oracle()->minimise(d).dot(d), least, 1e-12);
  }
}

TEST(PerfectMatchingsOfAGraph, AreRefusedWithTheReason) {
  EXPECT_EQ(refusal([] {
              return perfect_matchings(3, {{0, 1}, {1, 2}});
            }),
            "a graph of 3 nodes has no perfect matching: it needs an even number");
  EXPECT_EQ(refusal([] {
              return perfect_matchings(4, {{0, 1}, {0, 2}, {0, 3}});
            }),
            "this graph has no perfect matching: some node is always left out");
  EXPECT_EQ(refusal([] {
              return perfect_matchings(4, {{0, 1}, {1, 2}, {2, 3}});
            }),
            "there is only one perfect matching of this graph, which leaves nothing to choose");
  EXPECT_EQ(refusal([] {
              return perfect_matchings(4, {{0, 1}, {1, 0}});
            }),
            "this graph has no perfect matching: some node is always left out");
}

#endif

TEST(BMatchings, HaveTheShapeOfTheirVertices) {
  Random random(44);
  for (std::uint64_t k = 0; k < scaled_count(40); ++k) {
    const std::size_t rows = random.integer(1, 3);
    const std::size_t columns = random.integer(1, 3);
    Vector limits(rows + columns);
    for (double& limit : limits) limit = static_cast<double>(random.integer(1, 3));
    std::vector<Edge> apart;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) apart.push_back({i, rows + j});
    }
    const double capacity = k % 2 == 0 ? 1 : 2;
    const SetPtr set =
        b_matchings(Vector(limits.begin(), limits.begin() + static_cast<int>(rows)),
                    Vector(limits.begin() + static_cast<int>(rows), limits.end()), capacity);
    if (capacity == 1) {
      EXPECT_TRUE(set->geometry().outer_radius_exact && set->geometry().diameter_exact);
    }
    expect_shape_of(set, all_b_matchings(apart, limits, Vector(apart.size(), capacity)));
  }
}

TEST(BMatchings, OfLimitsOfOneAreMatchings) {
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 2}};
  const SetPtr one = b_matchings(Vector(3, 1.0), Vector(3, 1.0), edges);
  const SetPtr other = bipartite_matchings(3, 3, edges);
  EXPECT_NEAR(one->diameter(), other->diameter(), 1e-14);
  EXPECT_NEAR(one->inner_radius(), other->inner_radius(), 1e-14);
  EXPECT_NEAR(one->outer_radius(), other->outer_radius(), 1e-14);
  Random random(45);
  for (int k = 0; k < 100; ++k) {
    const Vector d = random.normals(6);
    EXPECT_EQ(minimiser(one, d), minimiser(other, d));
  }
}

#ifdef KEYHOLE_WITH_CLP

TEST(BMatchings, MatchLinearProgramsForRealLimits) {
  Random random(46);
  for (std::uint64_t k = 0; k < scaled_count(100); ++k) {
    const std::size_t rows = random.integer(1, 6);
    const std::size_t columns = random.integer(1, 6);
    const std::size_t n = rows * columns;
    Vector left(rows);
    Vector right(columns);
    Vector capacities(n);
    for (double& limit : left) limit = random.uniform(0.1, 3);
    for (double& limit : right) limit = random.uniform(0.1, 3);
    for (double& capacity : capacities) capacity = random.uniform(0.1, 2);
    const SetPtr set = b_matchings(left, right, capacities);
    math::LinearConstraints constraints;
    constraints.columns = n;
    constraints.lower.assign(n, 0.0);
    constraints.upper = capacities;
    constraints.inequalities = rows + columns;
    constraints.right = left;
    constraints.right.insert(constraints.right.end(), right.begin(), right.end());
    constraints.rows.assign((rows + columns) * n, 0.0);
    for (std::size_t e = 0; e < n; ++e) {
      constraints.rows[e / columns * n + e] = 1;
      constraints.rows[(rows + e % columns) * n + e] = 1;
    }
    Clp program(constraints);
    for (int trial = 0; trial < 5; ++trial) {
      const Vector d = random.normals(n);
      const Vector v = minimiser(set, d);
      EXPECT_TRUE(set->contains(v)) << set->spec();
      EXPECT_NEAR(std::inner_product(d.begin(), d.end(), v.begin(), 0.0), program.minimum(d), 1e-9)
          << set->spec();
    }
    if (k % 10 == 0) {
      EXPECT_EQ(kit(set), "");
    }
  }
}

#endif

/// What the other side leaves counts, not the limit.
TEST(BMatchings, OfLimitsFarApart) {
  for (const double large : {1e8, 1e15, 1e30}) {
    const SetPtr one = b_matchings(Vector{large}, Vector{1e-8});
    EXPECT_DOUBLE_EQ(one->outer_radius() + std::abs(one->centre()[0]), 1e-8);
    EXPECT_EQ(kit(one), "");
    EXPECT_EQ(kit(b_matchings(Vector{large, 2}, Vector{1, 0.5})), "");
  }
}

TEST(BMatchings, AreRefusedWithTheReason) {
  const Vector two = {2, 1};
  EXPECT_EQ(
      refusal([&] {
        return b_matchings(two, two, std::vector<Edge>{{0, 2}});
      }),
      "edge 0 (0, 2) must join one of 2 left nodes to one of 2 right nodes, both counted from "
      "0");
  EXPECT_EQ(refusal([&] {
              return b_matchings(two, Vector{1, 0});
            }),
            "the limit of right node 1 must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal([&] { return b_matchings(two, two, std::vector<Edge>{}); }),
            "a graph to match needs at least one edge");
  EXPECT_EQ(refusal([&] {
              return b_matchings(two, two, Vector{1, 1});
            }),
            "a graph of 4 edges needs as many capacities, not 2");
  EXPECT_EQ(refusal([&] { return b_matchings(two, Vector{}); }),
            "matchings need nodes on both sides, not 2 and 0");
  EXPECT_EQ(b_matchings(two, two, Vector{1, 1, 1, 2})->spec(),
            "b_matchings([2, 1], [2, 1], capacities=[1, 1, 1, 2])");
}

}  // namespace
}  // namespace keyhole::tests
