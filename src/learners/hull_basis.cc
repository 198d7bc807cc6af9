#include "learners/hull_basis.h"

#include <algorithm>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole {

// Gram and Schmidt on the flattened axes, the longest of what is left first: of a projection of
// rank m at least one column is longer than 0.
HullBasis::HullBasis(const Set& set) : dimension_(set.dimension()), size_(set.hull_dimension()) {
  const std::size_t n = dimension_;
  if (size_ == n) return;
  std::vector<double> left(n * n, 0.0);  // what is left of each axis
  const auto row_of = [n](std::vector<double>& rows, std::size_t i) {
    return std::span(rows).subspan(i * n, n);
  };
  for (std::size_t i = 0; i < n; ++i) {
    left[i * n + i] = 1;
    set.flatten(row_of(left, i));
  }
  rows_.resize(size_ * n);
  for (std::size_t k = 0; k < size_; ++k) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (math::squared_norm(row_of(left, i)) > math::squared_norm(row_of(left, longest))) {
        longest = i;
      }
    }
    const std::span<double> b = row_of(rows_, k);
    std::copy_n(row_of(left, longest).begin(), n, b.begin());
    for (std::size_t j = 0; j < k; ++j) {  // once more, against rounding
      math::add(b, -math::dot(b, row_of(rows_, j)), row_of(rows_, j));
    }
    const double length = math::norm(b);
    for (double& coordinate : b) coordinate /= length;
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<double> axis = row_of(left, i);
      math::add(axis, -math::dot(axis, b), b);
    }
  }
}

void HullBasis::add_to(std::span<double> direction, double weight,
                       std::span<const double> c) const {
  if (rows_.empty()) {
    math::add(direction, weight, c);
    return;
  }
  for (std::size_t k = 0; k < size_; ++k) {
    math::add(direction, weight * c[k], std::span(rows_).subspan(k * dimension_, dimension_));
  }
}

void HullBasis::coordinates(std::span<const double> direction, std::span<double> c) const {
  for (std::size_t k = 0; k < size_; ++k) {
    c[k] = rows_.empty()
               ? direction[k]
               : math::dot(direction, std::span(rows_).subspan(k * dimension_, dimension_));
  }
}

}  // namespace keyhole
