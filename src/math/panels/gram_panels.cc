#include "math/panels/gram_panels.h"

#include <algorithm>

#include "math/panels/gram_product.h"
#include "math/panels/panel_tiles.h"

namespace keyhole::math {
namespace {

// Pairs of columns of a panel, from columns in a tile,
void transpose(const double* __restrict column, std::size_t pairs, double* __restrict to,
               Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs; ++k, column += 2 * panel_tile, to += 2 * panel_height) {
    for (std::size_t r = 0; r < panel_height; r += 2) {
      const auto [first, second] = transposed_lanes(load_lanes<Numbers>(column + r),
                                                    load_lanes<Numbers>(column + panel_tile + r));
      largest.meet(first);
      largest.meet(second);
      store_lanes(to + 2 * r, first);
      store_lanes(to + 2 * r + 2, second);
    }
  }
  all = largest;
}

// or from rows, n apart.
void interleave(const double* __restrict row, std::size_t n, std::size_t pairs,
                double* __restrict to, Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs; ++k, row += 2, to += 2 * panel_height) {
    for (std::size_t r = 0; r < panel_height; ++r) {
      const auto entries = load_lanes<Numbers>(row + r * n);
      largest.meet(entries);
      store_lanes(to + 2 * r, entries);
    }
  }
  all = largest;
}

}  // namespace

GramPanels::GramPanels(std::size_t rows, std::size_t columns, unsigned threads)
    : PanelMatrix(rows, columns, false, threads) {}

double GramPanels::load(std::span<const double> a, bool is_transposed) noexcept {
  return load_by_tiles(
      is_transposed ? a.data() : nullptr,
      [&](std::size_t panel, const PanelBlock& block, Largest& largest) noexcept {
        const auto [left, right, column] = block;
        const std::size_t i = panel_height * panel;
        double* const to = doubles_.data() + first_entry(panel);
        std::size_t j = left;
        if (i + panel_height <= rows_ && j + 1 < right) {
          const std::size_t pairs = (right - j) / 2;
          if (is_transposed) {
            transpose(column, pairs, to + panel_height * j, largest);
          } else {
            interleave(&a[i * columns_ + j], columns_, pairs, to + panel_height * j, largest);
          }
          j += 2 * pairs;
        }
        for (; j < right; ++j) {
          for (std::size_t r = 0; r < std::min(panel_height, rows_ - i); ++r) {
            const double entry = is_transposed ? a[j * rows_ + i + r] : a[(i + r) * columns_ + j];
            to[panel_place<double>(r, j)] = entry;
            largest.meet(Numbers{entry, 0});
          }
        }
      });
}

template <class T>
void GramPanels::product(std::span<const double> x_given, std::span<double> y_out) noexcept {
  const T* const b = entries<T>();
  const T* const x = padded<T>(x_given);
  sum_slabs<T>(y_out, [&](std::size_t slab, T* y) {
    subtract_gram(b + first_entry(first_panel(slab)), first_panel(slab + 1) - first_panel(slab), x,
                  y, width_);
  });
}

void GramPanels::multiply(std::span<const double> x, std::span<double> y) noexcept {
  product<double>(x, y);
}
void GramPanels::multiply_roughly(std::span<const double> x, std::span<double> y) noexcept {
  product<float>(x, y);
}

void GramPanels::apply(std::span<const double> x_given, std::span<double> y) noexcept {
  const double* const x = padded<double>(x_given);
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    PerRow<double> dots;
    panel_kernels<double>().dots(doubles_.data() + first_entry(panel), x, width_, dots.data());
    const std::size_t i = panel_height * panel;
    std::copy_n(dots.begin(), std::min(panel_height, rows_ - i), &y[i]);
  }
}

}  // namespace keyhole::math
