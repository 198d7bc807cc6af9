// The sets of budgets, choices and orders: what they refuse, their radii, ties and projections by
// other routes. The contract and the oracles are swept by catalogue_test.cc.

#include "keyhole/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "clp.h"
#include "instances/choices.h"
#include "keyhole/keyhole.h"
#include "keyhole/testing.h"
#include "numbers.h"
#include "random.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

Vector vertex(const SetPtr& set, const Vector& d) {
  Vector v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

Vector projected(const SetPtr& set, const Vector& z) {
  Vector x(set->dimension());
  set->oracle()->project(z, x);
  return x;
}

/// R about the centre and D, of a list of vertices.
std::pair<double, double> radii(const Vector& p, const std::vector<Vector>& vertices) {
  double R = 0;
  double D = 0;
  for (const Vector& v : vertices) {
    R = std::max(R, distance(p, v));
    for (const Vector& w : vertices) D = std::max(D, distance(v, w));
  }
  return {R, D};
}

std::vector<Vector> subsets(std::size_t n, std::size_t least, std::size_t most, double size) {
  std::vector<Vector> all;
  for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits) {
    Vector v(n, 0.0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (((bits >> i) & 1U) == 0) continue;
      v[i] = size;
      ++count;
    }
    if (least <= count && count <= most) all.push_back(v);
  }
  return all;
}

/// clamp(z - mu a, l, u) with <a, x> = b, by bisection of mu.
Vector on_the_row(const Vector& z, const Vector& a, double b, double lower, double upper) {
  double low = -1e3;
  double high = 1e3;
  Vector x(z.size());
  for (int step = 0; step < 200; ++step) {
    const double mu = (low + high) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      x[i] = std::clamp(z[i] - mu * a[i], lower, upper);
      sum += a[i] * x[i];
    }
    (sum > b ? low : high) = mu;
  }
  return x;
}

TEST(Choices, RefuseWithTheValueAndWhatToDo) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)hypersimplex(4, 4); }),
            "a hypersimplex chooses k = 1 to n - 1 of its 4 coordinates, not 4: with none or all "
            "of them there is nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] { (void)solid_hypersimplex(4, 5); }),
            "a solid hypersimplex chooses at most k = 1 to n of its 4 coordinates, not 5");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)weighted_simplex(Vector{1, 2}, 1, 0.5);
            }),
            "the total 1 of a weighted simplex leaves nothing to choose: its lower bounds take 1.5 "
            "already");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)knapsack(Vector{1, 2}, 3);
            }),
            "the capacity 3 of a knapsack holds all that its upper bounds allow, which weighs 3: "
            "use box(0, 1, 2)");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)knapsack(Vector{1, 2}, 3, 1, 2);
            }),
            "the capacity 3 of a knapsack leaves nothing to choose: its lower bounds weigh 3 "
            "already");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)knapsack(Vector{1, 2}, 3, Vector{0, 2}, Vector{1, 1});
            }),
            "coordinate 1 of a knapsack is empty: its bounds are [2, 1]");
  EXPECT_EQ(message<InvalidArgument>([] { (void)capped_simplex(0.25, 0.5, 4); }),
            "the total 1 of a capped simplex leaves nothing to choose: its lower bounds take 1 "
            "already; lower them, or raise the total");
  EXPECT_EQ(message<InvalidArgument>([] { (void)capped_simplex(0, 0.25, 3); }),
            "the total 1 of a capped simplex leaves nothing to choose: its upper bounds allow 0.75 "
            "at most; raise them, or lower the total");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)capped_simplex(Vector{0, 0.5}, Vector{1, 0.5});
            }),
            "coordinate 1 of a capped simplex is fixed by its bounds [0.5, 0.5]: leave it out, "
            "there is nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] { (void)capped_simplex(0, 2, 1); }),
            "a capped simplex of 1 coordinate is a single point: at least 2 are needed");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)capped_simplex(Vector{0, 0}, Vector{1, 1}, 1, Vector{1, 2, 3});
            }),
            "a capped simplex needs a weight for each of its 2 coordinates, not 3");
  EXPECT_THROW((void)capped_simplex(Vector{0, 0}, Vector{1, 1}, 1, Vector{1, 0}), InvalidArgument);
  EXPECT_THROW((void)capped_simplex(Vector{0, 0}, Vector{1, 1}, 1, Vector{1, 1e6}),
               InvalidArgument);
  EXPECT_EQ(
      message<InvalidArgument>([] {
        (void)knapsack(Vector{1, 1e6}, 3);
      }),
      "the weights of a knapsack go from 1 to 1000000, too far apart to tell what exceeds the "
      "sum: a factor of 1e5 is the most");
  EXPECT_EQ(message<InvalidArgument>([] { (void)permutahedron(Vector(3, 2.0)); }),
            "the values of a permutahedron are all 2: there is nothing to order");
  EXPECT_EQ(message<InvalidArgument>([] { (void)permutahedron(Vector{1}); }),
            "a permutahedron of 1 values is a single point or empty: at least 2 are needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)birkhoff(1); }),
            "doubly stochastic matrices need 2 to 10000 rows, not 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)transportation(Vector{1, 2}, Vector{1, 1});
            }),
            "the supplies of a transportation polytope sum to 3 and the demands to 2: they must be "
            "the same; add a row or a column for what is left over");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)transportation(Vector{2}, Vector{1, 1});
            }),
            "a transportation polytope of 1 supplies and 2 demands leaves nothing to choose: at "
            "least two of each are needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)convex_hull({}); }),
            "a convex hull needs points, at least two different ones");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)convex_hull({{1, 2}, {1, 2}});
            }),
            "the points of a convex hull are all the same, [1, 2]: there is nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)convex_hull({{1, 2}, {1}});
            }),
            "point 1 of a convex hull has 1 coordinates, and the first has 2");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)convex_hull({{0, 0}, {1, 0}, {2, 1e-7}, {3, 0}});
            }),
            "the points of a convex hull lie too close to a flat set to tell what is within: leave "
            "out a coordinate, or points");
  EXPECT_THROW((void)convex_hull({{}, {}}), InvalidArgument);
  EXPECT_THROW((void)convex_hull({{0}, {nan}}), InvalidArgument);
  EXPECT_THROW((void)transportation(Vector{1, -1}, Vector{1, -1}), InvalidArgument);
  EXPECT_THROW((void)transportation(Vector{1, 1}, Vector{2, 0}), InvalidArgument);
  EXPECT_THROW((void)permutahedron(Vector{1, nan}), InvalidArgument);
  EXPECT_THROW((void)hypercube(0), InvalidArgument);
  EXPECT_THROW((void)hypersimplex(1, 1), InvalidArgument);
  EXPECT_THROW((void)hypersimplex(3, 0), InvalidArgument);
  EXPECT_THROW((void)solid_hypersimplex(0, 1), InvalidArgument);
  EXPECT_THROW((void)solid_hypersimplex(3, 0), InvalidArgument);
  EXPECT_THROW((void)weighted_simplex(Vector{}), InvalidArgument);
  EXPECT_THROW((void)weighted_simplex(Vector{1, 1}, 1, Vector{0}), InvalidArgument);
  EXPECT_THROW((void)knapsack(Vector{}, 1), InvalidArgument);
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)hypersimplex(3, 1, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)solid_hypersimplex(3, 1, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)weighted_simplex(Vector{1, bad}), InvalidArgument) << bad;
    EXPECT_THROW((void)weighted_simplex(Vector{1, 1}, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)knapsack(Vector{1, bad}, 0.5), InvalidArgument) << bad;
    EXPECT_THROW((void)knapsack(Vector{1, 1}, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)capped_simplex(0, 0.6, 2, bad), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)weighted_simplex(Vector{1, 1}, 1, nan), InvalidArgument);
  EXPECT_THROW((void)make_set("hypersimplex(3, 3)"), SpecError);
  EXPECT_THROW((void)make_set("weighted_simplex([1, 0])"), SpecError);
  EXPECT_THROW((void)make_set("knapsack([1, 2], -1)"), SpecError);
}

