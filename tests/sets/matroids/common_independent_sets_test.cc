// Common independent sets of two matroids against all subsets, and against sets that they equal.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "catalogue.h"
#include "instances/matroids.h"
#include "keyhole/graphs.h"
#include "keyhole/spec.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
using Elements = std::vector<std::size_t>;

/// The same matroid through its rank alone, so that nothing of its kind is known.
MatroidPtr by_rank_alone(const MatroidPtr& matroid) {
  return matroid_of_rank(
      matroid->size(), [matroid](std::span<const std::size_t> some) { return matroid->rank(some); },
      "unknown " + matroid->spec());
}

MatroidPtr random_matroid_on(std::size_t n, Random& random) {
  const std::size_t kind = random.integer(0, 3);
  if (kind == 0) return uniform_matroid(n, random.integer(1, n));
  if (kind == 1) {
    const auto [nodes, edges] = random_undirected_graph(n, false, random);
    return graphic_matroid(nodes, edges);
  }
  if (kind == 2) {
    const std::size_t half = random.integer(1, n);
    Elements inner(half);
    Elements whole(n);
    std::iota(inner.begin(), inner.end(), n - half);
    std::iota(whole.begin(), whole.end(), std::size_t{0});
    return laminar_matroid(n, {inner, whole}, {random.integer(1, half), random.integer(1, n)});
  }
  const std::size_t count = random.integer(1, n);
  Elements groups(n);
  for (std::size_t e = 0; e < n; ++e) groups[e] = e < count ? e : random.integer(0, count - 1);
  return partition_matroid(groups, Elements(count, random.integer(1, 2)));
}

bool is_independent(const Matroid& matroid, const Elements& some) {
  return matroid.rank(some) == some.size();
}

std::vector<Vector> all_common(const MatroidPtr& first, const MatroidPtr& second) {
  return all_independent(first->size(), false, [&](const Elements& some) {
    return is_independent(*first, some) && is_independent(*second, some);
  });
}

double cost_of(const SetPtr& set, const Vector& d) { return set->oracle()->minimise(d).dot(d); }

TEST(CommonIndependentSets, AreCheapestOfAllSubsets) {
  Random random(51);
  for (std::uint64_t k = 0; k < scaled_count(150); ++k) {
    const std::size_t n = random.integer(1, 9);
    const MatroidPtr first = random_matroid_on(n, random);
    const MatroidPtr second = random_matroid_on(n, random);
    const std::vector<Vector> all = all_common(first, second);
    const auto slow = least_of(all);
    const SetPtr set = common_independent_sets(first, second);
    const SetPtr unknown = common_independent_sets(by_rank_alone(first), by_rank_alone(second));
    for (int trial = 0; trial < 10; ++trial) {
      Vector d = random.normals(n);
      // Many ties, and sums that rounding would tell apart.
      if (trial % 2 == 0) {
        for (double& cost : d) cost = 0.1 * std::round(3 * cost);
      }
      const Vector v = minimiser(set, d);
      EXPECT_NE(std::find(all.begin(), all.end(), v), all.end()) << set->spec();
      EXPECT_NEAR(cost_of(set, d), slow(d), 1e-12) << set->spec();
      EXPECT_NEAR(cost_of(unknown, d), slow(d), 1e-12) << unknown->spec();
    }
    EXPECT_EQ(minimiser(set, Vector(n, 0.0)), Vector(n, 0.0));
  }
}

