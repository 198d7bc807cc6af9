#pragma once

#include <algorithm>
#include <cmath>

#include "instances.h"
#include "keyhole/norm_balls.h"

namespace keyhole::tests {

/// max over 0 <= s <= 1 of a s^(1/p) + b (1 - s)^(1/p), which is concave, by golden section.
inline double best_share(double a, double b, double p) {
  if (std::isinf(p)) return a + b;
  const auto value = [&](double s) { return a * std::pow(s, 1 / p) + b * std::pow(1 - s, 1 / p); };
  constexpr double ratio = 0.6180339887498949;
  double low = 0;
  double high = 1;
  for (int k = 0; k < 60; ++k) {
    const double width = ratio * (high - low);
    (value(high - width) < value(low + width) ? low : high) =
        value(high - width) < value(low + width) ? high - width : low + width;
  }
  return std::max({a, b, value((low + high) / 2)});
}

/// The least of <d, x> over a weighted lp ball: of the p-th power of the radius coordinate i gets
/// one share, those before it the rest, which they divide in the same way.
inline double slow_lp_minimum(std::span<const double> d, double p, double radius,
                              const std::vector<double>& w) {
  double most = 0;
  for (std::size_t i = 0; i < d.size(); ++i) most = best_share(most, std::abs(d[i]) / w[i], p);
  return -radius * most;
}

inline std::vector<double> random_weights(std::size_t n, Random& random) {
  std::vector<double> w(n, std::exp(random.normal()));
  if (random.uniform() < 0.6) {
    for (double& weight : w) weight *= random.uniform(0.3, 3);
  }
  return w;
}

inline std::vector<InstanceFamily> norm_ball_instances() {
  return {
      {"lp_ball",
       [](std::size_t n, Random& random) {
         const double powers[] = {1, 1.1, 1.5, 2, 3, 8, std::numeric_limits<double>::infinity()};
         const double p = powers[random.integer(0, 6)];
         const double radius = std::exp(random.normal());
         const std::vector<double> w = random_weights(n, random);
         return Instance{lp_ball(p, w, radius), [=](std::span<const double> d) {
                           return slow_lp_minimum(d, p, radius, w);
                         }};
       }},
  };
}

}  // namespace keyhole::tests
