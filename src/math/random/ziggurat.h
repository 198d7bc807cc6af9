// The common case of the ziggurat (gaussian.h), in which a word gives a normal number by one
// product, for several lanes at once. All is always inlined, so that files compiled for special
// instructions can use it (aes_blocks.h).

#pragma once

#include <cstddef>
#include <cstdint>

#include "math/lanes.h"

namespace keyhole::math {

// By layer and sign as they stand in a word, in the bits 0 .. 9 and 11: one look-up for both. A
// third of the entries is never used.
struct ZigguratTables {
  static constexpr std::uint64_t layer_and_sign = 0b1011'1111'1111;
  static constexpr std::size_t size = layer_and_sign + 1;
  const double* width;                // w, negative where the sign bit is set
  const std::int64_t* last_accepted;  // k - 1
};

// Two lanes on their way, in three steps, so that other work can be put between them.
class LanePair {
 public:
  [[gnu::always_inline]] inline void read(const std::uint64_t* bits) noexcept {
    first_ = bits[0];
    second_ = bits[1];
    // m with the exponent of 2^52 is 2^52 + m, of which 2^52 is taken away exactly.
    mantissa_ = reinterpret_cast<Numbers>((load_lanes<Words>(bits) >> 12) | 0x4330000000000000);
  }

  [[gnu::always_inline]] inline void look_up(ZigguratTables t) noexcept {
    const std::uint64_t i = first_ & ZigguratTables::layer_and_sign;
    const std::uint64_t j = second_ & ZigguratTables::layer_and_sign;
    width_ = Numbers{t.width[i], t.width[j]};
    room_ = (t.last_accepted[i] - static_cast<std::int64_t>(first_ >> 12)) |
            (t.last_accepted[j] - static_cast<std::int64_t>(second_ >> 12));
    mantissa_ -= 0x1p52;
  }

  // Writes +-m w; returns a number below 0 unless both are accepted.
  [[gnu::always_inline]] inline std::int64_t write(double* z) const noexcept {
    store_lanes(z, mantissa_ * width_);
    return room_;
  }

 private:
  std::uint64_t first_;
  std::uint64_t second_;
  std::int64_t room_;
  Numbers mantissa_;
  Numbers width_;
};

inline constexpr std::size_t lanes_in_group = 8;

// Writes +-m w for a group of lanes; returns a number below 0 unless all are accepted.
[[gnu::always_inline]] inline std::int64_t scale_group(ZigguratTables t, const std::uint64_t* bits,
                                                       double* z) noexcept {
  std::int64_t room = 0;
  for (std::size_t j = 0; j < lanes_in_group; j += 2) {
    LanePair pair;
    pair.read(bits + j);
    pair.look_up(t);
    room |= pair.write(z + j);
  }
  return room;
}

}  // namespace keyhole::math
