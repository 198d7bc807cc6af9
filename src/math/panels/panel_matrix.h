// What symmetric and rectangular matrices in panels (panels.h) share: where the entries stand, the
// copy in single precision, and sums over slabs of panels by several threads.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "math/panels/panel_layout.h"
#include "math/team.h"

namespace keyhole::math {

class PanelMatrix {
 protected:
  // `rows` and `columns` are the sizes without padding; triangular: panel b begins with column 4 b.
  PanelMatrix(std::size_t rows, std::size_t columns, bool is_triangular, unsigned threads);

  // Where panel b begins, and its first column.
  [[nodiscard]] std::size_t first_entry(std::size_t panel) const noexcept {
    const std::size_t full = panel_height * panel * width_;
    return is_triangular_ && panel > 0
               ? full - panel_height * panel_height * (panel * (panel - 1) / 2)
               : full;
  }
  [[nodiscard]] std::size_t first_column(std::size_t panel) const noexcept {
    return is_triangular_ ? panel_height * panel : 0;
  }
  [[nodiscard]] std::size_t first_panel(std::size_t slab) const noexcept {
    return std::min(slab * slab_height, panels_);
  }
  // Calls work(part, slab) for all slabs, those of a part one after the other.
  template <class Work>
  void for_each_slab(const Work& work) noexcept;

  // Calls load(panel, block, largest) for the blocks of columns of every panel that is loaded, tile
  // by tile; defined in panel_tiles.h. `transposed` is the matrix whose rows are the columns, null
  // if they are not read. Then normalises, and returns what that does.
  template <class Load>
  double load_by_tiles(const double* transposed, const Load& load) noexcept;
  // Divides by a power of two, unless `largest` is of a size that needs none, and returns it; 0 if
  // there is nothing to scale, or nothing finite.
  double normalise(double largest) noexcept;
  // y = the sum over slabs of what add_slab(slab, y) adds to a vector of T.
  template <class T, class AddSlab>
  void sum_slabs(std::span<double> y, const AddSlab& add_slab) noexcept;
  // x with zeros behind, as T.
  template <class T>
  const T* padded(std::span<const double> x) noexcept;
  template <class T>
  const T* entries() noexcept;
  void make_singles() noexcept;

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;  // columns with padding, a multiple of 8
  bool is_triangular_;
  std::size_t panels_;
  std::size_t slabs_;
  std::size_t parts_;  // sums of their own: as many threads can help
  std::vector<double> doubles_;
  std::vector<float> singles_;
  bool has_singles_ = false;
  double single_factor_ = 1;  // a power of two: what the entries in single precision are times
  std::vector<double> x_;
  std::vector<float> x_single_;
  std::vector<double> sums_;        // parts x width
  std::vector<float> sums_single_;  // parts x width: of a slab
  std::vector<double> largest_;     // of each slab
  std::unique_ptr<Team> team_;
};

template <>
const double* PanelMatrix::padded<double>(std::span<const double> x) noexcept;
template <>
const float* PanelMatrix::padded<float>(std::span<const double> x) noexcept;
template <>
const double* PanelMatrix::entries<double>() noexcept;
template <>
const float* PanelMatrix::entries<float>() noexcept;

template <class Work>
void PanelMatrix::for_each_slab(const Work& work) noexcept {
  // Parts have slabs of the beginning and the end, so that triangles are shared out evenly.
  team_->run(parts_, [&](std::size_t part) {
    for (std::size_t group = 0;; ++group) {
      const std::size_t slab = group * parts_ + (group % 2 == 0 ? part : parts_ - 1 - part);
      if (slab < slabs_) work(part, slab);
      if ((group + 1) * parts_ >= slabs_) break;
    }
  });
}

template <class T, class AddSlab>
void PanelMatrix::sum_slabs(std::span<double> y, const AddSlab& add_slab) noexcept {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  // A triangle is multiplied once, a rectangle by itself.
  const double unit = 1 / (is_triangular_ ? single_factor_ : single_factor_ * single_factor_);
  for_each_slab([&](std::size_t part, std::size_t slab) {
    double* const sum = sums_.data() + part * width_;
    if constexpr (std::is_same_v<T, double>) {
      add_slab(slab, sum);
    } else {
      const std::size_t first = first_column(first_panel(slab));
      float* const single = sums_single_.data() + part * width_;
      std::fill(single + first, single + width_, 0.0F);
      add_slab(slab, single);
      for (std::size_t i = first; i < width_; ++i) {
        sum[i] += unit * static_cast<double>(single[i]);
      }
    }
  });
  std::copy_n(sums_.begin(), y.size(), y.begin());
  for (std::size_t part = 1; part < parts_; ++part) {
    const double* const sum = sums_.data() + part * width_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += sum[i];
  }
}

}  // namespace keyhole::math
