// Matroids against the enumeration of all subsets: independence, hulls, radii, projections; and the
// general way against the ways of the ready-made ones.

#include "instances/matroids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
using Elements = std::vector<std::size_t>;
using keyhole::testing::check_set;

Elements elements_of(std::size_t set) {
  Elements result;
  for (; set != 0; set &= set - 1) {
    result.push_back(static_cast<std::size_t>(std::countr_zero(set)));
  }
  return result;
}

Elements shuffled(Elements elements, Random& random) {
  for (std::size_t k = 1; k < elements.size(); ++k) {
    std::swap(elements[k], elements[random.integer(0, k)]);
  }
  return elements;
}

/// The rank of vectors over the field of two elements, given by their bits.
RankFunction binary_rank(Elements vectors) {
  return [vectors = std::move(vectors)](std::span<const std::size_t> elements) {
    Elements basis;
    for (const std::size_t e : elements) {
      std::size_t v = vectors[e];
      for (const std::size_t b : basis) v = std::min(v, v ^ b);
      if (v != 0) basis.push_back(v);
    }
    return basis.size();
  };
}

/// The example of the header.
MatroidPtr fano() {
  const auto rank = [](std::span<const std::size_t> points) {
    std::vector<std::size_t> span = {0};
    for (const std::size_t point : points) {
      if (std::find(span.begin(), span.end(), point + 1) != span.end()) continue;
      for (std::size_t k = span.size(); k-- > 0;) span.push_back(span[k] ^ (point + 1));
    }
    return static_cast<std::size_t>(std::bit_width(span.size()) - 1);
  };
  return matroid_of_rank(7, rank, "fano");
}

/// The same matroid through its rank alone, so that nothing of its kind is known.
MatroidPtr disguised(const MatroidPtr& matroid) {
  return matroid_of_rank(
      matroid->size(),
      [matroid](std::span<const std::size_t> elements) { return matroid->rank(elements); },
      "disguised " + matroid->spec());
}

struct Kind {
  MatroidPtr matroid;
  Independence independent;
};

/// Sets of 0, ..., n - 1 by halves, with random limits.
Kind random_nested(std::size_t n, Random& random) {
  LimitedSets limited;
  const Elements order = shuffled(elements_of((std::size_t{1} << n) - 1), random);
  for (std::size_t size = n; size >= 2; size /= 2) {
    for (std::size_t first = 0; first + size <= n; first += size) {
      if (random.uniform() < 0.3) continue;
      limited.sets.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                                order.begin() + static_cast<std::ptrdiff_t>(first + size));
      limited.limits.push_back(random.integer(1, size - 1));
    }
    if (size % 2 != 0) break;
  }
  return {laminar_matroid(n, limited.sets, limited.limits),
          [limited](const Elements& elements) { return limited.allow(elements); }};
}

Kind random_of_graph(std::size_t n, Random& random) {
  const auto [nodes, edges] = random_undirected_graph(n, false, random);
  return {graphic_matroid(nodes, edges), [nodes = nodes, edges = edges](const Elements& elements) {
            return is_forest(nodes, edges, elements);
          }};
}

std::vector<Kind> random_kinds(std::size_t n, Random& random) {
  const std::size_t k = random.integer(1, n);
  Elements groups(n);
  LimitedSets limited{{{}, {}}, {random.integer(1, n), random.integer(1, 2)}};
  for (std::size_t e = 0; e < n; ++e) {
    groups[e] = e < 2 ? e : random.integer(0, 1);
    limited.sets[groups[e]].push_back(e);
  }
  Elements vectors(n);
  for (std::size_t& v : vectors) v = random.integer(1, 15);
  const RankFunction rank = binary_rank(vectors);
  return {{uniform_matroid(n, k), [k](const Elements& some) { return some.size() <= k; }},
          {partition_matroid(groups, limited.limits),
           [limited](const Elements& some) { return limited.allow(some); }},
          random_nested(n, random),
          random_of_graph(n, random),
          {matroid_of_rank(n, rank, "vectors"),
           [rank](const Elements& some) { return rank(some) == some.size(); }}};
}

