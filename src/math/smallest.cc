#include "math/smallest.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "math/lanes.h"

namespace keyhole::math {
namespace {

// The smallest of `width` numbers, a multiple of 8, by four independent chains.
[[gnu::always_inline]] inline double smallest_of_block(const double* x, std::size_t width) {
  Numbers a = load_lanes<Numbers>(x);
  Numbers b = load_lanes<Numbers>(x + 2);
  Numbers c = load_lanes<Numbers>(x + 4);
  Numbers d = load_lanes<Numbers>(x + 6);
  for (std::size_t i = 8; i < width; i += 8) {
    a = smaller(a, load_lanes<Numbers>(x + i));
    b = smaller(b, load_lanes<Numbers>(x + i + 2));
    c = smaller(c, load_lanes<Numbers>(x + i + 4));
    d = smaller(d, load_lanes<Numbers>(x + i + 6));
  }
  const Numbers all = smaller(smaller(a, b), smaller(c, d));
  return std::min(all[0], all[1]);
}

struct Found {
  double least;
  std::size_t block;  // the block of the least begins here
};

// In blocks of `width` numbers, a multiple of 8, of which there are at least as many.
[[gnu::always_inline]] inline Found find_block(std::span<const double> x,
                                               std::size_t width) noexcept {
  Found found{x[0], 0};
  const auto look_at = [&](std::size_t start) {
    const double of_block = smallest_of_block(x.data() + start, width);
    if (of_block < found.least) found = {of_block, start};
  };
  std::size_t i = 0;
  for (; i + width <= x.size(); i += width) look_at(i);
  // The last block reaches back over numbers that are known not to be smaller.
  if (i < x.size()) look_at(x.size() - width);
  return found;
}

Found find_block(std::span<const double> x) noexcept {
  assert(!x.empty());
  if (x.size() >= 128) return find_block(x, 64);
  if (x.size() < 8) return {*std::min_element(x.begin(), x.end()), 0};
  // Few enough to be looked through: one block, and what is left over of it.
  const double least = smallest_of_block(x.data(), x.size() / 8 * 8);
  return {std::min(least, smallest_of_block(x.data() + x.size() - 8, 8)), 0};
}

}  // namespace

std::size_t first_smallest(std::span<const double> x) noexcept {
  auto [least, place] = find_block(x);
  for (; place + 8 <= x.size(); place += 8) {
    Truths equal{};
    for (std::size_t j = 0; j < 8; j += 2) {
      equal |= load_lanes<Numbers>(x.data() + place + j) == least;
    }
    if (any(equal)) break;
  }
  while (place + 1 < x.size() && x[place] != least) ++place;
  return std::min(place, x.size() - 1);
}

bool any_sign(std::span<const double> x) noexcept {
  std::size_t i = 0;
  Words signs{};
  for (; i + 8 <= x.size(); i += 8) {
    signs |= (load_lanes<Words>(x.data() + i) | load_lanes<Words>(x.data() + i + 2)) |
             (load_lanes<Words>(x.data() + i + 4) | load_lanes<Words>(x.data() + i + 6));
  }
  std::uint64_t all = signs[0] | signs[1];
  for (; i < x.size(); ++i) all |= std::bit_cast<std::uint64_t>(x[i]);
  return all >> 63 != 0;
}

}  // namespace keyhole::math
