#include "sets/norm_balls/round_part.h"

#include <algorithm>

namespace keyhole::sets {

/// With q = p - c and u = w - p, gamma is the positive root of ||u||^2 + 2 gamma <q, u> =
/// gamma^2 (radius^2 - ||q||^2).
double RoundPart::gauge(std::span<const double> p, std::span<const double> w,
                        std::span<double> subgradient) const {
  const auto u = [&](std::size_t i) { return w[i] - p[i]; };
  const auto q = [&](std::size_t i) { return p[i] - centre[i]; };
  const std::size_t n = w.size();
  const double squared = math::reduce(n, [&](std::size_t i) { return u(i) * u(i); });
  if (!(squared > 0)) {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    return 0;
  }
  const double off = distance(p);
  const double room = (radius - off) * (radius + off);
  const double across = math::reduce(n, [&](std::size_t i) { return q(i) * u(i); });
  const double root = std::sqrt(across * across + squared * room);
  // Of the two forms of the root that which adds.
  const double gamma = across >= 0 ? (across + root) / room : squared / (root - across);
  for (std::size_t i = 0; i < n; ++i) subgradient[i] = q(i) + u(i) / gamma;
  const double along = math::reduce(n, [&](std::size_t i) { return subgradient[i] * u(i); });
  for (double& slope : subgradient) slope *= gamma / along;
  return gamma;
}

double squared_reach(const RoundPart& ball, std::span<const double> p, double least) {
  const double off = ball.distance(p);
  return (ball.radius * ball.radius + off * off) - 2 * least;
}

}  // namespace keyhole::sets
