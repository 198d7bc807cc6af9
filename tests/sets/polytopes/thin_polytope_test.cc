// Sharp corners: wedges.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "sets/polytopes/polytope.h"

namespace keyhole::tests {
namespace {

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
