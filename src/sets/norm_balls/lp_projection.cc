#include "sets/norm_balls/lp_projection.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/sums.h"
#include "sets/multiplier.h"

namespace keyhole::sets {

LpProjection::LpProjection(double p, double radius, std::span<const double> weights)
    : p_(p),
      radius_(radius),
      weights_(weights),
      a_(weights.size()),
      c_(weights.size()),
      y_(weights.size()),
      terms_(weights.size()),
      slopes_(weights.size()) {
  const double largest_weight = math::largest_magnitude(weights);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    a_[i] = (weights[i] / largest_weight) * (weights[i] / largest_weight);
  }
}

LpProjection::Root LpProjection::root(double b, double c) const {
  if (p_ == 2) return {c / (1 + b), c / (1 + b)};
  constexpr int most_steps = 100;
  if (p_ > 2) {  // f(y) = y + b y^(p-1) - c
    double y = std::min({1.0, c, math::pow(c / b, 1 / (p_ - 1))});
    for (int k = 0; k < most_steps; ++k) {
      const double slope = b * math::pow(y, p_ - 2);
      const double next = y - ((y - c) + slope * y) / (1 + (p_ - 1) * slope);
      if (!(next < y)) break;
      y = std::max(next, 0.0);
    }
    return {y, math::pow(y, p_ - 1)};
  }
  const double k_of_u = 1 / (p_ - 1);  // f(u) = u^k + b u - c
  double u = std::min({1.0, c / b, math::pow(c, p_ - 1)});
  for (int k = 0; k < most_steps; ++k) {
    const double slope = math::pow(u, k_of_u - 1);
    const double next = u - ((b * u - c) + slope * u) / (k_of_u * slope + b);
    if (!(next < u)) break;
    u = std::max(next, 0.0);
  }
  return {math::pow(u, k_of_u), u};
}

double LpProjection::solve(double mu) {
  for (std::size_t i = 0; i < c_.size(); ++i) {
    y_[i] = terms_[i] = slopes_[i] = 0;
    if (!(c_[i] > 0)) continue;
    const double b = mu * a_[i];
    const auto [y, power] = root(b, c_[i]);
    const double below = y + (p_ - 1) * b * power;
    y_[i] = y;
    terms_[i] = y * power;
    slopes_[i] = below > 0 ? a_[i] * power * power * (y / below) : 0;
  }
  const double sum = math::sum(terms_);
  return (1 - math::pow(sum, (p_ - 1) / p_)) * sum / ((p_ - 1) * math::sum(slopes_));
}

double LpProjection::largest() const {
  double most = 0;
  for (std::size_t i = 0; i < c_.size(); ++i) most = std::max(most, c_[i] / a_[i]);
  const double q = p_ / (p_ - 1);
  const double sum = math::reduce(c_.size(), [&](std::size_t i) {
    const double share = c_[i] / a_[i] / most;
    return q == 2 ? share * share : math::pow(share, q);
  });
  return most * math::pow(sum, 1 / q) * (1 + 1e-9);
}

void LpProjection::project(std::span<const double> point, std::span<double> nearest) {
  double least = 0;  // below it some y_i > 1
  for (std::size_t i = 0; i < c_.size(); ++i) {
    c_[i] = std::abs(point[i]) * (weights_[i] / radius_);
    least = std::max(least, (c_[i] - 1) / a_[i]);
  }
  const double most = largest();
  (void)solve(multiplier(least, most, most, [&](double mu) { return solve(mu); }));
  for (std::size_t i = 0; i < c_.size(); ++i) {
    nearest[i] = std::copysign(y_[i] * (radius_ / weights_[i]), point[i]);
  }
}

}  // namespace keyhole::sets
