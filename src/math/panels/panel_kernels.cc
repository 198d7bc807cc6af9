#include "math/panels/panel_kernels.h"

#include "math/panels/panel_loops.h"

namespace keyhole::math {

const PanelKernels<double>* plain_double_kernels() noexcept { return &these_kernels<double>; }
const PanelKernels<float>* plain_single_kernels() noexcept { return &these_kernels<float>; }

namespace {

// Whether the kernels of panel_kernels_fma.cc are there and the processor can run them.
bool has_fused_products() noexcept {
#if defined(__x86_64__)
  static const bool has = fused_double_kernels() != nullptr && __builtin_cpu_supports("fma") != 0;
  return has;
#else
  return false;
#endif
}

}  // namespace

template <>
const PanelKernels<double>& panel_kernels() noexcept {
  return *(has_fused_products() ? fused_double_kernels() : plain_double_kernels());
}
template <>
const PanelKernels<float>& panel_kernels() noexcept {
  return *(has_fused_products() ? fused_single_kernels() : plain_single_kernels());
}

}  // namespace keyhole::math
