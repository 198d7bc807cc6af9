#include "problems/additive_noise.h"

#include <array>
#include <cmath>

namespace keyhole::problems {

double AdditiveNoise::operator()(std::uint64_t t) const noexcept {
  if (deviation_ == 0) return 0;
  std::array<double, 3> z{};
  if (tails_ == Tails::normal) {
    draws_.normals(Purpose::noise, t, std::span(z).first(1));
    return deviation_ * z[0];
  }
  draws_.normals(Purpose::noise, t, z);
  if (tails_ == Tails::cauchy) return deviation_ * (z[0] / z[1]);
  // z / sqrt(chi^2 / 2), where chi^2 has two degrees of freedom.
  return deviation_ * (z[0] / std::sqrt((z[1] * z[1] + z[2] * z[2]) / 2));
}

LossBounds AdditiveNoise::widened(LossBounds bounds) const noexcept {
  if (deviation_ == 0) return bounds;
  bounds.loss += (tails_ == Tails::normal ? 5 : tails_ == Tails::student ? 30 : 600) * deviation_;
  bounds.proven = false;
  return bounds;
}

}  // namespace keyhole::problems
