#include "math/spectral/max_cut_relaxation.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

// The longest step, at most 1, that stays inside: by trying, and then 5 % less. 0 if there is none
// worth taking.
template <class IsInside>
double step_length(IsInside is_inside) {
  constexpr double shorter = 0.8;
  constexpr double shortest = 1e-4;
  if (is_inside(1.0)) return 1;
  for (double length = shorter; length > shortest; length *= shorter) {
    if (is_inside(length) && is_inside(0.95 * length)) return 0.95 * length;
  }
  return 0;
}

}  // namespace

MaxCutRelaxation::MaxCutRelaxation(std::size_t n, std::size_t most_steps)
    : n_(n),
      most_steps_(most_steps),
      c_(n * n),
      x_(n * n),
      y_(n),
      factor_(n * n),
      inverse_(n * n),
      system_(n * n),
      dx_(n * n),
      dy_(n),
      trial_(n * n),
      row_(n),
      pair_(n, Method::direct) {}

std::span<const double> MaxCutRelaxation::minimise(std::span<const double> a) noexcept {
  relative_gap_ = 0;
  steps_ = 0;
  if (!load(a)) {
    std::fill(x_.begin(), x_.end(), 1.0);
    return x_;
  }
  start();
  while (gap() > accuracy * length_ && steps_ < most_steps_ && step()) ++steps_;
  relative_gap_ = gap() / length_;
  move_to_boundary();
  return x_;
}

bool MaxCutRelaxation::load(std::span<const double> a) noexcept {
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      c_[i * n_ + j] = c_[j * n_ + i] = 0.5 * (a[i * n_ + j] + a[j * n_ + i]);
    }
    c_[i * n_ + i] = 0;
  }
  const double largest = largest_magnitude(c_);
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  constexpr int least = -1000;  // what is smaller still is not lifted to 1, lest 2^-least overflow
  const double factor = std::ldexp(1.0, -std::max(std::ilogb(largest), least));
  for (double& entry : c_) entry *= factor;
  length_ = norm(c_);
  return true;
}

void MaxCutRelaxation::start() noexcept {
  std::fill(x_.begin(), x_.end(), 0.0);
  // Rows that are 0 get a share as well.
  const double share = 0.1 * length_ / static_cast<double>(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    x_[i * n_ + i] = 1;
    const double* const row = c_.data() + i * n_;
    y_[i] = -share - 1.1 * reduce(n_, [row](std::size_t j) { return std::abs(row[j]); });
  }
  std::fill(dy_.begin(), dy_.end(), 0.0);
  (void)is_dual_inside(0);
  last_lengths_ = 0;
}

double MaxCutRelaxation::gap() const noexcept { return dot(c_, x_) - sum(y_); }

bool MaxCutRelaxation::step() noexcept {
  invert();
  // Where the last steps were long, the next may aim farther.
  double mu = 0.5 * gap() / static_cast<double>(n_);
  if (last_lengths_ > 1.6) mu *= 0.5;
  if (last_lengths_ > 1.9) mu *= 0.2;
  if (!find_direction(mu)) return false;
  const double of_x = step_length([&](double length) { return is_inside(length); });
  const double of_y = step_length([&](double length) { return is_dual_inside(length); });
  if (of_y == 0) (void)is_dual_inside(0);
  if (of_x == 0 && of_y == 0) return false;
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += of_x * dx_[k];
  for (std::size_t i = 0; i < n_; ++i) y_[i] += of_y * dy_[i];
  last_lengths_ = of_x + of_y;
  return true;
}

void MaxCutRelaxation::invert() noexcept {
  for (std::size_t i = 0; i < n_; ++i) {
    const std::span<double> row = std::span(inverse_).subspan(i * n_, n_);
    std::fill(row.begin(), row.end(), 0.0);
    row[i] = 1;
    cholesky_solve(factor_, n_, row);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      inverse_[i * n_ + j] = inverse_[j * n_ + i] =
          0.5 * (inverse_[i * n_ + j] + inverse_[j * n_ + i]);
    }
  }
}

// dX = mu Z^-1 - X + X Diag(dy) Z^-1, made symmetric, and its diagonal is 0:
// (X o Z^-1) dy = 1 - mu diag(Z^-1).
bool MaxCutRelaxation::find_direction(double mu) noexcept {
  for (std::size_t k = 0; k < system_.size(); ++k) system_[k] = x_[k] * inverse_[k];
  if (!cholesky(system_, n_)) return false;
  for (std::size_t i = 0; i < n_; ++i) dy_[i] = 1 - mu * inverse_[i * n_ + i];
  cholesky_solve(system_, n_, dy_);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < n_; ++k) row_[k] = x_[i * n_ + k] * dy_[k];
    for (std::size_t j = 0; j < n_; ++j) {
      system_[i * n_ + j] = dot(row_, std::span(inverse_).subspan(j * n_, n_));
    }
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double product = 0.5 * (system_[i * n_ + j] + system_[j * n_ + i]);
      dx_[i * n_ + j] = dx_[j * n_ + i] = mu * inverse_[i * n_ + j] - x_[i * n_ + j] + product;
    }
    dx_[i * n_ + i] = 0;
  }
  return std::isfinite(sum(dy_));
}

bool MaxCutRelaxation::is_inside(double length) noexcept {
  for (std::size_t k = 0; k < x_.size(); ++k) trial_[k] = x_[k] + length * dx_[k];
  return cholesky(trial_, n_);
}

bool MaxCutRelaxation::is_dual_inside(double length) noexcept {
  std::copy(c_.begin(), c_.end(), factor_.begin());
  for (std::size_t i = 0; i < n_; ++i) factor_[i * n_ + i] = -(y_[i] + length * dy_[i]);
  return cholesky(factor_, n_);
}

void MaxCutRelaxation::move_to_boundary() noexcept {
  const double least = pair_.smallest(x_);
  if (!(least < 0.5)) return;
  for (double& entry : x_) entry /= 1 - least;
  for (std::size_t i = 0; i < n_; ++i) x_[i * n_ + i] = 1;
}

}  // namespace keyhole::math
