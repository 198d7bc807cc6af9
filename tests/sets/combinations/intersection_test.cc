// Descriptions of sets by linear inequalities, and the intersections that are made of them.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/polytope.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Whether the set and the polytope of its description have the same support function.
void expect_described(const SetPtr& set, Random& random) {
  const auto description = set->linear_description();
  ASSERT_TRUE(description.has_value()) << set->spec();
  const SetPtr described = polytope(*description);
  EXPECT_EQ(described->hull_dimension(), set->hull_dimension()) << set->spec();
  const auto oracle = set->oracle();
  const auto other = described->oracle();
  const double R = set->outer_radius();
  for (int i = 0; i < 30; ++i) {
    const Vector d = random.normals(set->dimension());
    const double size = std::sqrt(inner(d, d));
    const double least = oracle->minimise(d).dot(d);
    ASSERT_NEAR(other->minimise(d).dot(d), least, 1e-9 * size * R + 1e-12 * std::abs(least))
        << set->spec();
  }
}

TEST(LinearDescriptions, DescribeTheSet) {
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const std::size_t n = random.integer(2, 5);
    const double size = std::exp(random.normal());
    const SetPtr cube = random_box(n, random);
    const std::vector<SetPtr> plain = {cube,
                                       simplex(n, size),
                                       solid_simplex(n, size),
                                       l1_ball(n, size),
                                       random_polytope(n, 0, random),
                                       random_polytope(n + 1, 1, random),
                                       path_splits(std::vector<std::size_t>{2, n})};
    for (const SetPtr& set : plain) {
      expect_described(set, random);
      const Vector shift = random.normals(set->dimension());
      expect_described(image(set, 2.5, shift), random);
      expect_described(image(set, -0.75, shift), random);
      expect_described(recentred_at_random(set, random), random);
      expect_described(product({set, cube, set}), random);
    }
  }
  for (const char* const name :
       {"hypersimplex", "solid_hypersimplex", "weighted_simplex", "capped_simplex", "isotonic",
        "knapsack", "birkhoff", "transportation", "bipartite_matchings"}) {
    for (const InstanceFamily& family : catalogue_instances()) {
      if (family.name != name) continue;
      for (int i = 0; i < 10; ++i) expect_described(family.draw(5, random).set, random);
    }
  }
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {2, 4}};
  expect_described(unit_flow(5, edges, 0, 4), random);
}

TEST(LinearDescriptions, AreNotMadeUp) {
  EXPECT_FALSE(ball(3)->linear_description().has_value());
  EXPECT_FALSE(nuclear_ball(2, 2)->linear_description().has_value());
  EXPECT_FALSE(l1_ball(40)->linear_description().has_value());
  EXPECT_FALSE(scaled(ball(3), 2)->linear_description().has_value());
  EXPECT_FALSE(product({box(0, 1, 2), ball(2)})->linear_description().has_value());
}

TEST(Intersections, AreThePolytopeOfAllRows) {
  // {x >= 0, sum x = 1} and x <= 0.6: the triangle with its corners cut off.
  const SetPtr set = intersection({simplex(3), box(-1, 0.6, 3)});
  EXPECT_EQ(set->spec(), "intersection(simplex(3), box(-1, 0.6, 3))");
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_TRUE(set->can_project());
  const SetPtr expected = polytope({.n = 3,
                                    .lower = {0, 0, 0},
                                    .upper = {0.6, 0.6, 0.6},
                                    .equalities = {.dense = {1, 1, 1}, .right = {1}}});
  EXPECT_LE(distance(set->centre(), expected->centre()), 1e-15);
  EXPECT_EQ(set->inner_radius(), expected->inner_radius());
  Vector v(3);
  set->oracle()->minimise(Vector{1, 2, 3}).write_to(v);
  EXPECT_LE(distance(v, Vector{0.6, 0.4, 0}), 1e-15);
  EXPECT_TRUE(set->contains(v));
  EXPECT_FALSE(set->contains(Vector{0.7, 0.3, 0}));
}

TEST(Intersections, Nest) {
  const SetPtr inner_one = intersection({simplex(3), box(0, 0.6, 3)});
  const SetPtr set = intersection({inner_one, translated(l1_ball(3, 0.5), Vector(3, 0.3)),
                                   product({box(0, 0.5, 1), solid_simplex(2)})});
  EXPECT_EQ(make_set(set->spec())->spec(), set->spec());
  Random random(2);
  Vector x(3);
  for (int i = 0; i < 50; ++i) {
    set->oracle()->minimise(random.normals(3)).write_to(x);
    EXPECT_TRUE(inner_one->contains(x));
    EXPECT_LE(std::abs(x[0] - 0.3) + std::abs(x[1] - 0.3) + std::abs(x[2] - 0.3), 0.5 + 1e-12);
    EXPECT_LE(x[0], 0.5);
  }
}

TEST(Intersections, RefuseWithWhatToDoInstead) {
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)intersection({simplex(3), ball(3)});
            }),
            "ball(3) gives no description by linear inequalities, and an intersection of sets that "
            "only have oracles has no oracle in general: describe it by inequalities as a "
            "polytope, or play on the set with the oracle and put the other constraint into the "
            "loss as a penalty, or give the oracle of what they have in common to own_set()");
  EXPECT_EQ(message<InvalidArgument>([] { (void)intersection({simplex(3)}); }),
            "an intersection needs at least two sets, not 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)intersection({simplex(3), box(0, 1, 2)});
            }),
            "the sets of an intersection must have as many coordinates: simplex(3) has 3 and "
            "box(0, 1, 2) has 2");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)intersection({simplex(3), nullptr});
            }),
            "an intersection needs sets, and one of them is missing");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)intersection({box(0, 1, 2), box(2, 3, 2)});
            }),
            "the intersection is empty: the bounds of coordinate 0 are [2, 1]");
  EXPECT_EQ(
      message<InvalidArgument>([] {
        (void)intersection({box(0, 1, 2), box(1, 3, 2)});
      }),
      "coordinate 0 of the intersection is fixed by its bounds [1, 1]: leave it out, there is "
      "nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)intersection({simplex(2), simplex(2, 3)});
            }),
            "the intersection is empty: equality 0 of simplex(2, total=3) contradicts the "
            "equalities before it");
  const std::string empty = message<InvalidArgument>([] {
    (void)intersection({simplex(3), box(0.5, 2, 3)});
  });
  EXPECT_EQ(empty.rfind("the intersection is empty: ", 0), 0U) << empty;
  EXPECT_NE(empty.find("equality 0 of simplex(3)"), std::string::npos) << empty;
  const std::string thin = message<InvalidArgument>([] {
    (void)intersection({solid_simplex(2), box(0.5, 2, 2)});
  });
  EXPECT_EQ(thin.rfind("the intersection is a single point, ", 0), 0U) << thin;
}

}  // namespace
}  // namespace keyhole::tests
