#pragma once

#include <cstddef>
#include <span>

#include "math/panels/panel_matrix.h"

namespace keyhole::math {

// The product -B'B of a matrix with `rows` rows of size `columns`, which is read once.
class GramPanels : private PanelMatrix {
 public:
  GramPanels(std::size_t rows, std::size_t columns, unsigned threads);

  // Takes B = A, or B = A' for an A of `columns` rows if transposed, divided by a power of two,
  // which is returned; 0 if there are only zeros, or
  // if not all is finite.
  double load(std::span<const double> a, bool is_transposed) noexcept;
  // y = -B'B x.
  void multiply(std::span<const double> x, std::span<double> y) noexcept;
  void multiply_roughly(std::span<const double> x, std::span<double> y) noexcept;
  // y = B x.
  void apply(std::span<const double> x, std::span<double> y) noexcept;

 private:
  template <class T>
  void product(std::span<const double> x, std::span<double> y) noexcept;
};

}  // namespace keyhole::math
