#pragma once

// What a product of a matrix with a vector cannot be faster than: reading its memory from one end
// to the other, and the loads and stores of its inner loop without the arithmetic. The matrices are
// cut into panels of four rows, as those of math/panels.h.

#include <cstddef>
#include <vector>

#include "math/lanes.h"
#include "math/panels/panel_kernels.h"

namespace keyhole::bench {

template <class T>
struct LanesOf;
template <>
struct LanesOf<double> {
  using Type = math::Numbers;
};
template <>
struct LanesOf<float> {
  using Type = math::Singles;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;
template <class T>
constexpr std::size_t lanes = sizeof(Lanes<T>) / sizeof(T);

/// Adds up all numbers: as fast as memory is read.
template <class T>
double read(const std::vector<T>& a) {
  asm volatile("" : : "r"(a.data()) : "memory");  // or it would be done once for all calls
  Lanes<T> sums[8] = {};
  for (std::size_t i = 0; i + 8 * lanes<T> <= a.size(); i += 8 * lanes<T>) {
    for (std::size_t k = 0; k < 8; ++k) {
      sums[k] += math::load_lanes<Lanes<T>>(&a[i + k * lanes<T>]);
    }
  }
  for (std::size_t k = 1; k < 8; ++k) sums[0] += sums[k];
  return static_cast<double>(sums[0][0]);
}

/// Loads the lanes at an address, which is aligned, and does nothing with them.
template <class T>
[[gnu::always_inline]] inline void touch(const T* at) {
  (void)*reinterpret_cast<const volatile Lanes<T>*>(at);
}
template <class T>
[[gnu::always_inline]] inline void touch_four(const T* at) {
  for (std::size_t r = 0; r < math::panel_height; ++r) touch(at + r * lanes<T>);
}
/// Loads them and stores them again.
template <class T>
[[gnu::always_inline]] inline void renew(T* at) {
  auto* const there = reinterpret_cast<volatile Lanes<T>*>(at);
  *there = *there;
}

/// y = A x for a symmetric matrix of order n, a multiple of 4, without the arithmetic: of each four
/// rows the entries from the diagonal on are met once, with x and y next to them.
template <class T>
void move_symmetric(const std::vector<T>& a, const std::vector<T>& x, std::vector<T>& y) {
  const T* entries = a.data();
  for (std::size_t first = 0; first < x.size(); first += math::panel_height) {
    for (std::size_t j = first; j < x.size(); j += lanes<T>) {
      touch_four(entries);
      touch(&x[j]);
      renew(&y[j]);
      entries += math::panel_height * lanes<T>;
    }
  }
}

/// y = B'B x, without the arithmetic: four rows are met with x, and once more with y while the next
/// four are met with x.
template <class T>
void move_gram(const std::vector<T>& b, const std::vector<T>& x, std::vector<T>& y) {
  const std::size_t panel = math::panel_height * x.size();
  for (std::size_t first = panel; first < b.size(); first += panel) {
    const T* entries = &b[first];
    for (std::size_t j = 0; j < x.size(); j += lanes<T>) {
      touch_four(entries);
      touch_four(entries - panel);
      touch(&x[j]);
      renew(&y[j]);
      entries += math::panel_height * lanes<T>;
    }
  }
}

}  // namespace keyhole::bench
