// l1 balls against the enumeration of their vertices, products against their parts, path splits.

#include <gtest/gtest.h>

#include <numeric>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;

double l1_norm(std::span<const double> x) {
  double sum = 0;
  for (const double coordinate : x) sum += std::abs(coordinate);
  return sum;
}

/// The projection onto the l1 ball by bisection on the threshold.
Vector slowly_projected(std::span<const double> z, double radius) {
  Vector x(z.begin(), z.end());
  if (l1_norm(z) <= radius) return x;
  double low = 0;
  double high = l1_norm(z);
  for (int k = 0; k < 200; ++k) {
    const double theta = (low + high) / 2;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::copysign(std::max(std::abs(z[i]) - theta, 0.0), z[i]);
    }
    (l1_norm(x) > radius ? low : high) = theta;
  }
  return x;
}

TEST(L1Ball, OraclesRadiiAndProjectionsMatchEnumeration) {
  Random random(1);
  for (int k = 0; k < 500; ++k) {
    const std::size_t n = random.integer(1, 12);
    const double radius = std::exp(random.normal());
    const SetPtr set = l1_ball(n, radius);
    const auto oracle = set->oracle();
    // Directions with ties, and the first of the largest as the rule has it.
    Vector d = random.normals(n, 2);
    for (double& coordinate : d) coordinate = std::round(coordinate);
    Vector v(n);
    oracle->minimise(d).write_to(v);
    Vector expected(n, 0.0);
    std::size_t first = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (std::abs(d[i]) > std::abs(d[first])) first = i;
    }
    expected[first] = d[first] < 0 ? radius : -radius;
    ASSERT_EQ(v, expected);

    // Radii about a point inside: every facet <s, x> = radius, every vertex.
    Vector centre = random.normals(n);
    const double shrink = random.uniform(0, 0.9) * radius / l1_norm(centre);
    for (double& coordinate : centre) coordinate *= shrink;
    double r = HUGE_VAL;
    for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
      double product = 0;
      for (std::size_t i = 0; i < n; ++i) {
        product += (signs >> i & 1) != 0 ? centre[i] : -centre[i];
      }
      r = std::min(r, (radius - product) / std::sqrt(static_cast<double>(n)));
    }
    double R = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        Vector vertex(n, 0.0);
        vertex[i] = sign * radius;
        R = std::max(R, distance(vertex, centre));
      }
    }
    const Geometry geometry = set->geometry_about(centre);
    ASSERT_NEAR(geometry.inner_radius, r, 1e-12 * radius);
    ASSERT_NEAR(geometry.outer_radius, R, 1e-12 * radius);
    ASSERT_TRUE(geometry.outer_radius_exact && geometry.diameter_exact);

    for (const double far : {0.1, 1.0, 100.0}) {
      const Vector z = random.normals(n, far * radius);
      Vector x(n);
      oracle->project(z, x);
      ASSERT_LE(distance(x, slowly_projected(z, radius)), 1e-12 * radius * (1 + far));
    }
  }
}

TEST(L1Ball, Refusals) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)l1_ball(0); }),
            "an l1 ball needs at least one dimension");
  EXPECT_EQ(message<InvalidArgument>([] { (void)l1_ball(3, -1); }),
            "the radius of an l1 ball must be a number from 1e-50 to 1e50, not -1");
}

TEST(L1Ball, ExploresItsVertices) {
  const SetPtr set = l1_ball(3, 2);
  const auto nu = set->exploration();
  EXPECT_EQ(nu->needs().words, 1u);
  Vector v(3);
  Vector w(3);
  Vector total(3, 0.0);
  for (std::uint64_t k = 0; k < 6; ++k) {
    const double middle = (static_cast<double>(k) + 0.5) / 6;
    const auto word = static_cast<std::uint64_t>(middle * 0x1p53) << 11U;
    nu->draw({std::span(&word, 1), {}}, v);
    nu->score({std::span(&word, 1), {}}, w);
    EXPECT_EQ(l1_norm(v), 2);
    EXPECT_NEAR(inner(v, w), 3, 1e-15);
    for (std::size_t i = 0; i < 3; ++i) total[i] += v[i];
  }
  EXPECT_EQ(total, Vector(3, 0.0));
}

std::vector<SetPtr> some_sets() {
  return {simplex(3),         box(-1, 2, 2),       ball(2, 0.5), image(simplex(2), 2, -1),
          nuclear_ball(2, 2), solid_simplex(1, 3), l1_ball(2)};
}