TEST(CommonIndependentSets, HaveTheRadiiOfAllSubsets) {
  Random random(52);
  for (std::uint64_t k = 0; k < scaled_count(60); ++k) {
    const std::size_t n = random.integer(1, 7);
    const MatroidPtr first = random_matroid_on(n, random);
    const MatroidPtr second = random_matroid_on(n, random);
    const SetPtr set = common_independent_sets(first, second);
    const Geometry geometry = set->geometry();
    const Vector& p = geometry.centre;
    const std::vector<Vector> all = all_common(first, second);
    double R = 0;
    double D = 0;
    for (const Vector& v : all) {
      double square = 0;
      for (std::size_t e = 0; e < n; ++e) square += (v[e] - p[e]) * (v[e] - p[e]);
      R = std::max(R, std::sqrt(square));
      for (const Vector& w : all) {
        double differ = 0;
        for (std::size_t e = 0; e < n; ++e) differ += v[e] != w[e] ? 1 : 0;
        D = std::max(D, std::sqrt(differ));
      }
    }
    double r = *std::min_element(p.begin(), p.end());
    for (std::size_t s = 1; s < (std::size_t{1} << n); ++s) {
      Elements some;
      double sum = 0;
      for (std::size_t e = 0; e < n; ++e) {
        if ((s >> e & 1U) == 0) continue;
        some.push_back(e);
        sum += p[e];
      }
      const double rank = static_cast<double>(std::min(first->rank(some), second->rank(some)));
      r = std::min(r, (rank - sum) / std::sqrt(static_cast<double>(some.size())));
    }
    EXPECT_NEAR(geometry.inner_radius, r, 1e-12) << set->spec();
    EXPECT_NEAR(geometry.outer_radius, R, 1e-12) << set->spec();
    EXPECT_GE(geometry.diameter, D - 1e-12) << set->spec();
    if (geometry.diameter_exact) {
      EXPECT_NEAR(geometry.diameter, D, 1e-12) << set->spec();
    }
    if (set->spec().find("graphic") == std::string::npos) {
      EXPECT_TRUE(geometry.diameter_exact) << set->spec();
    }
    const Geometry about = set->geometry_about(p);
    EXPECT_NEAR(about.inner_radius, r, 1e-12) << set->spec();
    EXPECT_NEAR(about.outer_radius, R, 1e-12) << set->spec();
  }
}

TEST(CommonIndependentSets, WithAFreeMatroidAreThoseOfTheOther) {
  Random random(53);
  for (std::uint64_t k = 0; k < scaled_count(40); ++k) {
    const std::size_t n = random.integer(2, 9);
    const MatroidPtr matroid = random_matroid_on(n, random);
    const SetPtr other = independent_sets(matroid);
    for (const SetPtr& set : {common_independent_sets(matroid, uniform_matroid(n, n)),
                              common_independent_sets(uniform_matroid(n, n), matroid)}) {
      EXPECT_EQ(set->centre(), other->centre());
      EXPECT_EQ(set->inner_radius(), other->inner_radius());
      EXPECT_NEAR(set->outer_radius(), other->outer_radius(), 1e-14);
      EXPECT_LE(set->diameter(), other->diameter() + 1e-14);
      Vector subgradient(n);
      Vector of_other(n);
      for (int trial = 0; trial < 5; ++trial) {
        const Vector d = random.normals(n);
        EXPECT_NEAR(cost_of(set, d), cost_of(other, d), 1e-13);
        Vector x = random.normals(n, 0.5);
        for (double& value : x) value = std::clamp(value, 0.0, 1.0);
        EXPECT_EQ(set->contains(x), other->contains(x));
        if (!set->can_gauge()) continue;
        EXPECT_NEAR(set->oracle()->gauge(d, subgradient), other->oracle()->gauge(d, of_other),
                    1e-13);
        expect_near(subgradient, of_other, 1e-13);
      }
    }
  }
}

TEST(CommonIndependentSets, OfTwoPartitionsAreBipartiteMatchings) {
  Random random(54);
  for (std::uint64_t k = 0; k < scaled_count(40); ++k) {
    const std::size_t side = random.integer(2, 5);
    Elements left;
    Elements right;
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) {
        if (i != j && random.uniform() < 0.5) continue;
        left.push_back(i);
        right.push_back(j);
        edges.push_back({i, j});
      }
    }
    const Elements ones(side, 1);
    const SetPtr set =
        common_independent_sets(partition_matroid(left, ones), partition_matroid(right, ones));
    const SetPtr matchings = bipartite_matchings(side, side, edges);
    EXPECT_NEAR(set->inner_radius(), matchings->inner_radius(), 1e-14);
    EXPECT_NEAR(set->diameter(), matchings->diameter(), 1e-14);
    for (int trial = 0; trial < 10; ++trial) {
      const Vector d = random.normals(edges.size());
      EXPECT_EQ(minimiser(set, d), minimiser(matchings, d));
      Vector x = random.normals(edges.size(), 0.5);
      for (double& value : x) value = std::abs(value);
      EXPECT_EQ(set->contains(x), matchings->contains(x));
    }
  }
}

