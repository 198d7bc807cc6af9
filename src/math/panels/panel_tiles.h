// Loading matrices into panels by square tiles, so that columns too are read by whole lines of the
// cache.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "math/lanes.h"
#include "math/largest.h"
#include "math/panels/panel_matrix.h"
#include "math/sums.h"

namespace keyhole::math {

struct TransposedLanes {
  Numbers first;
  Numbers second;
};

[[gnu::always_inline]] inline TransposedLanes transposed_lanes(Numbers a, Numbers b) noexcept {
  return {Numbers{a[0], b[0]}, Numbers{a[1], b[1]}};
}

inline constexpr std::size_t panel_tile = panel_height * slab_height;

// Columns left, ..., right - 1 of a panel. They stand in the tile, where the matrix is read by
// columns too: that of column j and the panel's row r at column[(j - left) * panel_tile + r].
struct PanelBlock {
  std::size_t left;
  std::size_t right;
  const double* column;
};

template <class Load>
double PanelMatrix::load_by_tiles(const double* transposed, const Load& load) noexcept {
  for_each_slab([&](std::size_t, std::size_t slab) {
    Largest largest;
    const std::size_t top = panel_height * first_panel(slab);
    for (std::size_t left = first_column(first_panel(slab)); left < columns_; left += panel_tile) {
      const std::size_t right = std::min(left + panel_tile, columns_);
      // Columns are read from a copy, which is close at hand.
      std::array<double, panel_tile * panel_tile> tile;
      if (transposed != nullptr) {
        for (std::size_t j = left; j < right; ++j) {
          std::copy_n(transposed + j * rows_ + top, std::min(panel_tile, rows_ - top),
                      &tile[(j - left) * panel_tile]);
        }
      }
      for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
        load(panel, PanelBlock{left, right, &tile[panel_height * panel - top]}, largest);
      }
    }
    largest_[slab] = largest.magnitude();
  });
  return normalise(largest_magnitude(largest_));
}

}  // namespace keyhole::math
