#include "math/extreme_pairs.h"

#include <algorithm>
#include <cmath>

#include "math/cholesky.h"
#include "math/rows.h"
#include "math/sums.h"
#include "math/tridiagonal.h"

namespace keyhole::math {
namespace {

// What a certificate allows the extreme eigenvalue to be beyond the one found, beside ||A||: above
// the rounding of Cholesky's method.
constexpr double certified_share = 1e-9;

bool is_direct(std::size_t order, Method method) {
  return method == Method::direct || (method != Method::lanczos && order <= largest_direct_order);
}

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

ExtremeEigenpair::ExtremeEigenpair(std::size_t n, Method method)
    : n_(n), negated_d_(n), negated_e_(n - 1), scratch_(2 * n), vector_(n) {
  if (is_direct(n, method)) {
    form_.emplace(n);
    return;
  }
  matrix_.resize(n * n);
  lanczos_.emplace(n);
  if (method == Method::certified) form_.emplace(n);
}

bool ExtremeEigenpair::load(std::span<const double> a) noexcept {
  const std::span<double> matrix = lanczos_ ? std::span(matrix_) : form_->matrix();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      matrix[i * n_ + j] = matrix[j * n_ + i] = 0.5 * (a[i * n_ + j] + a[j * n_ + i]);
    }
  }
  scale_ = normalise(matrix);
  if (scale_ == 0) first_unit_vector(vector_);
  return scale_ != 0;
}

bool ExtremeEigenpair::is_least(double sign, double lambda) noexcept {
  if (!form_) return true;
  const double slack = certified_share * lanczos_->scale();
  return is_positive_definite(matrix_, n_, slack - lambda, form_->matrix(), sign);
}

bool ExtremeEigenpair::find_smallest_by_lanczos() noexcept {
  if (!lanczos_) return false;
  lanczos_->find_smallest(
      [&](std::span<const double> x, std::span<double> y) { multiply_symmetric(matrix_, x, y); });
  return is_least(1, lanczos_->smallest());
}

bool ExtremeEigenpair::find_both_by_lanczos() noexcept {
  if (!lanczos_) return false;
  lanczos_->find_both(
      [&](std::span<const double> x, std::span<double> y) { multiply_symmetric(matrix_, x, y); });
  const double magnitude = std::max(-lanczos_->smallest(), lanczos_->largest());
  return is_least(1, -magnitude) && is_least(-1, -magnitude);
}

void ExtremeEigenpair::reduce() noexcept {
  if (lanczos_) std::copy(matrix_.begin(), matrix_.end(), form_->matrix().begin());
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
  if (!load(a)) return 0;
  if (find_smallest_by_lanczos()) return take(lanczos_->smallest(), lanczos_->smallest_vector());
  reduce();
  const double lambda = smallest_eigenvalue(form_->diagonal(), form_->off_diagonal());
  find_vector(form_->diagonal(), form_->off_diagonal(), lambda);
  return lambda * scale_;
}

double ExtremeEigenpair::largest_in_magnitude(std::span<const double> a) noexcept {
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

TopSingularPair::TopSingularPair(std::size_t rows, std::size_t columns, Method method)
    : wide_(columns > rows),
      long_side_(std::max(rows, columns)),
      short_side_(std::min(rows, columns)),
      b_(rows * columns),
      long_(long_side_),
      short_(short_side_) {
  const bool direct = is_direct(short_side_, method);
  if (!direct) lanczos_.emplace(short_side_);
  if (direct || method == Method::certified) {
    gram_.resize(short_side_ * short_side_);
    of_gram_.emplace(short_side_, Method::direct);
  }
  if (lanczos_ && of_gram_) scratch_.resize(short_side_ * short_side_);
}

std::span<const double> TopSingularPair::top_of_gram() noexcept {
  if (lanczos_) {
    lanczos_->find_smallest(
        [&](std::span<const double> x, std::span<double> y) { multiply_negated_gram(b_, x, y); });
    if (!of_gram_) return lanczos_->smallest_vector();
  }
  negated_gram(b_, short_side_, gram_);
  if (lanczos_) {
    const double square = -lanczos_->smallest();
    if (is_positive_definite(gram_, short_side_, square * (1 + certified_share), scratch_)) {
      return lanczos_->smallest_vector();
    }
  }
  of_gram_->smallest(gram_);
  return of_gram_->vector();
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
  const std::span<const double> v = top_of_gram();
  std::copy(v.begin(), v.end(), short_.begin());
  multiply(b_, v, long_);
  const double sigma = norm(long_);
  for (double& entry : long_) entry /= sigma;
  return sigma * scale;
}

}  // namespace keyhole::math
