#include "math/orthonormal_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.h"

namespace keyhole::math {
namespace {

using Vector = std::vector<double>;

/// The largest deviation of the products of the rows from those of unit vectors.
double defect(const Vector& rows, std::size_t size) {
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); i += size) {
    for (std::size_t j = 0; j <= i; j += size) {
      long double product = i == j ? -1 : 0;
      for (std::size_t l = 0; l < size; ++l) {
        product += static_cast<long double>(rows[i + l]) * rows[j + l];
      }
      largest = std::max(largest, static_cast<double>(std::abs(product)));
    }
  }
  return largest;
}

TEST(OrthonormalRows, SpanWhatTheRowsSpanned) {
  tests::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const std::size_t size = random.integer(1, 12);
    const std::size_t count = random.integer(1, size);
    const Vector given = random.normals(size * count);
    Vector rows = given;
    orthonormalise_rows(rows, size);
    ASSERT_LE(defect(rows, size), 1e-14);
    // Row i is a positive multiple of the given one plus rows before it.
    for (std::size_t k = 0; k < count; ++k) {
      Vector rest(given.begin() + static_cast<std::ptrdiff_t>(k * size),
                  given.begin() + static_cast<std::ptrdiff_t>((k + 1) * size));
      for (std::size_t j = 0; j <= k; ++j) {
        double along = 0;
        for (std::size_t l = 0; l < size; ++l) along += given[k * size + l] * rows[j * size + l];
        if (j == k) {
          ASSERT_GT(along, 0);
        }
        for (std::size_t l = 0; l < size; ++l) rest[l] -= along * rows[j * size + l];
      }
      for (const double left : rest) ASSERT_NEAR(left, 0, 1e-13);
    }
  }
}

TEST(OrthonormalRows, DependentAndVanishingRowsAreReplaced) {
  tests::Random random(2);
  for (const double noise : {0.0, 1e-17, 1e-14, 1e-8}) {
    for (const double scale : {1e-200, 1.0, 1e200}) {
      const std::size_t size = 6;
      Vector rows(size * size, 0.0);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          const double pattern = i < 3 ? static_cast<double>(j + 1) : 0.0;  // equal rows, then none
          rows[i * size + j] = scale * (pattern + noise * random.normal());
        }
      }
      orthonormalise_rows(rows, size);
      EXPECT_LE(defect(rows, size), 1e-14) << noise << " " << scale;
    }
  }
}

}  // namespace
}  // namespace keyhole::math