TEST(Choices, AreNamedByTheirShortestSpecs) {
  EXPECT_EQ(make_set("hypercube(3)")->spec(), "box(0, 1, 3)");
  EXPECT_EQ(hypersimplex(4, 2)->spec(), "hypersimplex(4, 2)");
  EXPECT_EQ(solid_hypersimplex(4, 2, 0.5)->spec(), "solid_hypersimplex(4, 2, size=0.5)");
  EXPECT_EQ(weighted_simplex(Vector{1, 1})->spec(), "weighted_simplex([1, 1])");
  EXPECT_EQ(weighted_simplex(Vector{1, 2}, 3, Vector{-1, 0.5})->spec(),
            "weighted_simplex([1, 2], total=3, lower=[-1, 0.5])");
  EXPECT_EQ(knapsack(Vector{1, 2}, 2.5)->spec(), "knapsack([1, 2], 2.5)");
  EXPECT_EQ(knapsack(Vector{1, 2}, 2.5, -1, 2)->spec(), "knapsack([1, 2], 2.5, lower=-1, upper=2)");
  EXPECT_EQ(capped_simplex(0, 0.5, 3)->spec(), "capped_simplex(0, 0.5, 3)");
  EXPECT_EQ(capped_simplex(Vector{0, 1}, Vector{2, 2}, 3)->spec(),
            "capped_simplex([0, 1], [2, 2], total=3)");
  EXPECT_EQ(capped_simplex(Vector{0, 1}, Vector{2, 2}, 3, Vector{1, 1})->spec(),
            "capped_simplex([0, 1], [2, 2], total=3)");
  EXPECT_EQ(capped_simplex(Vector{0, 0}, Vector{1, 1}, 1, Vector{1, 2})->spec(),
            "capped_simplex(0, 1, 2, weights=[1, 2])");
  EXPECT_EQ(permutahedron(Vector{2, 1, 3})->spec(), "permutahedron([1, 2, 3])");
  EXPECT_EQ(birkhoff(3)->spec(), "birkhoff(3)");
  EXPECT_EQ(transportation(Vector{1, 2}, Vector{1.5, 1.5})->spec(),
            "transportation([1, 2], [1.5, 1.5])");
  EXPECT_EQ(convex_hull({{1, 2}, {0, 0}})->spec(), "convex_hull([[1, 2], [0, 0]])");
}

TEST(Choices, BreakTiesByTheFirst) {
  EXPECT_EQ(vertex(hypersimplex(4, 2), Vector(4, 0.0)), (Vector{1, 1, 0, 0}));
  EXPECT_EQ(vertex(hypersimplex(5, 2), {3, 1, 1, 1, 2}), (Vector{0, 1, 1, 0, 0}));
  EXPECT_EQ(vertex(solid_hypersimplex(4, 2), Vector(4, 0.0)), Vector(4, 0.0));
  EXPECT_EQ(vertex(solid_hypersimplex(4, 2, 3), {-1, 0, -1, -1}), (Vector{3, 0, 3, 0}));
  EXPECT_EQ(vertex(weighted_simplex(Vector{1, 2}, 2, 0), {-1, -2}), (Vector{2, 0}));
  EXPECT_EQ(vertex(weighted_simplex(Vector{1, 2}, 2, -1), {0, 0}), (Vector{-1, -1}));
  EXPECT_EQ(vertex(knapsack(Vector{1, 2, 4}, 5), {-1, -2, -4}), (Vector{1, 1, 0.5}));
  EXPECT_EQ(vertex(knapsack(Vector{1, 2, 4}, 5), {0, 1, 0}), Vector(3, 0.0));
  EXPECT_EQ(vertex(knapsack(Vector{1, 2}, 4, 1, 2), {-1, -2}), (Vector{2, 1}));
  EXPECT_EQ(vertex(capped_simplex(0, 0.5, 4, 0.75), Vector(4, 0.0)), (Vector{0.5, 0.25, 0, 0}));
  EXPECT_EQ(vertex(capped_simplex(Vector{-1, 0, 1}, Vector{1, 2, 2}, 2), {1, -1, -1}),
            (Vector{-1, 2, 1}));
  EXPECT_EQ(vertex(capped_simplex(Vector(3, 0.0), Vector(3, 1.0), 3, Vector{1, 2, 4}), {1, 2, 4}),
            (Vector{1, 1, 0}));
  EXPECT_EQ(vertex(permutahedron(Vector{1, 2, 3}), {0, 0, 0}), (Vector{3, 2, 1}));
  EXPECT_EQ(vertex(permutahedron(Vector{1, 2, 3}), {1, -1, -1}), (Vector{1, 3, 2}));
  EXPECT_EQ(vertex(birkhoff(2), Vector(4, 0.0)), (Vector{1, 0, 0, 1}));
  EXPECT_EQ(vertex(transportation(Vector{1, 3}, Vector{2, 2}), Vector(4, 0.0)),
            (Vector{1, 0, 1, 2}));
  EXPECT_EQ(vertex(convex_hull({{1, 2}, {0, 0}, {1, 2}}), {0, 0}), (Vector{1, 2}));
  EXPECT_EQ(vertex(convex_hull({{1, 2}, {0, 3}}), {1, 1}), (Vector{1, 2}));
}

TEST(Choices, HypersimplicesHaveTheRadiiOfTheirVerticesAndFacets) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const auto count = static_cast<double>(n);
    for (std::size_t k = 1; k <= n; ++k) {
      const SetPtr solid = solid_hypersimplex(n, k, 2);
      const auto [R, D] = radii(solid->centre(), subsets(n, 0, k, 2));
      EXPECT_NEAR(solid->outer_radius(), R, 1e-14) << solid->spec();
      EXPECT_NEAR(solid->diameter(), D, 1e-14) << solid->spec();
      if (k == n) continue;
      const SetPtr flat = hypersimplex(n, k, 2);
      const auto [flat_R, flat_D] = radii(flat->centre(), subsets(n, k, k, 2));
      EXPECT_NEAR(flat->outer_radius(), flat_R, 1e-14) << flat->spec();
      EXPECT_NEAR(flat->diameter(), flat_D, 1e-14) << flat->spec();
      EXPECT_NEAR(flat->inner_radius(),
                  2 * static_cast<double>(std::min(k, n - k)) / std::sqrt(count * (count - 1)),
                  1e-14)
          << flat->spec();
    }
  }
}

TEST(Choices, SimplicesAreTheirSpecialCases) {
  for (const std::size_t n : {1U, 2U, 5U, 17U}) {
    const SetPtr expected = solid_simplex(n, 2);
    for (const SetPtr& set : {weighted_simplex(Vector(n, 1.0), 2), solid_hypersimplex(n, 1, 2)}) {
      EXPECT_NEAR(set->inner_radius(), expected->inner_radius(), 1e-14);
      EXPECT_NEAR(set->outer_radius(), expected->outer_radius(), 1e-14);
      EXPECT_NEAR(set->diameter(), expected->diameter(), 1e-14);
    }
  }
}

