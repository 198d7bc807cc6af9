// Thin polytopes and sharp corners: boxes between two rows that are close to each other, and
// wedges.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "sets/polytopes/polytope.h"
#include "testing/set_checks.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::Complaint;
using keyhole::testing::SetUnderTest;

constexpr double widths[] = {1e-2, 1e-3, 1e-4, 2e-5, 1e-5, 1e-6};

/// a_i = i, or of both signs.
Vector row(std::size_t n, bool is_tilted) {
  Vector a(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    a[i] = is_tilted ? std::sin(1.7 * t + 0.3) : t + 1;
  }
  return a;
}

/// {0 <= x <= 1, least <= <a, x> <= (1 + width) least}, least being the given share of the largest
/// <a, x> of the box.
PolytopeConstraints band(const Vector& a, double share, double width) {
  const std::size_t n = a.size();
  PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  double largest = 0;
  for (const double entry : a) largest += std::max(entry, 0.0);
  for (const double sign : {1.0, -1.0}) {
    for (const double entry : a) k.inequalities.dense.push_back(sign * entry);
  }
  k.inequalities.right = {share * largest * (1 + width), -share * largest};
  return k;
}

/// {-1 <= x <= 2, |<a, x>| <= angle (1 - <b, x>)}.
PolytopeConstraints wedge(std::size_t n, double angle) {
  PolytopeConstraints k{.n = n, .lower = Vector(n, -1.0), .upper = Vector(n, 2.0)};
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto t = static_cast<double>(i);
      const double across = std::cos(2 * t + 1);
      const double along = std::sin(1.3 * t + 0.7) + 0.5;
      k.inequalities.dense.push_back(sign * across + angle * along);
    }
  }
  k.inequalities.right = {angle, angle};
  return k;
}

void expect_kept_contract(const SetPtr& set, std::size_t directions) {
  const auto report = keyhole::testing::check_set(set, {.directions = directions});
  EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
}

TEST(ThinPolytope, KeepsTheContract) {
  for (const double width : widths) {
    for (const bool is_tilted : {false, true}) {
      for (const double share : {0.1, 0.7}) {
        expect_kept_contract(sets::dense_polytope(band(row(3, is_tilted), share, width)), 30);
      }
    }
  }
}

TEST(ThinPolytope, KeepsItsMembers) {
  for (const std::size_t n : {3u, 15u, 40u}) {
    for (const double width : widths) {
      for (const bool is_tilted : {false, true}) {
        for (const double share : {1. / 150, 1. / 15, 2. / 3}) {
          const SetPtr set = sets::dense_polytope(band(row(n, is_tilted), share, width));
          const SetUnderTest k(set, {.directions = scaled_count(20)});
          for (const Complaint& complaint :
               {projection_keeps_members(k), projection_lands_inside(k), projection_is_nearest(k),
                settle_keeps_members(k), settle_mends_rounding(k)}) {
            EXPECT_EQ(complaint, "") << n << " " << width << " " << is_tilted << " " << share;
          }
        }
      }
    }
  }
}

#ifdef KEYHOLE_WITH_CLP

TEST(ThinLargePolytope, KeepsTheContract) {
  for (const double width : {1e-2, 1e-4, 1e-6}) {  // the kit makes thousands of calls
    expect_kept_contract(sets::large_polytope(band(row(3, true), 0.1, width)), 8);
  }
}

TEST(ThinLargePolytope, KeepsItsMembers) {
  for (const std::size_t n : {15u, 40u}) {
    for (const double width : widths) {
      const SetPtr set = sets::large_polytope(band(row(n, true), 0.1, width));
      const SetUnderTest k(set, {.directions = 8});
      EXPECT_EQ(settle_keeps_members(k), "") << n << " " << width;
      EXPECT_EQ(settle_mends_rounding(k), "") << n << " " << width;
    }
  }
}

#endif

TEST(ThinPolytope, IsExploredOnTheInscribedSphere) {
  const SetPtr set = sets::dense_polytope(band(row(3, true), 0.1, 1e-6));
  const auto exploration = set->exploration();
  const std::span<const double> mean = exploration->mean();
  EXPECT_EQ(Vector(mean.begin(), mean.end()), set->centre());
  EXPECT_EQ(exploration->needs().normals, 3u);
}

TEST(ThinPolytope, ProjectsWhatItProjectedToItself) {
  Random random(1);
  for (const std::size_t n : {2u, 3u, 15u}) {
    for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      const SetPtr set = sets::dense_polytope(wedge(n, angle));
      const auto oracle = set->oracle();
      for (int i = 0; i < 300; ++i) {
        // From a vertex, by steps of all sizes.
        Vector x(n);
        oracle->minimise(random.normals(n)).write_to(x);
        const Vector z = random.normals(n, std::pow(10.0, -i % 13));
        for (std::size_t j = 0; j < n; ++j) x[j] += z[j];
        oracle->project(x, x);
        Vector again(n);
        oracle->project(x, again);
        ASSERT_EQ(again, x) << n << " " << angle;
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
