#include "math/spectral/lanczos.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "math/dense.h"
#include "math/elementary.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/spectral/tridiagonal.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double failure_probability = 1e-12;
constexpr double share_of_spread = 0.05;
constexpr double breakdown = 1e-13;  // a next vector this short, relative to ||A||, is rounding
constexpr std::size_t steps_between_tests = 8;
// sqrt(sum z_k^2) of the steps to come, relative to the residual of now: 5 to 10 for crowded
// spectra, and room for the sums of rounding.
constexpr double weight_of_rest = 5;
// The error of rough products in a pair to which all of them were, relative to that of one.
// Measured: up to 1.
constexpr double error_of_all = 2;
// A next vector this many times the error of a rough product, or shorter, is not to be trusted.
constexpr double roughest = 100;

}  // namespace

std::size_t Lanczos::steps(std::size_t n) noexcept {
  const double k = (1 + math::log(1.648 * std::sqrt(static_cast<double>(n)) / failure_probability) /
                            std::sqrt(share_of_spread)) /
                   2;
  return std::min(n, static_cast<std::size_t>(std::ceil(k)));
}

Lanczos::Lanczos(std::size_t n, double residual, int most_restarts)
    : n_(n),
      residual_(residual),
      steps_(steps(n)),
      most_(std::min(n, 3 * steps_)),
      start_(n),
      basis_(most_, n),
      latest_(n),
      before_(n),
      alpha_(most_),
      beta_(most_),
      w_(n),
      negated_(2 * most_),
      scratch_(2 * most_),
      most_restarts_(most_restarts) {
  for (End* const end : {&low_, &high_}) {
    end->z.resize(most_);
    end->v.resize(n);
  }
  constexpr std::uint64_t seed = 0x1a2c705;
  gaussians(Ars(seed, 0), 0, 0, start_);
  const double length = norm(start_);
  for (double& entry : start_) entry /= length;
}

void Lanczos::begin(bool both, double error) noexcept {
  begin_basis(start_);
  low_.asked = low_.wanted = true;
  high_.asked = high_.wanted = both;
  low_.found = false;
  high_.found = !both;
  products_ = 0;
  rough_products_ = 0;
  rough_error_ = error;
  // From the first, where the residual of the start would do, which is at most ||A||.
  is_rough_ = error > 0 && residual_ >= weight_of_rest * error;
  accepted_ = is_rough_ ? residual_ - error_of_all * error : residual_;
  is_confirmed_ = false;
  is_proved_ = true;
  restarts_ = 0;
  scale_ = 0;
}

void Lanczos::begin_basis(std::span<const double> q) noexcept {
  std::copy(q.begin(), q.end(), latest_.begin());
  basis_.set(0, q);
  count_ = 1;
}

double Lanczos::orthogonalise() noexcept {
  // The three-term recurrence, and then once against the whole basis what rounding has left of it.
  double& alpha = alpha_[count_ - 1];
  alpha = dot(latest_, w_);
  add(w_, -alpha, latest_);
  if (count_ > 1) add(w_, -beta_[count_ - 2], before_);
  basis_.remove_from(w_);
  return norm(w_);
}

bool Lanczos::step() noexcept {
  const double length = orthogonalise();
  beta_[count_ - 1] = length;
  scale_ = std::max({scale_, length, std::abs(alpha_[count_ - 1])});
  if (is_rough_ && length <= roughest * rough_error_ * scale_) {
    // The basis is nearly invariant: what is left of the product is mostly its error.
    is_rough_ = false;
    rough_error_ = 0;
  }
  const bool is_invariant = !(length > breakdown * scale_) || count_ == n_;
  const bool is_full = count_ == most_;
  const bool is_due = (count_ >= steps_ || restarts_ > 0) &&
                      count_ % steps_between_tests == steps_ % steps_between_tests;
  if (is_invariant || is_full || is_due) {
    bool is_accepted = true;
    for (End* const end : {&low_, &high_}) {
      if (!end->wanted) continue;
      const bool is_exact = solve(*end) <= accepted_ * scale_;
      const bool gives_up = restarts_ >= most_restarts_ && !is_exact && !is_invariant;
      if (gives_up) is_proved_ = false;
      end->found = is_exact || is_invariant || gives_up;
      is_accepted = is_accepted && end->found;
    }
    if (is_accepted || is_full) {
      if (low_.wanted) assemble(low_);
      if (high_.wanted) assemble(high_);
      if (low_.found && high_.found) return true;
      restart(low_.found ? high_ : low_);
      return false;
    }
  }
  if (may_be_rough()) is_rough_ = true;
  std::swap(before_, latest_);
  const double inverse = 1 / length;
  for (std::size_t i = 0; i < n_; ++i) latest_[i] = w_[i] * inverse;
  basis_.set(count_, latest_);
  ++count_;
  return false;
}

bool Lanczos::may_be_rough() noexcept {
  if (is_rough_ || rough_error_ == 0 || count_ % steps_between_tests != 0) return false;
  const double allowed = residual_ / (rough_error_ * weight_of_rest) * scale_;
  return (!low_.wanted || solve(low_) <= allowed) && (!high_.wanted || solve(high_) <= allowed);
}

void Lanczos::confirm(End& end) noexcept {
  const double theta = dot(end.v, w_);
  add(w_, -theta, end.v);
  const bool is_exact = norm(w_) <= residual_ * scale_;
  if (!is_exact && restarts_ >= most_restarts_) is_proved_ = false;
  end.found = is_exact || restarts_ >= most_restarts_;
  end.theta = end.sign * theta;
}

bool Lanczos::give_up_rough_products() noexcept {
  is_confirmed_ = true;
  if (low_.found && high_.found) return true;
  restart(low_.found ? high_ : low_);
  return false;
}

void Lanczos::restart(End& end) noexcept {
  const bool goes_on = end.wanted && low_.wanted != high_.wanted;
  restarts_ = goes_on ? restarts_ + 1 : 1;
  low_.wanted = &end == &low_;
  high_.wanted = &end == &high_;
  is_rough_ = false;  // the vector of the pair has a large share of all steps to come
  rough_error_ = 0;
  accepted_ = residual_;
  begin_basis(end.v);
}

double Lanczos::solve(End& end) noexcept {
  std::span<const double> d(alpha_.data(), count_);
  std::span<const double> e(beta_.data(), count_ - 1);
  if (end.sign < 0) {
    const std::span<double> negated(negated_);
    std::transform(d.begin(), d.end(), negated.begin(), std::negate<>());
    std::transform(e.begin(), e.end(), negated.begin() + static_cast<std::ptrdiff_t>(count_),
                   std::negate<>());
    d = negated.first(count_);
    e = negated.subspan(count_, count_ - 1);
  }
  const std::span<double> z = std::span(end.z).first(count_);
  end.theta = smallest_eigenvalue(d, e);
  smallest_eigenvector(d, e, end.theta, std::span(scratch_).first(2 * count_), z);
  return beta_[count_ - 1] * std::abs(z[count_ - 1]);
}

void Lanczos::assemble(End& end) noexcept {
  basis_.combine(std::span(end.z).first(count_), end.v);
  const double length = norm(end.v);
  for (double& entry : end.v) entry /= length;
}

}  // namespace keyhole::math
