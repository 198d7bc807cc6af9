// Sets that give nothing but their oracle: what is estimated of them is right.

#include "keyhole/own_set.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "math/sums.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A set of the library, stripped of all but its oracle.
SetPtr stripped(const SetPtr& set) {
  return own_set(
      {.dimension = set->dimension(),
       .minimise = [set](std::span<const double> d,
                         std::span<double> v) { set->oracle()->minimise(d).write_to(v); },
       .name = "stripped " + set->spec()});
}

TEST(OwnSet, KeepsTheContractWhateverItIs) {
  Random random(5);
  for (const SetFamily& family : all_set_families()) {
    for (const std::size_t n : {2, 5}) {
      const SetPtr set = stripped(family.draw(std::max(n, family.smallest_dimension), random));
      const testing::Report report = testing::check_set(set, {.directions = scaled_count(4)});
      EXPECT_TRUE(report.ok()) << set->spec().substr(0, 200) << "\n" << report.text();
    }
  }
}

TEST(OwnSet, FindsTheHullAndCautiousRadii) {
  Random random(6);
  for (const SetFamily& family : all_set_families()) {
    for (const std::size_t n : {2, 7, 20}) {
      const SetPtr set = family.draw(std::max(n, family.smallest_dimension), random);
      const SetPtr own = stripped(set);
      EXPECT_EQ(own->hull_dimension(), set->hull_dimension()) << set->spec();
      const Geometry& found = own->geometry();
      const Geometry& known = set->geometry();
      const auto m = static_cast<double>(set->hull_dimension());
      // Of no set by more than the share that a simplex leaves to a ball.
      EXPECT_GE(found.inner_radius * 3 * m, known.inner_radius) << set->spec();
      EXPECT_LE(found.outer_radius, 3 * std::sqrt(m) * known.outer_radius) << set->spec();
      EXPECT_FALSE(found.outer_radius_exact);
      EXPECT_TRUE(set->contains(found.centre)) << set->spec();
    }
  }
}

/// The unit ball about (3, 3, ...) within {x_1 = x_2 = x_3}, with x_4 + x_5 pressed together.
SetPtr flat_pressed_ball(std::size_t n, double pressed) {
  const auto press = [pressed](std::span<double> x) {
    const double mean = (x[0] + x[1] + x[2]) / 3;
    x[0] = x[1] = x[2] = mean;
    const double sum = x[3] + x[4];
    const double difference = x[3] - x[4];
    x[3] = (pressed * sum + difference) / 2;
    x[4] = (pressed * sum - difference) / 2;
  };
  return own_set({.dimension = n,
                  .minimise =
                      [press](std::span<const double> d, std::span<double> v) {
                        std::vector<double> q(d.begin(), d.end());
                        press(q);
                        const double length = std::max(math::norm(q), 1e-300);
                        for (double& coordinate : q) coordinate /= -length;
                        press(q);
                        for (std::size_t i = 0; i < v.size(); ++i) v[i] = 3 + q[i];
                      },
                  .name = "a ball"});
}

TEST(OwnSet, FindsTheHullOfManyDimensionsByTheCovariance) {
  for (const double pressed : {1.0, 4e-5}) {
    const std::size_t n = 420;
    const SetPtr set = flat_pressed_ball(n, pressed);
    ASSERT_EQ(set->hull_dimension(), n - 2) << pressed;
    // Orthogonal to x_1 = x_2 = x_3, and to nothing else.
    std::vector<double> x(n, 1.0);
    x[0] = 4;
    x[1] = 1;
    x[2] = -2;
    set->flatten(x);
    for (const double coordinate : x) EXPECT_NEAR(coordinate, 1, 1e-10) << pressed;
    const auto m = static_cast<double>(set->hull_dimension());
    EXPECT_LE(set->inner_radius(), pressed);
    EXPECT_GE(set->inner_radius(), pressed / (3 * m));
    EXPECT_GE(set->outer_radius(), 1);
    EXPECT_LE(set->outer_radius(), 1.1 * std::sqrt(m));
    EXPECT_TRUE(set->contains(set->centre()));
    EXPECT_NE(set->exploration(), nullptr);
  }
}

