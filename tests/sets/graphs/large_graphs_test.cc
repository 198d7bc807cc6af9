// What large graphs are worked out by: blocks, sets::degeneracy and means of trees, against all
// subsets of small ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "catalogue.h"
#include "keyhole/matroids.h"
#include "sets/matroids/averaged_trees.h"
#include "sets/matroids/graph_blocks.h"
#include "sets/matroids/matroid_structure.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
using Elements = std::vector<std::size_t>;

/// With loops, parallel edges and parts apart.
std::vector<Edge> random_edges(std::size_t nodes, std::size_t count, Random& random) {
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < count; ++e) {
    edges.push_back({random.integer(0, nodes - 1), random.integer(0, nodes - 1)});
  }
  return edges;
}

TEST(LargeGraphs, BlocksAreTheComponentsOfTheMatroid) {
  Random random(1);
  for (std::size_t trial = 0; trial < scaled_count(200); ++trial) {
    const std::size_t nodes = random.integer(2, 12);
    const std::vector<Edge> edges = random_edges(nodes, random.integer(1, 18), random);
    const sets::GraphicMatroid graph(nodes, edges);
    const sets::GraphBlocks found(nodes, edges);
    EXPECT_EQ(found.blocks, sets::matroid_components(graph)) << graph.spec();

    Elements forest;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (found.in_forest[e]) forest.push_back(e);
    }
    EXPECT_EQ(forest.size(), graph.rank());
    EXPECT_EQ(graph.rank(forest), graph.rank());
    Elements label(edges.size());
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (const auto& [leaves, enters] : found.exchanges) {
      EXPECT_FALSE(found.in_forest[enters]);
      Elements other = forest;
      const auto place = std::find(other.begin(), other.end(), leaves);
      ASSERT_NE(place, other.end());
      *place = enters;
      EXPECT_EQ(graph.rank(other), graph.rank()) << graph.spec();
      std::replace(label.begin(), label.end(), std::size_t{label[leaves]}, label[enters]);
    }
    for (const Elements& block : found.blocks) {
      for (const std::size_t e : block) EXPECT_EQ(label[e], label[block.front()]) << graph.spec();
    }
  }
}

TEST(LargeGraphs, DegeneracyIsTheLargestLeastDegreeOfAPart) {
  Random random(2);
  for (std::size_t trial = 0; trial < scaled_count(100); ++trial) {
    const std::size_t nodes = random.integer(1, 8);
    const std::vector<Edge> edges = random_edges(nodes, random.integer(1, 25), random);
    std::size_t largest = 0;
    for (std::size_t set = 1; set < (std::size_t{1} << nodes); ++set) {
      Elements degree(nodes, 0);
      for (const auto& [a, b] : edges) {
        if (a == b || (set >> a & 1U) == 0 || (set >> b & 1U) == 0) continue;
        ++degree[a];
        ++degree[b];
      }
      std::size_t least = edges.size();
      for (std::size_t v = 0; v < nodes; ++v) {
        if ((set >> v & 1U) != 0) least = std::min(least, degree[v]);
      }
      largest = std::max(largest, least);
    }
    EXPECT_EQ(sets::degeneracy(nodes, edges), largest);
  }
}

TEST(LargeGraphs, TheSlackOfMeanTreesHoldsForAllSubsets) {
  Random random(3);
  std::size_t checked = 0;
  for (std::size_t trial = 0; trial < scaled_count(60); ++trial) {
    const std::size_t nodes = random.integer(3, 7);
    const std::vector<Edge> edges = random_edges(nodes, random.integer(4, 12), random);
    const sets::GraphicMatroid graph(nodes, edges);
    const sets::GraphBlocks blocks(nodes, edges);
    const sets::AveragedTrees trees(graph, blocks);
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      const Elements& block = blocks.blocks[b];
      EXPECT_GT(trees.slacks[b], 0);
      for (std::size_t set = 1; set + 1 < (std::size_t{1} << block.size()); ++set) {
        Elements part;
        double sum = 0;
        for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
          part.push_back(block[static_cast<std::size_t>(std::countr_zero(rest))]);
          sum += trees.mean[part.back()];
        }
        const double slack = static_cast<double>(graph.rank(part)) - sum;
        EXPECT_GE(slack, trees.slacks[b] - 1e-12) << graph.spec();
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, scaled_count(60) * 10);
}

/// Two nodes joined by many paths of two edges. A tree has both edges of one path alone, so that
/// random trees hardly ever show the exchange between two given paths.
TEST(LargeGraphs, ExchangesOfOneTreeConnectWhatRandomTreesDoNot) {
  constexpr std::size_t paths = 1500;
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < paths; ++k) {
    edges.push_back({0, 2 + k});
    edges.push_back({2 + k, 1});
  }
  const SetPtr trees = spanning_trees(paths + 2, edges);
  const Geometry& geometry = trees->geometry();
  EXPECT_GT(geometry.inner_radius, 0);
  // x_a + x_b >= 1 on each path, and x <= 1.
  for (std::size_t k = 0; k < paths; ++k) {
    const double a = geometry.centre[2 * k];
    const double b = geometry.centre[2 * k + 1];
    EXPECT_GE((a + b - 1) / std::sqrt(2.0), geometry.inner_radius);
    EXPECT_GE(1 - std::max(a, b), geometry.inner_radius);
  }
}

/// A ring of nodes with chords.
std::vector<Edge> chords(std::size_t nodes) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (const std::size_t step : {std::size_t{1}, nodes / 7, nodes / 3}) {
      edges.push_back({i, (i + step) % nodes});
    }
  }
  return edges;
}

TEST(LargeGraphs, TreesAndForestsOfManyEdgesHaveOracles) {
  constexpr std::size_t nodes = 5'000;
  const std::vector<Edge> edges = chords(nodes);
  const SetPtr trees = spanning_trees(nodes, edges);
  const SetPtr forests = independent_sets(graphic_matroid(nodes, edges));
  EXPECT_EQ(trees->hull_dimension(), edges.size() - 1);
  EXPECT_GT(trees->inner_radius(), 1e-6 * trees->outer_radius());
  EXPECT_GT(forests->inner_radius(), 0.1);
  const Vector d = Random(4).normals(edges.size());
  EXPECT_EQ(trees->oracle()->minimise(d).indices.size(), nodes - 1);
  EXPECT_LE(forests->oracle()->minimise(d).indices.size(), nodes - 1);
  for (const SetPtr& set : {trees, forests}) {
    EXPECT_FALSE(set->can_project());
    Vector x = d;
    EXPECT_THROW(set->oracle()->project(d, x), InvalidArgument);
  }
}

TEST(LargeGraphs, TheInscribedSphereIsInTheHull) {
  constexpr std::size_t nodes = 700;
  const std::vector<Edge> edges = chords(nodes);
  Random random(5);
  for (const SetPtr& set :
       {spanning_trees(nodes, edges), independent_sets(graphic_matroid(nodes, edges))}) {
    const Geometry& geometry = set->geometry();
    Vector u = random.normals(edges.size());
    set->flatten(u);
    const double length = std::sqrt(std::inner_product(u.begin(), u.end(), u.begin(), 0.0));
    Vector x = geometry.centre;
    for (std::size_t e = 0; e < x.size(); ++e) x[e] += geometry.inner_radius * u[e] / length;
    EXPECT_TRUE(set->contains(x));
  }
}

}  // namespace
}  // namespace keyhole::tests
