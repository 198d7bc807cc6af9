// How the entries of a panel (panels.h) stand in memory.

#pragma once

#include <array>
#include <cstddef>

#include "math/panels/panel_kernels.h"

namespace keyhole::math {

// Panels whose rough products are added up in single precision, before the sum is taken to double.
inline constexpr std::size_t slab_height = 16;

// A number for each row of a panel.
template <class T>
using PerRow = std::array<T, panel_height>;

// Columns that stand side by side.
template <class T>
inline constexpr std::size_t panel_lanes = 16 / sizeof(T);

// Where the entry of row r and column j (from the panel's first) stands.
template <class T>
constexpr std::size_t panel_place(std::size_t r, std::size_t j) noexcept {
  return (j / panel_lanes<T> * panel_height + r) * panel_lanes<T> + j % panel_lanes<T>;
}

// Panels are as wide as the kernels take them.
constexpr std::size_t padded_width(std::size_t columns) noexcept { return (columns + 7) / 8 * 8; }

constexpr std::size_t panels_for(std::size_t rows) noexcept {
  return (rows + panel_height - 1) / panel_height;
}

}  // namespace keyhole::math
