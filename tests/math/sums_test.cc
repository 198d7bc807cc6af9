#include "math/sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace keyhole::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

std::vector<double> random_vector(std::mt19937_64& random, std::size_t n) {
  std::vector<double> x(n);
  for (double& value : x) value = std::ldexp(static_cast<double>(random() >> 11), -52) - 1.0;
  return x;
}

// The definition, word for word.
double by_definition(const std::vector<double>& terms) {
  std::array<double, 8> p{};
  for (std::size_t i = 0; i < terms.size(); ++i) p[i % 8] += terms[i];
  std::array<double, 4> q{};
  for (std::size_t j = 0; j < 4; ++j) q[j] = p[j] + p[j + 4];
  std::array<double, 2> h{};
  for (std::size_t j = 0; j < 2; ++j) h[j] = q[j] + q[j + 2];
  return h[0] + h[1];
}

TEST(Sums, AgreeWithTheDefinitionAndWithExactValues) {
  std::mt19937_64 random(1);
  for (std::size_t n = 0; n <= 100; ++n) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const std::vector<double> x = random_vector(random, n);
      const std::vector<double> y = random_vector(random, n);
      std::vector<double> products(n);
      std::vector<double> squares(n);
      long double exact_sum = 0;
      long double exact_dot = 0;
      long double exact_square = 0;
      double magnitude = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        products[i] = x[i] * y[i];
        squares[i] = x[i] * x[i];
        exact_sum += x[i];
        exact_dot += static_cast<long double>(x[i]) * y[i];
        exact_square += static_cast<long double>(x[i]) * x[i];
        magnitude = std::max(magnitude, std::abs(x[i]));
      }
      EXPECT_EQ(sum(x), by_definition(x));
      EXPECT_EQ(dot(x, y), by_definition(products));
      EXPECT_EQ(squared_norm(x), by_definition(squares));
      EXPECT_EQ(norm(x), std::sqrt(by_definition(squares)));
      EXPECT_EQ(largest_magnitude(x), magnitude);
      // At most 100 / 8 + 4 roundings of partial sums below 100, half an ulp each: 17 * 2^-53 * 100
      // < 2e-13.
      EXPECT_NEAR(sum(x), static_cast<double>(exact_sum), 2e-13);
      EXPECT_NEAR(dot(x, y), static_cast<double>(exact_dot), 2e-13);
      EXPECT_NEAR(squared_norm(x), static_cast<double>(exact_square), 2e-13);
      EXPECT_NEAR(norm(x), static_cast<double>(std::sqrt(exact_square)), 2e-13);
    }
  }
}

