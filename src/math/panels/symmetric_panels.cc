#include "math/panels/symmetric_panels.h"

#include <algorithm>

#include "math/panels/panel_tiles.h"

namespace keyhole::math {
namespace {

// For pairs of columns of a panel: half the sum of rows, n apart, and of columns in a panel_tile.
void add_transposed(const double* __restrict row, std::size_t n, const double* __restrict column,
                    std::size_t pairs, double* __restrict to, Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs;
       ++k, row += 2, column += 2 * panel_tile, to += 2 * panel_height) {
    for (std::size_t r = 0; r < panel_height; r += 2) {
      const auto [first, second] = transposed_lanes(load_lanes<Numbers>(column + r),
                                                    load_lanes<Numbers>(column + panel_tile + r));
      const Numbers upper = 0.5 * (load_lanes<Numbers>(row + r * n) + first);
      const Numbers lower = 0.5 * (load_lanes<Numbers>(row + (r + 1) * n) + second);
      largest.meet(upper);
      largest.meet(lower);
      store_lanes(to + 2 * r, upper);
      store_lanes(to + 2 * r + 2, lower);
    }
  }
  all = largest;
}

}  // namespace

SymmetricPanels::SymmetricPanels(std::size_t n, unsigned threads)
    : PanelMatrix(n, n, true, threads) {}

double SymmetricPanels::load(std::span<const double> a) noexcept {
  const std::size_t n = rows_;
  return load_by_tiles(a.data(),
                       [&](std::size_t panel, const PanelBlock& block, Largest& largest) noexcept {
                         const auto [left, right, column] = block;
                         const std::size_t i = first_column(panel);
                         double* const to = doubles_.data() + first_entry(panel);
                         std::size_t j = std::max(left, i);
                         // Each entry of the block on the diagonal is met twice, in its row and in
                         // its column.
                         for (; j < std::min(i + panel_height, right); ++j) {
                           for (std::size_t r = 0; r < std::min(panel_height, n - i); ++r) {
                             const double entry = 0.25 * (a[(i + r) * n + j] + a[j * n + i + r]);
                             to[panel_place<double>(r, j - i)] = entry;
                             largest.meet(Numbers{entry, 0});
                           }
                         }
                         // Right of it all panels have four rows: the last one has nothing there.
                         if (j + 1 < right) {
                           const std::size_t pairs = (right - j) / 2;
                           add_transposed(&a[i * n + j], n, column + (j - left) * panel_tile, pairs,
                                          to + panel_height * (j - i), largest);
                           j += 2 * pairs;
                         }
                         if (j < right) {
                           for (std::size_t r = 0; r < panel_height; ++r) {
                             const double entry = 0.5 * (a[(i + r) * n + j] + a[j * n + i + r]);
                             to[panel_place<double>(r, j - i)] = entry;
                             largest.meet(Numbers{entry, 0});
                           }
                         }
                       });
}

template <class T>
void SymmetricPanels::product(std::span<const double> x_given, std::span<double> y_out) noexcept {
  const T* const a = entries<T>();
  const T* const x = padded<T>(x_given);
  sum_slabs<T>(y_out, [&](std::size_t slab, T* y) {
    for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
      const std::size_t i = first_column(panel);
      PerRow<T> sums;
      panel_kernels<T>().dots_and_add(a + first_entry(panel), x + i, x + i, y + i, width_ - i,
                                      sums.data());
      for (std::size_t r = 0; r < panel_height; ++r) y[i + r] += sums[r];
    }
  });
}

void SymmetricPanels::multiply(std::span<const double> x, std::span<double> y) noexcept {
  product<double>(x, y);
}
void SymmetricPanels::multiply_roughly(std::span<const double> x, std::span<double> y) noexcept {
  product<float>(x, y);
}

void SymmetricPanels::copy_to(std::span<double> a) const noexcept {
  const std::size_t n = rows_;
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    const std::size_t i = first_column(panel);
    const double* const from = doubles_.data() + first_entry(panel);
    for (std::size_t r = 0; r < std::min(panel_height, n - i); ++r) {
      for (std::size_t j = i; j < n; ++j) {
        const double entry = (j < i + panel_height ? 2 : 1) * from[panel_place<double>(r, j - i)];
        a[(i + r) * n + j] = a[j * n + i + r] = entry;
      }
    }
  }
}

}  // namespace keyhole::math
