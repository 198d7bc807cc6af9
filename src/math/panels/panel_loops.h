// The text of panel_kernels.h, compiled once for each kind of processor. All is in an unnamed
// namespace, and no inline functions of other headers are used but those that are always inlined:
// else the linker might keep a copy with instructions that the rest must not execute.

#pragma once

#include <cstddef>

#include "math/lanes.h"
#include "math/panels/panel_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__x86_64__) && defined(__FMA__)
#include <immintrin.h>
#endif

// Each file that is compiled for other instructions has its own.
// NOLINTBEGIN(google-build-namespaces, misc-definitions-in-headers)
namespace keyhole::math {
namespace {

constexpr std::size_t height = panel_height;

template <class T>
struct LanesOf;
template <>
struct LanesOf<double> {
  using Type = Numbers;
};
template <>
struct LanesOf<float> {
  using Type = Singles;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;
template <class T>
constexpr std::size_t lanes = sizeof(Lanes<T>) / sizeof(T);

// a b + c, rounded once.
#if defined(__aarch64__)
[[gnu::always_inline]] inline Numbers fused(Numbers a, Numbers b, Numbers c) noexcept {
  return reinterpret_cast<Numbers>(vfmaq_f64(reinterpret_cast<float64x2_t>(c),
                                             reinterpret_cast<float64x2_t>(a),
                                             reinterpret_cast<float64x2_t>(b)));
}
[[gnu::always_inline]] inline Singles fused(Singles a, Singles b, Singles c) noexcept {
  return reinterpret_cast<Singles>(vfmaq_f32(reinterpret_cast<float32x4_t>(c),
                                             reinterpret_cast<float32x4_t>(a),
                                             reinterpret_cast<float32x4_t>(b)));
}
#elif defined(__x86_64__) && defined(__FMA__)
[[gnu::always_inline]] inline Numbers fused(Numbers a, Numbers b, Numbers c) noexcept {
  return reinterpret_cast<Numbers>(_mm_fmadd_pd(
      reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b), reinterpret_cast<__m128d>(c)));
}
[[gnu::always_inline]] inline Singles fused(Singles a, Singles b, Singles c) noexcept {
  return reinterpret_cast<Singles>(_mm_fmadd_ps(
      reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b), reinterpret_cast<__m128>(c)));
}
#else
[[gnu::always_inline]] inline Numbers fused(Numbers a, Numbers b, Numbers c) noexcept {
  return Numbers{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
[[gnu::always_inline]] inline Singles fused(Singles a, Singles b, Singles c) noexcept {
  return Singles{__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]),
                 __builtin_fmaf(a[2], b[2], c[2]), __builtin_fmaf(a[3], b[3], c[3])};
}
#endif

template <class T>
[[gnu::always_inline]] inline Lanes<T> load(const T* from) noexcept {
  return load_lanes<Lanes<T>>(from);
}

[[gnu::always_inline]] inline double total(Numbers p) noexcept { return p[0] + p[1]; }
[[gnu::always_inline]] inline float total(Singles p) noexcept {
  return (p[0] + p[2]) + (p[1] + p[3]);
}

// A number for each of the four rows; not an array, which compilers keep in memory.
template <class T>
struct OfRows {
  Lanes<T> r_0 = {}, r_1 = {}, r_2 = {}, r_3 = {};
};

template <class T>
[[gnu::always_inline]] inline OfRows<T> spread(T sign, const T* w) noexcept {
  const Lanes<T> zero = {};
  return {zero + sign * w[0], zero + sign * w[1], zero + sign * w[2], zero + sign * w[3]};
}

// The rows' entries in a chunk of columns.
template <class T>
[[gnu::always_inline]] inline OfRows<T> chunk(const T* a) noexcept {
  return {load(a), load(a + lanes<T>), load(a + 2 * lanes<T>), load(a + 3 * lanes<T>)};
}

template <class T>
[[gnu::always_inline]] inline void add_dots(const OfRows<T>& a, Lanes<T> x,
                                            OfRows<T>& sums) noexcept {
  sums.r_0 = fused(a.r_0, x, sums.r_0);
  sums.r_1 = fused(a.r_1, x, sums.r_1);
  sums.r_2 = fused(a.r_2, x, sums.r_2);
  sums.r_3 = fused(a.r_3, x, sums.r_3);
}

// y += w_0 a_0 + ... + w_3 a_3 for a chunk.
template <class T>
[[gnu::always_inline]] inline void add_rows(const OfRows<T>& a, const OfRows<T>& w, T* y) noexcept {
  const Lanes<T> sum = fused(w.r_1, a.r_1, fused(w.r_0, a.r_0, load(y)));
  store_lanes(y, fused(w.r_3, a.r_3, fused(w.r_2, a.r_2, sum)));
}

template <class T>
[[gnu::always_inline]] inline void totals(const OfRows<T>& even, const OfRows<T>& odd,
                                          T* dots) noexcept {
  dots[0] = total(even.r_0 + odd.r_0);
  dots[1] = total(even.r_1 + odd.r_1);
  dots[2] = total(even.r_2 + odd.r_2);
  dots[3] = total(even.r_3 + odd.r_3);
}

template <class T>
void dots_loop(const T* a, const T* x, std::size_t size, T* dots) noexcept {
  OfRows<T> even;
  OfRows<T> odd;
  for (std::size_t j = 0; j < size; j += 2 * lanes<T>) {
    add_dots(chunk(a), load(x + j), even);
    add_dots(chunk(a + height * lanes<T>), load(x + j + lanes<T>), odd);
    a += 2 * height * lanes<T>;
  }
  totals(even, odd, dots);
}

template <class T>
void subtract_loop(const T* b, const T* weights, T* y, std::size_t size) noexcept {
  const OfRows<T> w = spread(T{-1}, weights);
  for (std::size_t j = 0; j < size; j += lanes<T>, b += height * lanes<T>) {
    add_rows(chunk(b), w, y + j);
  }
}

template <class T>
void dots_and_subtract_loop(const T* __restrict a, const T* __restrict x, const T* __restrict b,
                            const T* weights, T* __restrict y, std::size_t size, T* dots) noexcept {
  const OfRows<T> w = spread(T{-1}, weights);
  OfRows<T> even;
  OfRows<T> odd;
  for (std::size_t j = 0; j < size; j += 2 * lanes<T>) {
    add_dots(chunk(a), load(x + j), even);
    add_rows(chunk(b), w, y + j);
    add_dots(chunk(a + height * lanes<T>), load(x + j + lanes<T>), odd);
    add_rows(chunk(b + height * lanes<T>), w, y + j + lanes<T>);
    a += 2 * height * lanes<T>;
    b += 2 * height * lanes<T>;
  }
  totals(even, odd, dots);
}

template <class T>
void dots_and_add_loop(const T* __restrict a, const T* __restrict x, const T* weights,
                       T* __restrict y, std::size_t size, T* dots) noexcept {
  const OfRows<T> w = spread(T{1}, weights);
  OfRows<T> even;
  OfRows<T> odd;
  const auto meet = [&](std::size_t j, OfRows<T>& sums) {
    const OfRows<T> entries = chunk(a);
    add_dots(entries, load(x + j), sums);
    add_rows(entries, w, y + j);
    a += height * lanes<T>;
  };
  std::size_t j = 0;
  if (size % (2 * lanes<T>) != 0) {
    meet(0, odd);
    j = lanes<T>;
  }
  for (; j < size; j += 2 * lanes<T>) {
    meet(j, even);
    meet(j + lanes<T>, odd);
  }
  totals(even, odd, dots);
}

template <class T>
constexpr PanelKernels<T> these_kernels = {dots_loop<T>, subtract_loop<T>,
                                           dots_and_subtract_loop<T>, dots_and_add_loop<T>};

}  // namespace
}  // namespace keyhole::math
// NOLINTEND(google-build-namespaces, misc-definitions-in-headers)
