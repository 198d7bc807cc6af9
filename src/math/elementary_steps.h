// The steps of exp, log and pow (elementary.h), for a number or for several side by side: T is
// double or Octet. The operations and their order are the same, and so are the digits.

#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/lanes.h"

namespace keyhole::math::steps {

// Eight numbers, an operation on which is that on each: one chain of operations leaves the
// processor idle most of the time, four at once do not.
class Octet {
 public:
  static constexpr std::size_t size = 8;

  Octet() = default;
  // Constants are the same for all. NOLINTNEXTLINE(google-explicit-constructor)
  [[gnu::always_inline]] Octet(double all) {
    for (Numbers& pair : pairs_) pair = Numbers{all, all};
  }

  [[gnu::always_inline]] static Octet load(const double* from) {
    return make([=](std::size_t j) { return load_lanes<Numbers>(from + 2 * j); });
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (std::size_t j = 0; j < width; ++j) store_lanes(to + 2 * j, pairs_[j]);
  }
  // The octet of pair(0), pair(1), ...
  template <class MakePair>
  [[gnu::always_inline]] static Octet make(MakePair pair) {
    Octet result;
    for (std::size_t j = 0; j < width; ++j) result.pairs_[j] = pair(j);
    return result;
  }
  [[gnu::always_inline]] Numbers operator[](std::size_t j) const { return pairs_[j]; }

  [[gnu::always_inline]] friend Octet operator+(Octet a, Octet b) {
    return make([&](std::size_t j) { return a[j] + b[j]; });
  }
  [[gnu::always_inline]] friend Octet operator-(Octet a, Octet b) {
    return make([&](std::size_t j) { return a[j] - b[j]; });
  }
  [[gnu::always_inline]] friend Octet operator*(Octet a, Octet b) {
    return make([&](std::size_t j) { return a[j] * b[j]; });
  }
  [[gnu::always_inline]] friend Octet operator/(Octet a, Octet b) {
    return make([&](std::size_t j) { return a[j] / b[j]; });
  }

 private:
  static constexpr std::size_t width = size / 2;
  Numbers pairs_[width];
};

// ln 2 = ln2_high + ln2_low to 95 bits. The high part has 42 bits, so that k ln2_high is exact for
// every exponent k of a double (|k| < 2^11).
inline constexpr double ln2_high = 0x1.62e42fefa38p-1;
inline constexpr double ln2_low = 0x1.ef35793c7673p-45;

// ---- What depends on the bits ----

#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
[[gnu::always_inline]] inline double fused(double a, double b, double c) noexcept {
  return std::fma(a, b, c);
}

[[gnu::always_inline]] inline Octet fused(Octet a, Octet b, Octet c) noexcept {
  return Octet::make([&](std::size_t j) { return fused_lanes(a[j], b[j], c[j]); });
}
#endif

// x = 2^octaves (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), exactly.
template <class T>
struct Reduced {
  T octaves;
  T f;
};

// Subtracting the bits of sqrt(1/2) makes the exponent field count from there.
inline constexpr std::uint64_t bits_of_sqrt_half = 0x3FE6A09E667F3BCD;

// For finite normal x > 0.
[[gnu::always_inline]] inline Reduced<double> reduce_to_octave(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t octave = static_cast<std::int64_t>(bits - bits_of_sqrt_half) >> 52;
  const double f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(octave) << 52)) - 1.0;
  return {static_cast<double>(octave), f};
}

[[gnu::always_inline]] inline Reduced<Octet> reduce_to_octave(Octet x) noexcept {
  const auto octave = [&](std::size_t j) {
    return std::bit_cast<Truths>(std::bit_cast<Words>(x[j]) - bits_of_sqrt_half) >> 52;
  };
  return {Octet::make([&](std::size_t j) { return __builtin_convertvector(octave(j), Numbers); }),
          Octet::make([&](std::size_t j) {
            return std::bit_cast<Numbers>(std::bit_cast<Truths>(x[j]) - (octave(j) << 52)) - 1.0;
          })};
}

// 2^k for whole numbers k with -1022 <= k <= 1023.
[[gnu::always_inline]] inline double power_of_two(double k) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<int>(k) + 1023) << 52);
}

[[gnu::always_inline]] inline Octet power_of_two(Octet k) noexcept {
  return Octet::make([&](std::size_t j) {
    return std::bit_cast<Numbers>((__builtin_convertvector(k[j], Truths) + 1023) << 52);
  });
}

// a where test is 0, else b.
[[gnu::always_inline]] inline double where_zero(double test, double a, double b) noexcept {
  return test == 0.0 ? a : b;
}

[[gnu::always_inline]] inline Octet where_zero(Octet test, Octet a, Octet b) noexcept {
  return Octet::make([&](std::size_t j) { return test[j] == 0.0 ? a[j] : b[j]; });
}

