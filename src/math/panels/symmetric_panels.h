#pragma once

#include <cstddef>
#include <span>

#include "math/panels/panel_matrix.h"

namespace keyhole::math {

// A symmetric matrix of order n: what is right of the diagonal serves both its row and its column.
class SymmetricPanels : private PanelMatrix {
 public:
  SymmetricPanels(std::size_t n, unsigned threads);

  // Takes (A + A') / 2 divided by a power of two, which is returned; 0 if there are only zeros, or
  // if not all is finite.
  double load(std::span<const double> a) noexcept;
  // y = A x for the matrix loaded, which is A divided by the power of two.
  void multiply(std::span<const double> x, std::span<double> y) noexcept;
  void multiply_roughly(std::span<const double> x, std::span<double> y) noexcept;
  // The matrix loaded, row by row.
  void copy_to(std::span<double> a) const noexcept;

 private:
  template <class T>
  void product(std::span<const double> x, std::span<double> y) noexcept;
};

}  // namespace keyhole::math
