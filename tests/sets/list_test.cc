// Lists as arguments: members in braces are those of a vector.

#include "keyhole/list.h"

#include <gtest/gtest.h>

#include <array>
#include <type_traits>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::tests {
namespace {

using Numbers = std::vector<double>;
using Edges = std::vector<Edge>;
using Counts = std::vector<std::size_t>;

static_assert(std::is_convertible_v<Numbers, List<double>>);
static_assert(std::is_convertible_v<std::span<double>, List<double>>);
static_assert(std::is_convertible_v<std::span<const double>, List<double>>);
static_assert(std::is_convertible_v<std::array<double, 2>, List<double>>);
// A number is no list, and numbers of another kind are not copied behind one's back.
static_assert(!std::is_convertible_v<double, List<double>>);
static_assert(!std::is_convertible_v<int, List<double>>);
static_assert(!std::is_convertible_v<std::vector<int>, List<double>>);
static_assert(!std::is_convertible_v<std::vector<float>, List<double>>);

TEST(List, HasTheMembersThatItIsGiven) {
  const auto copy = [](List<double> list) { return Numbers(list.begin(), list.end()); };
  Numbers vector = {1, 5};
  const double array[] = {1, 5};
  EXPECT_EQ(copy({1, 5}), vector);
  EXPECT_EQ(copy(vector), vector);
  EXPECT_EQ(copy(Numbers{1, 5}), vector);
  EXPECT_EQ(copy(array), vector);
  EXPECT_EQ(copy(std::array{1.0, 5.0}), vector);
  EXPECT_EQ(copy(std::span(vector)), vector);
  EXPECT_EQ(copy({vector.data(), 2}), vector);
  EXPECT_EQ(copy({}), Numbers());
}

TEST(List, InBracesMakesTheSetOfTheVector) {
  const Numbers two = {1, 5};
  const Numbers four = {2, 0, 0, 3};
  const Edges triangle = {{0, 1}, {1, 2}, {0, 2}};
  const Counts counts = {2, 3};
  const std::pair<SetPtr, SetPtr> pairs[] = {
      {box({1, 5}, {256, 500}), box(two, Numbers{256, 500})},
      {box({-1, 0.5}, two), box(Numbers{-1, 0.5}, two)},
      {box({0}, {1}), box(0, 1, 1)},
      {unit_flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2), unit_flow(3, triangle, 0, 2)},
      {image(ball(2), 2, {1, 5}), image(ball(2), 2, two)},
      {translated(ball(2), {1, 5}), translated(ball(2), two)},
      {affine_image(ball(2), {2, 0, 0, 3}, {1, 5}), affine_image(ball(2), four, two)},
      {path_splits({2, 3}), path_splits(counts)},
      {recentred(ball(2), {0.1, 0.2}), recentred(ball(2), Numbers{0.1, 0.2})},
      {lp_ball(1.5, {1, 5}), lp_ball(1.5, two)},
      {owl_ball({5, 1}), owl_ball(Numbers{5, 1})},
      {group_ball({2, 3}), group_ball(counts)},
      {ellipsoid({2, 0, 0, 3}, {1, 5}), ellipsoid(four, two)},
      {weighted_simplex({1, 5}), weighted_simplex(two)},
      {weighted_simplex({1, 5}, 1, {0.1, 0.1}), weighted_simplex(two, 1, 0.1)},
      {knapsack({1, 5}, 3), knapsack(two, 3)},
      {permutahedron({1, 5}), permutahedron(two)},
      {transportation({1, 5}, {3, 3}), transportation(two, Numbers{3, 3})},
      {flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2), flow(3, triangle, 0, 2)},
      {flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2, {1, 1, 0.5}),
       flow(3, triangle, 0, 2, Numbers{1, 1, 0.5})},
      {bipartite_matchings(2, 2, {{0, 0}, {1, 1}}),
       bipartite_matchings(2, 2, Edges{{0, 0}, {1, 1}})},
      {matroid_bases(partition_matroid({0, 0, 1, 1}, {1, 1})),
       matroid_bases(partition_matroid(Counts{0, 0, 1, 1}, Counts{1, 1}))},
      {independent_sets(laminar_matroid(3, {{0, 1}, {2}}, {1, 1})),
       independent_sets(laminar_matroid(3, {{0, 1}, {2}}, Counts{1, 1}))},
      {independent_sets(graphic_matroid(3, {{0, 1}, {1, 2}, {0, 2}})),
       independent_sets(graphic_matroid(3, triangle))},
      {spanning_trees(3, {{0, 1}, {1, 2}, {0, 2}}), spanning_trees(3, triangle)},
  };
  for (const auto& [in_braces, of_vector] : pairs) {
    EXPECT_EQ(in_braces->spec(), of_vector->spec());
  }
}

TEST(List, OfSetsAndPointsTakesBracesToo) {
  EXPECT_EQ(convex_hull({{0, 0}, {1, 0}, {0, 1}})->dimension(), 2u);
  EXPECT_EQ(product({ball(2), box({1, 5}, {2, 6})})->dimension(), 4u);
  EXPECT_EQ(intersection({simplex(3), box(0, 0.6, 3)})->dimension(), 3u);
  EXPECT_EQ(polytope({.n = 2,
                      .lower = {0, 0},
                      .upper = {1, 1},
                      .inequalities = {.dense = {1, 2}, .right = {2}}})
                ->dimension(),
            2u);
}

#ifdef KEYHOLE_WITH_LEMON
TEST(List, OfEdgesToMatchTakesBraces) {
  EXPECT_EQ(matchings(3, {{0, 1}, {1, 2}, {0, 2}})->spec(),
            matchings(3, Edges{{0, 1}, {1, 2}, {0, 2}})->spec());
}
#endif

}  // namespace
}  // namespace keyhole::tests
