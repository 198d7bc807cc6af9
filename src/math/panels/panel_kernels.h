// The inner loops of panels.h, for every kind of processor: they give the same digits.
//
// A panel is four rows of a matrix, the entries of 16 bytes' worth of columns side by side for each
// row in turn. Products are fused with the sums that take them, a b + c rounded once (IEEE 754's
// fusedMultiplyAdd), which the standard defines to the last bit: where the processor has the
// instruction it halves the time; where it has not, the standard library computes the same, slowly.

#pragma once

#include <cstddef>

namespace keyhole::math {

inline constexpr std::size_t panel_height = 4;

template <class T>
struct PanelKernels {
  // dots_r = <a_r, x> for the rows of a panel; size is a multiple of 8.
  void (*dots)(const T* a, const T* x, std::size_t size, T* dots) noexcept;
  // y -= w_0 b_0 + ... + w_3 b_3, in this order.
  void (*subtract)(const T* b, const T* w, T* y, std::size_t size) noexcept;
  // Both, for two panels, at once.
  void (*dots_and_subtract)(const T* a, const T* x, const T* b, const T* w, T* y, std::size_t size,
                            T* dots) noexcept;
  // y += w_0 a_0 + ... and dots_r = <a_r, x> for the same panel; size is a multiple of 4.
  void (*dots_and_add)(const T* a, const T* x, const T* w, T* y, std::size_t size,
                       T* dots) noexcept;
};

// The loops for any processor that this build is for, and those for x86-64 with fused products:
// null where this build has no such code.
const PanelKernels<double>* plain_double_kernels() noexcept;
const PanelKernels<float>* plain_single_kernels() noexcept;
const PanelKernels<double>* fused_double_kernels() noexcept;
const PanelKernels<float>* fused_single_kernels() noexcept;

// The fastest of them that this processor can run.
template <class T>
const PanelKernels<T>& panel_kernels() noexcept;
template <>
const PanelKernels<double>& panel_kernels() noexcept;
template <>
const PanelKernels<float>& panel_kernels() noexcept;

}  // namespace keyhole::math