TEST(Matroids, KeepTheAxiomsAndTheirDefinitions) {
  Random random(1);
  for (std::uint64_t round = 0; round < scaled_count(20); ++round) {
    const std::size_t n = random.integer(2, 8);
    for (const Kind& kind : random_kinds(n, random)) {
      const std::size_t sets = std::size_t{1} << n;
      std::vector<std::size_t> rank(sets);
      for (std::size_t set = 0; set < sets; ++set) {
        const Elements elements = elements_of(set);
        rank[set] = kind.matroid->rank(shuffled(elements, random));
        ASSERT_EQ(rank[set] == elements.size(), kind.independent(elements))
            << kind.matroid->spec() << ", set " << set;
      }
      EXPECT_EQ(kind.matroid->rank(), rank.back());
      for (std::size_t pair = 0; pair < 500; ++pair) {
        const std::size_t s = random.integer(0, sets - 1);
        const std::size_t t = random.integer(0, sets - 1);
        ASSERT_GE(rank[s] + rank[t], rank[s | t] + rank[s & t]) << kind.matroid->spec();
        ASSERT_GE(rank[s | t], rank[s]);
      }
    }
  }
}

/// r about a point of the hull by all inequalities x(S) <= rank(S) and x >= 0; of bases along
/// directions of the hull, which is that of the components of the matroid.
double slow_inner_radius(const Set& set, const Matroid& matroid, std::span<const double> p) {
  const std::size_t n = p.size();
  double r = 1e9;
  const auto consider = [&](Vector normal, double room) {
    set.flatten(normal);
    double square = 0;
    for (const double value : normal) square += value * value;
    if (square > 1e-9) r = std::min(r, room / std::sqrt(square));
  };
  for (std::size_t s = 1; s < (std::size_t{1} << n); ++s) {
    const Elements elements = elements_of(s);
    Vector normal(n, 0.0);
    auto room = static_cast<double>(matroid.rank(elements));
    for (const std::size_t e : elements) {
      normal[e] = 1;
      room -= p[e];
    }
    consider(normal, room);
  }
  for (std::size_t e = 0; e < n; ++e) {
    Vector normal(n, 0.0);
    normal[e] = -1;
    consider(normal, p[e]);
  }
  return r;
}