TEST(Choices, KnapsackBoundsAreNotFarFromTheTruth) {
  // Where all weights are equal and the capacity holds k of them it is the solid hypersimplex.
  for (std::size_t k = 1; k < 6; ++k) {
    const SetPtr bound = knapsack(Vector(6, 0.5), 0.5 * static_cast<double>(k));
    const SetPtr exact = solid_hypersimplex(6, k);
    EXPECT_FALSE(bound->geometry().outer_radius_exact);
    EXPECT_FALSE(bound->geometry().diameter_exact);
    EXPECT_NEAR(bound->inner_radius(), exact->inner_radius(), 1e-14);
    EXPECT_NEAR(bound->outer_radius(), exact->outer_radius(), 1e-12);
    EXPECT_NEAR(bound->diameter(), exact->diameter(), 1e-12);
  }
}

TEST(Choices, BudgetsProjectAsABisectionDoes) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t n = random.integer(2, 20);
    const std::size_t k = random.integer(1, n - 1);
    Vector z = random.normals(n, trial % 2 == 0 ? 1 : 10);
    if (trial % 5 == 0) {  // ties
      for (double& value : z) value = std::round(value);
    }
    const Vector ones(n, 1.0);
    EXPECT_LE(distance(projected(hypersimplex(n, k), z),
                       on_the_row(z, ones, static_cast<double>(k), 0, 1)),
              1e-11);
    Vector weights(n);
    for (double& weight : weights) weight = random.uniform(0.1, 4);
    const double capacity =
        random.uniform(0.1, 0.9) * std::accumulate(weights.begin(), weights.end(), 0.0);
    double clamped = 0;
    for (std::size_t i = 0; i < n; ++i) clamped += weights[i] * std::clamp(z[i], 0.0, 1.0);
    const SetPtr set = knapsack(weights, capacity);
    if (clamped > capacity) {
      EXPECT_LE(distance(projected(set, z), on_the_row(z, weights, capacity, 0, 1)), 1e-11);
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(projected(set, z)[i], std::clamp(z[i], 0.0, 1.0));
      }
    }
  }
}

/// The vertices of a capped simplex: all coordinates at a bound but one.
std::vector<Vector> capped_vertices(const Vector& lower, const Vector& upper, double total) {
  const std::size_t n = lower.size();
  std::vector<Vector> all;
  for (const Vector& at_upper : subsets(n, 0, n, 1)) {
    for (std::size_t free = 0; free < n; ++free) {
      Vector v(n);
      double left = total;
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = at_upper[i] > 0 ? upper[i] : lower[i];
        if (i != free) left -= v[i];
      }
      v[free] = left;
      if (left >= lower[free] && left <= upper[free]) all.push_back(v);
    }
  }
  return all;
}

/// No point of the hull is farther from the bounds than p, and R and D hold, exactly if it is said.
TEST(Choices, CappedSimplicesHaveTheRadiiOfTheirVerticesAndFacets) {
  Random random(31);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = random.integer(2, 5);
    const bool same = trial % 3 == 0;
    Vector lower(n);
    Vector upper(n);
    for (std::size_t i = 0; i < n; ++i) {
      lower[i] = same && i > 0 ? lower[0] : random.uniform(-1, 1);
      upper[i] = same && i > 0 ? upper[0] : lower[i] + random.uniform(0.1, 2);
    }
    const double least = std::accumulate(lower.begin(), lower.end(), 0.0);
    const double most = std::accumulate(upper.begin(), upper.end(), 0.0);
    const double total = least + random.uniform(0.01, 0.99) * (most - least);
    const SetPtr set = capped_simplex(lower, upper, total);
    const auto [R, D] = radii(set->centre(), capped_vertices(lower, upper, total));
    const Geometry about = set->geometry();
    EXPECT_EQ(about.outer_radius_exact, same);
    EXPECT_GE(about.outer_radius, R * (1 - 1e-13)) << set->spec();
    EXPECT_GE(about.diameter, D * (1 - 1e-13)) << set->spec();
    EXPECT_LE(about.outer_radius, R * (same ? 1 + 1e-13 : 1.5)) << set->spec();
    EXPECT_LE(about.diameter, D * (same ? 1 + 1e-13 : 1.5)) << set->spec();
    double room = std::min(total - least, most - total) / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) room = std::min(room, (upper[i] - lower[i]) / 2);
    EXPECT_NEAR(about.inner_radius, room / std::sqrt(1 - 1 / static_cast<double>(n)),
                1e-13 * about.outer_radius)
        << set->spec();
  }
}

TEST(Choices, CappedSimplicesOfOneSizeAreHypersimplices) {
  Random random(32);
  for (std::size_t k = 1; k < 6; ++k) {
    const SetPtr set = capped_simplex(0, 2, 6, 2 * static_cast<double>(k));
    const SetPtr same = hypersimplex(6, k, 2);
    EXPECT_NEAR(set->inner_radius(), same->inner_radius(), 1e-14);
    EXPECT_NEAR(set->outer_radius(), same->outer_radius(), 1e-14);
    EXPECT_NEAR(set->diameter(), same->diameter(), 1e-14);
    for (int trial = 0; trial < 100; ++trial) {
      const Vector z = random.normals(6, 3);
      EXPECT_EQ(vertex(set, z), vertex(same, z));
      EXPECT_LE(distance(projected(set, z), projected(same, z)), 1e-12);
    }
  }
}

/// r is the distance from p to the nearest facet within the hull, and no ball is larger: one of its
/// three bounds is reached.
TEST(Choices, WeightedCappedSimplicesHaveTheRadiiOfTheirVerticesAndFacets) {
  Random random(38);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = random.integer(2, 5);
    Vector weights(n);
    Vector lower(n);
    Vector upper(n);
    Vector scaled_lower(n);
    Vector scaled_upper(n);
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] = std::exp(random.uniform(-2, 2));
      lower[i] = random.uniform(-1, 1);
      upper[i] = lower[i] + random.uniform(0.1, 2);
      scaled_lower[i] = weights[i] * lower[i];
      scaled_upper[i] = weights[i] * upper[i];
    }
    const double least = std::accumulate(scaled_lower.begin(), scaled_lower.end(), 0.0);
    const double most = std::accumulate(scaled_upper.begin(), scaled_upper.end(), 0.0);
    const double total = least + random.uniform(0.01, 0.99) * (most - least);
    const SetPtr set = capped_simplex(lower, upper, total, weights);
    // In the units of weights_i x_i it is a capped simplex.
    std::vector<Vector> vertices = capped_vertices(scaled_lower, scaled_upper, total);
    for (Vector& v : vertices) {
      for (std::size_t i = 0; i < n; ++i) v[i] /= weights[i];
    }
    const auto [R, D] = radii(set->centre(), vertices);
    EXPECT_GE(set->outer_radius(), R * (1 - 1e-13)) << set->spec();
    EXPECT_GE(set->diameter(), D * (1 - 1e-13)) << set->spec();
    EXPECT_LE(set->outer_radius(), R * 1.6) << set->spec();
    EXPECT_LE(set->diameter(), D * 1.6) << set->spec();

    const double squared = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
    double spent = 0;
    double nearest = std::numeric_limits<double>::infinity();
    double largest = nearest;
    for (std::size_t i = 0; i < n; ++i) {
      const double a = std::sqrt(1 - weights[i] * weights[i] / squared);
      const double p = set->centre()[i];
      spent += weights[i] * a;
      nearest = std::min({nearest, (p - lower[i]) / a, (upper[i] - p) / a});
      largest = std::min(largest, (upper[i] - lower[i]) / (2 * a));
    }
    largest = std::min({largest, (total - least) / spent, (most - total) / spent});
    EXPECT_NEAR(set->inner_radius(), nearest, 1e-12 * R) << set->spec();
    EXPECT_NEAR(set->inner_radius(), largest, 1e-12 * R) << set->spec();

    const Vector z = random.normals(n, 3);
    const Vector x = projected(set, z);
    EXPECT_TRUE(set->contains(x)) << set->spec();
    for (const Vector& v : vertices) {  // the plane at x keeps all of them on the other side
      double angle = 0;
      for (std::size_t i = 0; i < n; ++i) angle += (z[i] - x[i]) * (v[i] - x[i]);
      EXPECT_LE(angle, 1e-11) << set->spec();
    }
  }
}

