// The largest magnitude among numbers that are met two by two.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "math/lanes.h"

namespace keyhole::math {

// By the bits: what is not a number is greatest.
class Largest {
 public:
  [[gnu::always_inline]] void meet(Numbers entries) noexcept {
    Truths bits;
    std::memcpy(&bits, &entries, sizeof bits);
    bits &= ~(std::int64_t{1} << 63);
    largest_ = bits > largest_ ? bits : largest_;
  }
  [[nodiscard]] double magnitude() const noexcept {
    return std::bit_cast<double>(std::max(largest_[0], largest_[1]));
  }

 private:
  Truths largest_ = {};
};

}  // namespace keyhole::math
