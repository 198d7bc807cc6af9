// Multiples of many vectors taken from one, in registers: the inner loop of the simplex method.

#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "math/lanes.h"

namespace keyhole::math {

// Vectors whose sizes are multiples of this need no code for a rest; what is beyond is zero.
inline constexpr std::size_t padding = 4;

[[nodiscard]] constexpr std::size_t padded(std::size_t size) noexcept {
  return (size + padding - 1) / padding * padding;
}

// Some pairs of neighbours of a vector.
template <std::size_t Size>
using Block = std::array<Numbers, Size>;

template <std::size_t Size>
[[gnu::always_inline]] inline Block<Size> load_block(const double* from) noexcept {
  Block<Size> block;
  for (std::size_t l = 0; l < Size; ++l) block[l] = load_lanes<Numbers>(from + 2 * l);
  return block;
}

template <std::size_t Size>
[[gnu::always_inline]] inline void store_block(double* to, const Block<Size>& block) noexcept {
  for (std::size_t l = 0; l < Size; ++l) store_lanes(to + 2 * l, block[l]);
}

// block -= sum_p w_p x(p), one after the other, for x(p) the address of as many numbers.
template <std::size_t Size, class Vector>
[[gnu::always_inline]] inline void subtract_multiples(Block<Size>& block, std::span<const double> w,
                                                      Vector x) noexcept {
  for (std::size_t p = 0; p < w.size(); ++p) {
    const double* const of_p = x(p);
    for (std::size_t l = 0; l < Size; ++l) block[l] -= w[p] * load_lanes<Numbers>(of_p + 2 * l);
  }
}

// work(i, block of some size) for the blocks from i on of a vector whose size is a multiple of
// `padding`. What to do with a block may take long to begin, so the blocks are of four pairs.
template <class Work>
[[gnu::always_inline]] inline void for_blocks(std::size_t size, Work work) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) work(i, Block<8>{});
  if (i + 8 <= size) {
    work(i, Block<4>{});
    i += 8;
  }
  if (i < size) work(i, Block<2>{});
}

}  // namespace keyhole::math
