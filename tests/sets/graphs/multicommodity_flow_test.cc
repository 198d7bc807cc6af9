// Flows of several commodities against the enumeration of their vertices, against linear programs
// of CLP, and against sets that they equal.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalogue.h"
#include "clp.h"
#include "instances/graphs.h"
#include "keyhole/exploration.h"
#include "keyhole/spec.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double least_value(const SetPtr& set, const Vector& d) { return set->oracle()->minimise(d).dot(d); }

/// A grid of streets that go both ways, row by row.
std::pair<std::size_t, std::vector<Edge>> street_grid(std::size_t side) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const std::size_t v = i * side + j;
      if (j + 1 < side) edges.insert(edges.end(), {{v, v + 1}, {v + 1, v}});
      if (i + 1 < side) edges.insert(edges.end(), {{v, v + side}, {v + side, v}});
    }
  }
  return {side * side, edges};
}

TEST(MulticommodityFlow, HasTheMinimaOfItsVertices) {
  Random random(61);
  std::size_t compared = 0;
  for (int k = 0; k < 60; ++k) {
    const Instance instance = random_multicommodity_flow(random.integer(2, 10), random);
    if (!instance.slow_minimum) continue;
    ++compared;
    const SetPtr& set = instance.set;
    for (int trial = 0; trial < 10; ++trial) {
      const Vector d = random.normals(set->dimension());
      const Vector v = minimiser(set, d);
      EXPECT_TRUE(set->contains(v)) << set->spec();
      EXPECT_NEAR(least_value(set, d), instance.slow_minimum(d), 1e-9) << set->spec();
    }
  }
  EXPECT_GT(compared, 10u);
}

/// The dimension of the affine hull of points, by Gram's and Schmidt's method.
std::size_t dimension_of_hull(const std::vector<Vector>& points) {
  std::vector<Vector> basis;
  for (const Vector& point : points) {
    Vector b(point.size());
    for (std::size_t j = 0; j < b.size(); ++j) b[j] = point[j] - points[0][j];
    for (int pass = 0; pass < 2; ++pass) {
      for (const Vector& a : basis) {
        const double along = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        for (std::size_t j = 0; j < b.size(); ++j) b[j] -= along * a[j];
      }
    }
    const double length = length_of(b);
    if (length < 1e-9) continue;
    for (double& value : b) value /= length;
    basis.push_back(b);
  }
  return basis.size();
}

/// Hull, radii and diameter hold the vertices. What is refused has a single one, or none.
TEST(MulticommodityFlow, HasTheShapeOfItsVertices) {
  Random random(62);
  std::size_t made = 0;
  for (std::uint64_t k = 0; k < scaled_count(60); ++k) {
    const std::size_t count = random.integer(1, 2);
    const auto [nodes, edges] = random_digraph(random.integer(2, 5), random);
    std::vector<Commodity> commodities;
    for (std::size_t i = 0; i < count; ++i) commodities.push_back({0, 1, i == 0 ? 1 : 0.5});
    const Vector capacities(edges.size(), random.uniform() < 0.5 ? 1.5 : 0.75);
    const auto vertices = all_commodity_flows(nodes, edges, commodities, capacities);
    SetPtr set;
    try {
      set = multicommodity_flow(nodes, edges, commodities, capacities);
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(dimension_of_hull(vertices), 0u) << error.what();
      continue;
    }
    ++made;
    EXPECT_EQ(set->hull_dimension(), dimension_of_hull(vertices)) << set->spec();
    const Geometry geometry = set->geometry();
    Vector apart(set->dimension());
    for (const Vector& v : vertices) {
      for (std::size_t j = 0; j < v.size(); ++j) apart[j] = v[j] - geometry.centre[j];
      EXPECT_LE(length_of(apart), geometry.outer_radius + 1e-9) << set->spec();
      Vector within = apart;
      set->flatten(within);
      expect_near(within, apart, 1e-9);
      for (const Vector& w : vertices) {
        for (std::size_t j = 0; j < v.size(); ++j) apart[j] = v[j] - w[j];
        EXPECT_LE(length_of(apart), geometry.diameter + 1e-9) << set->spec();
      }
    }
  }
  EXPECT_GT(made, scaled_count(10));
}

