// Edges listed twice, and edges and elements that no point of a set has: every kind takes them.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/graphs.h"
#include "keyhole/matroids.h"
#include "math/sums.h"
#include "random.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Edges = std::vector<Edge>;

/// A set of a graph of five nodes, and edges of it that leave a choice.
struct EdgeSet {
  std::string name;
  Edges edges;
  std::function<SetPtr(const Edges&)> make;
};

std::vector<EdgeSet> edge_sets() {
  const Edges onward = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {1, 3}};
  const Edges ring = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
  std::vector<EdgeSet> all = {
      {"unit_flow", onward, [](const Edges& e) { return unit_flow(5, e, 0, 3); }},
      {"flow", onward, [](const Edges& e) { return flow(5, e, 0, 3); }},
      {"multicommodity_flow", onward,
       [](const Edges& e) {
         return multicommodity_flow(5, e, {{0, 3, 0.5}});
       }},
      {"spanning_trees", ring, [](const Edges& e) { return spanning_trees(4, e); }},
      {"graphic_matroid", ring,
       [](const Edges& e) { return independent_sets(graphic_matroid(4, e)); }},
      {"common_independent_sets", ring,
       [](const Edges& e) {
         return common_independent_sets(graphic_matroid(4, e), uniform_matroid(e.size(), 2));
       }},
      {"arborescences", ring, [](const Edges& e) { return arborescences(4, e, 0); }},
      {"bipartite_matchings", ring, [](const Edges& e) { return bipartite_matchings(4, 4, e); }},
      {"b_matchings", ring,
       [](const Edges& e) {
         return b_matchings({1, 2, 1, 2}, {1, 1, 2, 2}, e);
       }},
  };
#ifdef KEYHOLE_WITH_LEMON
  all.push_back({"matchings", ring, [](const Edges& e) { return matchings(4, e); }});
  all.push_back(
      {"perfect_matchings", ring, [](const Edges& e) { return perfect_matchings(4, e); }});
#endif
  return all;
}

/// The least value where the edge e is listed once more is that with the cheaper of the two.
TEST(ParallelEdges, AreTakenByEveryKind) {
  Random random(1);
  for (const auto& [name, edges, make] : edge_sets()) {
    SCOPED_TRACE(name);
    const SetPtr plain = make(edges);
    Edges more = edges;
    more.push_back(edges[0]);
    const SetPtr set = make(more);
    EXPECT_EQ(set->dimension(), edges.size() + 1);
    EXPECT_EQ(kit(set), "");
    const bool may_add = name.ends_with("flow") || name == "b_matchings";
    for (int trial = 0; trial < 50 && !may_add; ++trial) {
      const Vector d = random.normals(more.size());
      Vector cheaper(d.begin(), d.end() - 1);
      cheaper[0] = std::min(cheaper[0], d.back());
      EXPECT_NEAR(math::dot(d, minimiser(set, d)), math::dot(cheaper, minimiser(plain, cheaper)),
                  1e-12);
    }
  }
}

/// A loop between the others stays 0 where nothing can use it; a flow can go round it.
TEST(Loops, AreTakenByEveryKind) {
  Random random(2);
  for (const auto& [name, edges, make] : edge_sets()) {
    SCOPED_TRACE(name);
    const SetPtr plain = make(edges);
    Edges more = edges;
    more.insert(more.begin() + 1, Edge{2, 2});
    const SetPtr set = make(more);
    EXPECT_EQ(kit(set), "");
    if (name == "flow" || name == "multicommodity_flow" || name == "bipartite_matchings" ||
        name == "b_matchings") {
      EXPECT_EQ(set->hull_dimension(), plain->hull_dimension() + 1);
      continue;
    }
    EXPECT_EQ(set->hull_dimension(), plain->hull_dimension());
    for (int trial = 0; trial < 50; ++trial) {
      Vector d = random.normals(more.size());
      const Vector x = minimiser(set, d);
      EXPECT_EQ(x[1], 0);
      EXPECT_TRUE(set->contains(x));
      d.erase(d.begin() + 1);
      EXPECT_NEAR(math::dot(d, Vector{x[0], x[2], x[3], x[4], x[5]}),
                  math::dot(d, minimiser(plain, d)), 1e-12);
      Vector off = x;
      off[1] = 1e-3;
      EXPECT_FALSE(set->contains(off));
    }
  }
}

TEST(UnitFlow, CarriesNothingWhereNoPathGoes) {
  const SetPtr set = unit_flow(5, {{0, 1}, {0, 1}, {1, 3}, {1, 2}, {4, 1}, {4, 4}}, 0, 2);
  EXPECT_EQ(set->hull_dimension(), 1U);
  EXPECT_EQ(minimiser(set, {1, 0, -9, 0, -9, -9}), (Vector{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(set->spec(),
            "unit_flow(5, [[0, 1], [0, 1], [1, 3], [1, 2], [4, 1], [4, 4]], source=0, sink=2)");
  EXPECT_EQ(kit(set), "");
}

/// Of every kind of matroid: uniform ones have no loops but all.
TEST(IndependentSets, HaveNoElementThatIsDependentAlone) {
  const SetPtr partition = independent_sets(partition_matroid({0, 0, 1, 2, 2}, {1, 0, 1}));
  EXPECT_EQ(partition->hull_dimension(), 4U);
  EXPECT_EQ(minimiser(partition, {-1, -2, -9, 1, -1}), (Vector{0, 1, 0, 0, 1}));
  EXPECT_EQ(kit(partition), "");
  const SetPtr laminar =
      independent_sets(laminar_matroid(5, {{0, 1}, {2, 3}, {0, 1, 2, 3}}, {1, 0, 1}));
  EXPECT_EQ(minimiser(laminar, {-1, -2, -9, -9, -1}), (Vector{0, 1, 0, 0, 1}));
  EXPECT_EQ(kit(laminar), "");
  EXPECT_EQ(laminar->spec(), "laminar_matroid(5, [[0, 1], [2, 3], [0, 1, 2, 3]], [1, 0, 1])");
}

}  // namespace
}  // namespace keyhole::tests