TEST(Choices, VerticesOfLargeCappedSimplicesAreMembers) {
  const std::size_t n = 200000;
  Random random(33);
  for (const SetPtr& set :
       {capped_simplex(0, 2 / static_cast<double>(n), n), capped_simplex(1e-6, 1e-3, n)}) {
    Vector v(n);
    set->oracle()->minimise(random.normals(n)).write_to(v);
    EXPECT_TRUE(set->contains(v)) << set->spec();
  }
}

TEST(Choices, PermutahedraHaveTheRadiiOfTheirOrdersAndFacets) {
  Random random(22);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = random.integer(2, 5);
    Vector values = random.normals(n);
    const SetPtr set = permutahedron(values);
    std::sort(values.begin(), values.end());
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(n);
    // The distance from p to the plane of each S: <1_S - |S|/n 1, x - p> = ...
    double r = std::numeric_limits<double>::infinity();
    for (const Vector& inside : subsets(n, 1, n - 1, 1)) {
      const auto s = static_cast<std::size_t>(std::accumulate(inside.begin(), inside.end(), 0.0));
      const double share = static_cast<double>(s) / static_cast<double>(n);
      const double least =
          std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(s), 0.0);
      double length = 0;
      for (const double in : inside) length += (in - share) * (in - share);
      r = std::min(r, (static_cast<double>(s) * mean - least) / std::sqrt(length));
    }
    std::vector<Vector> orders;
    do orders.push_back(values);
    while (std::next_permutation(values.begin(), values.end()));
    const auto [R, D] = radii(Vector(n, mean), orders);
    EXPECT_NEAR(set->inner_radius(), r, 1e-13) << set->spec();
    EXPECT_NEAR(set->outer_radius(), R, 1e-13) << set->spec();
    EXPECT_NEAR(set->diameter(), D, 1e-13) << set->spec();
  }
}

/// min over i <= k of max over j >= k of the mean of z_i, ..., z_j, or the other way round.
Vector isotonic_by_means(const Vector& z, double lower, double upper) {
  const std::size_t n = z.size();
  Vector x(n);
  for (std::size_t k = 0; k < n; ++k) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= k; ++i) {
      double least = std::numeric_limits<double>::infinity();
      double sum = 0;
      for (std::size_t j = i; j < n; ++j) {
        sum += z[j];
        if (j >= k) least = std::min(least, sum / static_cast<double>(j - i + 1));
      }
      largest = std::max(largest, least);
    }
    x[k] = std::clamp(largest, lower, upper);
  }
  return x;
}

TEST(Choices, IsotonicVectorsProjectByTheMaxOfMinOfMeans) {
  Random random(34);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = random.integer(1, 12);
    Vector z = random.normals(n, trial % 2 == 0 ? 1 : 10);
    if (trial % 5 == 0) {  // ties
      for (double& value : z) value = std::round(value);
    }
    EXPECT_LE(distance(projected(isotonic(n, -1, 2), z), isotonic_by_means(z, -1, 2)), 1e-13);
  }
}

TEST(Choices, IsotonicVectorsHaveTheRadiiOfASimplex) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const SetPtr set = isotonic(n, -1, 2);
    std::vector<Vector> vertices;
    for (std::size_t k = 0; k <= n; ++k) {
      Vector v(n, 2.0);
      std::fill_n(v.begin(), k, -1.0);
      vertices.push_back(v);
    }
    const auto [R, D] = radii(set->centre(), vertices);
    EXPECT_NEAR(set->outer_radius(), R, 1e-13);
    EXPECT_NEAR(set->diameter(), D, 1e-13);
    const SetPtr hull = convex_hull(vertices);  // which knows the incentre of a simplex
    EXPECT_NEAR(set->inner_radius(), hull->inner_radius(), 1e-12);
    EXPECT_LE(distance(set->centre(), hull->centre()), 1e-12);
  }
}

TEST(Choices, IsotonicVectorsBreakTiesAndRefuse) {
  EXPECT_EQ(vertex(isotonic(3), {0, 0, 0}), (Vector{0, 0, 0}));
  EXPECT_EQ(vertex(isotonic(4), {-1, 1, -1, 0}), (Vector{0, 0, 1, 1}));
  EXPECT_EQ(isotonic(3)->spec(), "isotonic(3)");
  EXPECT_EQ(isotonic(3, -1, 2)->spec(), "isotonic(3, lower=-1, upper=2)");
  EXPECT_EQ(
      message<InvalidArgument>([] { (void)isotonic(3, 1, 1); }),
      "the bounds [1, 1] of isotonic vectors leave nothing to choose: the lower must be below "
      "the upper");
  EXPECT_THROW((void)isotonic(0), InvalidArgument);
  EXPECT_THROW((void)isotonic(2, 0, nan), InvalidArgument);
  EXPECT_FALSE(isotonic(3)->contains(Vector{0.2, 0.1, 0.3}));
  EXPECT_FALSE(isotonic(3)->contains(Vector{0.1, nan, 0.3}));
}

/// sum x log(x / q) in long double, for radii where it keeps enough digits.
double slow_divergence(const Vector& x, const Vector& q) {
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0) sum += x[i] * std::log(static_cast<long double>(x[i]) / q[i]);
  }
  return static_cast<double>(sum);
}

TEST(Choices, KlBallsReachTheirRadius) {
  Random random(35);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = random.integer(2, 30);
    Vector q(n);
    for (double& share : q) share = std::exp(2 * random.normal());
    const double sum = std::accumulate(q.begin(), q.end(), 0.0);
    for (double& share : q) share /= sum;
    const double radius = std::exp(random.uniform(-12, 1));
    const SetPtr set = kl_ball(q, radius);
    const Vector d = random.normals(n, std::exp(3 * random.normal()));
    const Vector v = vertex(set, d);
    const auto first = static_cast<std::size_t>(std::min_element(d.begin(), d.end()) - d.begin());
    if (-std::log(q[first]) <= radius) {
      EXPECT_EQ(v[first], 1);
      continue;
    }
    EXPECT_NEAR(slow_divergence(v, q), radius, 1e-9 * radius) << set->spec();
    // log(v_i / q_i) falls with d_i, linearly.
    const auto other = (first + 1) % n;
    const auto slope = [&](std::size_t i) {
      return (std::log(v[i] / q[i]) - std::log(v[first] / q[first])) / (d[i] - d[first]);
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (i == first || v[i] < 1e-290 || v[other] < 1e-290) continue;
      EXPECT_NEAR(slope(i), slope(other), 1e-6 * std::abs(slope(other))) << set->spec();
    }
  }
}