TEST(CommonIndependentSets, KeepTheirCostWhenElementsAreRenamed) {
  Random random(55);
  for (std::uint64_t k = 0; k < scaled_count(40); ++k) {
    const std::size_t n = random.integer(2, 20);
    const auto [nodes, edges] = random_undirected_graph(n, false, random);
    Elements colours(n);
    for (std::size_t e = 0; e < n; ++e) colours[e] = e < 2 ? e : random.integer(0, 1);
    const SetPtr set =
        common_independent_sets(graphic_matroid(nodes, edges), partition_matroid(colours, {2, 3}));
    Vector d = random.normals(n);
    const double least = cost_of(set, d);
    std::vector<Edge> back(edges.rbegin(), edges.rend());
    std::reverse(colours.begin(), colours.end());
    std::reverse(d.begin(), d.end());
    const SetPtr reversed =
        common_independent_sets(partition_matroid(colours, {2, 3}), graphic_matroid(nodes, back));
    EXPECT_NEAR(cost_of(reversed, d), least, 1e-12);
    for (double& cost : d) cost *= 0x1p60;
    EXPECT_NEAR(cost_of(reversed, d) * 0x1p-60, least, 1e-12);
  }
}

TEST(CommonIndependentSets, OfManyElementsKeepTheContract) {
  Random random(56);
  const auto [nodes, edges] = random_undirected_graph(20, true, random);
  Elements colours(edges.size());
  for (std::size_t e = 0; e < colours.size(); ++e) colours[e] = e % 4;
  EXPECT_EQ(kit(common_independent_sets(graphic_matroid(nodes, edges),
                                        partition_matroid(colours, {2, 2, 2, 2}))),
            "");
}

TEST(CommonIndependentSets, AreRefusedWithTheReason) {
  const MatroidPtr pair = uniform_matroid(2, 1);
  EXPECT_EQ(refusal([&] { return common_independent_sets(pair, uniform_matroid(3, 1)); }),
            "common independent sets need matroids of the same elements: uniform_matroid(2, 1) has "
            "2 and uniform_matroid(3, 1) has 3");
  EXPECT_EQ(
      refusal([&] {
        return common_independent_sets(partition_matroid({0, 1}, {1, 0}),
                                       graphic_matroid(2, {{1, 1}, {0, 1}}));
      }),
      "common_independent_sets(partition_matroid([0, 1], [1, 0]), graphic_matroid(2, [[1, 1], "
      "[0, 1]])) has nothing but the empty set: there is nothing to choose");
  EXPECT_EQ(refusal([&] { return common_independent_sets(ball(2), independent_sets(pair)); }),
            "common independent sets are of two sets that are the independent sets of matroids, "
            "such as uniform_matroid(4, 2), and ball(2) is not one");
  EXPECT_EQ(
      refusal([&] { return common_independent_sets(independent_sets(pair), matroid_bases(pair)); }),
      "common independent sets are of two sets that are the independent sets of matroids, "
      "such as uniform_matroid(4, 2), and uniform_matroid(2, 1, bases=true) is not one");
  EXPECT_EQ(refusal([] {
              return common_independent_sets(uniform_matroid(2001, 1), uniform_matroid(2001, 2));
            }),
            "matroids of 2001 elements are too large for what they have in common: 2000 elements "
            "are the most");
  EXPECT_EQ(refusal([&] { return common_independent_sets(SetPtr(), independent_sets(pair)); }),
            "common independent sets need two matroids, not a null pointer");
  const std::string spec =
      "common_independent_sets(uniform_matroid(2, 1), graphic_matroid(2, [[0, 1], [1, 0]]))";
  EXPECT_EQ(make_set(spec)->spec(), spec);
}

}  // namespace
}  // namespace keyhole::tests
