#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::problems {

/// A symmetric n x n matrix H as sums of squares build it up: only its upper triangle is kept.
class QuadraticForm {
 public:
  /// H = 0.
  explicit QuadraticForm(std::size_t n) : n_(n), h_(n * n) {}

  /// Row i of H from the diagonal on.
  [[nodiscard]] std::span<double> from_diagonal(std::size_t i) {
    return std::span(h_).subspan(i * n_ + i, n_ - i);
  }
  [[nodiscard]] std::span<const double> from_diagonal(std::size_t i) const {
    return std::span(h_).subspan(i * n_ + i, n_ - i);
  }

  /// H += g g'.
  void add_square(std::span<const double> g) {
    for (std::size_t i = 0; i < n_; ++i) math::add(from_diagonal(i), g[i], g.subspan(i));
  }

  /// x' H y.
  [[nodiscard]] double operator()(std::span<const double> x, std::span<const double> y) const {
    return math::reduce(n_, [&](std::size_t i) {
      return x[i] * math::dot(from_diagonal(i), y.subspan(i)) +
             y[i] * math::dot(from_diagonal(i).subspan(1), x.subspan(i + 1));
    });
  }

  /// y += H x.
  void add_product(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < n_; ++i) {
      y[i] += math::dot(from_diagonal(i), x.subspan(i));
      math::add(y.subspan(i + 1), x[i], from_diagonal(i).subspan(1));
    }
  }

 private:
  std::size_t n_;
  std::vector<double> h_;
};

}  // namespace keyhole::problems
