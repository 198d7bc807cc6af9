#include "math/smallest.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "math/lanes.h"

namespace keyhole::math {
namespace {

[[gnu::always_inline]] inline Numbers smaller(Numbers a, Numbers b) { return a < b ? a : b; }

// The smallest of `width` numbers, by four independent chains.
template <std::size_t width>
[[gnu::always_inline]] inline double smallest_of_block(const double* x) {
  static_assert(width % 8 == 0);
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

// For at least `width` numbers.
template <std::size_t width>
[[gnu::always_inline]] inline Found find_block(std::span<const double> x) noexcept {
  Found found{x[0], 0};
  const auto look_at = [&](std::size_t start) {
    const double of_block = smallest_of_block<width>(x.data() + start);
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
  if (x.size() >= 64) return find_block<64>(x);
  if (x.size() >= 8) return find_block<8>(x);
  return {*std::min_element(x.begin(), x.end()), 0};
}

}  // namespace

double smallest(std::span<const double> x) noexcept { return find_block(x).least; }

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

}  // namespace keyhole::math
