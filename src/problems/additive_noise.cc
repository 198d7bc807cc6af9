#include "problems/additive_noise.h"

#include <array>
#include <cmath>
#include <numbers>

#include "math/elementary.h"

namespace keyhole::problems {

double AdditiveNoise::operator()(std::uint64_t t) const noexcept {
  if (deviation_ == 0) return 0;
  std::array<double, 3> z{};
  if (tails_ == Tails::normal || tails_ == Tails::lognormal) {
    draws_.normals(purpose_, t, std::span(z).first(1));
    if (tails_ == Tails::normal) return deviation_ * z[0];
    // exp(z) has the mean sqrt(e) and the variance e (e - 1).
    constexpr double e = std::numbers::e;
    return deviation_ * ((math::exp(z[0]) - std::sqrt(e)) / std::sqrt(e * (e - 1)));
  }
  draws_.normals(purpose_, t, z);
  if (tails_ == Tails::cauchy) return deviation_ * (z[0] / z[1]);
  // z / sqrt(chi^2 / 2), where chi^2 has two degrees of freedom.
  return deviation_ * (z[0] / std::sqrt((z[1] * z[1] + z[2] * z[2]) / 2));
}

LossBounds AdditiveNoise::widened(LossBounds bounds) const noexcept {
  if (deviation_ == 0) return bounds;
  bounds.loss += (tails_ == Tails::normal ? 5 : tails_ == Tails::cauchy ? 600 : 30) * deviation_;
  bounds.proven = false;
  return bounds;
}

}  // namespace keyhole::problems