TEST(Product, KeepsTheContractAndMatchesItsParts) {
  Random random(2);
  const std::vector<SetPtr> all = some_sets();
  for (int k = 0; k < 20; ++k) {
    std::vector<SetPtr> parts;
    const std::size_t count = random.integer(1, 4);
    for (std::size_t i = 0; i < count; ++i) parts.push_back(all[random.integer(0, 6)]);
    const SetPtr set = product(parts);
    std::vector<std::unique_ptr<Oracle>> oracles;
    for (const SetPtr& part : parts) oracles.push_back(part->oracle());
    const auto slow = [&](std::span<const double> d) {
      double sum = 0;
      for (std::size_t i = 0, first = 0; i < parts.size(); first += parts[i++]->dimension()) {
        const auto block = d.subspan(first, parts[i]->dimension());
        sum += oracles[i]->minimise(block).dot(block);
      }
      return sum;
    };
    const auto report = check_set(set, {.directions = 30, .slow_minimum = slow});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(Product, OfSizesFarApartPlaysStayInside) {
  const SetPtr set = product({ball(2), simplex(3, 1e4), box(0, 1e-4, 2), solid_simplex(2, 1e-3)});
  const auto play = [&](Learner learner) {
    Vector y(set->dimension());
    for (int t = 0; t < 2000; ++t) {
      const PlayId id = learner.ask(y);
      ASSERT_TRUE(set->contains(y)) << learner.spec() << ", round " << t;
      learner.tell(id, std::clamp(y[static_cast<std::size_t>(t) % 2], -1.0, 1.0));
    }
  };
  play(Learner(anytime(projection_free(set, {.loss_bound = 1}))));
  play(Learner(fkm(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 2000})));
}

TEST(Product, OfSparseVerticesIsSparse) {
  const SetPtr set = product({simplex(3), l1_ball(2, 4), solid_simplex(2)});
  const auto oracle = set->oracle();
  const Vertex& v = oracle->minimise(Vector{1, -1, 2, 3, -5, 1, 1});
  EXPECT_TRUE(v.dense.empty() && v.left.empty());
  EXPECT_EQ(Vector(v.values.begin(), v.values.end()), (Vector{1, 4}));
  EXPECT_EQ(std::vector<std::size_t>(v.indices.begin(), v.indices.end()),
            (std::vector<std::size_t>{1, 4}));
}

TEST(Product, GeometryByHand) {
  const SetPtr set = product({box(0, 2, 1), ball(2, 3)});
  const Geometry& geometry = set->geometry();
  EXPECT_EQ(geometry.centre, (Vector{1, 0, 0}));
  EXPECT_DOUBLE_EQ(geometry.inner_radius, 1);
  EXPECT_DOUBLE_EQ(geometry.outer_radius, std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(geometry.diameter, std::sqrt(40.0));
  EXPECT_TRUE(geometry.outer_radius_exact && geometry.diameter_exact);
  const SetPtr rough = product({box(0, 2, 1), polytope({.n = 1, .lower = {0}, .upper = {1}})});
  EXPECT_FALSE(rough->geometry().outer_radius_exact || rough->geometry().diameter_exact);
  EXPECT_EQ(product({simplex(3), simplex(4)})->hull_dimension(), 5u);
}

TEST(Product, SpecsNest) {
  const SetPtr inner_product = product({simplex(3), box(0, 1, 2)});
  const SetPtr set = product({inner_product, ball(2), product({l1_ball(2, 3)})});
  EXPECT_EQ(set->spec(),
            "product(product(simplex(3), box(0, 1, 2)), ball(2), product(l1_ball(2, radius=3)))");
  EXPECT_EQ(make_set(set->spec())->spec(), set->spec());
  EXPECT_EQ(make_set("product(sets=ball(2))")->spec(), "product(ball(2))");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("product(ball(2), 3)"); }),
            "product(ball(2), 3): sets at column 18 must be a set, not 3");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("product(ball(2), bal(3))"); }),
            "product(ball(2), bal(3)): there is no set 'bal' at column 18; did you mean 'ball'?");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("product()"); }),
            "product(): sets is missing, the sets, one argument each: product(sets...)");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("product(sets=ball(2), ball(3))"); }),
            "product(sets=ball(2), ball(3)): the argument at column 23 comes after one with a key, "
            "and needs a key itself");
}

TEST(Product, Refusals) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)product({}); }),
            "a product needs at least one set");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)product({ball(2), nullptr});
            }),
            "a product needs sets, and one of them is missing");
  EXPECT_FALSE(product({ball(2), ball(3)})->contains(Vector(4, 0.0)));
}

TEST(PathSplits, AreProductsOfSimplices) {
  const SetPtr set = path_splits(std::vector<std::size_t>{3, 4, 2});
  EXPECT_EQ(set->spec(), "path_splits([3, 4, 2])");
  EXPECT_EQ(make_set("path_splits([3,4,2])")->fingerprint(), set->fingerprint());
  EXPECT_EQ(set->dimension(), 9u);
  EXPECT_EQ(set->hull_dimension(), 6u);
  const SetPtr twin = product({simplex(3), simplex(4), simplex(2)});
  EXPECT_EQ(set->centre(), twin->centre());
  EXPECT_EQ(set->inner_radius(), twin->inner_radius());
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)path_splits(std::vector<std::size_t>{3, 1});
            }),
            "demand 1 has 1 paths: with fewer than 2 there is nothing to split, leave it out");
  EXPECT_EQ(message<InvalidArgument>([] { (void)path_splits({}); }),
            "path splits need at least one demand");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("path_splits([2.5])"); }),
            "path_splits([2.5]): paths at column 13 must be whole numbers");
}

}  // namespace
}  // namespace keyhole::tests
