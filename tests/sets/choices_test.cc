// The sets of budgets, choices and orders: what they refuse, their radii, ties and projections by
// other routes. The contract and the oracles are swept by catalogue_test.cc.

#include "keyhole/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "keyhole/keyhole.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

double distance(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
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
            "the capacity 3 of a knapsack holds all of its weights, which sum to 3: use "
            "hypercube(2)");
  EXPECT_EQ(message<InvalidArgument>([] { (void)permutahedron(Vector(3, 2.0)); }),
            "the values of a permutahedron are all 2: there is nothing to order");
  EXPECT_EQ(message<InvalidArgument>([] { (void)permutahedron(Vector{1}); }),
            "a permutahedron of 1 values is a single point or empty: at least 2 are needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)birkhoff(1); }),
            "doubly stochastic matrices need 2 to 10000 rows, not 1");
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
  EXPECT_EQ(permutahedron(Vector{2, 1, 3})->spec(), "permutahedron([1, 2, 3])");
  EXPECT_EQ(birkhoff(3)->spec(), "birkhoff(3)");
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
  EXPECT_EQ(vertex(permutahedron(Vector{1, 2, 3}), {0, 0, 0}), (Vector{3, 2, 1}));
  EXPECT_EQ(vertex(permutahedron(Vector{1, 2, 3}), {1, -1, -1}), (Vector{1, 3, 2}));
  EXPECT_EQ(vertex(birkhoff(2), Vector(4, 0.0)), (Vector{1, 0, 0, 1}));
}

TEST(Choices, HypersimplicesHaveTheRadiiOfTheirVerticesAndFacets) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const auto count = static_cast<double>(n);
    for (std::size_t k = 1; k <= n; ++k) {
      const SetPtr solid = solid_hypersimplex(n, k, 2);
      const auto [R, D] = radii(solid->geometry().centre, subsets(n, 0, k, 2));
      EXPECT_NEAR(solid->geometry().outer_radius, R, 1e-14) << solid->spec();
      EXPECT_NEAR(solid->geometry().diameter, D, 1e-14) << solid->spec();
      if (k == n) continue;
      const SetPtr flat = hypersimplex(n, k, 2);
      const auto [flat_R, flat_D] = radii(flat->geometry().centre, subsets(n, k, k, 2));
      EXPECT_NEAR(flat->geometry().outer_radius, flat_R, 1e-14) << flat->spec();
      EXPECT_NEAR(flat->geometry().diameter, flat_D, 1e-14) << flat->spec();
      EXPECT_NEAR(flat->geometry().inner_radius,
                  2 * static_cast<double>(std::min(k, n - k)) / std::sqrt(count * (count - 1)),
                  1e-14)
          << flat->spec();
    }
  }
}

TEST(Choices, SimplicesAreTheirSpecialCases) {
  for (const std::size_t n : {1, 2, 5, 17}) {
    const SetPtr expected = solid_simplex(n, 2);
    for (const SetPtr& set : {weighted_simplex(Vector(n, 1.0), 2), solid_hypersimplex(n, 1, 2)}) {
      EXPECT_NEAR(set->geometry().inner_radius, expected->geometry().inner_radius, 1e-14);
      EXPECT_NEAR(set->geometry().outer_radius, expected->geometry().outer_radius, 1e-14);
      EXPECT_NEAR(set->geometry().diameter, expected->geometry().diameter, 1e-14);
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
    EXPECT_NEAR(bound->geometry().inner_radius, exact->geometry().inner_radius, 1e-14);
    EXPECT_NEAR(bound->geometry().outer_radius, exact->geometry().outer_radius, 1e-12);
    EXPECT_NEAR(bound->geometry().diameter, exact->geometry().diameter, 1e-12);
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
    EXPECT_NEAR(set->geometry().inner_radius, r, 1e-13) << set->spec();
    EXPECT_NEAR(set->geometry().outer_radius, R, 1e-13) << set->spec();
    EXPECT_NEAR(set->geometry().diameter, D, 1e-13) << set->spec();
  }
}

TEST(Choices, PermutahedronsOfTwoLevelsAreHypersimplices) {
  Random random(23);
  const SetPtr orders = permutahedron(Vector{0, 0, 0, 1, 1});
  const SetPtr subsets_of_two = hypersimplex(5, 2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector z = random.normals(5, trial % 2 == 0 ? 1 : 1e3);
    EXPECT_LE(distance(projected(orders, z), projected(subsets_of_two, z)), 1e-11);
  }
  EXPECT_NEAR(orders->geometry().inner_radius, subsets_of_two->geometry().inner_radius, 1e-14);
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
    const auto [R, D] = radii(set->geometry().centre, vertices);
    EXPECT_NEAR(set->geometry().outer_radius, R, 1e-14);
    EXPECT_NEAR(set->geometry().diameter, D, 1e-14);
    EXPECT_DOUBLE_EQ(set->geometry().inner_radius, 1 / static_cast<double>(n - 1));
    EXPECT_EQ(set->hull_dimension(), (n - 1) * (n - 1));
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
