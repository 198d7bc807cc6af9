#include "math/spectral/max_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/spectral/hestenes.h"
#include "math/sums.h"

// With M = sum_k s_k u_k v_k' the largest Y is Diag(p)^(1/2) (sum_k t_k u_k v_k') Diag(q)^(1/2)
// with s = 2 mu t / (1 - t^2), so t = s / (mu + sqrt(mu^2 + s^2)), and 2 mu times the inverse of
// the matrix is [A, X; X', B] with the diagonals 2 e_a / weight_a, e_a = mu + sum_k s_k t_k f_ak^2
// / 2, f_ak the entry of row or column a in u_k or v_k. The e_a are the derivatives by the
// logarithms of the weights.
//
// The second derivatives by the logarithms of the roots of the weights are those of sum_k
// h(s_k(M)), h' = t, along M(a) = exp(Diag) M exp(Diag): with E = P'(dM) Q they are
//
//   sum_kl (t_k - t_l)/(s_k - s_l) ((E_kl + E_lk)/2)^2 + (t_k + t_l)/(s_k + s_l) ((E_kl -
//   E_lk)/2)^2
//
// and t_k/s_k times the squares of what leaves the span of the singular vectors, and sum_k t_k
// <u_k v_k', d^2 M> (Lewis, Sendov, "Twice differentiable spectral functions", 2001).

namespace keyhole::math {
namespace {

constexpr double negligible = 1e-13;  // singular values, relative to the largest

}  // namespace

MaxNorm::MaxNorm(std::size_t rows, std::size_t columns, int most_steps)
    : most_steps_(most_steps),
      short_(std::min(rows, columns)),
      long_(std::max(rows, columns)),
      wide_(rows <= columns),
      x_(rows * columns),
      weights_(rows + columns),
      matrix_(rows * columns),
      w_(short_ * short_),
      y_(rows * columns),
      values_(short_),
      factors_((rows + columns) * short_),
      slopes_(short_),
      same_(short_ * short_),
      cross_(short_ * short_),
      gradient_(rows + columns),
      system_((rows + columns) * (rows + columns)),
      step_(rows + columns),
      along_(rows + columns),
      products_(short_) {}

MaxNorm::Bounds MaxNorm::find(std::span<const double> x, std::optional<double> level) noexcept {
  const double scale = load(x);
  if (scale == 0) return {};
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t k = 0; k < short_; ++k) w_[k * short_ + k] = 1;
  for (std::size_t a = 0; a < weights_.size(); ++a) {
    weights_[a] = 1 / static_cast<double>(a < short_ ? short_ : long_);
  }
  Bounds bounds{0, std::numeric_limits<double>::infinity()};
  double mu = 0;
  for (int k = 0; k < most_steps_; ++k) {
    if (!decompose()) break;
    if (k == 0) mu = sum(values_) / static_cast<double>(weights_.size());
    bounds.lower = scale * lower_bound();
    const double upper = scale * std::min({upper_bound(mu), upper_bound(0.1 * mu), upper_bound(0)});
    bounds.upper = std::min(upper, bounds.upper);
    if (level && (bounds.lower > *level || bounds.upper <= *level)) break;
    if (bounds.upper - bounds.lower <= accuracy * bounds.upper) break;
    if (!advance(mu)) break;
  }
  return bounds;
}

bool MaxNorm::advance(double& mu) noexcept {
  constexpr double near = 0.25;  // where Newton's method converges quadratically
  constexpr double fall = 0.1;
  smooth(mu);
  fill_system(mu);
  if (!cholesky(system_, weights_.size())) return false;
  std::copy(weights_.begin(), weights_.end(), along_.begin());
  cholesky_solve(system_, weights_.size(), along_);
  const double length = std::sqrt(find_step() / mu);
  double share = 1 / (1 + length);  // of a self-concordant function
  if (length < near) {
    smooth(mu);
    for (std::size_t a = 0; a < weights_.size(); ++a) {
      gradient_[a] -= (1 - fall) * mu * gradient_by_mu(a, mu);
    }
    (void)find_step();
    const double down = -*std::min_element(step_.begin(), step_.end());
    share = down < 0.95 ? 1 : 0.95 / down;
    mu *= 1 - share * (1 - fall);
  }
  if (!std::isfinite(sum(step_))) return false;
  for (std::size_t a = 0; a < weights_.size(); ++a) weights_[a] *= 1 + share * step_[a];
  return true;
}

void MaxNorm::write_dual(std::span<double> y) const noexcept {
  const std::span<const double> weights(weights_);
  const double size = 1 / std::sqrt(sum(weights.first(short_)) * sum(weights.subspan(short_)));
  for (std::size_t i = 0; i < short_; ++i) {
    for (std::size_t j = 0; j < long_; ++j) {
      const double* const u = factors_.data() + i * short_;
      const double* const v = factors_.data() + (short_ + j) * short_;
      const double entry = reduce(short_, [u, v](std::size_t k) { return u[k] * v[k]; });
      y[wide_ ? i * long_ + j : j * short_ + i] =
          size * entry * std::sqrt(weights_[i]) * std::sqrt(weights_[short_ + j]);
    }
  }
}

double MaxNorm::load(std::span<const double> x) noexcept {
  std::fill(factors_.begin(), factors_.end(), 0.0);
  const double largest = largest_magnitude(x);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  constexpr int least = -1000;  // what is smaller still is not lifted to 1, lest 2^-least overflow
  const int exponent = std::max(std::ilogb(largest), least);
  const double factor = std::ldexp(1.0, -exponent);
  for (std::size_t i = 0; i < short_; ++i) {
    for (std::size_t j = 0; j < long_; ++j) {
      x_[i * long_ + j] = factor * x[wide_ ? i * long_ + j : j * short_ + i];
    }
  }
  return std::ldexp(1.0, exponent);
}

