// Twice the digits of a double, against whole numbers of 128 bits.

#include "math/double_double.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random.h"

namespace keyhole::tests {
namespace {

using math::DoubleDouble;
__extension__ using Whole = __int128;

/// A number of up to `bits` bits and its parts of 53 bits, which doubles hold exactly.
struct Sample {
  Whole whole;
  DoubleDouble number;
};

Sample sample(unsigned bits, Random& random) {
  const Whole all = (static_cast<Whole>(random.integer(0, (std::size_t{1} << 50U) - 1)) << 50U) +
                    static_cast<Whole>(random.integer(0, (std::size_t{1} << 50U) - 1));
  const Whole whole = (all >> (100 - bits)) * (random.uniform() < 0.5 ? 1 : -1);
  const Whole high = whole >> 50U;
  const Whole low = whole - (high << 50U);
  return {whole, DoubleDouble(std::ldexp(static_cast<double>(high), 50)) +
                     DoubleDouble(static_cast<double>(low))};
}

bool is(DoubleDouble number, Whole whole) {
  const Whole high = whole >> 50U;
  const Whole low = whole - (high << 50U);
  return number - std::ldexp(static_cast<double>(high), 50) == static_cast<double>(low);
}

TEST(DoubleDouble, AddsAndMultipliesWholeNumbersExactly) {
  Random random(31);
  for (int k = 0; k < 20000; ++k) {
    const Sample a = sample(static_cast<unsigned>(random.integer(2, 100)), random);
    const Sample b = sample(static_cast<unsigned>(random.integer(2, 100)), random);
    ASSERT_TRUE(is(a.number + b.number, a.whole + b.whole));
    ASSERT_TRUE(is(a.number - b.number, a.whole - b.whole));
    ASSERT_EQ(a.number < b.number, a.whole < b.whole);
    ASSERT_EQ(a.number <= b.number, a.whole <= b.whole);
    ASSERT_EQ(a.number == b.number, a.whole == b.whole);
    ASSERT_TRUE(is(abs(a.number), a.whole < 0 ? -a.whole : a.whole));
    const Sample c = sample(static_cast<unsigned>(random.integer(2, 50)), random);
    const Sample d = sample(static_cast<unsigned>(random.integer(2, 50)), random);
    ASSERT_TRUE(is(c.number * d.number, c.whole * d.whole));
  }
}

TEST(DoubleDouble, DividesToItsLastDigits) {
  Random random(32);
  for (int k = 0; k < 20000; ++k) {
    const DoubleDouble a = sample(100, random).number;
    const DoubleDouble b = sample(100, random).number;
    const DoubleDouble rest = a - (a / b) * b;
    ASSERT_LE(static_cast<double>(abs(rest)), 0x1p-100 * static_cast<double>(abs(a)));
  }
  EXPECT_EQ(static_cast<double>(DoubleDouble(1) / 3), 1.0 / 3);
  EXPECT_LE(static_cast<double>(abs(DoubleDouble(1) / 3 * 3 - 1)), 0x1p-104);
}

}  // namespace
}  // namespace keyhole::tests
