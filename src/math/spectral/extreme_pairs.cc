#include "math/spectral/extreme_pairs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "math/cholesky.h"
#include "math/rows.h"
#include "math/spectral/symmetric.h"
#include "math/spectral/tridiagonal.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

// What a certificate allows the extreme eigenvalue to be beyond the one found, relative to ||A||:
// above the rounding of Cholesky's method, and what the residual allows.
double certified_share(double residual) { return std::max(1e-9, 2 * residual); }

bool is_direct(std::size_t order, Method method) {
  return method == Method::direct || (method != Method::lanczos && order <= largest_direct_order);
}

// Whether nothing over- or underflows with the largest magnitude.
bool is_normal(double largest, double most = 0x1p64) noexcept {
  return largest >= 1 / most && largest <= most;
}

// Divides by a power of two, and returns it, unless the largest magnitude is in [2^-64, 2^64]
// already. 0 if there is nothing to scale, or nothing finite.
double normalise(std::span<double> a, double largest) noexcept {
  if (is_normal(largest)) return 1;
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

}  // namespace

ExtremeEigenpair::ExtremeEigenpair(std::size_t n, Method method, unsigned threads, double residual)
    : n_(n),
      certified_share_(certified_share(residual)),
      negated_d_(n),
      negated_e_(n - 1),
      scratch_(2 * n),
      vector_(n) {
  if (is_direct(n, method)) {
    form_.emplace(n);
    return;
  }
  panels_.emplace(n, threads);
  lanczos_.emplace(n, residual);
  if (method != Method::certified) return;
  matrix_.resize(n * n);
  form_.emplace(n);
}

bool ExtremeEigenpair::load(std::span<const double> a) noexcept {
  if (lanczos_) {
    scale_ = panels_->load(a);
    if (form_) panels_->copy_to(matrix_);
  } else {
    scale(symmetric_part(a, n_, form_->matrix(), form_->stride()));
  }
  if (scale_ == 0) first_unit_vector(vector_);
  return scale_ != 0;
}

void ExtremeEigenpair::scale(double largest) noexcept {
  scale_ = normalise(form_->matrix(), largest);
}

bool ExtremeEigenpair::is_least(double sign, double lambda) noexcept {
  if (!form_) return true;
  if (!is_proved_) return false;
  const double slack = certified_share_ * lanczos_->scale();
  return is_positive_definite(matrix_, n_, slack - lambda, form_->matrix(), sign);
}

bool ExtremeEigenpair::find_smallest_by_lanczos() noexcept {
  if (!lanczos_) return false;
  lanczos_->find_smallest(
      [&](std::span<const double> x, std::span<double> y) { panels_->multiply(x, y); },
      [&](std::span<const double> x, std::span<double> y) { panels_->multiply_roughly(x, y); },
      rough_error);
  is_proved_ = lanczos_->is_proved();
  return is_least(1, lanczos_->smallest());
}

bool ExtremeEigenpair::find_both_by_lanczos() noexcept {
  if (!lanczos_) return false;
  lanczos_->find_both(
      [&](std::span<const double> x, std::span<double> y) { panels_->multiply(x, y); },
      [&](std::span<const double> x, std::span<double> y) { panels_->multiply_roughly(x, y); },
      rough_error);
  is_proved_ = lanczos_->is_proved();
  const double magnitude = std::max(-lanczos_->smallest(), lanczos_->largest());
  return is_least(1, -magnitude) && is_least(-1, -magnitude);
}

void ExtremeEigenpair::reduce() noexcept {
  is_proved_ = true;  // whatever Lanczos's method has left
  if (lanczos_) {
    const std::span<double> matrix = form_->matrix();
    std::fill(matrix.begin(), matrix.end(), 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy_n(&matrix_[i * n_], n_, &matrix[i * form_->stride()]);
    }
    scale_ *= normalise(matrix, largest_magnitude(matrix));
  }
  form_->reduce();
}

void ExtremeEigenpair::find_vector(std::span<const double> d, std::span<const double> e,
                                   double lambda) noexcept {
  smallest_eigenvector(d, e, lambda, scratch_, vector_);
  form_->back_transform(vector_);
  divide_by_length(vector_);
}

double ExtremeEigenpair::take(double lambda, std::span<const double> v) noexcept {
  std::copy(v.begin(), v.end(), vector_.begin());
  return lambda * scale_;
}

double ExtremeEigenpair::smallest(std::span<const double> a) noexcept {
  is_proved_ = true;
  if (!load(a)) return 0;
  if (find_smallest_by_lanczos()) return take(lanczos_->smallest(), lanczos_->smallest_vector());
  reduce();
  return smallest_of_form();
}

