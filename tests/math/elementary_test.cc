#include "math/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace keyhole::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double least_normal = std::numeric_limits<double>::min();

// |value - exact| in units of the last place that a double of exact's size has. The reference is
// libm in long double: 113 bits on arm64, 64 on x86-64, both long enough to see hundredths.
double error_in_ulps(double value, long double exact) {
  const int exponent = std::max(std::ilogb(exact), -1022);
  return static_cast<double>(
      std::abs(std::ldexp(static_cast<long double>(value) - exact, 52 - exponent)));
}

double uniform(std::mt19937_64& random, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

double positive_of_any_size(std::mt19937_64& random) {
  return std::bit_cast<double>(random() % 0x7FF0000000000000U);
}

TEST(Exp, StaysBelowOneUlp) {
  std::mt19937_64 random(1);
  double normal = 0.0;
  double subnormal = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    // The whole range, the range of everyday, and tiny arguments.
    const double x = i % 4 != 0   ? uniform(random, -745.2, 709.78)
                     : i % 8 != 0 ? uniform(random, -2.0, 2.0)
                                  : std::copysign(std::ldexp(1.0, -static_cast<int>(random() % 70)),
                                                  uniform(random, -1.0, 1.0));
    const long double exact = std::exp(static_cast<long double>(x));
    double& worst = exact < least_normal ? subnormal : normal;
    worst = std::max(worst, error_in_ulps(math::exp(x), exact));
  }
  RecordProperty("worst_normal", std::to_string(normal));
  RecordProperty("worst_subnormal", std::to_string(subnormal));
  EXPECT_LT(normal, 1.0);
  EXPECT_LT(subnormal, 1.5);
}

TEST(Exp, HasTheSpecialValues) {
  EXPECT_EQ(math::exp(0.0), 1.0);
  EXPECT_EQ(math::exp(-0.0), 1.0);
  EXPECT_EQ(math::exp(least), 1.0);
  EXPECT_EQ(math::exp(infinity), infinity);
  EXPECT_EQ(math::exp(-infinity), 0.0);
  EXPECT_TRUE(std::isnan(math::exp(not_a_number)));
  EXPECT_EQ(math::exp(largest), infinity);
  EXPECT_EQ(math::exp(-largest), 0.0);
  // The last arguments before and the first beyond overflow and underflow to zero.
  constexpr double top = 0x1.62e42fefa39efp+9;
  EXPECT_LT(math::exp(top), infinity);
  EXPECT_GT(math::exp(top), 1.797e308);
  EXPECT_EQ(math::exp(std::nextafter(top, infinity)), infinity);
  constexpr double bottom = -0x1.74910d52d3051p+9;
  EXPECT_EQ(math::exp(bottom), least);
  EXPECT_EQ(math::exp(std::nextafter(bottom, -infinity)), 0.0);
}

TEST(Log, StaysBelowOneUlp) {
  std::mt19937_64 random(2);
  double worst = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    // The whole range, near 1 (where the result is small), and the borders sqrt(1/2) 2^k of the
    // reduction.
    const double x =
        i % 4 == 0   ? positive_of_any_size(random)
        : i % 4 == 1 ? uniform(random, 0.5, 2.0)
        : i % 4 == 2
            ? 1.0 + std::ldexp(uniform(random, -1.0, 1.0), -static_cast<int>(random() % 52))
            : std::ldexp(uniform(random, 0.7071, 0.7072), static_cast<int>(random() % 9) - 4);
    worst = std::max(worst, error_in_ulps(math::log(x), std::log(static_cast<long double>(x))));
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
}

TEST(Log, HasTheSpecialValues) {
  EXPECT_EQ(math::log(1.0), 0.0);
  EXPECT_FALSE(std::signbit(math::log(1.0)));
  EXPECT_EQ(math::log(0.0), -infinity);
  EXPECT_EQ(math::log(-0.0), -infinity);
  EXPECT_EQ(math::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(math::log(-1.0)));
  EXPECT_TRUE(std::isnan(math::log(-least)));
  EXPECT_TRUE(std::isnan(math::log(-infinity)));
  EXPECT_TRUE(std::isnan(math::log(not_a_number)));
  for (const double x : {least, 3.0 * least, least_normal - least, least_normal, largest}) {
    EXPECT_LT(error_in_ulps(math::log(x), std::log(static_cast<long double>(x))), 1.0) << x;
  }
  for (int k = -1074; k <= 1023; ++k) {
    const long double exact = k * std::log(2.0L);
    EXPECT_LT(error_in_ulps(math::log(std::ldexp(1.0, k)), exact), k == 0 ? 1e-9 : 1.0)
        << "2^" << k;
  }
}