TEST(Choices, KlBallsBreakTiesAndRefuse) {
  const Vector q = {0.5, 0.25, 0.25};
  EXPECT_EQ(vertex(kl_ball(q, 0.1), {1, 1, 1}), q);
  EXPECT_EQ(vertex(kl_ball(q, 1), {0, 0, 0}), (Vector{1, 0, 0}));
  EXPECT_EQ(vertex(kl_ball(q, 1), {1, 0, 0}), (Vector{0, 0.5, 0.5}));
  EXPECT_EQ(vertex(kl_ball(q, 2), {1, 0, 0}), (Vector{0, 1, 0}));
  EXPECT_EQ(kl_ball(q, 0.1)->spec(), "kl_ball([0.5, 0.25, 0.25], 0.1)");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)kl_ball(Vector{0.5, 0.6}, 1);
            }),
            "the probabilities of a KL ball sum to 1.1, not to 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)kl_ball(Vector{1, 0}, 1);
            }),
            "probability 1 of a KL ball must be a number from 1e-9 to 1, not 0: leave out what "
            "cannot happen");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)kl_ball(q, 0); }),
            "the radius of a KL ball must be a number from 1e-10 to 1e50, not 0");
  EXPECT_THROW((void)kl_ball(Vector{1}, 1), InvalidArgument);
  EXPECT_THROW((void)kl_ball(Vector{0.5, nan}, 1), InvalidArgument);
  EXPECT_THROW((void)kl_ball(q, nan), InvalidArgument);
}

TEST(Choices, KlBallsKeepTheContractForSmallAndLargeRadii) {
  for (const char* const spec :
       {"kl_ball([0.5, 0.5], 1e-10)", "kl_ball([0.5, 0.3, 0.2], 1e-10)",
        "kl_ball([0.7, 0.1, 0.1, 0.1], 1e-10)", "kl_ball([0.2, 0.3, 0.5], 1e-6)",
        "kl_ball([0.001, 0.299, 0.7], 0.01)", "kl_ball([0.001, 0.299, 0.7], 1000)",
        "kl_ball([0.1, 0.2, 0.3, 0.4], 0.7)"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 50});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

TEST(Choices, BallsOfDivergencesReachTheirRadius) {
  Random random(37);
  int inner = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = random.integer(2, 30);
    Vector q(n);
    for (double& share : q) share = std::exp(2 * random.normal());
    const double sum = std::accumulate(q.begin(), q.end(), 0.0);
    for (double& share : q) share /= sum;
    const double level = std::exp(random.uniform(-12, -0.1));
    Vector d = random.normals(n, std::exp(3 * random.normal()));
    if (trial % 4 == 0) {  // ties
      for (double& value : d) value = std::round(value);
    }
    const Vector by_squares = vertex(chi_square_ball(q, level), d);
    const Vector by_roots = vertex(hellinger_ball(q, std::sqrt(level)), d);
    const Vector moved = vertex(tv_distance_ball(q, std::max(level, 1e-4)), d);
    long double squares = 0;
    long double affinity = 0;
    long double moves = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double step = static_cast<long double>(by_squares[i]) - q[i];
      squares += step * step / q[i];
      affinity += std::sqrt(static_cast<long double>(by_roots[i]) * q[i]);
      moves += std::abs(static_cast<long double>(moved[i]) - q[i]) / 2;
    }
    const double least = *std::min_element(d.begin(), d.end());
    // The radius is used up, or nothing but the smallest d_i is left.
    const auto is_inner = [&](const Vector& v) {
      double dearer = 0;
      for (std::size_t i = 0; i < n; ++i) dearer += d[i] > least ? v[i] : 0;
      inner += dearer > 1e-9 ? 1 : 0;
      return dearer > 1e-9;
    };
    if (is_inner(by_squares)) {
      EXPECT_NEAR(static_cast<double>(squares), level, 1e-9 * level);
    }
    if (is_inner(by_roots)) {
      EXPECT_NEAR(static_cast<double>(1 - affinity), level, 1e-9 * level + 1e-15);
    }
    if (is_inner(moved)) {
      EXPECT_NEAR(static_cast<double>(moves), std::max(level, 1e-4), 1e-9 * level);
    }
  }
  EXPECT_GT(inner, 600);
}

TEST(Choices, BallsOfDivergencesBreakTiesAndRefuse) {
  const Vector q = {0.5, 0.25, 0.25};
  EXPECT_EQ(vertex(chi_square_ball(q, 0.1), {1, 1, 1}), q);
  EXPECT_EQ(vertex(chi_square_ball(q, 1), {0, 0, 0}), (Vector{1, 0, 0}));
  EXPECT_EQ(vertex(chi_square_ball(q, 1.5), {1, 0, 0}), (Vector{0, 0.5, 0.5}));
  EXPECT_EQ(vertex(chi_square_ball(q, 3), {1, 0, 0}), (Vector{0, 1, 0}));
  EXPECT_EQ(vertex(chi_square_ball(q, 0.25), {1, 0, 0}), (Vector{0.25, 0.375, 0.375}));
  EXPECT_EQ(vertex(hellinger_ball(q, 0.1), {1, 1, 1}), q);
  EXPECT_EQ(vertex(hellinger_ball(q, 0.6), {0, 0, 0}), (Vector{1, 0, 0}));
  EXPECT_LE(distance(vertex(hellinger_ball(q, 0.6), {1, 0, 0}), Vector{0, 0.5, 0.5}), 1e-30);
  EXPECT_EQ(vertex(hellinger_ball(q, 0.75), {1, 0, 0}), (Vector{0, 1, 0}));
  EXPECT_EQ(vertex(tv_distance_ball(q, 0.125), {0, 0, 0}), q);
  EXPECT_EQ(vertex(tv_distance_ball(q, 0.5), {0, 1, 1}), (Vector{1, 0, 0}));
  EXPECT_EQ(vertex(tv_distance_ball(q, 0.375), {0, 1, 1}), (Vector{0.875, 0, 0.125}));
  EXPECT_EQ(vertex(tv_distance_ball(q, 1), {0, 0, -1}), (Vector{0, 0, 1}));
  EXPECT_TRUE(tv_distance_ball(q, 0.25)->contains(Vector{0.25, 0.5, 0.25}));
  EXPECT_FALSE(tv_distance_ball(q, 0.25)->contains(Vector{0.25 - 1e-6, 0.5 + 1e-6, 0.25}));
  EXPECT_EQ(chi_square_ball(q, 0.1)->spec(), "chi_square_ball([0.5, 0.25, 0.25], 0.1)");
  EXPECT_EQ(hellinger_ball(q, 0.1)->spec(), "hellinger_ball([0.5, 0.25, 0.25], 0.1)");
  EXPECT_EQ(tv_distance_ball(q, 0.1)->spec(), "tv_distance_ball([0.5, 0.25, 0.25], 0.1)");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)chi_square_ball(Vector{0.5, 0.6}, 1);
            }),
            "the probabilities of a chi-square ball sum to 1.1, not to 1");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)hellinger_ball(q, 2); }),
            "the radius of a Hellinger ball must be a number from 1e-5 to 1, not 2");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)tv_distance_ball(q, 0); }),
            "the radius of a ball of total variation must be a number from 1e-4 to 1, not 0");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)tv_distance_ball(Vector{1.5, -0.5}, 1);
            }),
            "probability 0 of a ball of total variation must be a number from 0 to 1, not 1.5");
  EXPECT_THROW((void)chi_square_ball(Vector{1}, 1), InvalidArgument);
  EXPECT_THROW((void)chi_square_ball(Vector{1, 0}, 1), InvalidArgument);
  EXPECT_THROW((void)hellinger_ball(q, nan), InvalidArgument);
  EXPECT_THROW((void)tv_distance_ball(q, nan), InvalidArgument);
}

