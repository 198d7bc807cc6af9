#include "math/panels/basis_panels.h"

#include <algorithm>
#include <cstring>

#include "math/panels/gram_product.h"

namespace keyhole::math {

BasisPanels::BasisPanels(std::size_t capacity, std::size_t n)
    : n_(n),
      width_(padded_width(n)),
      entries_(panel_height * panels_for(capacity) * width_),
      x_(width_),
      y_(width_) {}

void BasisPanels::set(std::size_t k, std::span<const double> q) noexcept {
  const std::size_t panel = k / panel_height;
  double* const to = entries_.data() + panel * panel_height * width_;
  if (k % panel_height == 0) std::fill_n(to, panel_height * width_, 0.0);
  std::copy(q.begin(), q.end(), x_.begin());
  for (std::size_t j = 0; j < width_; j += panel_lanes<double>) {
    std::memcpy(to + panel_place<double>(k % panel_height, j), &x_[j],
                panel_lanes<double> * sizeof(double));
  }
  panels_ = panel + 1;
}

void BasisPanels::remove_from(std::span<double> w) noexcept {
  std::copy(w.begin(), w.end(), x_.begin());
  std::copy(w.begin(), w.end(), y_.begin());
  subtract_gram(entries_.data(), panels_, x_.data(), y_.data(), width_);
  std::copy_n(y_.begin(), n_, w.begin());
}

void BasisPanels::combine(std::span<const double> z, std::span<double> v) noexcept {
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t k = 0; k < z.size(); k += panel_height) {
    PerRow<double> weights{};
    for (std::size_t r = 0; r < std::min(panel_height, z.size() - k); ++r) weights[r] = -z[k + r];
    panel_kernels<double>().subtract(entries_.data() + k * width_, weights.data(), y_.data(),
                                     width_);
  }
  std::copy_n(y_.begin(), n_, v.begin());
}

}  // namespace keyhole::math