bool ExtremeEigenpair::find_top_of_gram(std::span<const double> b) noexcept {
  const double largest = negated_gram(b, n_, form_->matrix(), form_->stride());
  if (!is_normal(largest, 0x1p200)) return false;
  scale(largest);
  form_->reduce();
  smallest_of_form();
  return true;
}

double ExtremeEigenpair::smallest_of_form() noexcept {
  const double lambda = smallest_eigenvalue(form_->diagonal(), form_->off_diagonal());
  find_vector(form_->diagonal(), form_->off_diagonal(), lambda);
  return lambda * scale_;
}

double ExtremeEigenpair::largest_in_magnitude(std::span<const double> a) noexcept {
  is_proved_ = true;
  if (!load(a)) return 0;
  if (find_both_by_lanczos()) {
    return lanczos_->smallest() <= -lanczos_->largest()
               ? take(lanczos_->smallest(), lanczos_->smallest_vector())
               : take(lanczos_->largest(), lanczos_->largest_vector());
  }
  reduce();
  const auto d = form_->diagonal();
  const auto e = form_->off_diagonal();
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

TopSingularPair::TopSingularPair(std::size_t rows, std::size_t columns, Method method,
                                 unsigned threads, double residual)
    : certified_share_(certified_share(residual)),
      wide_(columns > rows),
      long_side_(std::max(rows, columns)),
      short_side_(std::min(rows, columns)),
      long_(long_side_),
      short_(short_side_) {
  const bool direct = is_direct(short_side_, method);
  if (!direct) {
    lanczos_.emplace(short_side_, residual);
    panels_.emplace(long_side_, short_side_, threads);
  }
  if (direct || method == Method::certified) {
    b_.resize(rows * columns);
    of_gram_.emplace(short_side_, Method::direct);
  }
  if (lanczos_ && of_gram_) {
    gram_.resize(short_side_ * short_side_);
    scratch_.resize(short_side_ * short_side_);
  }
}

double TopSingularPair::load(std::span<const double> a) noexcept {
  if (wide_) {
    transpose(a, short_side_, long_side_, b_);
  } else {
    std::copy(a.begin(), a.end(), b_.begin());
  }
  return normalise(b_, largest_magnitude(b_));
}

void TopSingularPair::finish(double scale) noexcept {
  if (scale == 0) {
    first_unit_vector(long_);
    first_unit_vector(short_);
    sigma_ = 0;
    return;
  }
  const double sigma = norm(long_);
  for (double& entry : long_) entry /= sigma;
  sigma_ = sigma * scale;
}

bool TopSingularPair::find_by_lanczos(std::span<const double> a) noexcept {
  if (!lanczos_) return false;
  const double scale = panels_->load(a, wide_);
  if (scale != 0) {
    lanczos_->find_smallest(
        [&](std::span<const double> x, std::span<double> y) { panels_->multiply(x, y); },
        [&](std::span<const double> x, std::span<double> y) { panels_->multiply_roughly(x, y); },
        rough_error);
    is_proved_ = lanczos_->is_proved();
    if (of_gram_) {
      if (!is_proved_) return false;
      const double units = scale / load(a);
      negated_gram(b_, short_side_, gram_, short_side_);
      const double square = -lanczos_->smallest() * units * units;
      if (!is_positive_definite(gram_, short_side_, square * (1 + certified_share_), scratch_)) {
        return false;
      }
    }
    const auto v = lanczos_->smallest_vector();
    std::copy(v.begin(), v.end(), short_.begin());
    panels_->apply(short_, long_);
  }
  finish(scale);
  return true;
}

void TopSingularPair::find_directly(std::span<const double> a) noexcept {
  // Squares that do not over- or underflow need no scaling: then A is taken as it stands.
  std::span<const double> b = a;
  double scale = 1;
  if (wide_ || !of_gram_->find_top_of_gram(b)) {
    scale = load(a);
    b = b_;
    if (scale != 0) of_gram_->find_top_of_gram(b);
  }
  if (scale != 0) {
    const auto v = of_gram_->vector();
    std::copy(v.begin(), v.end(), short_.begin());
    multiply(b, short_, long_);
  }
  finish(scale);
}

double TopSingularPair::find(std::span<const double> a) noexcept {
  is_proved_ = true;
  if (!find_by_lanczos(a)) {
    find_directly(a);
    is_proved_ = true;
  }
  return sigma_;
}

}  // namespace keyhole::math
