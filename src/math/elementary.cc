#include "math/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace keyhole::math {
namespace {

// ln 2 = ln2_high + ln2_low to 95 bits. The high part has 42 bits, so that k ln2_high is exact for
// every exponent k of a double (|k| < 2^11).
constexpr double ln2_high = 0x1.62e42fefa38p-1;
constexpr double ln2_low = 0x1.ef35793c7673p-45;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// 2^k for a normal result, -1022 <= k <= 1023.
double power_of_two(int k) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

// e^(x + low) for |low| below an ulp or so of x.
//
// x = k ln 2 + r with |r| <= ln 2 / 2, e^x = 2^k e^r, and Taylor's polynomial of degree 13 for e^r:
// its remainder is below r^14 / 14! < 5e-18, a twentieth of an ulp.
double exp_of_sum(double x, double low) noexcept {
  if (x != x) return x;
  if (x > 709.79) return infinity;  // e^709.79 > 2^1024
  if (x < -745.14) return 0.0;      // e^-745.14 < 2^-1075, which rounds to 0

  // Adding 1.5 * 2^52 leaves no bits for the fraction: the sum is rounded to the nearest whole
  // number.
  constexpr double shifter = 0x1.8p52;
  constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
  const double k = (x * inverse_ln2 + shifter) - shifter;

  // x - k ln2_high is exact; r is rounded, and rest is what the rounding lost.
  const double high = x - k * ln2_high;
  const double shift = k * ln2_low - low;
  const double r = high - shift;
  const double rest = (high - r) - shift;

  double q = 1.0 / 6227020800.0;
  q = q * r + 1.0 / 479001600.0;
  q = q * r + 1.0 / 39916800.0;
  q = q * r + 1.0 / 3628800.0;
  q = q * r + 1.0 / 362880.0;
  q = q * r + 1.0 / 40320.0;
  q = q * r + 1.0 / 5040.0;
  q = q * r + 1.0 / 720.0;
  q = q * r + 1.0 / 120.0;
  q = q * r + 1.0 / 24.0;
  q = q * r + 1.0 / 6.0;
  q = q * r + 1.0 / 2.0;
  const double y = 1.0 + (r + (r * r * q + rest));

  // y is in (0.7, 1.42). Results that may be subnormal or need 2^1024 take the scaling in two
  // steps, of which only the last one rounds.
  const int exponent = static_cast<int>(k);
  if (exponent > 1023) return y * 2.0 * power_of_two(exponent - 1);
  if (exponent < -1021) return y * power_of_two(exponent + 200) * 0x1p-200;
  return y * power_of_two(exponent);
}

// x = 2^octaves (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), exactly.
struct Reduced {
  double octaves;
  double f;
};

// For finite x > 0.
Reduced reduce_to_octave(double x) noexcept {
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;  // a subnormal number has no exponent of its own
    k = -54;
  }
  // Subtracting the bits of sqrt(1/2) makes the exponent field count from there.
  constexpr std::uint64_t bits_of_sqrt_half = 0x3FE6A09E667F3BCD;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t octave = static_cast<std::int64_t>(bits - bits_of_sqrt_half) >> 52;
  const double f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(octave) << 52)) - 1.0;
  return {static_cast<double>(k + static_cast<int>(octave)), f};
}

// 2/7 + 2 z / 9 + ... + 2 z^9 / 25, the far end of the series of 2 atanh(s) / s in z = s^2. As
// |s| < 0.1716, what is cut off is below 2^-70 of the whole.
double end_of_series(double z) noexcept {
  double sum = 2.0 / 25.0;
  sum = sum * z + 2.0 / 23.0;
  sum = sum * z + 2.0 / 21.0;
  sum = sum * z + 2.0 / 19.0;
  sum = sum * z + 2.0 / 17.0;
  sum = sum * z + 2.0 / 15.0;
  sum = sum * z + 2.0 / 13.0;
  sum = sum * z + 2.0 / 11.0;
  sum = sum * z + 2.0 / 9.0;
  return sum * z + 2.0 / 7.0;
}

