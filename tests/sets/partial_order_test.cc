// Orders of acyclic graphs next to chains, grids and plain quadratic programs.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances/choices.h"
#include "keyhole/polytope.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(PartialOrder, ChainsAreIsotonic) {
  Random random(1);
  for (const std::size_t n : {1, 2, 5, 40}) {
    std::vector<Edge> chain;
    for (std::size_t i = 0; i + 1 < n; ++i) chain.push_back({i, i + 1});
    const SetPtr set = partial_order(n, chain, -1, 2);
    const SetPtr other = isotonic(n, -1, 2);
    EXPECT_NEAR(set->inner_radius(), other->inner_radius(), 1e-14);
    EXPECT_NEAR(set->outer_radius(), other->outer_radius(), 1e-12);
    const auto oracle = set->oracle();
    const auto another = other->oracle();
    Vector x(n);
    Vector y(n);
    for (int k = 0; k < 50; ++k) {
      const Vector d = random.normals(n);
      oracle->minimise(d).write_to(x);
      another->minimise(d).write_to(y);
      EXPECT_EQ(x, y);
      const Vector z = random.normals(n, 3);
      oracle->project(z, x);
      another->project(z, y);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], y[i], 1e-13);
      EXPECT_TRUE(set->contains(x));
    }
  }
}

TEST(PartialOrder, ProjectsAsThePolytopeOfItsRows) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const SetPtr set = random_partial_order(random.integer(2, 12), random).set;
    const SetPtr rows = polytope(*set->linear_description());
    const std::size_t n = set->dimension();
    Vector x(n);
    Vector y(n);
    for (int trial = 0; trial < 10; ++trial) {
      Vector z = random.normals(n, set->diameter());
      for (std::size_t i = 0; i < n; ++i) z[i] += set->centre()[i];
      set->oracle()->project(z, x);
      rows->oracle()->project(z, y);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], y[i], 1e-8 * set->diameter());
    }
  }
}

TEST(PartialOrder, OfAGridOfAHundredByAHundred) {
  const std::size_t side = 100;
  std::vector<Edge> relations;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      if (i + 1 < side) relations.push_back({i * side + j, (i + 1) * side + j});
      if (j + 1 < side) relations.push_back({i * side + j, i * side + j + 1});
    }
  }
  const SetPtr set = partial_order(side * side, relations);
  Random random(3);
  Vector x(side * side);
  const auto oracle = set->oracle();
  oracle->minimise(random.normals(side * side)).write_to(x);
  EXPECT_TRUE(set->contains(x));
  oracle->project(random.normals(side * side), x);
  EXPECT_TRUE(set->contains(x));
}

TEST(PartialOrder, TiesSpecsAndRefusals) {
  const SetPtr set = partial_order(3, {{0, 1}, {0, 2}});
  EXPECT_EQ(set->spec(), "partial_order(3, [[0, 1], [0, 2]])");
  Vector x(3);
  set->oracle()->minimise(Vector{0, 0, 0}).write_to(x);
  EXPECT_EQ(x, (Vector{0, 0, 0}));
  EXPECT_FALSE(set->contains(Vector{0.5, 0.4, 0.6}));
  const auto of = [](const auto& call) { return message<InvalidArgument>(call); };
  EXPECT_EQ(of([] {
              (void)partial_order(3, {{0, 1}, {1, 2}, {2, 1}});
            }),
            "the relations of a partial order go round: no order has number 1 above all that must "
            "be below it");
  EXPECT_EQ(of([] {
              (void)partial_order(2, {{0, 2}});
            }),
            "relation 0 of a partial order has a number that is not there: there are 2, counted "
            "from 0");
  EXPECT_EQ(of([] {
              (void)partial_order(2, {{1, 1}});
            }),
            "relation 0 of a partial order leads from 1 to itself: leave it out");
  EXPECT_EQ(of([] {
              (void)partial_order(2, {{0, 1}}, 1, 1);
            }),
            "the bounds [1, 1] of a partial order leave nothing to choose: the lower must be below "
            "the upper");
  EXPECT_THROW((void)partial_order(0, {}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
