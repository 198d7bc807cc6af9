// Membership by separation against closed forms, on curved sets to 200 dimensions.

#include "sets/separation.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

Vector scaled_normals(std::size_t n, double length, Random& random) {
  const Vector z = random.normals(n);
  return combine(length / std::sqrt(inner(z, z)), z, 0, z);
}

/// Semi-axes from 1 to 100.
SetPtr long_ellipsoid(std::size_t n, Random& random) {
  Vector matrix(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = std::pow(1e-4, static_cast<double>(i) / static_cast<double>(n - 1));
  }
  return ellipsoid(matrix, random.normals(n));
}

std::vector<SetPtr> curved_sets(std::size_t n, Random& random) {
  return {ball(n, 3),
          recentred(ball(n), scaled_normals(n, 0.9, random)),
          recentred(lp_ball(n, 3), scaled_normals(n, 0.5, random)),
          long_ellipsoid(n, random),
          minkowski_sum({box(0, 1, n), ball(n)}),
          minkowski_sum({simplex(n), ball(n, 0.1)})};
}

/// A vertex, and the unit direction in which it is farthest.
struct Support {
  Vector vertex;
  Vector outwards;
};

Support draw_support(const Set& set, Random& random) {
  Vector d = random.normals(set.dimension());
  set.flatten(d);
  Support support{Vector(d.size()), combine(-1 / std::sqrt(inner(d, d)), d, 0, d)};
  set.oracle()->minimise(d).write_to(support.vertex);
  return support;
}

/// Vertices and what is a little inside are members, what is a little outside is not.
void expect_to_tell_apart(const Set& set, std::uint64_t draws, Random& random) {
  const double R = set.outer_radius();
  sets::Separation separation(set);
  const auto is_within = [&](const Vector& z) { return separation.is_within(z, set.slack()); };
  EXPECT_TRUE(is_within(set.centre())) << set.spec().substr(0, 80);
  for (std::uint64_t k = 0; k < draws; ++k) {
    const auto [v, outwards] = draw_support(set, random);
    const Vector w = draw_support(set, random).vertex;
    EXPECT_TRUE(is_within(v)) << set.spec().substr(0, 80);
    EXPECT_TRUE(is_within(combine(0.3, v, 0.7, w))) << set.spec().substr(0, 80);
    for (const double share : {1e-6, 1e-3, 0.3}) {
      EXPECT_TRUE(is_within(combine(1 - share, v, share, set.centre())))
          << share << " inside " << set.spec().substr(0, 80);
    }
    for (const double share : {1.001e-6, 1e-3, 1.0, 1e6}) {
      EXPECT_FALSE(is_within(combine(1, v, share * R, outwards)))
          << share << " outside " << set.spec().substr(0, 80);
    }
  }
}

TEST(Separation, TellsApartOnCurvedSets) {
  Random random(21);
  for (const std::size_t n : {2, 7, 25, 60, 200}) {
    for (const SetPtr& set : curved_sets(n, random)) {
      expect_to_tell_apart(*set, scaled_count(n > 60 ? 2 : 10), random);
    }
  }
}

TEST(Separation, TellsApartOnPolytopes) {
  Random random(22);
  for (const std::size_t n : {1, 2, 7, 25, 100}) {
    std::vector<SetPtr> all = {box(-1, 3, n), solid_simplex(n), l1_ball(n, 1e6),
                               image(box(0, 1, n), 2, 1e3)};
    if (n > 1) all.push_back(simplex(n));
    for (const SetPtr& set : all) expect_to_tell_apart(*set, scaled_count(10), random);
  }
}

TEST(Separation, AgreesWithMembershipByAClosedForm) {
  Random random(23);
  for (std::uint64_t k = 0; k < scaled_count(300); ++k) {
    const std::size_t n = random.integer(2, 30);
    const SetPtr set = k % 4 == 0   ? ball(n)
                       : k % 4 == 1 ? lp_ball(n, 1.5)
                       : k % 4 == 2 ? box(0, 1, n)
                                    : k_norm_ball(n, 1 + n / 2);
    sets::Separation separation(*set);
    // Along a ray from the centre, about the end of it.
    const Vector away = scaled_normals(n, set->outer_radius(), random);
    Vector s(n);
    const double end = 1 / set->oracle()->gauge(combine(1, set->centre(), 1, away), s);
    for (const double share : {-0.5, -1e-3, -1e-7, 1e-5, 1e-3, 0.5}) {
      const Vector z = combine(1, set->centre(), end * (1 + share), away);
      EXPECT_EQ(separation.is_within(z, set->slack()), share < 0) << set->spec() << " " << share;
    }
  }
}

TEST(Separation, LeavesTheHullByNoMoreThanTheTolerance) {
  Random random(24);
  for (const std::size_t n : {2, 10, 50}) {
    for (const SetPtr& set : {simplex(n), minkowski_sum({simplex(n), simplex(n, 2)})}) {
      sets::Separation separation(*set);
      const Vector ones(n, 1.0);
      const Vector x = combine(0.5, draw_support(*set, random).vertex, 0.5, set->centre());
      EXPECT_TRUE(separation.is_within(combine(1, x, 1e-10 / std::sqrt(n), ones), 1e-9));
      EXPECT_FALSE(separation.is_within(combine(1, x, 1e-8 / std::sqrt(n), ones), 1e-9));
    }
  }
}

// The descent alone finds the end of the ray, which the gauge knows.
TEST(PolarDescent, FindsTheEndOfTheRay) {
  Random random(25);
  for (const std::size_t n : {2, 10, 50}) {
    for (const SetPtr& set : {ball(n), lp_ball(n, 3), lp_ball(n, 1.5)}) {
      const auto scale_of = n == 10 ? sets::PolarDescent::ScaleOf::first_step
                                    : sets::PolarDescent::ScaleOf::last_step;
      const auto oracle = set->oracle();
      const Vector z = random.normals(n);
      Vector scratch(n);
      const double end = std::sqrt(inner(z, z)) / oracle->gauge(z, scratch);
      sets::PolarDescent descent(n, scale_of);
      descent.start(z);
      double least = std::numeric_limits<double>::infinity();
      Vector reach(n);
      std::size_t looks = 0;
      do {
        const Vector g(descent.direction().begin(), descent.direction().end());
        oracle->minimise(combine(-1, g, 0, g)).write_to(reach);
        least = std::min(least, inner(g, reach));
        ++looks;
      } while (looks < 300 && descent.learn(reach));
      EXPECT_NEAR(least, end, 1e-12 * end) << set->spec();
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
