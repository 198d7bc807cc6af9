// The loops for x86-64 with fused products. This file alone is compiled for processors that have
// them.

#include "math/panels/panel_kernels.h"

#if defined(__x86_64__) && defined(__FMA__)
#include "math/panels/panel_loops.h"
#endif

namespace keyhole::math {

#if defined(__x86_64__) && defined(__FMA__)
const PanelKernels<double>* fused_double_kernels() noexcept { return &these_kernels<double>; }
const PanelKernels<float>* fused_single_kernels() noexcept { return &these_kernels<float>; }
#else
const PanelKernels<double>* fused_double_kernels() noexcept { return nullptr; }
const PanelKernels<float>* fused_single_kernels() noexcept { return nullptr; }
#endif

}  // namespace keyhole::math