TEST(Choices, BallsOfDivergencesKeepTheContractForSmallAndLargeRadii) {
  for (const char* const spec :
       {"chi_square_ball([0.5, 0.3, 0.2], 1e-10)", "chi_square_ball([0.5, 0.5], 1e-10)",
        "chi_square_ball([0.001, 0.299, 0.7], 0.01)", "chi_square_ball([0.001, 0.299, 0.7], 1000)",
        "chi_square_ball([0.1, 0.2, 0.3, 0.4], 1.5)", "hellinger_ball([0.5, 0.3, 0.2], 1e-5)",
        "hellinger_ball([0.5, 0.5], 1e-5)", "hellinger_ball([0.001, 0.299, 0.7], 0.1)",
        "hellinger_ball([0.001, 0.299, 0.7], 1)", "hellinger_ball([0.1, 0.2, 0.3, 0.4], 0.7)",
        "tv_distance_ball([0.5, 0.5], 1e-4)", "tv_distance_ball([0, 1, 0, 0], 0.5)",
        "tv_distance_ball([0.001, 0.299, 0.7], 1)"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 50});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

/// The cost of moving q to x, by the plan itself: the first of what is left goes to the first place
/// that lacks some.
double slow_transport(const Vector& q, const Vector& x, const Vector& places) {
  long double cost = 0;
  Vector left = q;
  Vector lacks = x;
  for (std::size_t i = 0, j = 0; i < q.size() && j < q.size();) {
    const double part = std::min(left[i], lacks[j]);
    cost += static_cast<long double>(part) * std::abs(places[i] - places[j]);
    left[i] -= part;
    lacks[j] -= part;
    (left[i] <= lacks[j] ? i : j) += 1;
  }
  return static_cast<double>(cost);
}

TEST(Choices, WassersteinBallsUseUpTheirRadius) {
  Random random(36);
  int reached = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = random.integer(2, 30);
    Vector q(n);
    Vector places(n);
    double place = 0;
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = std::exp(random.normal());
      places[i] = place += std::exp(random.normal());
    }
    const double sum = std::accumulate(q.begin(), q.end(), 0.0);
    for (double& share : q) share /= sum;
    const double radius = (places.back() - places.front()) * std::exp(random.uniform(-8, -1));
    const SetPtr set = wasserstein_ball(q, radius, places);
    const Vector d = random.normals(n, std::exp(3 * random.normal()));
    const Vector v = vertex(set, d);
    const double used = slow_transport(q, v, places);
    EXPECT_LE(used, radius * (1 + 1e-9)) << set->spec();
    // All is at the cheapest place, or the radius is used up.
    const auto first = static_cast<std::size_t>(std::min_element(d.begin(), d.end()) - d.begin());
    if (v[first] > 1 - 1e-9) continue;
    EXPECT_NEAR(used, radius, 1e-9 * radius) << set->spec();
    ++reached;
  }
  EXPECT_GT(reached, 200);
}

TEST(Choices, WassersteinBallsOfARadiusBeyondAllCostsAreSimplices) {
  const SetPtr set = wasserstein_ball(Vector{0.25, 0, 0.75}, 10);
  EXPECT_EQ(vertex(set, {1, -1, 0}), (Vector{0, 1, 0}));
  EXPECT_EQ(vertex(set, {1, 0, -1}), (Vector{0, 0, 1}));
  EXPECT_TRUE(set->contains(Vector{1, 0, 0}));
}

TEST(Choices, WassersteinBallsBreakTiesAndRefuse) {
  const Vector q = {0.5, 0.25, 0.25};
  EXPECT_EQ(vertex(wasserstein_ball(q, 0.25), {0, 0, 0}), q);
  // Where all moves save the same, those of the first place go first, as far as that is so.
  EXPECT_EQ(vertex(wasserstein_ball(q, 0.25), {2, 1, 0}), (Vector{0.375, 0.25, 0.375}));
  // What saves most goes first, and passes by a place that saves less.
  EXPECT_EQ(vertex(wasserstein_ball(q, 0.5), {3, 2.5, 0}), (Vector{0.375, 0, 0.625}));
  EXPECT_FALSE(wasserstein_ball(q, 0.25)->contains(Vector{0.5, 0, 0.5 + 1e-6}));
  EXPECT_TRUE(wasserstein_ball(q, 0.25)->contains(Vector{0.5, 0, 0.5}));
  EXPECT_FALSE(wasserstein_ball(q, 0.25)->contains(Vector{0.5, -0.01, 0.51}));
  EXPECT_EQ(wasserstein_ball(q, 0.25)->spec(), "wasserstein_ball([0.5, 0.25, 0.25], 0.25)");
  EXPECT_EQ(wasserstein_ball(q, 0.25, Vector{0, 1, 2})->spec(),
            "wasserstein_ball([0.5, 0.25, 0.25], 0.25)");
  EXPECT_EQ(wasserstein_ball(q, 0.25, Vector{0, 1, 3})->spec(),
            "wasserstein_ball([0.5, 0.25, 0.25], 0.25, places=[0, 1, 3])");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)wasserstein_ball(q, 1, Vector{0, 1, 1});
            }),
            "the places of a Wasserstein ball must rise, but place 2 is 1");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)wasserstein_ball(q, 1, Vector{0, 1});
            }),
            "a Wasserstein ball needs a place for each of its 3 probabilities, not 2");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)wasserstein_ball(Vector{0.5, 0.6}, 1);
            }),
            "the probabilities of a Wasserstein ball sum to 1.1, not to 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)wasserstein_ball(Vector{1.5, -0.5}, 1);
            }),
            "probability 0 of a Wasserstein ball must be a number from 0 to 1, not 1.5");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)wasserstein_ball(q, 1e-5); }),
            "the radius of a Wasserstein ball must be at least 1e-4 of the length of its line, "
            "2e-04, and at most 1e50, not 1e-05");
  EXPECT_THROW((void)wasserstein_ball(Vector{1}, 1), InvalidArgument);
  EXPECT_THROW((void)wasserstein_ball(q, nan), InvalidArgument);
  EXPECT_THROW((void)wasserstein_ball(q, 1, Vector{0, nan, 2}), InvalidArgument);
}

