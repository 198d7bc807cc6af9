// Base polytopes of submodular functions next to sets that are known otherwise.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances/matroids.h"
#include "keyhole/choices.h"
#include "keyhole/testing.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// All inequalities, one for each set of elements.
bool keeps_all_sets(const SubmodularFunction& function, const Vector& x, double slack) {
  const std::size_t n = function.size();
  for (std::size_t set = 1; set < std::size_t{1} << n; ++set) {
    std::vector<std::size_t> elements;
    double sum = 0;
    for (std::size_t e = 0; e < n; ++e) {
      if ((set >> e & 1U) == 0) continue;
      elements.push_back(e);
      sum += x[e];
    }
    const double value = function.value(elements);
    if (sum > value + slack || (elements.size() == n && sum < value - slack)) return false;
  }
  return true;
}

SubmodularPtr random_cut_function(std::size_t n, Random& random) {
  std::vector<Edge> edges;
  Vector weights;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (random.uniform() < 0.4) continue;
      edges.push_back({i, j});
      weights.push_back(random.uniform(0.5, 2));
    }
  }
  return cut_function(n, edges, weights);
}

TEST(SubmodularBases, ConcaveOfCardinalityArePermutahedra) {
  Random random(1);
  const Vector values{7, 4, 2, 1};
  const SetPtr set = submodular_bases(submodular_function(4, [&](auto elements) {
    return std::accumulate(values.begin(),
                           values.begin() + static_cast<std::ptrdiff_t>(elements.size()), 0.0);
  }));
  const SetPtr other = permutahedron(values);
  EXPECT_EQ(set->spec(), "submodular_bases");
  EXPECT_EQ(set->hull_dimension(), 3U);
  Vector x(4);
  Vector y(4);
  for (int k = 0; k < 100; ++k) {
    const Vector d = random.normals(4);
    EXPECT_NEAR(set->oracle()->minimise(d).dot(d), other->oracle()->minimise(d).dot(d), 1e-12);
    const Vector z = random.normals(4, 5);
    set->oracle()->project(z, x);
    other->oracle()->project(z, y);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], y[i], 1e-9);
  }
  const auto report = testing::check_set(set, {.directions = 50});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(SubmodularBases, MembershipIsThatOfAllSets) {
  Random random(2);
  int inside = 0;
  for (int k = 0; k < 10; ++k) {
    const SubmodularPtr function = random_cut_function(6, random);
    const SetPtr set = submodular_bases(function);
    for (int trial = 0; trial < 20; ++trial) {
      Vector x = random.normals(6, set->outer_radius() / 4);
      set->flatten(x);
      const bool expected = keeps_all_sets(*function, x, 1e-10);
      EXPECT_EQ(set->contains(x), expected);
      inside += expected ? 1 : 0;
    }
  }
  EXPECT_GT(inside, 10);
  EXPECT_LT(inside, 190);
}

TEST(SubmodularBases, OfAGraphInParts) {
  const SetPtr set = submodular_bases(cut_function(4, {{0, 1}, {2, 3}}, {1, 2}));
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_TRUE(set->contains(Vector{1, -1, -2, 2}));
  EXPECT_FALSE(set->contains(Vector{1, -0.9, -2, 1.9}));
  EXPECT_EQ(set->spec(), "cut_bases(4, [[0, 1], [2, 3]], weights=[1, 2])");
}

TEST(SubmodularBases, Refuse) {
  const auto of = [](const auto& call) { return message<InvalidArgument>(call); };
  EXPECT_EQ(of([] { (void)submodular_bases(nullptr); }),
            "the bases of a submodular function need one, not a null pointer");
  EXPECT_EQ(of([] {
              (void)cut_function(2, {{0, 2}}, {1});
            }),
            "edge 0 has an end that is no node: there are 2");
  EXPECT_EQ(of([] {
              (void)cut_function(2, {{1, 1}}, {1});
            }),
            "edge 0 leads from a node to itself: leave it out");
  EXPECT_EQ(of([] {
              (void)cut_function(2, {{0, 1}}, {-1});
            }),
            "the weight of edge 0 must be positive and at most 1e50, not -1");
  EXPECT_EQ(of([] {
              (void)coverage_function({{0}, {}}, {1});
            }),
            "element 1 covers nothing, so its coordinate is 0: leave it out");
  EXPECT_EQ(of([] {
              (void)coverage_function({{0}, {0, 0}}, {1});
            }),
            "element 1 covers a place twice");
  EXPECT_EQ(of([] {
              (void)submodular_function(3, [](auto elements) {
                return static_cast<double>(elements.size() * elements.size());
              });
            }),
            "the function is not submodular: element 1 adds 3 to the elements up to 0, and 1 to "
            "those before 0");
  EXPECT_EQ(of([] { (void)submodular_function(3, [](auto) { return 1.0; }); }),
            "a submodular function must be 0 for the empty set, not 1");
}

// Covers that are shifts of one another make a thin hull, whose normal the covariance of 3,000
// vertices tells to 1e-6 only.
TEST(CoverageBases, OfThousandShiftsHaveAnInnerBall) {
  constexpr std::size_t n = 1000;
  std::vector<std::vector<std::size_t>> covers(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 5; ++k) covers[i].push_back((i + 7 * k) % n);
  }
  const SetPtr set =
      submodular_bases(coverage_function(std::move(covers), std::vector<double>(n, 1.0)));
  EXPECT_EQ(set->hull_dimension(), n - 1);
  EXPECT_GT(set->inner_radius(), 0);
}

}  // namespace
}  // namespace keyhole::tests
