#include "math/extreme_pairs.h"

#include <algorithm>
#include <cmath>

#include "math/sums.h"
#include "math/tridiagonal.h"

namespace keyhole::math {
namespace {

bool is_small(std::size_t order) { return order <= largest_direct_order; }

// Divides by the power of two that brings the largest magnitude into [1, 2) and returns it; 0 if
// there is nothing to scale, or nothing finite.
double normalise(std::span<double> a) noexcept {
  const double largest = largest_magnitude(a);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  constexpr int least = -1000;  // what is smaller still is not lifted to 1, lest 2^-least overflow
  const int exponent = std::max(std::ilogb(largest), least);
  const double factor = std::ldexp(1.0, -exponent);
  for (double& entry : a) entry *= factor;
  return std::ldexp(1.0, exponent);
}

void first_unit_vector(std::span<double> z) noexcept {
  std::fill(z.begin(), z.end(), 0.0);
  z[0] = 1;
}

void divide_by_length(std::span<double> z) noexcept {
  const double length = norm(z);
  for (double& entry : z) entry /= length;
}

// to = B', where B has `rows` rows of size `columns`.
void transpose(std::span<const double> b, std::size_t rows, std::size_t columns,
               std::span<double> to) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = b[i * columns + j];
  }
}

// G = -B'B for B with rows of size k: sums of outer products of rows, two at a time.
void negated_gram(std::span<const double> b, std::size_t k, std::span<double> gram) noexcept {
  std::fill(gram.begin(), gram.end(), 0.0);
  const std::size_t rows = b.size() / k;
  std::size_t r = 0;
  for (; r + 1 < rows; r += 2) {
    const double* const b_0 = b.data() + r * k;
    const double* const b_1 = b_0 + k;
    for (std::size_t i = 0; i < k; ++i) {
      double* const row = gram.data() + i * k;
      const double x = b_0[i];
      const double y = b_1[i];
      for (std::size_t j = i; j < k; ++j) row[j] -= x * b_0[j] + y * b_1[j];
    }
  }
  if (r < rows) {
    const double* const last = b.data() + r * k;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = i; j < k; ++j) gram[i * k + j] -= last[i] * last[j];
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < i; ++j) gram[i * k + j] = gram[j * k + i];
  }
}

}  // namespace

ExtremeEigenpair::ExtremeEigenpair(std::size_t n)
    : n_(n),
      form_(is_small(n) ? n : 0),
      negated_d_(n),
      negated_e_(n - 1),
      scratch_(2 * n),
      vector_(n) {
  if (is_small(n)) return;
  matrix_.resize(n * n);
  lanczos_.emplace(n);
}

bool ExtremeEigenpair::load(std::span<const double> a) noexcept {
  const std::span<double> matrix = lanczos_ ? std::span(matrix_) : form_.matrix();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      matrix[i * n_ + j] = matrix[j * n_ + i] = 0.5 * (a[i * n_ + j] + a[j * n_ + i]);
    }
  }
  scale_ = normalise(matrix);
  if (scale_ == 0) first_unit_vector(vector_);
  return scale_ != 0;
}

double ExtremeEigenpair::smallest_by_lanczos(double sign) noexcept {
  return lanczos_->smallest([&](std::span<const double> x, std::span<double> y) {
    const std::span<const double> matrix(matrix_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = sign * dot(matrix.subspan(i * n_, n_), x);
  });
}

void ExtremeEigenpair::find_vector(std::span<const double> d, std::span<const double> e,
                                   double lambda) noexcept {
  smallest_eigenvector(d, e, lambda, scratch_, vector_);
  form_.back_transform(vector_);
  divide_by_length(vector_);
}

double ExtremeEigenpair::smallest(std::span<const double> a) noexcept {
  if (!load(a)) return 0;
  if (lanczos_) {
    const double lambda = smallest_by_lanczos(1);
    std::copy(lanczos_->vector().begin(), lanczos_->vector().end(), vector_.begin());
    return lambda * scale_;
  }
  form_.reduce();
  const double lambda = smallest_eigenvalue(form_.diagonal(), form_.off_diagonal());
  find_vector(form_.diagonal(), form_.off_diagonal(), lambda);
  return lambda * scale_;
}

double ExtremeEigenpair::largest_in_magnitude(std::span<const double> a) noexcept {
  if (!load(a)) return 0;
  if (lanczos_) {
    const double smallest = smallest_by_lanczos(1);
    std::copy(lanczos_->vector().begin(), lanczos_->vector().end(), vector_.begin());
    const double negated_largest = smallest_by_lanczos(-1);
    if (smallest <= negated_largest) return smallest * scale_;
    std::copy(lanczos_->vector().begin(), lanczos_->vector().end(), vector_.begin());
    return -negated_largest * scale_;
  }
  form_.reduce();
  const auto d = form_.diagonal();
  const auto e = form_.off_diagonal();
  std::transform(d.begin(), d.end(), negated_d_.begin(), std::negate<>());
  std::transform(e.begin(), e.end(), negated_e_.begin(), std::negate<>());
  const double smallest = smallest_eigenvalue(d, e);
  const double negated_largest = smallest_eigenvalue(negated_d_, negated_e_);
  if (smallest <= negated_largest) {
    find_vector(d, e, smallest);
    return smallest * scale_;
  }
  find_vector(negated_d_, negated_e_, negated_largest);
  return -negated_largest * scale_;
}

TopSingularPair::TopSingularPair(std::size_t rows, std::size_t columns)
    : wide_(columns > rows),
      long_side_(std::max(rows, columns)),
      short_side_(std::min(rows, columns)),
      b_(rows * columns),
      long_(long_side_),
      short_(short_side_) {
  if (is_small(short_side_)) {
    gram_.resize(short_side_ * short_side_);
    of_gram_.emplace(short_side_);
  } else {
    lanczos_.emplace(short_side_);
  }
}

double TopSingularPair::find(std::span<const double> a) noexcept {
  if (wide_) {
    transpose(a, short_side_, long_side_, b_);
  } else {
    std::copy(a.begin(), a.end(), b_.begin());
  }
  const double scale = normalise(b_);
  if (scale == 0) {
    first_unit_vector(long_);
    first_unit_vector(short_);
    return 0;
  }
  const auto row = [&](std::size_t i) {
    return std::span<const double>(b_).subspan(i * short_side_, short_side_);
  };
  std::span<const double> v;
  if (lanczos_) {
    lanczos_->smallest([&](std::span<const double> x, std::span<double> y) {  // y = -B'B x
      std::fill(y.begin(), y.end(), 0.0);
      for (std::size_t i = 0; i < long_side_; ++i) {
        const std::span<const double> b = row(i);
        const double product = dot(b, x);
        for (std::size_t j = 0; j < short_side_; ++j) y[j] -= product * b[j];
      }
    });
    v = lanczos_->vector();
  } else {
    negated_gram(b_, short_side_, gram_);
    of_gram_->smallest(gram_);
    v = of_gram_->vector();
  }
  std::copy(v.begin(), v.end(), short_.begin());
  for (std::size_t i = 0; i < long_side_; ++i) long_[i] = dot(row(i), v);
  const double sigma = norm(long_);
  for (double& entry : long_) entry /= sigma;
  return sigma * scale;
}

}  // namespace keyhole::math
