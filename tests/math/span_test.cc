#include "math/span.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

/// B'B for `rank` normal rows B of k numbers, the coordinates in units far apart.
std::vector<double> gram_of(std::size_t rank, std::size_t k, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> a(k * k, 0.0);
  for (std::size_t row = 0; row < rank; ++row) {
    std::vector<double> b(k);
    for (std::size_t i = 0; i < k; ++i) b[i] = normal(random) * (i % 3 == 0 ? 1e-3 : 1);
    for (std::size_t i = 0; i < k; ++i) add(std::span(a).subspan(i * k, k), b[i], b);
  }
  return a;
}

TEST(NullSpace, IsWhatTheMatrixTakesToZero) {
  for (const std::size_t k : {1, 2, 7, 20, 60}) {
    for (std::size_t rank = 0; rank <= k; ++rank) {
      const std::vector<double> a = gram_of(rank, k, 61 * k + rank);
      std::vector<double> copy = a;
      const std::vector<double> rows = null_space(copy, k, 1e-10);
      ASSERT_EQ(rows.size(), (k - rank) * k) << k << " " << rank;
      for (std::size_t j = 0; j < k - rank; ++j) {
        const auto row = std::span(rows).subspan(j * k, k);
        for (std::size_t i = 0; i <= j; ++i) {
          EXPECT_NEAR(dot(row, std::span(rows).subspan(i * k, k)), i == j ? 1 : 0, 1e-12);
        }
        for (std::size_t i = 0; i < k; ++i) {
          EXPECT_NEAR(dot(row, std::span(a).subspan(i * k, k)), 0, 1e-8) << k << " " << rank;
        }
      }
    }
  }
}

TEST(NullSpace, HasTheCoordinatesOfZeros) {
  std::vector<double> a{0, 0, 0, 0, 4, 2, 0, 2, 1};
  const std::vector<double> rows = null_space(a, 3, 1e-10);
  ASSERT_EQ(rows.size(), 6);
  std::vector<double> x{5, 2, 1};  // the last two are the range
  subtract_span(rows, x);
  EXPECT_NEAR(x[0], 0, 1e-14);
  EXPECT_NEAR(x[1], 2, 1e-14);
  EXPECT_NEAR(x[2], 1, 1e-14);
}

}  // namespace
}  // namespace keyhole::math