TEST(Choices, WassersteinBallsKeepTheContractForSmallAndLargeRadii) {
  for (const char* const spec :
       {"wasserstein_ball([0.5, 0.5], 0.0001)", "wasserstein_ball([0.2, 0.3, 0.5], 0.01)",
        "wasserstein_ball([0, 1, 0, 0], 0.5)", "wasserstein_ball([0.001, 0.299, 0.7], 1000)",
        "wasserstein_ball([0.1, 0.2, 0.3, 0.4], 0.7, places=[-5, -4.999, 0, 300])"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 50});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

/// Costs that are distances on a line make the same ball, in another order of the places too.
TEST(Choices, WassersteinBallsOfCostsAreThoseOfTheLine) {
  Random random(37);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = random.integer(2, 12);
    Vector q = random_distribution(n, random);
    Vector places(n);
    double place = 0;
    for (double& one : places) one = place += random.uniform(0.1, 1);
    std::vector<Vector> costs(n, Vector(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {  // backwards
        costs[n - 1 - i][n - 1 - j] = std::abs(places[i] - places[j]);
      }
    }
    const double radius = (places.back() - places.front()) * std::exp(random.uniform(-4, 0));
    const SetPtr on_line = wasserstein_ball(q, radius, places);
    std::reverse(q.begin(), q.end());
    const SetPtr of_costs = wasserstein_ball(q, radius, costs);
    for (int k = 0; k < 10; ++k) {
      Vector d = random.normals(n);
      Vector v = vertex(on_line, d);
      // A little beyond the vertex, and a little before it.
      Vector beyond = combine(1 + 1e-6, v, -1e-6, on_line->centre());
      Vector before = combine(1 - 1e-6, v, 1e-6, on_line->centre());
      for (double& share : beyond) share = std::max(share, 0.0);
      const bool is_beyond = on_line->contains(beyond);
      for (Vector* const x : {&d, &v, &beyond, &before}) std::reverse(x->begin(), x->end());
      EXPECT_LE(distance(vertex(of_costs, d), v), 1e-12) << on_line->spec();
      EXPECT_TRUE(of_costs->contains(before)) << on_line->spec();
      EXPECT_EQ(of_costs->contains(beyond), is_beyond) << on_line->spec();
    }
  }
}

/// Costs and places that are equal often: the same ties are broken the same way.
TEST(Choices, WassersteinBallsOfCostsBreakTiesAsThoseOfTheLine) {
  Random random(38);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = random.integer(2, 60);
    const Vector q = random_distribution(n, random);
    std::vector<Vector> costs(n, Vector(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        costs[i][j] = i < j ? static_cast<double>(j - i) : static_cast<double>(i - j);
      }
    }
    const double radius = static_cast<double>(n - 1) * std::exp(random.uniform(-6, 0));
    Vector d(n);
    for (double& cost : d) cost = static_cast<double>(random.integer(0, 8));
    EXPECT_EQ(vertex(wasserstein_ball(q, radius), d), vertex(wasserstein_ball(q, radius, costs), d))
        << ::testing::PrintToString(d);
  }
}

TEST(Choices, WassersteinBallsOfCostsRefuse) {
  const Vector q = {0.5, 0.5};
  const std::vector<Vector> costs = {{0, 1}, {4, 0}};
  // A unit the one way costs 1, the other way 4.
  EXPECT_EQ(vertex(wasserstein_ball(q, 0.25, costs), {1, 0}), (Vector{0.25, 0.75}));
  EXPECT_EQ(vertex(wasserstein_ball(q, 0.25, costs), {0, 1}), (Vector{0.5625, 0.4375}));
  EXPECT_TRUE(wasserstein_ball(q, 0.25, costs)->contains(Vector{0.5625, 0.4375}));
  EXPECT_FALSE(wasserstein_ball(q, 0.25, costs)->contains(Vector{0.563, 0.437}));
  EXPECT_EQ(wasserstein_ball(q, 0.25, costs)->spec(),
            "wasserstein_ball([0.5, 0.5], 0.25, costs=[[0, 1], [4, 0]])");
  const auto refused = [&](const std::vector<Vector>& others, double radius = 1) {
    return message<InvalidArgument>([&] { (void)wasserstein_ball(q, radius, others); });
  };
  EXPECT_EQ(refused({{0, 1}}),
            "a Wasserstein ball of 2 probabilities needs as many rows of costs, not 1");
  EXPECT_EQ(refused({{0, 1}, {1}}),
            "row 1 of the costs of a Wasserstein ball has 1 numbers, not 2");
  EXPECT_EQ(refused({{0, 1}, {1, 2}}),
            "the cost of moving from place 1 to place 1 must be 0, not 2");
  EXPECT_EQ(refused({{0, 0}, {1, 0}}),
            "the cost of moving from place 0 to place 1 must be positive and at most 1e50, not 0");
  EXPECT_EQ(refused({{0, 1e-10}, {1, 0}}),
            "the cost of moving from place 0 to place 1, 1e-10, is below 1e-9 of the largest, 1, "
            "which costs digits: make one place of the two");
  EXPECT_EQ(
      refused(costs, 1e-5),
      "the radius of a Wasserstein ball must be at least 1e-4 of its largest cost, 4e-04, and "
      "at most 1e50, not 1e-05");
  EXPECT_EQ(message<SpecError>([] {
              (void)make_set("wasserstein_ball([1, 0], 1, places=[0, 1], costs=[[0, 1], [1, 0]])");
            }),
            "wasserstein_ball([1, 0], 1, places=[0, 1], costs=[[0, 1], [1, 0]]): places at column "
            "36 are given here, and there are costs");
}

TEST(Choices, PermutahedronsOfTwoLevelsAreHypersimplices) {
  Random random(23);
  const SetPtr orders = permutahedron(Vector{0, 0, 0, 1, 1});
  const SetPtr subsets_of_two = hypersimplex(5, 2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector z = random.normals(5, trial % 2 == 0 ? 1 : 1e3);
    EXPECT_LE(distance(projected(orders, z), projected(subsets_of_two, z)), 1e-11);
  }
  EXPECT_NEAR(orders->inner_radius(), subsets_of_two->inner_radius(), 1e-14);
}

TEST(Choices, BirkhoffHasTheRadiiOfItsPermutations) {
  for (std::size_t n = 2; n <= 4; ++n) {
    std::vector<std::size_t> columns(n);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::vector<Vector> vertices;
    do {
      Vector v(n * n, 0.0);
      for (std::size_t i = 0; i < n; ++i) v[i * n + columns[i]] = 1;
      vertices.push_back(v);
    } while (std::next_permutation(columns.begin(), columns.end()));
    const SetPtr set = birkhoff(n);
    const auto [R, D] = radii(set->centre(), vertices);
    EXPECT_NEAR(set->outer_radius(), R, 1e-14);
    EXPECT_NEAR(set->diameter(), D, 1e-14);
    EXPECT_DOUBLE_EQ(set->inner_radius(), 1 / static_cast<double>(n - 1));
    EXPECT_EQ(set->hull_dimension(), (n - 1) * (n - 1));
  }
}

#ifdef KEYHOLE_WITH_CLP

/// The constraints of a transportation polytope.
math::LinearConstraints rows_and_columns(const Vector& supply, const Vector& demand) {
  const std::size_t m = supply.size();
  const std::size_t n = demand.size();
  math::LinearConstraints constraints;
  constraints.columns = m * n;
  constraints.inequalities = 0;
  constraints.lower.assign(m * n, 0.0);
  constraints.upper.assign(m * n, std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < m + n; ++row) {
    for (std::size_t k = 0; k < m * n; ++k) {
      constraints.rows.push_back((row < m ? k / n == row : k % n == row - m) ? 1.0 : 0.0);
    }
    constraints.right.push_back(row < m ? supply[row] : demand[row - m]);
  }
  return constraints;
}