bool has_choice(const MatroidPtr& matroid) {
  try {
    (void)matroid_bases(matroid);
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

TEST(Matroids, RadiiAndDiametersAreThoseOfAllSubsets) {
  Random random(2);
  std::size_t checked = 0;
  for (std::uint64_t round = 0; round < scaled_count(20); ++round) {
    const std::size_t n = random.integer(2, 7);
    for (const Kind& kind : random_kinds(n, random)) {
      for (const bool bases : {false, true}) {
        if (bases && !has_choice(kind.matroid)) continue;
        const SetPtr set = matroid_polytope(kind.matroid, bases);
        const Geometry& geometry = set->geometry();
        const std::vector<Vector> all = all_independent(n, bases, kind.independent);
        double R = 0;
        double D = 0;
        for (const Vector& v : all) {
          double square = 0;
          for (std::size_t e = 0; e < n; ++e) {
            square += (v[e] - geometry.centre[e]) * (v[e] - geometry.centre[e]);
          }
          R = std::max(R, std::sqrt(square));
          for (const Vector& w : all) {
            double differ = 0;
            for (std::size_t e = 0; e < n; ++e) differ += v[e] != w[e] ? 1 : 0;
            D = std::max(D, std::sqrt(differ));
          }
        }
        EXPECT_NEAR(geometry.inner_radius, slow_inner_radius(*set, *kind.matroid, geometry.centre),
                    1e-12)
            << set->spec();
        EXPECT_NEAR(geometry.outer_radius, R, 1e-12) << set->spec();
        EXPECT_GE(geometry.diameter, D - 1e-12) << set->spec();
        if (geometry.diameter_exact) {
          EXPECT_NEAR(geometry.diameter, D, 1e-12) << set->spec();
        }
        if (kind.matroid->spec().find("graphic") == std::string::npos &&
            kind.matroid->spec() != "vectors") {
          EXPECT_TRUE(geometry.diameter_exact);
        }
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, scaled_count(20) * 5);
}

TEST(Matroids, TheBoundOfTheInnerRadiusIsNotTooLarge) {
  // The wheel with 7 spokes, and random graphs: 14 edges in one block, more than are tried one by
  // one.
  std::vector<std::vector<Edge>> graphs(4);
  for (std::size_t k = 1; k <= 7; ++k) {
    for (std::vector<Edge>& edges : graphs) edges.push_back({k, k % 7 + 1});
    graphs[0].push_back({0, k});
  }
  Random random(8);
  for (std::size_t g = 1; g < graphs.size(); ++g) {
    while (graphs[g].size() < 14) {
      const std::size_t v = random.integer(2, 7);
      graphs[g].push_back({v, random.integer(1, v - 1)});
    }
  }
  for (const std::vector<Edge>& edges : graphs) {
    const MatroidPtr graphic = graphic_matroid(8, edges);
    for (const bool bases : {false, true}) {
      const SetPtr set = matroid_polytope(graphic, bases);
      const double exact = slow_inner_radius(*set, *graphic, set->centre());
      EXPECT_LE(set->inner_radius(), exact * (1 + 1e-12));
      EXPECT_GE(set->inner_radius(), exact * (bases ? 1.0 / 3 : 1 - 1e-12));
      const double about_it = recentred(set, set->centre())->inner_radius();
      EXPECT_GT(about_it, 0);
      EXPECT_LE(about_it, exact * (1 + 1e-12));
    }
  }
}

TEST(Matroids, KirchhoffCountsTheMeanOfAllTrees) {
  // By symmetry (nodes - 1) / edges: of the complete graph on 4 nodes 1/2, of a triangle 2/3.
  const std::vector<Edge> complete = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const SetPtr trees = spanning_trees(4, complete);
  EXPECT_EQ(trees->hull_dimension(), 5u);
  for (const double p : trees->centre()) EXPECT_NEAR(p, 0.5, 1e-15);
  // A triangle with a bridge, which is in every tree: an effective resistance of 2/3, and of 1.
  const SetPtr bridged = spanning_trees(4, std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  EXPECT_EQ(bridged->hull_dimension(), 2u);
  for (std::size_t e = 0; e < 3; ++e) EXPECT_NEAR(bridged->centre()[e], 2.0 / 3, 1e-15);
  EXPECT_EQ(bridged->centre()[3], 1.0);
  EXPECT_TRUE(bridged->contains(Vector{1, 1, 0, 1}));
  EXPECT_FALSE(bridged->contains(Vector{1, 1, 0, 0.999}));
  EXPECT_FALSE(bridged->contains(Vector{1, 1, 1, 1}));
}

TEST(Matroids, CutsDecideAsAllSetsOfNodesDo) {
  Random random(3);
  std::size_t inside = 0;
  std::size_t outside = 0;
  for (std::uint64_t round = 0; round < scaled_count(200); ++round) {
    const std::size_t nodes = random.integer(4, 7);
    std::vector<Edge> edges;
    for (std::size_t v = 1; v < nodes; ++v) edges.push_back({v, v - 1});
    edges.push_back({0, nodes - 1});
    while (edges.size() < 16) {
      const std::size_t v = random.integer(1, nodes - 1);
      edges.push_back({v, random.integer(0, v - 1)});
    }
    const SetPtr set = independent_sets(graphic_matroid(nodes, edges));
    Vector x(edges.size());
    for (double& value : x) value = random.uniform() < 0.3 ? 0 : random.uniform();
    // The largest x(edges within S) / (|S| - 1), by which x is on the boundary.
    double most = 1e-9;
    for (std::size_t s = 1; s < (std::size_t{1} << nodes); ++s) {
      double sum = 0;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if ((s >> edges[e].from & s >> edges[e].to & 1U) != 0) sum += x[e];
      }
      const int others = std::popcount(s) - 1;
      if (others > 0) most = std::max(most, sum / others);
    }
    for (const double scale : {0.5, 1 - 1e-6, 1 + 1e-6, 1.5}) {
      Vector scaled = x;
      for (double& value : scaled) value *= scale / most;
      EXPECT_EQ(set->contains(scaled), scale < 1) << set->spec() << ", scale " << scale;
      ++(scale < 1 ? inside : outside);
    }
  }
  EXPECT_EQ(inside, outside);
}

TEST(Matroids, ProjectionsByThresholdsAndByWolfesMethodAgree) {
  Random random(4);
  for (std::uint64_t round = 0; round < scaled_count(50); ++round) {
    const std::size_t n = random.integer(3, 9);
    const MatroidPtr nested = random_nested(n, random).matroid;
    for (const bool bases : {false, true}) {
      if (bases && !has_choice(nested)) continue;
      const SetPtr thresholds = matroid_polytope(nested, bases);
      const SetPtr wolfe = matroid_polytope(disguised(nested), bases);
      EXPECT_EQ(wolfe->hull_dimension(), thresholds->hull_dimension()) << thresholds->spec();
      const Vector z = random.normals(n, random.uniform() < 0.3 ? 100 : 1);
      Vector x(n);
      Vector y(n);
      thresholds->oracle()->project(z, x);
      wolfe->oracle()->project(z, y);
      for (std::size_t e = 0; e < n; ++e) EXPECT_NEAR(x[e], y[e], 1e-9) << thresholds->spec();
    }
  }
}

TEST(Matroids, KnowTheirGeometryAboutOtherCentres) {
  Random random(5);
  for (std::uint64_t round = 0; round < scaled_count(20); ++round) {
    const MatroidPtr nested = random_nested(random.integer(3, 8), random).matroid;
    for (const bool bases : {false, true}) {
      if (bases && !has_choice(nested)) continue;
      const SetPtr set = matroid_polytope(nested, bases);
      const SetPtr other = matroid_polytope(disguised(nested), bases);
      Vector p = set->centre();
      for (double& value : p) value *= 0.75;
      const auto oracle = set->oracle();
      oracle->minimise(random.normals(p.size())).add_to(p, 0.25);
      oracle->settle(p);
      const Geometry a = set->geometry_about(p);
      const Geometry b = other->geometry_about(p);
      EXPECT_NEAR(a.inner_radius, b.inner_radius, 1e-12) << set->spec();
      EXPECT_NEAR(a.outer_radius, b.outer_radius, 1e-12) << set->spec();
    }
  }
}

TEST(Matroids, TheFanoPlane) {
  const MatroidPtr matroid = fano();
  EXPECT_EQ(matroid->rank(), 3u);
  const auto independent = [&](const Elements& some) { return matroid->rank(some) == some.size(); };
  // 35 triples less 7 lines.
  const std::vector<Vector> bases = all_independent(7, true, independent);
  EXPECT_EQ(bases.size(), 28u);
  const SetPtr set = matroid_bases(matroid);
  EXPECT_EQ(set->spec(), "fano(bases=true)");
  EXPECT_EQ(set->hull_dimension(), 6u);
  for (const double p : set->centre()) EXPECT_NEAR(p, 3.0 / 7, 1e-15);
  // A line has 3 points and the rank 2: (2 - 9/7) / sqrt(3 - 9/7). A point: (3/7) / sqrt(6/7).
  EXPECT_NEAR(set->inner_radius(), 3.0 / 7 / std::sqrt(6.0 / 7), 1e-12);
  for (const bool of_bases : {true, false}) {
    const SetPtr hull = of_bases ? set : independent_sets(matroid);
    const auto report = check_set(
        hull,
        {.directions = 50, .slow_minimum = least_of(all_independent(7, of_bases, independent))});
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

TEST(Matroids, LargeOnesOfARankFunctionKeepTheContract) {
  Random random(6);
  Elements vectors(14);
  for (std::size_t& v : vectors) v = random.integer(1, 31);
  const MatroidPtr matroid = matroid_of_rank(14, binary_rank(vectors), "vectors");
  for (const bool bases : {true, false}) {
    const auto report = check_set(matroid_polytope(matroid, bases), {.directions = 4});
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

Vector vertex(const SetPtr& set, const Vector& d) {
  Vector v(d.size());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

TEST(Matroids, TiesGoToTheFirst) {
  EXPECT_EQ(vertex(make_set("uniform_matroid(4, 2, bases=true)"), {0, 0, 0, 0}),
            (Vector{1, 1, 0, 0}));
  EXPECT_EQ(vertex(make_set("uniform_matroid(4, 2)"), {0, 0, 0, 0}), (Vector{0, 0, 0, 0}));
  EXPECT_EQ(vertex(make_set("uniform_matroid(4, 2)"), {1, -1, -1, -1}), (Vector{0, 1, 1, 0}));
  EXPECT_EQ(vertex(make_set("partition_matroid([1, 0, 1, 0], [1, 1], bases=true)"), {2, 2, 2, 2}),
            (Vector{1, 1, 0, 0}));
  const std::string triangle = "(3, [[0, 1], [1, 2], [0, 2]])";
  EXPECT_EQ(vertex(make_set("spanning_trees" + triangle), {0, 0, 0}), (Vector{1, 1, 0}));
  EXPECT_EQ(vertex(make_set("graphic_matroid" + triangle), {-1, 0, -1}), (Vector{1, 0, 1}));
}

TEST(Matroids, LargeUniformAndGraphicOnesAreMadeQuickly) {
  const SetPtr subsets = matroid_bases(uniform_matroid(100'000, 10));
  EXPECT_EQ(subsets->hull_dimension(), 99'999u);
  Random random(7);
  const Vector d = random.normals(100'000);
  EXPECT_EQ(subsets->oracle()->minimise(d).indices.size(), 10u);
  const auto [nodes, edges] = random_graph(400, random);
  const SetPtr trees = spanning_trees(nodes, edges);
  EXPECT_GT(trees->inner_radius(), 0);
  EXPECT_TRUE(trees->contains(trees->centre()));
}

std::string refusal(const std::function<void()>& call) { return message<InvalidArgument>(call); }

TEST(Matroids, LimitsBeyondAllElementsForbidNothing) {
  const std::vector<std::size_t> groups = {0, 0, 1, 1};
  const std::size_t most = static_cast<std::size_t>(-1);
  const std::vector<std::size_t> limits = {most / 2 + 1, 1};
  const Geometry geometry = independent_sets(partition_matroid(groups, limits))->geometry();
  EXPECT_EQ(geometry.diameter, 2);
}

TEST(Matroids, RefuseWhatTheyCannotBe) {
  EXPECT_EQ(refusal([] { (void)uniform_matroid(3, 4); }),
            "a uniform matroid of 3 elements cannot have the rank 4: give 0 to 3");
  EXPECT_EQ(refusal([] { (void)uniform_matroid(0, 0); }), "a matroid needs at least one element");
  EXPECT_EQ(refusal([] { (void)independent_sets(uniform_matroid(3, 0)); }),
            "uniform_matroid(3, 0) has no independent set but the empty one: there is nothing to "
            "choose");
  EXPECT_EQ(refusal([] { (void)matroid_bases(uniform_matroid(3, 3)); }),
            "uniform_matroid(3, 3) has a single base: there is nothing to choose");
  EXPECT_EQ(refusal([] {
              (void)partition_matroid(Elements{0, 2}, Elements{1, 1});
            }),
            "element 1 of a partition matroid is in group 2, and there are limits for 2 groups, "
            "counted from 0");
  EXPECT_EQ(refusal([] {
              (void)partition_matroid(Elements{0, 0}, Elements{1, 1});
            }),
            "group 1 of a partition matroid has a limit and no element: leave it out");
  EXPECT_EQ(refusal([] {
              (void)laminar_matroid(3, {{0, 1}, {1, 2}}, Elements{1, 1});
            }),
            "sets 0 and 1 of a laminar matroid overlap, at element 1: they must be nested or "
            "disjoint");
  EXPECT_EQ(refusal([] {
              (void)laminar_matroid(3, {{0, 3}}, Elements{1});
            }),
            "set 0 of a laminar matroid has the element 3, and the elements are 0 to 2");
  EXPECT_EQ(refusal([] {
              (void)laminar_matroid(3, {{0, 1}, {2, 2}}, Elements{1, 1});
            }),
            "set 1 of a laminar matroid has the element 2 twice");
  EXPECT_EQ(refusal([] { (void)laminar_matroid(3, {{}}, Elements{1}); }),
            "set 0 of a laminar matroid is empty: leave it out");
  EXPECT_EQ(refusal([] {
              (void)laminar_matroid(3, {{0, 1}}, Elements{1, 2});
            }),
            "a laminar matroid needs a limit for each of its 1 sets, not 2");
  EXPECT_EQ(refusal([] {
              (void)graphic_matroid(2, std::vector<Edge>{{0, 2}});
            }),
            "edge 0 of a graph joins the nodes 0 and 2, and the graph has 2, counted from 0");
  EXPECT_EQ(refusal([] {
              (void)spanning_trees(3, std::vector<Edge>{{0, 1}, {1, 0}});
            }),
            "a graph has spanning trees only if it is connected, and no path leads from node 0 to "
            "node 2");
  EXPECT_EQ(refusal([] {
              (void)spanning_trees(3, std::vector<Edge>{{0, 1}, {1, 2}});
            }),
            "graphic_matroid(3, [[0, 1], [1, 2]]) has a single base: there is nothing to choose");
  EXPECT_EQ(refusal([] { (void)spanning_trees(2, {}); }),
            "the spanning trees of a graph need at least one edge");
  EXPECT_EQ(refusal([] { (void)matroid_bases(nullptr); }),
            "the bases of a matroid need one, not a null pointer");
  EXPECT_EQ(refusal([] {
              const auto one = [](std::span<const std::size_t> some) {
                return std::min<std::size_t>(some.size(), 1);
              };
              (void)matroid_bases(matroid_of_rank(2001, one, "one"));
            }).substr(0, 34),
            "a matroid of 2001 elements is too ");
}

TEST(Matroids, RefuseRankFunctionsOfNoMatroid) {
  using List = std::span<const std::size_t>;
  EXPECT_EQ(refusal([] { (void)matroid_of_rank(2, nullptr, "none"); }),
            "a matroid needs a rank function, not an empty one");
  EXPECT_EQ(refusal([] {
              (void)matroid_of_rank(
                  2, [](List some) { return some.size(); }, "");
            }),
            "a matroid of a rank function needs a name of one line: it stands in specs");
  EXPECT_EQ(refusal([] {
              (void)matroid_of_rank(
                  2, [](List) { return std::size_t{1}; }, "one");
            }),
            "the rank of no element of the matroid one is 1: it must be 0");
  EXPECT_EQ(refusal([] {
              const auto twice = [](List some) { return 2 * some.size(); };
              (void)independent_sets(matroid_of_rank(2, twice, "twice"));
            }),
            "the rank of the matroid twice rises from 0 to 2 with element 0: it must rise by 0 or "
            "1");
  // {0, 1} and {2, 3} are independent, and no pair else: neither {0} can take 2 nor {0} 3.
  const auto pairs = [](List some) {
    if (some.size() != 2) return std::min<std::size_t>(some.size(), 2);
    return some[0] / 2 == some[1] / 2 ? std::size_t{2} : std::size_t{1};
  };
  const std::string text =
      refusal([&] { (void)independent_sets(matroid_of_rank(4, pairs, "pairs")); });
  EXPECT_NE(text.find("pairs is not a matroid"), std::string::npos) << text;
}

}  // namespace
}  // namespace keyhole::tests