TEST(OwnSet, KeepsTheContractInManyDimensions) {
  const testing::Report report =
      testing::check_set(flat_pressed_ball(410, 1), {.directions = scaled_count(2)});
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(OwnSet, IsExactWhereTheCertificateIs) {
  // Of a regular simplex: the inner ball that touches all facets.
  const SetPtr own = stripped(simplex(5));
  EXPECT_NEAR(own->inner_radius(), 1 / std::sqrt(20.0), 1e-6);
  for (const double coordinate : own->centre()) EXPECT_NEAR(coordinate, 0.2, 1e-6);
  // Of a segment.
  EXPECT_NEAR(stripped(box(2, 5, 1))->inner_radius(), 1.5, 1e-8);
}

TEST(OwnSet, PlaysAndExploresInside) {
  Random random(7);
  for (const SetFamily& family : all_set_families()) {
    const SetPtr set = family.draw(std::max<std::size_t>(6, family.smallest_dimension), random);
    Learner learner(parameter_free(stripped(set)));
    for (std::uint64_t t = 0; t < 300; ++t) {
      const Play play = learner.ask();
      std::vector<double> settled = play.point;
      set->oracle()->settle(settled);
      ASSERT_TRUE(set->contains(settled)) << set->spec() << " round " << t;
      learner.tell(play.id, random.normal());
    }
  }
}

// Its vertices are explored, and every one must pass the membership test that minimising makes.
TEST(OwnSet, IsLearntWhereItIsCurved) {
  for (const SetPtr& set : {ball(25), ball(60), lp_ball(20, 3), lp_ball(60, 3)}) {
    Learner learner(stripped(set), {.seed = 1});
    for (std::uint64_t t = 0; t < 100; ++t) {
      const Play play = learner.ask();
      learner.tell(play.id, play.point[0]);
    }
  }
}

/// A point of the boundary, and a unit normal there.
struct Contact {
  Vector point;
  Vector outwards;
};

Vector unit(const Vector& x) { return combine(1 / std::sqrt(inner(x, x)), x, 0, x); }

Vector draw_vertex(const Set& set, Random& random) {
  Vector v(set.dimension());
  set.oracle()->minimise(random.normals(v.size())).write_to(v);
  return v;
}

Vector draw_weights(std::size_t count, Random& random) {
  Vector weights(count);
  double sum = 0;
  for (double& weight : weights) sum += weight = -std::log(1 - random.uniform());
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// A mixture of vertices of random directions, moved from the centre to the boundary.
Contact mixture(const Set& set, std::size_t count, Random& random) {
  Vector x(set.dimension(), 0.0);
  for (const double weight : draw_weights(count, random)) {
    x = combine(1, x, weight, draw_vertex(set, random));
  }
  Vector s(x.size());
  const double gauge = set.oracle()->gauge(x, s);
  return {combine(1 / gauge, x, 1 - 1 / gauge, set.centre()), unit(s)};
}

/// sum_k w_k u_k v_k' with orthonormal u_k and v_k, of the nuclear ball of m x m matrices; with
/// v_k = u_k of the spectraplex.
Contact low_rank(std::size_t m, std::size_t rank, bool symmetric, Random& random) {
  const SetPtr orthogonal = operator_norm_ball(m, m);
  const Vector u = draw_vertex(*orthogonal, random);
  const Vector v = symmetric ? u : draw_vertex(*orthogonal, random);
  Contact contact{Vector(m * m, 0.0), Vector(m * m, 0.0)};
  const Vector weights = draw_weights(rank, random);
  for (std::size_t i = 0; i < m * m; ++i) {
    for (std::size_t k = 0; k < rank; ++k) {
      const double product = u[k * m + i / m] * v[k * m + i % m];
      contact.point[i] += weights[k] * product;
      contact.outwards[i] += product;
    }
    // The normal within the matrices of trace 1.
    if (symmetric && i / m == i % m)
      contact.outwards[i] -= static_cast<double>(rank) / static_cast<double>(m);
  }
  contact.outwards = unit(contact.outwards);
  return contact;
}

/// Of the sum of the cube [0, 1]^n and the unit ball, on a face of the cube.
Contact rounded_cube(std::size_t n, std::size_t fixed, Random& random) {
  Vector g(n, 0.0);
  for (std::size_t i = 0; i < fixed; ++i) g[i] = random.normal();
  Contact contact{unit(g), unit(g)};
  for (std::size_t i = 0; i < n; ++i) {
    contact.point[i] += i < fixed ? (g[i] > 0 ? 1 : 0) : random.uniform();
  }
  return contact;
}

/// Just within the boundary it is a member, 1e-6 R beyond it is not.
void expect_to_end_at(const Set& own, const Set& set, const Contact& contact) {
  const auto& [point, outwards] = contact;
  EXPECT_TRUE(own.contains(combine(1 - 1e-9, point, 1e-9, set.centre()))) << own.spec();
  EXPECT_FALSE(own.contains(combine(1, point, 1e-6 * own.outer_radius(), outwards))) << own.spec();
}

// Where faces are flat and curved at once, such as those of sets of matrices.
TEST(OwnSet, EndsAtItsBoundary) {
  Random random(6);
  for (const std::size_t m : {5, 8}) {
    const std::size_t n = m * m;
    for (const SetPtr& set : {operator_norm_ball(m, m), schatten_ball(m, m, 1.5), lp_ball(n, 20),
                              lp_ball(n, 3), group_ball(std::vector<std::size_t>(m, m)),
                              k_norm_ball(n, m), ball_in_box(-0.2, 0.3, n)}) {
      const SetPtr own = stripped(set);
      for (std::size_t k = 0; k < scaled_count(5); ++k) {
        expect_to_end_at(*own, *set, mixture(*set, 1 + k % 5, random));
      }
    }
    for (const bool symmetric : {false, true}) {
      const SetPtr set = symmetric ? spectraplex(m) : nuclear_ball(m, m);
      const SetPtr own = stripped(set);
      for (std::size_t k = 0; k < scaled_count(5); ++k) {
        expect_to_end_at(*own, *set, low_rank(m, 1 + k % (m - 1), symmetric, random));
      }
    }
    const SetPtr sum = minkowski_sum({box(0, 1, n), ball(n)});
    const SetPtr own = stripped(sum);
    for (std::size_t k = 0; k < scaled_count(5); ++k) {
      expect_to_end_at(*own, *sum, rounded_cube(n, 1 + n * k / 5, random));
    }
  }
}

// Singular values of a mixture of two orthogonal matrices come in pairs: the boundary has edges.
TEST(OwnSet, HoldsMixturesOfTwoVerticesOfAnOperatorNormBall) {
  Random random(8);
  const SetPtr set = operator_norm_ball(8, 8);
  const SetPtr own = stripped(set);
  for (std::size_t k = 0; k < scaled_count(10); ++k) {
    expect_to_end_at(*own, *set, mixture(*set, 2, random));
  }
}

// At the boundary neither certificate may come.
TEST(OwnSet, AsksALimitedNumberOfTimes) {
  Random random(7);
  const SetPtr set = operator_norm_ball(10, 10);
  std::size_t calls = 0;
  const SetPtr own = own_set({.dimension = 100,
                              .minimise =
                                  [&](std::span<const double> d, std::span<double> v) {
                                    ++calls;
                                    set->oracle()->minimise(d).write_to(v);
                                  },
                              .geometry = set->geometry()});
  for (std::size_t k = 0; k < 3; ++k) {
    calls = 0;
    (void)own->contains(mixture(*set, 2, random).point);
    EXPECT_LE(calls, 4000 + 160 * 100 + 10);
  }
}

TEST(OwnSet, TakesWhatIsGiven) {
  const auto minimise = [](std::span<const double> d, std::span<double> v) {
    for (std::size_t i = 0; i < d.size(); ++i) v[i] = d[i] < 0 ? 1 : 0;
  };
  const auto clamp = [](std::span<const double> z, std::span<double> x) {
    for (std::size_t i = 0; i < z.size(); ++i) x[i] = std::clamp(z[i], 0.0, 1.0);
  };
  const SetPtr set = own_set(
      {.dimension = 3,
       .minimise = minimise,
       .name = "cube",
       .contains =
           [](std::span<const double> x) {
             return std::all_of(x.begin(), x.end(), [](double c) { return c >= 0 && c <= 1; });
           },
       .settle =
           [](std::span<double> x) {
             for (double& c : x) {
               if (std::abs(c - std::clamp(c, 0.0, 1.0)) <= 1e-9) c = std::clamp(c, 0.0, 1.0);
             }
           },
       .project = clamp,
       .geometry = Geometry{{0.5, 0.5, 0.5}, 0.5, std::sqrt(0.75), std::sqrt(3.0)}});
  EXPECT_EQ(set->inner_radius(), 0.5);
  EXPECT_TRUE(set->can_project());
  EXPECT_EQ(set->spec(), "cube");
  const testing::Report report = testing::check_set(set);
  EXPECT_TRUE(report.ok()) << report.text();

  // In very many dimensions with its geometry only.
  const std::size_t n = 2000;
  const double root = std::sqrt(static_cast<double>(n));
  const SetPtr large = own_set({.dimension = n,
                                .minimise = minimise,
                                .geometry = Geometry{Vector(n, 0.5), 0.5, root / 2, root}});
  Learner learner(parameter_free(large));
  learner.tell(learner.ask().id, 1);
}

TEST(OwnSet, HasFunctionsOfItsOwnAndFreesThem) {
  const auto held = std::make_shared<double>(2);
  const auto corner = [held](std::span<const double> d, std::span<double> v) {
    for (std::size_t i = 0; i < d.size(); ++i) v[i] = d[i] < 0 ? *held : 0;
  };
  OwnSet description{.dimension = 2, .minimise = corner};
  OwnSet copy = description;
  const long before = held.use_count();
  auto oracle = own_set(std::move(description))->oracle();
  EXPECT_EQ(held.use_count(), before);
  copy.minimise = nullptr;
  const Vector d = {-1, 1};
  EXPECT_EQ(oracle->minimise(d).dot(d), -2);
  oracle.reset();
  EXPECT_EQ(held.use_count(), 2);  // this one and that of the lambda
}

TEST(OwnSet, RefusesWhatIsNoOracle) {
  const auto refusal = [](const OwnSet& own) {
    return message<InvalidArgument>([&] { (void)own_set(own); });
  };
  EXPECT_EQ(refusal({}), "a set of your own needs its dimension, at least 1");
  EXPECT_EQ(refusal({.dimension = 2}),
            "a set of your own needs an oracle: minimise(d, v), which writes the point v of the "
            "set with the least <d, v>");
  void (*const no_pointer)(std::span<const double>, std::span<double>) = nullptr;
  EXPECT_EQ(refusal({.dimension = 2, .minimise = no_pointer}), refusal({.dimension = 2}));
  const auto nothing = [](std::span<const double>, std::span<double>) {};
  EXPECT_EQ(refusal({.dimension = 2, .minimise = nothing}),
            "the oracle answered [nan, nan] to the direction [1, 0]: it must write a point of "
            "finite numbers up to 1e50");
  const auto same = [](std::span<const double>, std::span<double> v) { v[0] = v[1] = 3; };
  EXPECT_EQ(refusal({.dimension = 2, .minimise = same}),
            "the oracle gives the same point for every direction: a set of one point leaves "
            "nothing to choose");
  EXPECT_EQ(refusal({.dimension = 2, .minimise = same, .name = "two\nlines"}),
            "the name of a set must be one line of text");
  EXPECT_EQ(refusal({.dimension = 1501, .minimise = nothing}),
            "a set of your own in 1501 dimensions needs its geometry: it is estimated up to 1500");
}

TEST(OwnSet, AWrongOracleIsFound) {
  // The sign of the second coordinate is lost.
  const SetPtr set = own_set({.dimension = 2, .minimise = [](auto d, auto v) {
                                v[0] = d[0] < 0 ? 1 : -1;
                                v[1] = d[1] < 0 ? 1 : d[0] < 0.5 ? -1 : 1;
                              }});
  EXPECT_FALSE(testing::check_set(set).ok());
}

}  // namespace
}  // namespace keyhole::tests
