#include "math/spectral/singular_decomposition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "math/orthonormal_rows.h"
#include "math/spectral/hestenes.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

// sum += factor x
void add(double* __restrict sum, double factor, const double* __restrict x,
         std::size_t size) noexcept {
  for (std::size_t k = 0; k < size; ++k) sum[k] += factor * x[k];
}

}  // namespace

SingularDecomposition::SingularDecomposition(std::size_t rows, std::size_t columns)
    : wide_(rows <= columns),
      small_(std::min(rows, columns)),
      large_(std::max(rows, columns)),
      eigen_(small_),
      matrix_(rows * columns),
      gram_(small_ * small_),
      w_(small_ * small_),
      y_(rows * columns),
      lengths_(small_),
      values_(small_),
      order_(small_),
      ordered_(rows * columns) {}

std::span<double> SingularDecomposition::decompose(std::span<const double> a) {
  double largest = 0;
  for (const double entry : a) largest = std::max(largest, std::abs(entry));
  scale_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  for (std::size_t i = 0; i < small_; ++i) {
    for (std::size_t j = 0; j < large_; ++j) {
      matrix_[i * large_ + j] = (wide_ ? a[i * large_ + j] : a[j * small_ + i]) / scale_;
    }
  }
  const auto row = [&](const std::vector<double>& of, std::size_t i) {
    return std::span(of).subspan(i * large_, large_);
  };
  for (std::size_t i = 0; i < small_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      gram_[i * small_ + j] = gram_[j * small_ + i] = dot(row(matrix_, i), row(matrix_, j));
    }
  }
  eigen_.decompose(gram_);
  std::copy_n(eigen_.vectors().begin(), w_.size(), w_.begin());
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t i = 0; i < small_; ++i) {
    for (std::size_t j = 0; j < small_; ++j) {
      add(y_.data() + i * large_, w_[i * small_ + j], matrix_.data() + j * large_, large_);
    }
  }
  is_proved_ = orthogonalise_by_rotations(y_, w_, lengths_, norm(matrix_));
  for (std::size_t i = 0; i < small_; ++i) {
    lengths_[i] = values_[i] = norm(row(y_, i)) * scale_;
  }
  return values_;
}

void SingularDecomposition::complete() {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(-lengths_[i], i) < std::pair(-lengths_[j], j);
  });
  for (std::size_t k = 0; k < small_; ++k) {
    std::copy_n(y_.data() + order_[k] * large_, large_, ordered_.data() + k * large_);
  }
  orthonormalise_rows(ordered_, large_);
  for (std::size_t k = 0; k < small_; ++k) {
    std::copy_n(ordered_.data() + k * large_, large_, y_.data() + order_[k] * large_);
    lengths_[order_[k]] = scale_;
  }
}

void SingularDecomposition::compose(std::span<double> a) const {
  std::fill(a.begin(), a.end(), 0.0);
  for (std::size_t i = 0; i < small_; ++i) {
    // A value of 0 may have been changed by a rounding: there is no vector to it.
    if (values_[i] == 0 || lengths_[i] == 0) continue;
    const double factor = values_[i] / lengths_[i] * scale_;
    const double* const w = w_.data() + i * small_;
    const double* const y = y_.data() + i * large_;
    if (wide_) {
      for (std::size_t j = 0; j < small_; ++j) add(a.data() + j * large_, factor * w[j], y, large_);
    } else {
      for (std::size_t j = 0; j < large_; ++j) add(a.data() + j * small_, factor * y[j], w, small_);
    }
  }
}

std::vector<double> singular_values(std::span<const double> a, std::size_t rows,
                                    std::size_t columns) {
  SingularDecomposition decomposition(rows, columns);
  const std::span<double> values = decomposition.decompose(a);
  if (!decomposition.is_proved()) {
    return std::vector(values.size(), std::numeric_limits<double>::quiet_NaN());
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  return {values.begin(), values.end()};
}

}  // namespace keyhole::math