TEST(Sums, CallTheTermOncePerIndexInOrder) {
  std::vector<std::size_t> seen;
  reduce(21, [&seen](std::size_t i) {
    seen.push_back(i);
    return 1.0;
  });
  ASSERT_EQ(seen.size(), 21U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
}

// 2^53 + 1 = 2^53 in doubles, and 2^53 + 2 is exact: where a 1 is lost tells who met whom.
TEST(Sums, CombineInTheStatedOrder) {
  constexpr double big = 0x1p53;
  // p_0 = 2^53 meets p_4 = 1 first (lost), then q_2 = 1 (lost), then h_1 = 1 + 1 (kept).
  EXPECT_EQ(sum(std::vector<double>{big, 1, 1, 0, 1, 1, 0, 0}), big + 2.0);
  // The same numbers in other lanes: q_2 = 1 + 1 is kept, h_1 = 1 + 1 too.
  EXPECT_EQ(sum(std::vector<double>{big, 1, 1, 0, 0, 1, 1, 0}), big + 4.0);
  // q_0 and q_2 lose theirs one by one, and so does the last step: nothing is left of three ones.
  EXPECT_EQ(sum(std::vector<double>{big, 1, 1, 0, 1, 0, 0, 0}), big);
  // h_1 = (p_1 + p_5) + (p_3 + p_7): four ones together.
  EXPECT_EQ(sum(std::vector<double>{big, 1, 0, 1, 0, 1, 0, 1}), big + 4.0);
  // From left to right all of these would be 2^53.
}

TEST(Sums, PutTheRemainderInItsLanes) {
  constexpr double big = 0x1p53;
  // Elements 8 and 9 belong to lanes 0 and 1. Lane 0: 2^53 + 1, lost. Lane 1: 1 + 1 = 2, kept at
  // the end.
  EXPECT_EQ(sum(std::vector<double>{big, 1, 0, 0, 0, 0, 0, 0, 1, 1}), big + 2.0);
  // Were the remainder summed apart and then added, 1 + 1 would be kept here.
  EXPECT_EQ(sum(std::vector<double>{big, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}), big);
}

TEST(Sums, DoNotFuseProductsAndSums) {
  // (1 + 2^-52)^2 = 1 + 2^-51 + 2^-104; rounded before the sum, the last term is gone.
  constexpr double a = 1.0 + 0x1p-52;
  const std::vector<double> x = {1.0, 0, 0, 0, 0, 0, 0, 0, a};
  const std::vector<double> y = {-(1.0 + 0x1p-51), 0, 0, 0, 0, 0, 0, 0, a};
  EXPECT_EQ(dot(x, y), 0.0);
}

TEST(Sums, OfNothingAreZero) {
  EXPECT_EQ(sum({}), 0.0);
  EXPECT_EQ(dot({}, {}), 0.0);
  EXPECT_EQ(norm({}), 0.0);
  EXPECT_EQ(largest_magnitude({}), 0.0);
}

TEST(Norm, HoldsAtExtremeScales) {
  for (const int exponent : {-1060, -1000, -700, -530, -490, -481, -480, -479, -300, 0, 300, 500,
                             511, 512, 600, 1000, 1021}) {
    const double scale = std::ldexp(1.0, exponent);
    EXPECT_EQ(norm(std::vector<double>{3.0 * scale, -4.0 * scale}), 5.0 * scale)
        << "2^" << exponent;
  }
  EXPECT_DOUBLE_EQ(norm(std::vector<double>{3e-200, 4e-200}), 5e-200);
  EXPECT_DOUBLE_EQ(norm(std::vector<double>{3e200, 4e200}), 5e200);
  EXPECT_EQ(norm(std::vector<double>{least}), least);
  EXPECT_EQ(norm(std::vector<double>{0.0, -least, 0.0}), least);
  EXPECT_EQ(norm(std::vector<double>(4, least)), 2.0 * least);
  EXPECT_EQ(norm(std::vector<double>{largest}), largest);
  EXPECT_EQ(norm(std::vector<double>{largest, 1.0, least}), largest);
  EXPECT_EQ(norm(std::vector<double>{1.0, least}), 1.0);
  EXPECT_EQ(norm(std::vector<double>(100, 1e-170)), 10.0 * 1e-170);
}

TEST(Norm, AgreesWithALongerFormatAtEveryScale) {
  std::mt19937_64 random(2);
  for (int exponent = -1070; exponent <= 1010; exponent += 3) {
    std::vector<double> x = random_vector(random, 20);
    long double square = 0;
    for (double& value : x) {
      value = std::ldexp(value, exponent);
      const long double unit = std::ldexp(static_cast<long double>(value), -exponent);
      square += unit * unit;
    }
    const double exact = static_cast<double>(std::ldexp(std::sqrt(square), exponent));
    EXPECT_NEAR(norm(x), exact, std::max(1e-15 * exact, least)) << "2^" << exponent;
  }
}

TEST(Norm, IsZeroForZeroOnlyAndPassesOnWhatIsNoNumber) {
  EXPECT_EQ(norm(std::vector<double>{0.0, -0.0, 0.0}), 0.0);
  EXPECT_EQ(norm(std::vector<double>{1.0, -infinity}), infinity);
  EXPECT_EQ(norm(std::vector<double>{largest, largest}), infinity);
  EXPECT_TRUE(std::isnan(norm(std::vector<double>{1.0, not_a_number})));
  EXPECT_TRUE(std::isnan(norm(std::vector<double>{infinity, not_a_number})));
}

TEST(LargestMagnitude, OrdersAllKindsOfNumbers) {
  EXPECT_EQ(largest_magnitude(std::vector<double>{-0.0}), 0.0);
  EXPECT_FALSE(std::signbit(largest_magnitude(std::vector<double>{-0.0})));
  EXPECT_EQ(largest_magnitude(std::vector<double>{-3.0, 2.0, least}), 3.0);
  EXPECT_EQ(largest_magnitude(std::vector<double>{0.0, -least}), least);
  EXPECT_EQ(largest_magnitude(std::vector<double>{largest, -infinity}), infinity);
  EXPECT_TRUE(std::isnan(largest_magnitude(std::vector<double>{1.0, -not_a_number, 2.0})));
}

}  // namespace
}  // namespace keyhole::math
