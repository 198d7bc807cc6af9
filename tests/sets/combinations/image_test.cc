// Images judge bounds in their own rounding, and no more than that.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "catalogue.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

// Mapped back, their vertices lie 2e-16 beyond an exact bound.
TEST(Image, KeepsTheContractWhereMappingBackRounds) {
  for (const char* const spec :
       {"translated(solid_hypersimplex(1, 1, size=0.001), [-0.016508356841971616])",
        "image(k_sparse_ball(2, 1, radius=2.5), scale=-0.5337359022034204, "
        "shift=[-69.4771927461738, 45.611576707711954])"}) {
    const testing::Report report = testing::check_set(make_set(spec), {.directions = 100});
    EXPECT_TRUE(report.ok()) << spec << "\n" << report.text();
  }
}

TEST(Image, BreaksABoundByRoundingsOnly) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  Random random(41);
  for (std::uint64_t k = 0; k < scaled_count(1000); ++k) {
    const double scale = random.uniform(0.1, 10);
    const double shift = random.normal() * std::pow(10, random.uniform(-3, 3));
    const SetPtr set = image(box(-0.3, 1, 2), scale, shift);
    const double low = -0.3 * scale + shift;
    const double high = scale + shift;
    const double below = eps * (std::abs(low) + std::abs(shift));
    const double above = eps * (std::abs(high) + std::abs(shift));
    const double middle = scale / 2 + shift;
    EXPECT_TRUE(set->contains(Vector{high + 2 * above, middle})) << set->spec();
    EXPECT_TRUE(set->contains(Vector{low - 2 * below, high})) << set->spec();
    EXPECT_FALSE(set->contains(Vector{high + 20 * above, middle})) << set->spec();
    EXPECT_FALSE(set->contains(Vector{low - 20 * below, middle})) << set->spec();
  }
  // The image of 0 is the shift, without rounding.
  EXPECT_TRUE(image(box(0, 1, 2), 3, 0.1)->contains(Vector{0.1, 1}));
  EXPECT_FALSE(image(box(0, 1, 2), 3, 0.1)->contains(Vector{std::nextafter(0.1, 0), 1}));
  EXPECT_FALSE(scaled(box(0, 1, 2), 3)->contains(Vector{-1e-300, 1}));
  EXPECT_FALSE(scaled(simplex(2), 3)->contains(Vector{-1e-300, 3}));
}

}  // namespace
}  // namespace keyhole::tests