// A number to about 100 bits as an unevaluated sum, |low| at most an ulp or so of high. The
// operations are Dekker's (1971).
struct Pair {
  double high;
  double low;
};

// a + b exactly, for |a| >= |b|.
Pair sum_of_ordered(double a, double b) noexcept {
  const double high = a + b;
  return {high, b - (high - a)};
}

#if !defined(__FP_FAST_FMA) && !defined(__ARM_FEATURE_FMA)
// The upper 26 bits of a; the rest of it has 26 as well, so that products of parts are exact.
double upper_half(double a) noexcept {
  const double c = 0x1.0000002p27 * a;  // 2^27 + 1
  return c - (c - a);
}
#endif

// a b exactly; by one fused multiply-add where the processor has it, which gives the same.
Pair product(double a, double b) noexcept {
  const double high = a * b;
#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  return {high, std::fma(a, b, -high)};
#else
  const double a1 = upper_half(a);
  const double a2 = a - a1;
  const double b1 = upper_half(b);
  const double b2 = b - b1;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
#endif
}

Pair product(Pair a, Pair b) noexcept {
  const Pair p = product(a.high, b.high);
  return sum_of_ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// a + b, for |a.high| >= |b.high|.
Pair sum_of_ordered(Pair a, Pair b) noexcept {
  const Pair s = sum_of_ordered(a.high, b.high);
  return sum_of_ordered(s.high, s.low + (a.low + b.low));
}

// log(x) for finite x > 0 with a relative error below 2^-66. The formula is that of log below,
// log(1 + f) = s (2 + z (2/3 + z (2/5 + ...))), with pairs for all but the end of the series.
Pair log_as_pair(double x) noexcept {
  constexpr Pair two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  constexpr Pair two_fifths = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
  const auto [octaves, f] = reduce_to_octave(x);

  // s = f / (2 + f): a quotient, and what is left over divided once more.
  const Pair divisor = sum_of_ordered(2.0, f);
  const double quotient = f / divisor.high;
  const Pair back = product(quotient, divisor.high);
  const double left = ((f - back.high) - back.low) - quotient * divisor.low;
  const Pair s = sum_of_ordered(quotient, left / divisor.high);

  const Pair z = product(s, s);
  Pair series = sum_of_ordered(two_fifths, {end_of_series(z.high) * z.high, 0.0});
  series = sum_of_ordered(two_thirds, product(series, z));
  series = sum_of_ordered({2.0, 0.0}, product(series, z));
  const Pair log_m = product(s, series);
  if (octaves == 0.0) return log_m;
  return sum_of_ordered({octaves * ln2_high, octaves * ln2_low}, log_m);
}

}  // namespace

double exp(double x) noexcept { return exp_of_sum(x, 0.0); }

// With s = f / (2 + f) and z = s^2:
//
//   log(1 + f) = 2 atanh(s) = 2 s + s R,  R = 2 z / 3 + 2 z^2 / 5 + ...
//
// As 2 s = f - s f and s f = h - s h with h = f^2 / 2, the same is f - (h - s (h + R)): the leading
// term f is exact and what is rounded is small.
double log(double x) noexcept {
  if (x != x || x == infinity) return x;
  if (x <= 0.0) return x == 0.0 ? -infinity : not_a_number;
  const auto [octaves, f] = reduce_to_octave(x);
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double remainder = ((end_of_series(z) * z + 2.0 / 5.0) * z + 2.0 / 3.0) * z;
  const double h = 0.5 * f * f;
  return octaves * ln2_high - ((h - (s * (h + remainder) + octaves * ln2_low)) - f);
}

double pow(double x, double y) noexcept {
  if (x == 1.0 || y == 0.0) return 1.0;
  // Outside of these ranges the result is 0, infinite or not a number, whatever the last digits
  // are: |log x| > 2^-54 for x other than 1. Inside, no intermediate result can overflow.
  constexpr double huge = 0x1p64;
  if (!(x > 0.0 && x < infinity && y > -huge && y < huge)) return exp(y * log(x));
  const Pair exponent = product(log_as_pair(x), {y, 0.0});
  return exp_of_sum(exponent.high, exponent.low);
}

}  // namespace keyhole::math
