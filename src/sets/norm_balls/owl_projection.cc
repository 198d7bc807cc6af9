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
      pools_(weights.size()) {}

double OwlProjection::pool(double mu) {
  pool_count_ = 0;
  for (std::size_t i = 0; i < falling_.size(); ++i) {
    Pool last = {falling_[i], weights_[i], 1};
    for (; pool_count_ > 0 && !(pools_[pool_count_ - 1].mean(mu) > last.mean(mu)); --pool_count_) {
      const Pool& before = pools_[pool_count_ - 1];
      last = {before.magnitudes + last.magnitudes, before.weights + last.weights,
              before.count + last.count};
    }
    pools_[pool_count_++] = last;
  }
  double omega = 0;
  double slope = 0;
  for (std::size_t j = 0; j < pool_count_; ++j) {
    const Pool& p = pools_[j];
    if (!(p.mean(mu) > 0)) break;
    omega += p.weights * p.mean(mu);
    slope += p.weights * (p.weights / p.count);
  }
  return (radius_ - omega) / slope;
}

void OwlProjection::project(std::span<const double> point, std::span<double> nearest) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::abs(point[i]);
    const double b = std::abs(point[j]);
    return a > b || (a == b && i < j);
  });
  for (std::size_t i = 0; i < order_.size(); ++i) falling_[i] = std::abs(point[order_[i]]);
  if (owl_norm(weights_, falling_) <= radius_) {
    std::copy(point.begin(), point.end(), nearest.begin());
    return;
  }
  // At the largest ratio of prefix sums nothing is left, and beyond.
  double most = 0;
  double magnitudes = 0;
  double weights = 0;
  for (std::size_t i = 0; i < falling_.size(); ++i) {
    magnitudes += falling_[i];
    weights += weights_[i];
    most = std::max(most, magnitudes / weights);
  }
  const double mu = multiplier(0, most, 0, [&](double x) { return pool(x); });
  (void)pool(mu);
  std::size_t i = 0;
  for (std::size_t j = 0; j < pool_count_; ++j) {
    const double magnitude = std::max(pools_[j].mean(mu), 0.0);
    for (double left = pools_[j].count; left > 0; left -= 1) falling_[i++] = magnitude;
  }
  // From far away the magnitudes have lost digits; they may not leave the ball for that.
  const double omega = owl_norm(weights_, falling_);
  const double scale = omega > radius_ ? radius_ / omega : 1;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    nearest[order_[k]] = std::copysign(falling_[k] * scale, point[order_[k]]);
  }
}

}  // namespace keyhole::sets
