// The one reduction for every sum that decides anything.
//
// Addition of doubles is not associative, so the order is part of the result. Here it is fixed for
// all sizes, compilers and processors: element i is added to the partial sum p_{i mod 8}, in the
// order of i, and then
//
//   q_j = p_j + p_{j+4} (j < 4),  h_j = q_j + q_{j+2} (j < 2),  sum = h_0 + h_1
//
// Eight independent chains keep vector units of 2, 4 or 8 lanes busy without changing a digit, and
// the rounding error grows with n / 8 instead of n. Pure functions, thread-safe. They rely on
// products and sums not being fused (-ffp-contract=off), so this header is for the library's own
// files only.

#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace keyhole::math {

// term(0) + ... + term(n - 1) in the order above; term maps an index to a double.
template <class Term>
inline double reduce(std::size_t n, Term term) {
  std::array<double, 8> p{};
  const std::size_t whole = n - n % 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) p[j] += term(i + j);
  }
  for (std::size_t i = whole; i < n; ++i) p[i - whole] += term(i);
  const double q0 = p[0] + p[4];
  const double q1 = p[1] + p[5];
  const double q2 = p[2] + p[6];
  const double q3 = p[3] + p[7];
  return (q0 + q2) + (q1 + q3);
}

// x_0 + ... + x_{n-1}
inline double sum(std::span<const double> x) {
  const double* const a = x.data();
  return reduce(x.size(), [a](std::size_t i) { return a[i]; });
}

// <x, y> = x_0 y_0 + ... + x_{n-1} y_{n-1}, for spans of the same size.
inline double dot(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  const double* const a = x.data();
  const double* const b = y.data();
  return reduce(x.size(), [a, b](std::size_t i) { return a[i] * b[i]; });
}

// <x, x>
inline double squared_norm(std::span<const double> x) { return dot(x, x); }

// sqrt(<x, x>), also where <x, x> would over- or underflow: 0 for the zero vector only, infinite
// only if an entry is or if the norm itself exceeds the largest double. The second look scales by a
// power of two, which rounds nothing.
inline double norm(std::span<const double> x) {
  const double* const a = x.data();
  const auto rescaled = [&](double scale) {
    const double s =
        reduce(x.size(), [a, scale](std::size_t i) { return (a[i] * scale) * (a[i] * scale); });
    return std::sqrt(s) / scale;
  };
  const double s = squared_norm(x);
  // Above 2^-960 what squares below 2^-1022 lose does not count. Below it all entries are below
  // 2^-480, so 2^600 lifts them to at most 2^120, and the least double 2^-1074 to a square of
  // 2^-948. An overflow, likewise, means an entry above 2^480 for any n that fits a memory; the
  // largest becomes 2^424.
  if (s < 0x1p-960) return rescaled(0x1p600);
  if (s > std::numeric_limits<double>::max()) return rescaled(0x1p-600);
  return std::sqrt(s);
}

// max |x_i|; 0 if there is none, not a number if any entry is not a number.
inline double largest_magnitude(std::span<const double> x) {
  // Without their sign doubles are ordered as their bit patterns, with infinity and then the NaNs
  // on top.
  constexpr std::uint64_t without_sign = ~(std::uint64_t{1} << 63);
  std::uint64_t largest = 0;
  for (const double value : x) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & without_sign;
    largest = bits > largest ? bits : largest;
  }
  return std::bit_cast<double>(largest);
}

}  // namespace keyhole::math
