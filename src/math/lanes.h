// Two lanes of 64 bits: vectors that every processor we know of has, written as the compilers'
// vector types, so that one text serves all. An operation on them is that on each lane.

#pragma once

#include <cstdint>
#include <cstring>

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

[[gnu::always_inline]] inline bool any(Truths truths) noexcept {
  return (truths[0] | truths[1]) != 0;
}

}  // namespace keyhole::math