TEST(MulticommodityFlow, OfOneCommodityIsFlow) {
  Random random(63);
  for (std::uint64_t k = 0; k < scaled_count(40); ++k) {
    const auto [nodes, edges] = random_digraph(random.integer(2, 12), random);
    Vector capacities(edges.size());
    for (double& capacity : capacities) capacity = random.uniform(0.3, 2);
    SetPtr one;
    try {
      one = flow(nodes, edges, 0, 1, capacities, 0.5);
    } catch (const InvalidArgument& error) {
      const std::string refused = refusal([&, nodes = nodes, edges = edges] {
        return multicommodity_flow(nodes, edges, {{0, 1, 0.5}}, capacities);
      });
      EXPECT_NE(refused, "nothing was thrown") << error.what();
      continue;
    }
    const SetPtr set = multicommodity_flow(nodes, edges, {{0, 1, 0.5}}, capacities);
    EXPECT_EQ(set->hull_dimension(), one->hull_dimension()) << set->spec();
    // Its ball is a largest one.
    EXPECT_GE(set->inner_radius(), one->inner_radius() * (1 - 1e-9)) << set->spec();
    EXPECT_TRUE(set->contains(one->centre())) << set->spec();
    EXPECT_TRUE(one->contains(set->centre())) << set->spec();
    EXPECT_NEAR(set->geometry_about(one->centre()).inner_radius, one->inner_radius(), 1e-9);
    for (int trial = 0; trial < 10; ++trial) {
      const Vector d = random.normals(edges.size());
      EXPECT_NEAR(least_value(set, d), least_value(one, d), 1e-9) << set->spec();
      EXPECT_TRUE(set->contains(minimiser(one, d)));
      EXPECT_TRUE(one->contains(minimiser(set, d)));
      expect_near(projected(set, d), projected(one, d), 1e-7);
    }
  }
}

/// With capacities for all of them the commodities do not meet.
TEST(MulticommodityFlow, WithRoomForAllIsAProduct) {
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  const SetPtr set = multicommodity_flow(4, edges, {{0, 3, 1}, {0, 2, 0.5}}, 4);
  const SetPtr both = product({flow(4, edges, 0, 3, 4, 1), flow(4, edges, 0, 2, 4, 0.5)});
  EXPECT_EQ(set->hull_dimension(), both->hull_dimension());
  EXPECT_EQ(set->centre()[edges.size() + 3], 0);  // a dead end for the second one
  Random random(64);
  for (int k = 0; k < 50; ++k) {
    const Vector d = random.normals(10);
    EXPECT_NEAR(least_value(set, d), least_value(both, d), 1e-12);
    EXPECT_TRUE(set->contains(minimiser(both, d)));
  }
}

TEST(MulticommodityFlow, KeepsItsMinimaWhenCommoditiesTurnOrUnitsChange) {
  const auto [nodes, edges] = street_grid(3);
  const std::size_t m = edges.size();
  const Vector capacities(m, 1.0);
  const SetPtr set = multicommodity_flow(nodes, edges, {{0, 8, 1}, {2, 6, 0.75}}, capacities);
  const SetPtr turned = multicommodity_flow(nodes, edges, {{2, 6, 0.75}, {0, 8, 1}}, capacities);
  const SetPtr larger =
      multicommodity_flow(nodes, edges, {{0, 8, 1000}, {2, 6, 750}}, Vector(m, 1000.0));
  Random random(65);
  for (int k = 0; k < 20; ++k) {
    Vector d = random.normals(2 * m);
    const double least = least_value(set, d);
    EXPECT_NEAR(least_value(larger, d), 1000 * least, 1e-8);
    std::rotate(d.begin(), d.begin() + static_cast<std::ptrdiff_t>(m), d.end());
    EXPECT_NEAR(least_value(turned, d), least, 1e-10);
  }
  EXPECT_EQ(kit(set), "");
}

/// What every flow uses up is part of the hull: both commodities need the one bridge.
TEST(MulticommodityFlow, KeepsCapacitiesThatAreUsedUp) {
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {0, 2}};
  const SetPtr set = multicommodity_flow(3, edges, {{0, 1, 1}, {0, 2, 2}}, {1, 1, 1, 1, 1});
  EXPECT_FALSE(set->contains(Vector(10, 0.3)));
  Random random(66);
  for (int k = 0; k < 20; ++k) {
    const Vector d = random.normals(10);
    const Vector v = minimiser(set, d);
    EXPECT_NEAR(v[0] + v[5], 1, 1e-12);
    EXPECT_NEAR(v[1] + v[6], 1, 1e-12);
    EXPECT_NEAR(v[9], 1, 1e-12);
  }
  EXPECT_EQ(set->hull_dimension(), 2u);
  EXPECT_EQ(kit(set), "");
}

/// Random directions find flows around cycles; exploring has few of them.
TEST(MulticommodityFlow, ExploresFlowsThatCarryLittleAroundCycles) {
  const auto [nodes, edges] = street_grid(3);
  const SetPtr set = multicommodity_flow(nodes, edges, {{0, 8, 1}, {2, 6, 1}}, 2);
  const auto exploration = set->exploration();
  const std::span<const double> mean = exploration->mean();
  Vector both(mean.size());
  const auto oracle = set->oracle();
  Random random(67);
  const int count = 200;
  for (int k = 0; k < count; ++k) oracle->minimise(random.normals(mean.size())).add_to(both, 1);
  const double of_random = std::accumulate(both.begin(), both.end(), 0.0) / count;
  EXPECT_LT(std::accumulate(mean.begin(), mean.end(), 0.0), 0.7 * of_random);
}

#ifdef KEYHOLE_WITH_CLP

