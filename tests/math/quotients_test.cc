#include "math/quotients.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace keyhole::math {
namespace {

/// Compares with the processor's division, bit for bit.
void expect_quotients(std::vector<double> x, double divisor) {
  const std::vector<double> numerators = x;
  divide(x, divisor);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = numerators[i] / divisor;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(x[i]), std::bit_cast<std::uint64_t>(expected))
        << numerators[i] << " / " << divisor;
  }
}

/// In [1, 2): any digits, or mostly ones, or mostly zeros, where roundings are close calls.
double hard_mantissa(std::mt19937_64& random) {
  constexpr std::uint64_t one = 0x3FF0000000000000;
  const std::uint64_t digits = random() >> 12;
  switch (random() % 3) {
    case 0:
      return std::bit_cast<double>(one | digits);
    case 1:
      return std::bit_cast<double>(one | digits | 0xFFFFFFFFFF000);
    default:
      return std::bit_cast<double>(one | (digits & 0xFFF));
  }
}

TEST(Quotients, AreThoseOfDivision) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const double divisor =
        std::ldexp(hard_mantissa(random), static_cast<int>(random() % 200) - 100);
    std::vector<double> x(1 + random() % 40);
    for (double& number : x) {
      number = std::ldexp(hard_mantissa(random), static_cast<int>(random() % 120) - 60);
      if (random() % 2 == 0) number = -number;
      // Near a product, where the quotient is close to a double.
      if (random() % 4 == 0) number = std::nextafter(divisor * hard_mantissa(random), number);
    }
    expect_quotients(x, divisor);
  }
}

TEST(Quotients, AreThoseOfDivisionAtTheEndsOfTheRangeToo) {
  using Limits = std::numeric_limits<double>;
  for (const double special :
       {0.0, -0.0, Limits::denorm_min(), Limits::min(), 0x1p-801, -0x1p-1000, 0x1p900}) {
    for (const double divisor : {0x1.23456789abcdep-100, 1.0, 3.0, 0x1.fffffffffffffp99,
                                 Limits::min(), Limits::max(), Limits::infinity()}) {
      for (std::size_t i = 0; i < 33; ++i) {
        std::vector<double> x(33, 1.1);
        x[i] = special;
        expect_quotients(x, divisor);
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::math
