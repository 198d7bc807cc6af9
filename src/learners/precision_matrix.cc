#include "learners/precision_matrix.h"

#include <algorithm>

#include "math/cholesky.h"
#include "math/dense.h"
#include "math/spectral/tridiagonal.h"
#include "math/sums.h"

namespace keyhole::algorithms {

PrecisionMatrix::PrecisionMatrix(std::size_t n)
    : n_(n),
      p_(n * n),
      factor_(n * n),
      next_(n * n),
      next_factor_(n * n),
      eigenvector_(n),
      twisted_(2 * n),
      reduction_(n) {}

void PrecisionMatrix::reset(double value) {
  floor_ = value / 2;
  most_trace_ = 1e8 * value * static_cast<double>(n_);
  raised_ = 0;
  std::fill(p_.begin(), p_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) p_[i * n_ + i] = value;
  factor_ = p_;
  static_cast<void>(math::cholesky(factor_, n_));  // of a positive multiple of the unit matrix
}

void PrecisionMatrix::draw(std::span<const double> z, std::span<double> d) const {
  std::copy(z.begin(), z.end(), d.begin());
  for (std::size_t i = n_; i-- > 0;) {
    const std::span<const double> row = std::span(factor_).subspan(i * n_, n_);
    d[i] /= row[i];
    math::add(d.first(i), -d[i], row.first(i));
  }
}

void PrecisionMatrix::score(std::span<const double> z, std::span<double> v) const {
  for (std::size_t i = 0; i < n_; ++i) {
    v[i] = math::dot(std::span(factor_).subspan(i * n_, i + 1), z.first(i + 1));
  }
}

void PrecisionMatrix::solve(std::span<double> x) const { math::cholesky_solve(factor_, n_, x); }

double PrecisionMatrix::trace_of_inverse() const {
  double trace = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    std::vector<double> column(n_);
    column[i] = 1;
    solve(column);
    trace += column[i];
  }
  return trace;
}

void PrecisionMatrix::update(double c, std::span<const double> v) {
  double trace = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      next_[i * n_ + j] = (1 - c) * p_[i * n_ + j] + c * (v[i] * v[j]);
    }
    trace += next_[i * n_ + i];
  }
  if (!(trace <= most_trace_)) return;
  raise_spectrum_of_next();
  next_factor_ = next_;
  if (!math::cholesky(next_factor_, n_)) return;  // all but singular by rounding
  p_.swap(next_);
  factor_.swap(next_factor_);
}

void PrecisionMatrix::raise_spectrum_of_next() {
  // Roundings of the spectrum's own size do not matter to a floor that is a choice.
  const auto above_floor = [&] {
    return math::is_positive_definite(next_, n_, -(1 - 1e-6) * floor_, next_factor_);
  };
  for (std::size_t k = 0; k < n_ && !above_floor(); ++k) {
    const double size = math::largest_magnitude(next_);
    for (std::size_t i = 0; i < n_; ++i) {
      double* const row = &reduction_.matrix()[i * reduction_.stride()];
      for (std::size_t j = 0; j < n_; ++j) row[j] = next_[i * n_ + j] / size;
    }
    reduction_.reduce();
    const double least =
        math::smallest_eigenvalue(reduction_.diagonal(), reduction_.off_diagonal());
    math::smallest_eigenvector(reduction_.diagonal(), reduction_.off_diagonal(), least, twisted_,
                               eigenvector_);
    reduction_.back_transform(eigenvector_);
    const double missing = floor_ - size * least;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        next_[i * n_ + j] += missing * (eigenvector_[i] * eigenvector_[j]);
      }
    }
    ++raised_;
  }
}

void PrecisionMatrix::state(Archive& archive) {
  archive.field(raised_);
  archive.field(p_);
  if (!archive.reading()) return;
  factor_ = p_;
  if (!math::cholesky(factor_, n_)) throw StateError("the state's covariance is none");
}

}  // namespace keyhole::algorithms
