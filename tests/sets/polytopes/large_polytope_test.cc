// Large sparse polytopes: the same sets as by the dense method, what they refuse, and a run in ten
// thousand dimensions.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <iostream>

#include "catalogue.h"
#include "clp.h"
#include "keyhole/testing.h"
#include "numbers.h"
#include "sets/polytopes/polytope.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// {0 <= x <= 1, A x <= 1}: each row has `entries` numbers on [0, 1], among `width` neighbours.
PolytopeConstraints local_rows(std::size_t n, std::size_t rows, std::size_t entries,
                               std::size_t width, Random& random) {
  PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  k.inequalities.right.assign(rows, 1.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t e = 0; e < entries; ++e) {
      k.inequalities.sparse.push_back(
          {i, (i + random.integer(0, width - 1)) % n, random.uniform()});
    }
  }
  return k;
}

#ifdef KEYHOLE_WITH_CLP

/// Adds equalities through a point of {0 <= x <= 1, A x <= 1}.
void add_equalities(PolytopeConstraints& k, std::size_t count, Random& random) {
  const double inside = 0.05;
  for (std::size_t i = 0; i < count; ++i) {
    double right = 0;
    for (int e = 0; e < 4; ++e) {
      k.equalities.sparse.push_back({i, random.integer(0, k.n - 1), random.normal()});
      right += inside * k.equalities.sparse.back().value;
    }
    k.equalities.right.push_back(right);
  }
}

std::vector<PolytopeConstraints> small_ones() {
  Random random(1);
  std::vector<PolytopeConstraints> all;
  for (const std::size_t n : {2u, 6u, 15u}) {
    all.push_back(local_rows(n, n, 3, n, random));
    all.push_back(local_rows(n, 2 * n, 2, n, random));
    add_equalities(all.back(), n / 5, random);
    PolytopeConstraints tied = local_rows(n, n, 2, n, random);  // whole numbers: degenerate, tied
    for (MatrixEntry& entry : tied.inequalities.sparse) entry.value = 1;
    all.push_back(tied);
    PolytopeConstraints chain{.n = n, .lower = Vector(n, 0.0)};  // x_1 <= x_2 <= ... <= x_n <= 1
    for (std::size_t j = 0; j + 1 < n; ++j) {
      chain.inequalities.sparse.push_back({j, j, 1});
      chain.inequalities.sparse.push_back({j, j + 1, -1});
      chain.inequalities.right.push_back(0);
    }
    chain.inequalities.sparse.push_back({n - 1, n - 1, 1000});
    chain.inequalities.right.push_back(1000);
    all.push_back(chain);
    PolytopeConstraints loose{.n = n};  // an l1 ball in other words, without bounds; n <= 6
    if (n <= 6) {
      for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
        for (std::size_t j = 0; j < n; ++j) {
          loose.inequalities.sparse.push_back({signs, j, (signs >> j & 1) != 0 ? 1e-6 : -1e-6});
        }
        loose.inequalities.right.push_back(1e-6);
      }
      all.push_back(loose);
    }
  }
  return all;
}

TEST(LargePolytope, IsTheSetOfTheDenseMethod) {
  Random random(2);
  for (const PolytopeConstraints& k : small_ones()) {
    const SetPtr large = sets::large_polytope(k);
    const SetPtr dense = sets::dense_polytope(k);
    EXPECT_EQ(large->spec(), dense->spec());
    EXPECT_EQ(large->hull_dimension(), dense->hull_dimension());
    EXPECT_FALSE(large->can_project());
    const Geometry& g = large->geometry();
    EXPECT_NEAR(g.inner_radius, dense->inner_radius(), 1e-8) << large->spec();
    EXPECT_TRUE(dense->contains(g.centre));
    // The box is one around K, the outer radius about another centre.
    EXPECT_GE(g.diameter, dense->diameter() * (1 - 1e-9)) << large->spec();
    const auto large_oracle = large->oracle();
    const auto dense_oracle = dense->oracle();
    for (int i = 0; i < 60; ++i) {
      const Vector z = random.normals(k.n);
      const Vertex& v = large_oracle->minimise(z);
      Vector x(k.n);
      v.write_to(x);
      EXPECT_TRUE(dense->contains(x));
      EXPECT_NEAR(v.dot(z), dense_oracle->minimise(z).dot(z), 1e-9 * (1 + inner(z, z)));
      Vector large_flat = z;
      Vector dense_flat = z;
      large->flatten(large_flat);
      dense->flatten(dense_flat);
      EXPECT_EQ(large_flat, dense_flat);
    }
  }
}

