// Symmetric parts and Gram matrices against the plain loops, to the last digit.

#include "math/spectral/symmetric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "random.h"

namespace keyhole::tests {
namespace {

constexpr double untouched = 42;

/// The rows are where they belong, with zeros behind them and the numbers expected.
template <class Entry>
void expect_matrix(const std::vector<double>& found, std::size_t n, std::size_t stride,
                   Entry entry) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_EQ(found[i * stride + j], entry(i, j)) << n << ": " << i << " " << j;
    }
    if (stride > n) {
      ASSERT_EQ(found[i * stride + n], 0) << n << ": " << i;
    }
  }
}

TEST(SymmetricMatrix, PartIsHalfTheSumWithTheTranspose) {
  Random random(1);
  for (std::size_t n = 1; n <= 13; ++n) {
    for (const std::size_t stride : {n, n + 1}) {
      const std::vector<double> a = random.normals(n * n);
      std::vector<double> to(n * stride, untouched);
      const double largest = math::symmetric_part(a, n, to, stride);
      double expected = 0;
      expect_matrix(to, n, stride, [&](std::size_t i, std::size_t j) {
        const double entry = 0.5 * (a[i * n + j] + a[j * n + i]);
        expected = std::max(expected, std::abs(entry));
        return entry;
      });
      EXPECT_EQ(largest, expected);
    }
  }
}

TEST(SymmetricMatrix, GramIsTheSumOverRowsFourAtATime) {
  Random random(2);
  for (std::size_t k = 1; k <= 13; ++k) {
    for (std::size_t rows = 1; rows <= 11; ++rows) {
      for (const std::size_t stride : {k, k + 1}) {
        const std::vector<double> b = random.normals(rows * k);
        std::vector<double> to(k * stride, untouched);
        const double largest = math::negated_gram(b, k, to, stride);
        double expected = 0;
        expect_matrix(to, k, stride, [&](std::size_t i, std::size_t j) {
          const auto term = [&](std::size_t r) { return b[r * k + i] * b[r * k + j]; };
          double sum = 0;
          std::size_t r = 0;
          for (; r + 3 < rows; r += 4) {
            sum -= term(r) + term(r + 1);
            sum -= term(r + 2) + term(r + 3);
          }
          for (; r < rows; ++r) sum -= term(r);
          if (i == j) expected = std::max(expected, -sum);
          return sum;
        });
        EXPECT_EQ(largest, expected);
      }
    }
  }
}

TEST(SymmetricMatrix, WhatIsNotFiniteIsLargest) {
  Random random(3);
  for (const std::size_t n : {3u, 4u, 7u}) {
    for (std::size_t at = 0; at < n * n; ++at) {
      std::vector<double> a = random.normals(n * n);
      std::vector<double> to(n * n);
      a[at] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(math::symmetric_part(a, n, to, n)));
      EXPECT_TRUE(std::isnan(math::negated_gram(a, n, to, n)));
      a[at] = 1e200;
      EXPECT_EQ(math::symmetric_part(a, n, to, n), at % (n + 1) == 0 ? 1e200 : 5e199);
      EXPECT_EQ(math::negated_gram(a, n, to, n), std::numeric_limits<double>::infinity());
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
