#include "sets/norm_balls/owl_projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/sums.h"
#include "sets/multiplier.h"

namespace keyhole::sets {

double owl_norm(std::span<const double> weights, std::span<const double> falling) {
  return math::reduce(falling.size(),
                      [&](std::size_t i) { return weights[i] * std::abs(falling[i]); });
}

OwlProjection::OwlProjection(std::span<const double> weights, double radius)
    : weights_(weights),
      radius_(radius),
      order_(weights.size()),
      falling_(weights.size()),
      pools_(weights.size()),
      fine_pools_(weights.size()) {}

template <class Number>
Number OwlProjection::pool(Number mu, Pools<Number>& pools) {
  pool_count_ = 0;
  for (std::size_t i = 0; i < falling_.size(); ++i) {
    Pool<Number> last = {falling_[i], weights_[i], 1};
    for (; pool_count_ > 0 && !(pools[pool_count_ - 1].mean(mu) > last.mean(mu)); --pool_count_) {
      const Pool<Number>& before = pools[pool_count_ - 1];
      last = {before.magnitudes + last.magnitudes, before.weights + last.weights,
              before.count + last.count};
    }
    pools[pool_count_++] = last;
  }
  Number omega = 0;
  Number slope = 0;
  for (std::size_t j = 0; j < pool_count_; ++j) {
    const Pool<Number>& p = pools[j];
    if (!(p.mean(mu) > 0)) break;
    omega += p.weights * p.mean(mu);
    slope += p.weights * (p.weights / p.count);
  }
  return (radius_ - omega) / slope;
}

template <class Number>
void OwlProjection::shrink(Pools<Number>& pools) {
  // At the largest ratio of prefix sums nothing is left, and beyond.
  Number most = 0;
  Number magnitudes = 0;
  Number weights = 0;
  for (std::size_t i = 0; i < falling_.size(); ++i) {
    magnitudes += falling_[i];
    weights += weights_[i];
    most = std::max(most, magnitudes / weights);
  }
  const Number mu =
      multiplier(Number{0}, most, Number{0}, [&](Number x) { return pool(x, pools); });
  (void)pool(mu, pools);
  std::size_t i = 0;
  for (std::size_t j = 0; j < pool_count_; ++j) {
    const double magnitude = std::max(static_cast<double>(pools[j].mean(mu)), 0.0);
    for (double left = pools[j].count; left > 0; left -= 1) falling_[i++] = magnitude;
  }
}

bool OwlProjection::project(std::span<const double> point, std::span<double> nearest) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::abs(point[i]);
    const double b = std::abs(point[j]);
    return a > b || (a == b && i < j);
  });
  for (std::size_t i = 0; i < order_.size(); ++i) falling_[i] = std::abs(point[order_[i]]);
  if (owl_norm(weights_, falling_) <= radius_) {
    std::copy(point.begin(), point.end(), nearest.begin());
    return true;
  }
  constexpr double far = 1024;
  constexpr double too_far = 0x1p60;  // of 106 bits 46 are left
  if (falling_[0] * weights_[0] > too_far * radius_) return false;
  if (falling_[0] * weights_[0] > far * radius_) {
    shrink(fine_pools_);
  } else {
    shrink(pools_);
  }
  // Rounding may not lead out of the ball.
  const double omega = owl_norm(weights_, falling_);
  const double scale = omega > radius_ ? radius_ / omega : 1;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    nearest[order_[k]] = std::copysign(falling_[k] * scale, point[order_[k]]);
  }
  return true;
}

}  // namespace keyhole::sets
