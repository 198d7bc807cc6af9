#include "math/panels/panel_matrix.h"

#include <cmath>

namespace keyhole::math {
namespace {

// A largest magnitude from 2^-64 to 2^64 is left as it is.
constexpr int most_exponent = 64;
// From this width on sums are split into parts, so that threads can share them.
constexpr std::size_t least_divided = 512;
constexpr std::size_t most_parts = 8;

}  // namespace

PanelMatrix::PanelMatrix(std::size_t rows, std::size_t columns, bool is_triangular,
                         unsigned threads)
    : rows_(rows),
      columns_(columns),
      width_(padded_width(columns)),
      is_triangular_(is_triangular),
      panels_(panels_for(rows)),
      slabs_((panels_ + slab_height - 1) / slab_height),
      parts_(width_ < least_divided ? 1 : std::min(slabs_, most_parts)),
      doubles_(first_entry(panels_)),
      singles_(doubles_.size()),
      x_(width_),
      x_single_(width_),
      sums_(parts_ * width_),
      sums_single_(parts_ * width_),
      largest_(slabs_),
      team_(std::make_unique<Team>(static_cast<unsigned>(std::min<std::size_t>(threads, parts_)))) {
}

double PanelMatrix::normalise(double largest) noexcept {
  has_singles_ = false;
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  constexpr int least = -1000;  // what is smaller still is not lifted to 1, lest 2^-least overflow
  const int exponent = std::max(std::ilogb(largest), least);
  single_factor_ = std::ldexp(1.0, -exponent);
  if (std::abs(exponent) <= most_exponent) return 1;
  for_each_slab([&](std::size_t, std::size_t slab) {
    const double factor = single_factor_;
    double* const first = doubles_.data() + first_entry(first_panel(slab));
    const std::size_t count = first_entry(first_panel(slab + 1)) - first_entry(first_panel(slab));
    for (std::size_t k = 0; k < count; ++k) first[k] *= factor;
  });
  single_factor_ = 1;
  return std::ldexp(1.0, exponent);
}

void PanelMatrix::make_singles() noexcept {
  for_each_slab([&](std::size_t, std::size_t slab) {
    for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
      const double factor = single_factor_;
      const double* from = doubles_.data() + first_entry(panel);
      float* to = singles_.data() + first_entry(panel);
      for (std::size_t j = first_column(panel); j < width_; j += panel_lanes<float>) {
        for (std::size_t r = 0; r < panel_height; ++r) {
          for (std::size_t k = 0; k < panel_lanes<float>; ++k) {
            to[panel_place<float>(r, k)] =
                static_cast<float>(factor * from[panel_place<double>(r, k)]);
          }
        }
        from += panel_height * panel_lanes<float>;
        to += panel_height * panel_lanes<float>;
      }
    }
  });
  has_singles_ = true;
}

template <>
const double* PanelMatrix::padded<double>(std::span<const double> x) noexcept {
  std::copy(x.begin(), x.end(), x_.begin());
  return x_.data();
}
template <>
const float* PanelMatrix::padded<float>(std::span<const double> x) noexcept {
  std::transform(x.begin(), x.end(), x_single_.begin(),
                 [](double entry) { return static_cast<float>(entry); });
  return x_single_.data();
}
template <>
const double* PanelMatrix::entries<double>() noexcept {
  return doubles_.data();
}
template <>
const float* PanelMatrix::entries<float>() noexcept {
  if (!has_singles_) make_singles();
  return singles_.data();
}

}  // namespace keyhole::math
