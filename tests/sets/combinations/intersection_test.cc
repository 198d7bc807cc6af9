// Descriptions of sets by linear inequalities, and the intersections that are made of them.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/choices.h"
#include "keyhole/norm_balls.h"
#include "keyhole/polytope.h"
#include "keyhole/spectral_sets.h"
#include "keyhole/testing.h"
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

TEST(Intersections, RefuseSetsThatInequalitiesDescribe) {
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

/// Members of the sets, and as small as `least` says.
template <class Least>
void expect_least(const SetPtr& set, const std::vector<SetPtr>& of, Random& random,
                  const Least& least) {
  const auto oracle = set->oracle();
  Vector x(set->dimension());
  for (int k = 0; k < 40; ++k) {
    Vector d = random.normals(set->dimension());
    if (k % 4 == 0) std::fill(d.begin() + 1, d.end(), 0.0);
    if (k % 4 == 1)
      std::transform(d.begin(), d.end(), d.begin(), [](double z) { return std::round(z); });
    if (inner(d, d) == 0) d[0] = -1;
    oracle->minimise(d).write_to(x);
    for (const SetPtr& one : of) EXPECT_TRUE(one->contains(x)) << one->spec();
    EXPECT_TRUE(set->contains(x));
    EXPECT_NEAR(inner(d, x), least(d), 1e-9 * std::sqrt(inner(d, d)) * set->diameter())
        << set->spec();
  }
}

/// The number from low to high where a function that rises takes the value.
template <class Function>
double where(const Function& rising, double value, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (rising(middle) > value ? high : low) = middle;
  }
  return high;
}

TEST(CurvedIntersections, OfTwoBallsAreLenses) {
  Random random(3);
  for (const std::size_t n : {2, 3, 9}) {
    Vector shift = random.normals(n);
    shift = combine(1 / std::sqrt(inner(shift, shift)), shift, 0, shift);
    const SetPtr other = image(ball(n), 0.5, shift);
    const SetPtr set = intersection({ball(n), other});
    EXPECT_EQ(set->hull_dimension(), n);
    // The spheres meet where <shift, x> = 7/8.
    expect_least(set, {ball(n), other}, random, [&](const Vector& d) {
      const double length = std::sqrt(inner(d, d));
      const double along = inner(d, shift);
      if (-along / length >= 0.875) return -length;
      const Vector of_other = combine(1, shift, -0.5 / length, d);
      if (inner(of_other, of_other) <= 1) return inner(d, of_other);
      const double across = std::sqrt(std::max(0.0, length * length - along * along));
      return 0.875 * along - std::sqrt(1 - 0.875 * 0.875) * across;
    });
  }
}

TEST(CurvedIntersections, OfAnL1BallAndABall) {
  Random random(4);
  for (const std::size_t n : {2, 7, 12}) {
    const double s = 1.3;
    const SetPtr set = intersection({l1_ball(n, s), ball(n)});
    // Of magnitudes (|d_i| - t)+, of length 1, with the least t for which they sum to s at most;
    // if there is none, of several largest |d_i| the answer is at any of them.
    expect_least(set, {l1_ball(n, s), ball(n)}, random, [&](const Vector& d) {
      double largest = 0;
      for (const double number : d) largest = std::max(largest, std::abs(number));
      const auto soft = [&](double t) {
        Vector m(n);
        for (std::size_t j = 0; j < n; ++j) m[j] = std::max(std::abs(d[j]) - t, 0.0);
        return combine(1 / std::sqrt(inner(m, m)), m, 0, m);
      };
      const auto below = [&](double t) {
        const Vector m = soft(t);
        return -std::accumulate(m.begin(), m.end(), 0.0);
      };
      const double last = largest * (1 - 1e-9);
      if (below(last) < -s) return -s * largest;
      Vector m = soft(below(0) >= -s ? 0 : where(below, -s, 0, last));
      double value = 0;
      for (std::size_t j = 0; j < n; ++j) value -= m[j] * std::abs(d[j]);
      return value;
    });
  }
}

TEST(CurvedIntersections, OfASimplexAndABallAreFlat) {
  Random random(5);
  for (const std::size_t n : {3, 6, 10}) {
    const double radius = 0.7;
    const SetPtr set = intersection({ball(n, radius), simplex(n)});
    EXPECT_EQ(set->hull_dimension(), n - 1);
    Vector ones(n, 1.0);
    set->flatten(ones);
    EXPECT_LE(inner(ones, ones), 1e-24);
    // (-step d - t)+, t so that the sum is 1, the step as long as the ball allows.
    expect_least(set, {ball(n, radius), simplex(n)}, random, [&](const Vector& d) {
      const auto at = [&](double step) {
        const auto of_level = [&](double t) {
          Vector x(n);
          for (std::size_t j = 0; j < n; ++j) x[j] = std::max(-step * d[j] + t, 0.0);
          return x;
        };
        const double widest = 1 + step * std::sqrt(inner(d, d));
        return of_level(where(
            [&](double t) {
              const Vector x = of_level(t);
              return std::accumulate(x.begin(), x.end(), 0.0);
            },
            1, -widest, widest));
      };
      const double step = where(
          [&](double by) {
            const Vector x = at(by);
            return std::sqrt(inner(x, x));
          },
          radius, 0, 1e5);
      return inner(d, at(step));
    });
  }
}

