// What tests/instances/random_slices.h asks of slices, of a few; `make sweep` has ten thousand.

#include "instances/random_slices.h"

#include <gtest/gtest.h>

namespace keyhole::tests {
namespace {

/// Normal rows, and small numbers on their right.
RandomSlice sliced_near_the_centre(const SetPtr& set, std::size_t rows, Random& random) {
  const SlicingRows by{random.normals(rows * set->dimension()), random.normals(rows, 0.05)};
  return {set, by, slice(set, by.matrix, by.right)};
}

/// Positive semidefinite with ones on the diagonal, as docs/sets.md has it.
RandomSlice correlations(std::size_t order) {
  const std::size_t n = order * order;
  SlicingRows diagonal{Vector((order - 1) * n, 0.0), Vector(order - 1, 1.0)};
  for (std::size_t i = 0; i + 1 < order; ++i) diagonal.matrix[i * n + i * (order + 1)] = 1;
  const SetPtr set = spectraplex(order, static_cast<double>(order));
  return {set, diagonal, slice(set, diagonal.matrix, diagonal.right)};
}

TEST(RandomSlices, OfCurvedSetsByManyRows) {
  Random random(2);
  for (std::uint64_t k = 0; k < scaled_count(10); ++k) {
    const std::size_t n = random.integer(6, 12);
    for (const RandomSlice& of :
         {sliced_near_the_centre(ball(n), n / 2, random),
          sliced_near_the_centre(lp_ball(20, 3), 8, random), correlations(random.integer(3, 5))}) {
      EXPECT_EQ(fault_of_slice(of, random), "");
    }
  }
}

TEST(RandomSlices, OfEveryKind) {
  Random random(1);
  const std::vector<InstanceFamily> kinds = kinds_to_slice();
  for (std::uint64_t k = 0; k < scaled_count(150); ++k) {
    EXPECT_EQ(fault_of_slice(random_slice(kinds[k % kinds.size()], random), random), "");
  }
}

}  // namespace
}  // namespace keyhole::tests