bool MaxNorm::decompose() noexcept {
  for (std::size_t i = 0; i < short_; ++i) {
    const double of_row = std::sqrt(weights_[i]);
    for (std::size_t j = 0; j < long_; ++j) {
      matrix_[i * long_ + j] = of_row * x_[i * long_ + j] * std::sqrt(weights_[short_ + j]);
    }
  }
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t k = 0; k < short_; ++k) {
    for (std::size_t i = 0; i < short_; ++i) {
      add(std::span(y_).subspan(k * long_, long_), w_[k * short_ + i],
          std::span(matrix_).subspan(i * long_, long_));
    }
  }
  if (!orthogonalise_by_rotations(y_, w_, values_, norm(matrix_))) return false;
  for (double& value : values_) value = std::sqrt(value);
  const double least = negligible * largest_magnitude(values_);
  for (std::size_t k = 0; k < short_; ++k) {
    const bool counts = values_[k] > least;
    for (std::size_t i = 0; i < short_; ++i) {
      factors_[i * short_ + k] = counts ? w_[k * short_ + i] : 0;
    }
    for (std::size_t j = 0; j < long_; ++j) {
      factors_[(short_ + j) * short_ + k] = counts ? y_[k * long_ + j] / values_[k] : 0;
    }
  }
  return true;
}

double MaxNorm::slope(std::size_t k, double mu) const noexcept {
  const double s = values_[k];
  return s > 0 ? s / (mu + std::sqrt(mu * mu + s * s)) : 0;
}

void MaxNorm::smooth(double mu) noexcept {
  for (std::size_t k = 0; k < short_; ++k) slopes_[k] = slope(k, mu);
  for (std::size_t a = 0; a < weights_.size(); ++a) {
    const double* const f = factors_.data() + a * short_;
    gradient_[a] = mu + 0.5 * reduce(short_, [&](std::size_t k) {
                          return values_[k] * slopes_[k] * (f[k] * f[k]);
                        });
  }
}

double MaxNorm::gradient_by_mu(std::size_t a, double mu) const noexcept {
  const double* const f = factors_.data() + a * short_;
  return 1 - 0.5 * reduce(short_, [&](std::size_t k) {
               const double s = values_[k];
               return s * slopes_[k] / std::sqrt(mu * mu + s * s) * (f[k] * f[k]);
             });
}

double MaxNorm::lower_bound() const noexcept {
  const std::span<const double> weights(weights_);
  return sum(values_) / std::sqrt(sum(weights.first(short_)) * sum(weights.subspan(short_)));
}

double MaxNorm::upper_bound(double mu) noexcept {
  smooth(mu);
  double of_rows = 0;
  double of_columns = 0;
  for (std::size_t a = 0; a < weights_.size(); ++a) {
    double& largest = a < short_ ? of_rows : of_columns;
    largest = std::max(largest, 2 * gradient_[a] / weights_[a]);
  }
  return std::sqrt(of_rows * of_columns);
}

void MaxNorm::fill_system(double mu) noexcept {
  for (std::size_t k = 0; k < short_; ++k) {
    for (std::size_t l = 0; l < short_; ++l) {
      const double together = values_[k] + values_[l];
      const double apart = values_[k] - values_[l];
      // (t_k - t_l)/(s_k - s_l) without a difference of equal numbers.
      const double of_k = mu + std::sqrt(mu * mu + values_[k] * values_[k]);
      const double of_l = mu + std::sqrt(mu * mu + values_[l] * values_[l]);
      const double rise = 2 * mu / (of_k * of_l * (1 + slopes_[k] * slopes_[l]));
      const double level = together > 0 ? (slopes_[k] + slopes_[l]) / together : 0;
      const double plus = 0.25 * rise * (together * together);
      const double minus = 0.25 * level * (apart * apart);
      same_[k * short_ + l] = plus + minus;
      cross_[k * short_ + l] = plus - minus;
    }
  }
  const std::size_t size = weights_.size();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      for (std::size_t k = 0; k < short_; ++k) {
        products_[k] = factors_[a * short_ + k] * factors_[b * short_ + k];
      }
      const bool mixed = a >= short_ && b < short_;
      const std::span<const double> squares(mixed ? cross_ : same_);
      double second = reduce(short_, [&](std::size_t k) {
        return products_[k] * dot(squares.subspan(k * short_, short_), products_);
      });
      if (mixed) {
        second += dot(slopes_, products_) * matrix_[b * long_ + (a - short_)];
      } else {
        const double outside = (a == b ? 1 : 0) - sum(products_);
        second += outside * reduce(short_, [&](std::size_t k) {
                    return values_[k] * slopes_[k] * products_[k];
                  });
      }
      // The last term changes nothing: steps are orthogonal to the weights.
      system_[a * size + b] =
          (a == b ? 0.5 * (gradient_[a] + mu) : 0) - 0.25 * second + weights_[a] * weights_[b];
    }
  }
}

double MaxNorm::find_step() noexcept {
  // The gradient without its part along the weights, which the constraint takes: what is left is
  // small, and keeps its digits.
  const double part = dot(weights_, gradient_) / squared_norm(weights_);
  for (std::size_t a = 0; a < step_.size(); ++a) gradient_[a] -= part * weights_[a];
  std::copy(gradient_.begin(), gradient_.end(), step_.begin());
  cholesky_solve(system_, weights_.size(), step_);
  const double multiplier = dot(weights_, step_) / dot(weights_, along_);
  for (std::size_t a = 0; a < step_.size(); ++a) step_[a] -= multiplier * along_[a];
  return std::max(dot(step_, gradient_), 0.0);
}

}  // namespace keyhole::math