TEST(LargePolytope, KeepsTheContract) {
  for (const PolytopeConstraints& k : small_ones()) {
    if (k.n > 6) continue;  // the kit makes thousands of calls
    const SetPtr set = sets::large_polytope(k);
    Clp clp(*sets::make_polytope_body(k).constraints);
    const auto report = keyhole::testing::check_set(
        set, {.directions = 8, .slow_minimum = [&](auto d) { return clp.minimum(d); }});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(LargePolytope, RefusesWithTheRowsNamed) {
  const auto refused = [](const PolytopeConstraints& k) {
    return message<InvalidArgument>([&] { (void)sets::large_polytope(k); });
  };
  PolytopeConstraints k{.n = 2, .lower = {0, 0}, .upper = {5, 5}};
  k.inequalities = {.dense = {1, 1, -1, -1, 1, 0}, .right = {1, -2, 4}};
  EXPECT_EQ(refused(k),
            "the polytope is empty: inequality 0 and inequality 1 contradict each other");
  k = {.n = 3, .lower = Vector(3, -5.0), .upper = Vector(3, 5.0)};
  k.inequalities = {.dense = {1, 1, 1, 0, 1, 0, -1, -1, -1}, .right = {1, 1, -1}};
  EXPECT_EQ(refused(k),
            "the polytope has hidden equalities: inequality 0 and inequality 2 can only hold with "
            "equality together; write them as equalities");
  k = {.n = 2, .lower = {0, 0}, .upper = {1, 1}};
  k.inequalities = {.dense = {1, 1}, .right = {0}};
  EXPECT_EQ(refused(k).substr(0, 31), "the polytope is a single point,");
  EXPECT_EQ(refused({.n = 2, .lower = {0, 0}, .upper = {1, infinity}}),
            "the polytope is unbounded: coordinate 1 can grow without end, for it has no upper "
            "bound and no inequality or equality limits it; give it a bound");
  k = {.n = 3, .lower = {0, 0, 0}, .upper = {1, infinity, infinity}};
  k.inequalities = {.dense = {1, 1, -1, 0, -1, 1}, .right = {1, 2}};
  EXPECT_EQ(refused(k),
            "the polytope is unbounded: coordinate 1 can grow without end if coordinate 2 moves "
            "along, for none of them has a bound that way and no inequality or equality limits "
            "them together; give one of them a bound");
  const std::size_t n = 100000;
  k = {.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  for (std::size_t i = 0; i < 41; ++i) {
    k.equalities.sparse.push_back({i, 2 * i, 1});
    k.equalities.sparse.push_back({i, 2 * i + 1, 1});
    k.equalities.right.push_back(1);
  }
  EXPECT_EQ(message<InvalidArgument>([&] { (void)polytope(k); }),
            "a polytope in dimension 100000 takes up to 40 independent equalities: use them to "
            "leave out coordinates");
}

TEST(LargePolytope, TakesOverWhereDenseMatricesEnd) {
  Random random(3);
  EXPECT_TRUE(polytope(local_rows(250, 250, 3, 250, random))->can_project());
  PolytopeConstraints k = local_rows(1000, 1000, 3, 20, random);
  add_equalities(k, 20, random);
  const SetPtr set = polytope(k);
  EXPECT_FALSE(set->can_project());
  EXPECT_EQ(set->hull_dimension(), 980);
  const auto oracle = set->oracle();
  for (int i = 0; i < 5; ++i) {
    const Vector c = random.normals(k.n);
    Vector v(k.n);
    oracle->minimise(c).write_to(v);
    EXPECT_TRUE(set->contains(v));
    // No better point on the way towards p, and none beyond.
    const Vector beyond = combine(1 + 1e-6, v, -1e-6, set->centre());
    EXPECT_FALSE(set->contains(beyond));
  }
}

TEST(LargePolytope, PlaysInTenThousandDimensions) {
  Random random(4);
  const std::size_t n = scaled_count(10000);
  const PolytopeConstraints k = local_rows(n, n, 10, 12, random);
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  auto begin = Clock::now();
  const SetPtr set = n == 10000 ? polytope(k) : sets::large_polytope(k);
  std::cout << n << " coordinates, " << n << " rows, " << k.inequalities.sparse.size()
            << " numbers: construction " << since(begin) << " s";
  const double R = set->outer_radius();

  begin = Clock::now();
  constexpr std::uint64_t rounds = 10;
  Learner learner(anytime(projection_free(set, {.loss_bound = 1, .gradient_bound = 1})));
  Vector x(n);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(x);
    ASSERT_TRUE(set->contains(x));
    learner.tell(id, inner(x, x) / (R * R));
  }
  std::cout << ", a round " << since(begin) / rounds << " s";

  // The same program set up another way: by CLP's primal method from the numbers as given.
  const auto oracle = set->oracle();
  Clp clp(k);
  begin = Clock::now();
  for (int i = 0; i < 3; ++i) {
    const Vector c = random.normals(n);
    const double expected = clp.minimum(c);
    EXPECT_NEAR(oracle->minimise(c).dot(c), expected, 1e-9 * std::abs(expected));
  }
  std::cout << ", an oracle call and CLP's primal method together " << since(begin) / 3 << " s\n";
}

#else

TEST(LargePolytope, NeedsClp) {
  Random random(3);
  EXPECT_TRUE(polytope(local_rows(250, 250, 3, 250, random))->can_project());
  EXPECT_EQ(
      message<InvalidArgument>([&] { (void)polytope(local_rows(1000, 1000, 3, 20, random)); }),
      "this set is too large for the dense method, and Keyhole was built without CLP, "
      "which the sparse one needs (KEYHOLE_WITH_CLP)");
}

#endif

}  // namespace
}  // namespace keyhole::tests
