#include "math/lanczos.h"

#include <algorithm>
#include <cmath>

#include "math/ars.h"
#include "math/elementary.h"
#include "math/gaussian.h"
#include "math/tridiagonal.h"

namespace keyhole::math {
namespace {

constexpr double failure_probability = 1e-12;
constexpr double share_of_spread = 0.05;
constexpr double accepted_residual = 1e-10;
constexpr double breakdown = 1e-13;  // a next vector this short, beside ||A||, is rounding
constexpr std::size_t steps_between_tests = 16;
constexpr int most_restarts = 50;

}  // namespace

std::size_t Lanczos::steps(std::size_t n) noexcept {
  const double k = (1 + math::log(1.648 * std::sqrt(static_cast<double>(n)) / failure_probability) /
                            std::sqrt(share_of_spread)) /
                   2;
  return std::min(n, static_cast<std::size_t>(std::ceil(k)));
}

Lanczos::Lanczos(std::size_t n)
    : n_(n),
      steps_(steps(n)),
      most_(std::min(n, 2 * steps_)),
      start_(n),
      q_(most_ * n),
      alpha_(most_),
      beta_(most_),
      w_(n),
      scratch_(2 * most_),
      z_(most_),
      v_(n) {
  constexpr std::uint64_t seed = 0x1a2c705;
  gaussians(Ars(seed, 0), 0, 0, start_);
  const double length = norm(start_);
  for (double& entry : start_) entry /= length;
}

void Lanczos::begin() noexcept {
  std::copy(start_.begin(), start_.end(), q_.begin());
  count_ = 1;
  restarts_ = 0;
}

bool Lanczos::step() noexcept {
  // The three-term recurrence, and then once against the whole basis what rounding has left of it.
  alpha_[count_ - 1] = dot(latest(), w_);
  subtract(alpha_[count_ - 1], latest());
  if (count_ > 1) subtract(beta_[count_ - 2], basis(count_ - 2));
  for (std::size_t j = 0; j < count_; ++j) subtract(dot(basis(j), w_), basis(j));
  const double length = norm(w_);
  beta_[count_ - 1] = length;
  double scale = length;
  for (std::size_t j = 0; j < count_; ++j) {
    scale = std::max({scale, std::abs(alpha_[j]), j + 1 < count_ ? beta_[j] : 0.0});
  }
  const bool is_invariant = !(length > breakdown * scale) || count_ == n_;
  const bool is_full = count_ == most_;
  const bool is_due =
      count_ == steps_ || ((count_ > steps_ || restarts_ > 0) && count_ % steps_between_tests == 0);
  if (is_invariant || is_full || is_due) {
    const double residual = solve();
    const bool is_accepted = residual <= accepted_residual * scale || restarts_ == most_restarts;
    if (is_invariant || is_accepted || is_full) {
      assemble();
      if (is_invariant || is_accepted) return true;
      // Go on from the pair: theta can only fall.
      std::copy(v_.begin(), v_.end(), q_.begin());
      count_ = 1;
      ++restarts_;
      return false;
    }
  }
  double* const next = q_.data() + count_ * n_;
  for (std::size_t i = 0; i < n_; ++i) next[i] = w_[i] / length;
  ++count_;
  return false;
}

void Lanczos::subtract(double share, std::span<const double> q) noexcept {
  for (std::size_t i = 0; i < n_; ++i) w_[i] -= share * q[i];
}

double Lanczos::solve() noexcept {
  const std::span<const double> d(alpha_.data(), count_);
  const std::span<const double> e(beta_.data(), count_ - 1);
  const std::span<double> z(z_.data(), count_);
  theta_ = smallest_eigenvalue(d, e);
  smallest_eigenvector(d, e, theta_, std::span(scratch_).first(2 * count_), z);
  return beta_[count_ - 1] * std::abs(z[count_ - 1]);
}

void Lanczos::assemble() noexcept {
  std::fill(v_.begin(), v_.end(), 0.0);
  for (std::size_t j = 0; j < count_; ++j) {
    const std::span<const double> q = basis(j);
    for (std::size_t i = 0; i < n_; ++i) v_[i] += z_[j] * q[i];
  }
  const double length = norm(v_);
  for (double& entry : v_) entry /= length;
}

}  // namespace keyhole::math