TEST(Pow, StaysBelowOneUlp) {
  std::mt19937_64 random(3);
  double normal = 0.0;
  double subnormal = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    // Step sizes t^-1 .. t^1, x near 1 with large exponents, and x of any size with y log x over
    // the whole range of exp.
    const double x = i % 4 == 0   ? uniform(random, 1.0, 1e6)
                     : i % 4 == 1 ? 1.0 + std::ldexp(uniform(random, -1.0, 1.0),
                                                     -1 - static_cast<int>(random() % 50))
                                  : positive_of_any_size(random);
    const double y =
        i % 4 == 0 ? uniform(random, -1.0, 1.0) : uniform(random, -745.0, 709.7) / std::log(x);
    const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    if (!(exact <= largest)) continue;
    double& worst = exact < least_normal ? subnormal : normal;
    worst = std::max(worst, error_in_ulps(math::pow(x, y), exact));
  }
  RecordProperty("worst_normal", std::to_string(normal));
  RecordProperty("worst_subnormal", std::to_string(subnormal));
  EXPECT_LT(normal, 1.0);
  EXPECT_LT(subnormal, 1.5);
}

TEST(Pow, IsExactWhereTheResultIsADouble) {
  for (int n = 1; n <= 8000; ++n) {
    const double x = n;
    EXPECT_EQ(math::pow(x, 1.0), x);
    EXPECT_EQ(math::pow(x, 2.0), x * x);
    EXPECT_EQ(math::pow(x, 3.0), x * x * x);
    EXPECT_EQ(math::pow(x, 4.0), x * x * x * x);
    EXPECT_EQ(math::pow(x * x, 0.5), x);
    EXPECT_EQ(math::pow(x * x * x * x, 0.25), x);
    EXPECT_EQ(math::pow(x * x * x * x, 0.75), x * x * x);
  }
  for (int k = -1074; k <= 1023; ++k) EXPECT_EQ(math::pow(2.0, k), std::ldexp(1.0, k)) << k;
  std::mt19937_64 random(4);
  for (int i = 0; i < 100000; ++i) {
    const double x = positive_of_any_size(random);
    EXPECT_EQ(math::pow(x, 1.0), x);
  }
}

TEST(Pow, HasTheSpecialValues) {
  for (const double y : {0.0, 1.0, -0.4, 1e300, -1e300, infinity, -infinity, not_a_number}) {
    EXPECT_EQ(math::pow(1.0, y), 1.0) << y;
  }
  for (const double x : {0.0, least, 0.5, 1.0, 3.0, largest, infinity, not_a_number}) {
    EXPECT_EQ(math::pow(x, 0.0), 1.0) << x;
    EXPECT_EQ(math::pow(x, -0.0), 1.0) << x;
  }
  // Elsewhere as libm, wherever the result is 0 or infinite.
  const double values[] = {0.0, least, 0.5, 2.0, largest, infinity};
  for (const double x : values) {
    for (const double magnitude : values) {
      for (const double y : {magnitude, -magnitude}) {
        const double expected = std::pow(x, y);
        if (expected == 0.0 || std::isinf(expected)) {
          EXPECT_EQ(math::pow(x, y), expected) << x << " " << y;
        }
      }
    }
  }
  EXPECT_TRUE(std::isnan(math::pow(-1.0, 0.5)));
  EXPECT_TRUE(std::isnan(math::pow(2.0, not_a_number)));
  EXPECT_TRUE(std::isnan(math::pow(not_a_number, 2.0)));
}

TEST(Powers, AreThoseOfPowBitForBit) {
  for (const double y : {-0.4, -2.0 / 3, 0.25, -1.0, 2.0, 15.9, 0.0}) {
    for (const double first : {1.0, 2.0, 1e5 + 3, 0x1p40 - 300, 0x1p53 - 1000}) {
      for (const std::size_t count : {0U, 1U, 7U, 8U, 13U, 900U}) {
        std::vector<double> z(count + 1, 99.0);
        powers(first, y, std::span(z).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          const double x = first + static_cast<double>(i);
          ASSERT_EQ(std::bit_cast<std::uint64_t>(z[i]), std::bit_cast<std::uint64_t>(pow(x, y)))
              << x << "^" << y;
        }
        EXPECT_EQ(z[count], 99.0);
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::math