/// Grids of up to 3 commodities, some too large for dense matrices.
TEST(MulticommodityFlow, MatchesLinearPrograms) {
  Random random(68);
  for (const std::size_t side : {3UL, 4UL, 8UL}) {
    const auto [nodes, edges] = street_grid(side);
    const std::vector<Commodity> commodities = {
        {0, nodes - 1, 1}, {side - 1, nodes - side, 0.5}, {nodes - 1, 0, 0.25}};
    const std::size_t m = edges.size();
    const std::size_t n = m * commodities.size();
    Vector capacities(m);
    for (double& capacity : capacities) capacity = random.uniform(0.9, 2);
    math::LinearConstraints constraints;
    constraints.columns = n;
    constraints.lower.assign(n, 0.0);
    constraints.upper.assign(n, 10.0);
    constraints.inequalities = m;
    constraints.right = capacities;
    constraints.rows.assign((m + commodities.size() * nodes) * n, 0.0);
    for (std::size_t e = 0; e < m; ++e) {
      for (std::size_t j = e; j < n; j += m) constraints.rows[e * n + j] = 1;
    }
    for (std::size_t k = 0; k < commodities.size(); ++k) {
      const std::size_t first = m + k * nodes;
      for (std::size_t e = 0; e < m; ++e) {
        constraints.rows[(first + edges[e].from) * n + k * m + e] += 1;
        constraints.rows[(first + edges[e].to) * n + k * m + e] -= 1;
      }
      for (std::size_t v = 0; v < nodes; ++v) {
        constraints.right.push_back(v == commodities[k].source ? commodities[k].amount
                                    : v == commodities[k].sink ? -commodities[k].amount
                                                               : 0);
      }
    }
    Clp program(constraints);
    const SetPtr set = multicommodity_flow(nodes, edges, commodities, capacities);
    for (int trial = 0; trial < 5; ++trial) {
      const Vector d = random.normals(n);
      EXPECT_NEAR(least_value(set, d), program.minimum(d), 1e-7) << side;
      EXPECT_TRUE(set->contains(minimiser(set, d))) << side;
    }
  }
}

#endif

TEST(MulticommodityFlow, IsRefusedWithTheReason) {
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {1, 2}, {1, 2}};
  using Commodities = std::vector<Commodity>;
  const auto refused = [&](const Commodities& commodities, double capacity = 1) {
    return refusal([&] { return multicommodity_flow(3, edges, commodities, capacity); });
  };
  EXPECT_EQ(refused({}), "flows of commodities need at least one commodity");
  EXPECT_EQ(refused({{0, 2, 1}, {2, 0, 1}}),
            "the sink of commodity 1, node 0, cannot be reached from its source, node 2");
  EXPECT_EQ(refused({{0, 2, 1}, {0, 1, 2.5}}),
            "a flow of 2.5 of commodity 1 does not fit the capacities: the largest flow from its "
            "source to its sink is 2");
  EXPECT_EQ(refused({{0, 2, 2}, {0, 1, 2}}),
            "the commodities fit the capacities one by one, but not together: 0.5 of each amount "
            "is the most");
  EXPECT_EQ(refused({{0, 3, 1}}),
            "the sink of commodity 0 is node 3, and there are 3, counted from 0");
  EXPECT_EQ(refused({{0, 2, 1}, {1, 1, 1}}),
            "the source and the sink of commodity 1 are the same, node 1");
  EXPECT_EQ(refused({{0, 2, 1}, {0, 1, 0}}),
            "the amount of commodity 1 must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refused({{0, 2, 2}}),
            "there is only one flow of these commodities: a single flow leaves nothing to choose");
  EXPECT_EQ(refused({{0, 2, 1}}, 0),
            "the capacity of edge 0 (0 -> 1) must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal([&] {
              return multicommodity_flow(2, edges, {{0, 1, 1}});
            }),
            "edge 2 (1 -> 2) must join nodes of 2, counted from 0");
  EXPECT_EQ(refusal([&] {
              return multicommodity_flow(3, edges, {{0, 1, 1}}, {1, 1});
            }),
            "a graph of 4 edges needs as many capacities, not 2");
  EXPECT_EQ(refused(Commodities(751, {0, 2, 1e-3})),
            "751 commodities on 4 edges are 3004 numbers: at most 3000 can be worked out");
  const std::string spec =
      "multicommodity_flow(3, [[0, 1], [0, 1], [1, 2], [1, 2]], [[0, 2, 1], [0, 1, 0.5]], "
      "capacities=[1, 1, 2, 1])";
  EXPECT_EQ(make_set(spec)->spec(), spec);
  EXPECT_NE(message<SpecError>([] {
              (void)make_set("multicommodity_flow(2, [[0, 1], [0, 1]], [[0, 1]])");
            }).find("must hold rows [source, sink, amount]"),
            std::string::npos);
  EXPECT_NE(message<SpecError>([] {
              (void)make_set("multicommodity_flow(2, [[0, 1], [0, 1]], [[0, 0.5, 1]])");
            }).find("must have whole numbers of nodes for source and sink"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