TEST(Choices, TransportationsMatchALinearProgram) {
  Random random(24);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t m = random.integer(2, 9);
    const std::size_t n = random.integer(2, 9);
    Vector supply(m);
    Vector demand(n);
    if (trial % 2 == 0) {  // degenerate: parts of either side are equal
      supply.assign(m, static_cast<double>(n));
      demand.assign(n, static_cast<double>(m));
    } else {
      for (double& value : supply) value = random.uniform(0.1, 3);
      for (double& value : demand) value = random.uniform(0.1, 3);
      const double factor = std::accumulate(supply.begin(), supply.end(), 0.0) /
                            std::accumulate(demand.begin(), demand.end(), 0.0);
      for (double& value : demand) value *= factor;
    }
    const SetPtr set = transportation(supply, demand);
    Clp program(rows_and_columns(supply, demand));
    const auto oracle = set->oracle();
    for (int direction = 0; direction < 10; ++direction) {
      Vector d = random.normals(m * n);
      if (direction % 2 == 0) {  // ties
        for (double& value : d) value = std::round(value);
      }
      const Vertex& v = oracle->minimise(d);
      EXPECT_LE(v.indices.size(), m + n - 1);
      EXPECT_NEAR(v.dot(d), program.minimum(d), 1e-8 * set->outer_radius()) << set->spec();
      Vector x(m * n);
      v.write_to(x);
      EXPECT_TRUE(set->contains(x)) << set->spec();
    }
  }
}

#endif

TEST(Choices, TransportationsOfEqualPartsAreDoublyStochastic) {
  const std::size_t n = 5;
  const SetPtr set = transportation(Vector(n, 1.0), Vector(n, 1.0));
  const SetPtr exact = birkhoff(n);
  EXPECT_NEAR(set->inner_radius(), exact->inner_radius(), 1e-14);
  EXPECT_NEAR(set->outer_radius(), exact->outer_radius(), 1e-9);
  EXPECT_NEAR(set->diameter(), exact->diameter(), 1e-9);
  Random random(25);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector d = random.normals(n * n);
    EXPECT_LE(distance(vertex(set, d), vertex(exact, d)), 1e-14);
  }
}

TEST(Choices, LargeTransportationsEnd) {
  Random random(26);
  const std::size_t n = 40;
  const SetPtr set = transportation(Vector(n, 1.0), Vector(n, 1.0));
  const SetPtr exact = birkhoff(n);
  for (int trial = 0; trial < 3; ++trial) {
    const Vector d = random.normals(n * n);
    EXPECT_LE(distance(vertex(set, d), vertex(exact, d)), 1e-12);
  }
}

TEST(Choices, HullsOfSimplicesAreThoseSimplices) {
  for (const std::size_t n : {2U, 3U, 7U}) {
    std::vector<Vector> corners(n, Vector(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) corners[i][i] = 1;
    const SetPtr flat = convex_hull(corners);
    corners.emplace_back(n, 0.0);
    const SetPtr solid = convex_hull(corners);
    for (const auto& [set, expected] : {std::pair{flat, simplex(n)}, {solid, solid_simplex(n)}}) {
      EXPECT_EQ(set->hull_dimension(), expected->hull_dimension());
      EXPECT_LE(distance(set->centre(), expected->centre()), 1e-13);
      EXPECT_NEAR(set->inner_radius(), expected->inner_radius(), 1e-13);
      EXPECT_NEAR(set->outer_radius(), expected->outer_radius(), 1e-13);
      EXPECT_NEAR(set->diameter(), expected->diameter(), 1e-13);
      Random random(27);
      for (int trial = 0; trial < 50; ++trial) {
        const Vector z = random.normals(n);
        EXPECT_LE(distance(projected(set, z), projected(expected, z)), 1e-9);
      }
    }
  }
}

TEST(Choices, HullsAreToldByTheirCornersAlone) {
  // The cube, with a point of it twice and some inside: r = 1/2 at the centre, of which the bound
  // gives 1 / sqrt 3 at least.
  std::vector<Vector> points = subsets(3, 0, 3, 1);
  points.push_back(points.front());
  points.push_back({0.5, 0.5, 0.25});
  points.push_back({0.9, 0.2, 0.1});
  const SetPtr set = convex_hull(points);
  const SetPtr cube = hypercube(3);
  EXPECT_EQ(set->hull_dimension(), 3U);
  EXPECT_LE(set->inner_radius(), 0.5);
  EXPECT_GE(set->inner_radius(), 0.9 * 0.5 / std::sqrt(3));
  EXPECT_DOUBLE_EQ(set->diameter(), std::sqrt(3));
  Random random(28);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector z = random.normals(3);
    EXPECT_EQ(set->contains(z), cube->contains(z));
    EXPECT_LE(distance(projected(set, z), projected(cube, z)), 1e-9);
  }
}

TEST(Choices, HullsHaveHonestInnerRadii) {
  // In the plane, where the facets are the pairs with all points on one side.
  Random random(29);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t count = random.integer(4, 12);
    std::vector<Vector> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(random.normals(2));

    const SetPtr set = convex_hull(points);
    const Vector& p = set->centre();
    double r = std::numeric_limits<double>::infinity();
    for (const Vector& v : points) {
      for (const Vector& w : points) {
        const double length = distance(v, w);
        if (!(length > 0)) continue;
        const auto beyond = [&](const Vector& x) {
          return ((w[0] - v[0]) * (x[1] - v[1]) - (w[1] - v[1]) * (x[0] - v[0])) / length;
        };
        const bool facet = std::all_of(points.begin(), points.end(),
                                       [&](const Vector& x) { return beyond(x) >= -1e-12; });
        if (facet) r = std::min(r, beyond(p));
      }
    }
    EXPECT_LE(set->inner_radius(), r + 1e-12) << set->spec();
    EXPECT_GE(set->inner_radius(), 0.4 * r) << set->spec();
    const auto [R, D] = radii(p, points);
    EXPECT_NEAR(set->outer_radius(), R, 1e-13);
    EXPECT_NEAR(set->diameter(), D, 1e-13);
  }
}

TEST(Choices, KeepTheContractAtTheEdges) {
  // Smallest sizes, tiny and huge units, far from the origin, weights and extents far apart.
  for (const char* const spec :
       {"hypersimplex(2, 1, size=1e20)",
        "hypersimplex(30, 29, size=1e-20)",
        "solid_hypersimplex(1, 1)",
        "solid_hypersimplex(3, 3)",
        "solid_hypersimplex(9, 5)",
        "weighted_simplex([1])",
        "weighted_simplex([0.01, 1, 1000])",
        "weighted_simplex([1, 2, 3], total=600006, lower=100000)",
        "weighted_simplex([1e10, 2e10], total=1e-5)",
        "knapsack([1], 0.5)",
        "knapsack([0.001, 1, 100], 50)",
        "knapsack([0.001, 1, 100], 0.0005)",
        "permutahedron([1000000, 1000001, 1000002])",
        "permutahedron([0, 0, 0, 0, 1])",
        "permutahedron([1e-20, 5e-20])",
        "birkhoff(2)",
        "transportation([0.001, 10], [5, 5.001])",
        "transportation([100, 1, 1], [34, 34, 34])",
        "transportation([1e20, 2e20], [2e20, 1e20])",
        "convex_hull([[0], [1], [0.5]])",
        "convex_hull([[0, 0, 0], [1, 1, 1]])",
        "convex_hull([[1000000, 0], [1000001, 0], [1000000, 1], [1000001, 1.5]])",
        "convex_hull([[0, 0], [1000, 0], [0, 0.1], [1000, 0.2], [500, 0.05]])"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 20});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

TEST(Choices, SelectionDoesNotSlowDownOnTies) {
  // A quadratic selection would take minutes.
  const std::size_t n = 300'000;
  Vector d(n, -1.0);
  const SetPtr set = hypersimplex(n, n / 2);
  const Vector v = vertex(set, d);
  EXPECT_EQ(std::count(v.begin(), v.begin() + n / 2, 1.0), static_cast<std::ptrdiff_t>(n / 2));
}

}  // namespace
}  // namespace keyhole::tests
