#pragma once

#include <cstddef>

#include "math/panels/panel_kernels.h"
#include "math/panels/panel_layout.h"

namespace keyhole::math {

// y -= B'B x for some panels of B: the rows of one are combined while those of the next are
// multiplied.
template <class T>
void subtract_gram(const T* b, std::size_t panels, const T* x, T* y, std::size_t width) noexcept {
  const PanelKernels<T>& kernels = panel_kernels<T>();
  PerRow<T> dots;
  kernels.dots(b, x, width, dots.data());
  for (std::size_t k = 1; k < panels; ++k, b += panel_height * width) {
    const PerRow<T> weights = dots;
    kernels.dots_and_subtract(b + panel_height * width, x, b, weights.data(), y, width,
                              dots.data());
  }
  kernels.subtract(b, dots.data(), y, width);
}

}  // namespace keyhole::math
