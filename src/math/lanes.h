// Two lanes of 64 bits: vectors that every processor we know of has, written as the compilers'
// vector types, so that one text serves all. An operation on them is that on each lane.

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace keyhole::math {

using Words [[gnu::vector_size(16)]] = std::uint64_t;
using Numbers [[gnu::vector_size(16)]] = double;
// Four lanes of 32 bits.
using Singles [[gnu::vector_size(16)]] = float;
// All bits of a lane, or none: what comparisons give.
using Truths [[gnu::vector_size(16)]] = std::int64_t;

// The lanes at an address, which need not be aligned.
template <class Lanes>
[[gnu::always_inline]] inline Lanes load_lanes(const void* from) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

template <class Lanes>
[[gnu::always_inline]] inline void store_lanes(void* to, Lanes lanes) noexcept {
  std::memcpy(to, &lanes, sizeof lanes);
}

[[gnu::always_inline]] inline bool any(Truths truths) noexcept {
  return (truths[0] | truths[1]) != 0;
}

// The smaller of each lane, for numbers. One instruction, which the compilers do not find where it
// orders the zeros too.
[[gnu::always_inline]] inline Numbers smaller(Numbers a, Numbers b) noexcept {
#if defined(__aarch64__)
  return vminq_f64(a, b);
#else
  return a < b ? a : b;
#endif
}

#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
// a b + c in each lane, rounded once.
[[gnu::always_inline]] inline Numbers fused_lanes(Numbers a, Numbers b, Numbers c) noexcept {
#if defined(__aarch64__)
  return vfmaq_f64(c, a, b);
#else
  return Numbers{std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1])};
#endif
}
#endif

}  // namespace keyhole::math
