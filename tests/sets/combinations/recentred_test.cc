// Sets about another centre.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/own_set.h"
#include "math/sums.h"

namespace keyhole::tests {
namespace {

TEST(Recentred, OfEverySetHasTheBallThatConvexityLeaves) {
  Random random(77);
  for (const InstanceFamily& family : catalogue_instances()) {
    for (const std::size_t n : {2, 3, 4, 5, 6, 8, 9, 12}) {
      const SetPtr set = family.draw(n, random).set;
      const std::unique_ptr<Oracle> oracle = set->oracle();
      Vector d(set->dimension());
      for (double& coordinate : d) coordinate = random.normal();
      Vector c(set->dimension(), 0.0);
      oracle->minimise(d).write_to(c);
      for (std::size_t i = 0; i < c.size(); ++i) c[i] = 0.7 * set->centre()[i] + 0.3 * c[i];
      oracle->settle(c);
      SetPtr about;
      EXPECT_NO_THROW(about = recentred(set, c)) << family.name;
      if (about == nullptr) continue;
      EXPECT_EQ(about->centre(), c);
      EXPECT_GE(about->inner_radius(), 0.6999 * set->inner_radius()) << set->spec().substr(0, 200);
      EXPECT_LE(about->outer_radius(), set->diameter() * (1 + 1e-9)) << set->spec().substr(0, 200);
      Vector x(c.size());
      for (int k = 0; k < 10; ++k) {
        for (double& coordinate : d) coordinate = random.normal();
        set->flatten(d);
        const double length = math::norm(d);
        for (std::size_t i = 0; i < x.size(); ++i) {
          x[i] = c[i] + about->inner_radius() * (1 - 1e-9) * d[i] / length;
        }
        oracle->settle(x);
        EXPECT_TRUE(set->contains(x)) << set->spec().substr(0, 200);
        oracle->minimise(d).write_to(x);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= c[i];
        EXPECT_LE(math::norm(x), about->outer_radius() * (1 + 1e-9)) << set->spec().substr(0, 200);
      }
    }
  }
}

TEST(Recentred, AtTheBoundaryIsRefused) {
  // Sets without a formula for their radii about other centres.
  const SetPtr own = own_set({.dimension = 2,
                              .minimise =
                                  [](std::span<const double> d, std::span<double> v) {
                                    for (std::size_t i = 0; i < 2; ++i) v[i] = d[i] < 0 ? 1 : 0;
                                  },
                              .name = "a square"});
  EXPECT_THROW((void)recentred(own, {1.0, 0.5}), InvalidArgument);
  EXPECT_THROW((void)recentred(own, {1.5, 0.5}), InvalidArgument);
  const SetPtr about = recentred(own, {0.75, 0.5});
  EXPECT_LE(about->inner_radius(), 0.25);
  EXPECT_GE(about->inner_radius(), 0.5 * own->inner_radius() * 0.999);
  EXPECT_FALSE(about->geometry().outer_radius_exact);
}

}  // namespace
}  // namespace keyhole::tests
