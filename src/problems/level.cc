#include "problems/level.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "problems/waves.h"

namespace keyhole::problems {

double MovingLevel::operator()(std::uint64_t t) const noexcept {
  switch (kind_) {
    case LossLevel::none:
      return 0;
    case LossLevel::trend:
      return size_ * (static_cast<double>(std::min(t, period_)) / static_cast<double>(period_));
    case LossLevel::season:
      return size_ * sine(t, period_);
    case LossLevel::jumps:
      return size_ * stage((t - 1) / period_);
    case LossLevel::walk:
      return size_ * (walk(t) / std::sqrt(static_cast<double>(period_)));
  }
  return 0;  // not reached
}

/// Uniform on [-1, 1).
double MovingLevel::stage(std::uint64_t index) const noexcept {
  double u = 0;
  draws_.uniforms(Purpose::levels, index, std::span(&u, 1));
  return 2 * u - 1;
}

/// One standard normal number for each index.
double MovingLevel::number(std::uint64_t index) const noexcept {
  double z = 0;
  draws_.normals(Purpose::levels, index, std::span(&z, 1));
  return z;
}

/// W(t) of a walk with steps of variance 1, from the numbers of 2 log t times, by Levy's midpoints:
/// W(2 s) - W(s) has variance s for powers of two s, and W at the middle of two times that are d
/// apart is the mean of both but for a variance of d / 4.
double MovingLevel::walk(std::uint64_t t) const noexcept {
  std::uint64_t low = 1;
  std::uint64_t high = 1;
  double at_low = number(1);
  double at_high = at_low;
  while (high < t) {
    low = high;
    at_low = at_high;
    high = 2 * low;
    at_high = at_low + std::sqrt(static_cast<double>(low)) * number(high);
  }
  while (t != low && t != high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const double apart = static_cast<double>(high - low);
    const double value = (at_low + at_high) / 2 + std::sqrt(apart / 4) * number(middle);
    (t < middle ? high : low) = middle;
    (t < middle ? at_high : at_low) = value;
  }
  return t == low ? at_low : at_high;
}

LossBounds MovingLevel::widened(LossBounds bounds) const noexcept {
  if (kind_ == LossLevel::none) return bounds;
  bounds.loss += (kind_ == LossLevel::walk ? 5 : 1) * std::abs(size_);
  bounds.proven = bounds.proven && kind_ != LossLevel::walk;
  return bounds;
}

}  // namespace keyhole::problems