TEST(CurvedIntersections, OfSetsWithinOthersAreThose) {
  Random random(6);
  const SetPtr near = kl_ball({0.2, 0.3, 0.1, 0.4}, 0.05);
  const auto oracle = near->oracle();
  const auto least = [&](const Vector& d) { return oracle->minimise(d).dot(d); };
  const SetPtr set = intersection({simplex(4), near});
  EXPECT_EQ(set->hull_dimension(), 3U);
  expect_least(set, {simplex(4), near}, random, least);
  expect_least(intersection({near, box(-1, 2, 4), ball(4, 3)}), {near}, random, least);
}

/// hull_of_union() of one set is that set, by its oracle alone.
TEST(CurvedIntersections, ByOraclesAreThoseByInequalities) {
  Random random(7);
  for (std::size_t n = 2; n <= 6; ++n) {
    const SetPtr cube = box(-0.3, 0.6, n);
    for (const SetPtr& set : {simplex(n), solid_simplex(n), birkhoff(2), path_splits({2, 3})}) {
      if (set->dimension() != n) continue;
      const SetPtr expected = intersection({set, cube});
      const SetPtr by_oracles = intersection({hull_of_union({set}), hull_of_union({cube})});
      EXPECT_EQ(by_oracles->hull_dimension(), expected->hull_dimension());
      const auto oracle = expected->oracle();
      expect_least(by_oracles, {}, random,
                   [&](const Vector& d) { return oracle->minimise(d).dot(d); });
    }
  }
}

TEST(CurvedIntersections, KeepTheContract) {
  for (const char* const spec :
       {"intersection(ball(3), image(ball(3), scale=0.5, shift=[1, 0.25, 0]))",
        "intersection(permutahedron([1, 2, 4]), image(ball(3), scale=1.5, shift=2.5))",
        "intersection(hellinger_ball([0.2, 0.3, 0.5], 0.3), kl_ball([0.3, 0.4, 0.3], 0.1))"}) {
    const SetPtr set = make_set(spec);
    EXPECT_EQ(set->spec(), spec);
    const auto report = testing::check_set(set, {.directions = 3});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

TEST(CurvedIntersections, OfIntersectionsAreThoseOfAll) {
  EXPECT_EQ(intersection({intersection({ball(2), l1_ball(2, 1.25)}), box(-1, 0.5, 2)})->spec(),
            "intersection(ball(2), l1_ball(2, radius=1.25), box(-1, 0.5, 2))");
}

TEST(CurvedIntersections, AboutAnotherCentre) {
  const SetPtr set = recentred(intersection({ball(2), box(-0.5, 2, 2)}), {-0.25, 0});
  EXPECT_NEAR(set->inner_radius(), 0.25, 1e-8);
  EXPECT_FALSE(set->contains(Vector{-0.75, 0}));
}

TEST(CurvedIntersections, Refuse) {
  const std::string start =
      "the sets of an intersection must have inner points in common: where the points of all sets "
      "are equal, ";
  const auto refused = [](std::vector<SetPtr> sets) {
    return message<InvalidArgument>([&] { (void)intersection(sets); });
  };
  EXPECT_EQ(refused({ball(2), translated(ball(2), {3, 0})}),
            start +
                "no point of product(ball(2), image(ball(2), scale=1, shift=[3, 0])) has A x = "
                "b: the slice is empty");
  EXPECT_EQ(refused({ball(2), translated(ball(2), {2, 0})}),
            start +
                "A x = b only touches the boundary of product(ball(2), image(ball(2), scale=1, "
                "shift=[2, 0])), or comes within 1e-6 of doing so: the slice has no inside");
  EXPECT_EQ(refused({kl_ball({0.2, 0.3, 0.5}, 0.1), simplex(3, 2)}),
            start +
                "the slice is empty: row 2 has the same value at all points of "
                "product(kl_ball([0.2, 0.3, 0.5], 0.1), simplex(3, total=2)) that the rows "
                "before it leave, and that is not 0");
  // The lines of two hulls cross in a point.
  EXPECT_EQ(refused({kl_ball({0.5, 0.5}, 0.1),
                     affine_image(kl_ball({0.5, 0.5}, 0.1), {1, 0, 0, 2}, {0, -0.5})}),
            start + "there is a single point at most");
  EXPECT_EQ(refused({ball(60), box(0, 1, 60)}),
            "an intersection of k sets that are not all given by linear inequalities takes up to "
            "50 / (k - 1) coordinates, not 60");
}

}  // namespace
}  // namespace keyhole::tests