// ---- The logarithm ----

// 2/7 + 2 z / 9 + ... + 2 z^9 / 25, the far end of the series of 2 atanh(s) / s in z = s^2. As
// |s| < 0.1716, what is cut off is below 2^-70 of the whole.
template <class T>
[[gnu::always_inline]] inline T end_of_series(T z) noexcept {
  T sum = 2.0 / 25.0;
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
template <class T>
struct Pair {
  T high;
  T low;
};

// a + b exactly, for |a| >= |b|.
template <class T>
[[gnu::always_inline]] inline Pair<T> sum_of_ordered(T a, T b) noexcept {
  const T high = a + b;
  return {high, b - (high - a)};
}

#if !defined(__FP_FAST_FMA) && !defined(__ARM_FEATURE_FMA)
// The upper 26 bits of a; the rest of it has 26 as well, so that products of parts are exact.
template <class T>
[[gnu::always_inline]] inline T upper_half(T a) noexcept {
  const T c = 0x1.0000002p27 * a;  // 2^27 + 1
  return c - (c - a);
}
#endif

// a b exactly; by one fused multiply-add where the processor has it, which gives the same.
template <class T>
[[gnu::always_inline]] inline Pair<T> product(T a, T b) noexcept {
  const T high = a * b;
#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  return {high, fused(a, b, 0.0 - high)};
#else
  const T a1 = upper_half(a);
  const T a2 = a - a1;
  const T b1 = upper_half(b);
  const T b2 = b - b1;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
#endif
}

template <class T>
[[gnu::always_inline]] inline Pair<T> product(Pair<T> a, Pair<T> b) noexcept {
  const Pair<T> p = product(a.high, b.high);
  return sum_of_ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// a + b, for |a.high| >= |b.high|.
template <class T>
[[gnu::always_inline]] inline Pair<T> sum_of_ordered(Pair<T> a, Pair<T> b) noexcept {
  const Pair<T> s = sum_of_ordered(a.high, b.high);
  return sum_of_ordered(s.high, s.low + (a.low + b.low));
}

// log(x) for x = 2^octaves (1 + f) with a relative error below 2^-66. The formula is that of log,
// log(1 + f) = s (2 + z (2/3 + z (2/5 + ...))), with pairs for all but the end of the series.
template <class T>
[[gnu::always_inline]] inline Pair<T> log_as_pair(Reduced<T> x) noexcept {
  const Pair<T> two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  const Pair<T> two_fifths = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
  const auto [octaves, f] = x;

  // s = f / (2 + f): a quotient, and what is left over divided once more.
  const Pair<T> divisor = sum_of_ordered<T>(2.0, f);
  const T quotient = f / divisor.high;
  const Pair<T> back = product<T>(quotient, divisor.high);
  const T left = ((f - back.high) - back.low) - quotient * divisor.low;
  const Pair<T> s = sum_of_ordered<T>(quotient, left / divisor.high);

  const Pair<T> z = product(s, s);
  Pair<T> series = sum_of_ordered(two_fifths, {end_of_series(z.high) * z.high, 0.0});
  series = sum_of_ordered(two_thirds, product(series, z));
  series = sum_of_ordered<T>({2.0, 0.0}, product(series, z));
  const Pair<T> log_m = product(s, series);
  const Pair<T> sum = sum_of_ordered<T>({octaves * ln2_high, octaves * ln2_low}, log_m);
  return {where_zero(octaves, log_m.high, sum.high), where_zero(octaves, log_m.low, sum.low)};
}

// ---- The exponential ----

// y 2^k with a whole number k and y in (0.7, 1.42).
template <class T>
struct Scaled {
  T y;
  T k;
};

// e^(x + low) for |x| < 746 and |low| below an ulp or so of x.
//
// x = k ln 2 + r with |r| <= ln 2 / 2, e^x = 2^k e^r, and Taylor's polynomial of degree 13 for e^r:
// its remainder is below r^14 / 14! < 5e-18, a twentieth of an ulp.
template <class T>
[[gnu::always_inline]] inline Scaled<T> exp_of_sum(T x, T low) noexcept {
  // Adding 1.5 * 2^52 leaves no bits for the fraction: the sum is rounded to the nearest whole
  // number.
  constexpr double shifter = 0x1.8p52;
  constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
  const T k = (x * inverse_ln2 + shifter) - shifter;

  // x - k ln2_high is exact; r is rounded, and rest is what the rounding lost.
  const T high = x - k * ln2_high;
  const T shift = k * ln2_low - low;
  const T r = high - shift;
  const T rest = (high - r) - shift;

  T q = 1.0 / 6227020800.0;
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
  return {1.0 + (r + (r * r * q + rest)), k};
}

}  // namespace keyhole::math::steps
