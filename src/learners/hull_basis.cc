#include "learners/hull_basis.h"

#include <utility>

#include "math/dense.h"
#include "math/span.h"
#include "math/sums.h"

namespace keyhole::algorithms {

HullBasis::HullBasis(const Set& set) : dimension_(set.dimension()), size_(set.hull_dimension()) {
  const std::size_t n = dimension_;
  if (size_ == n) return;
  std::vector<double> axes(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    axes[i * n + i] = 1;
    set.flatten(std::span(axes).subspan(i * n, n));
  }
  // Of a projection of rank m at least one column is longer than sqrt(m / n).
  rows_ = math::orthonormal_basis(std::move(axes), n, 1e-6);
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

}  // namespace keyhole::algorithms
