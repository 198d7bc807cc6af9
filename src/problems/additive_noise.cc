#include "problems/additive_noise.h"

#include <array>
#include <cmath>

#include "base/number_text.h"
#include "base/require.h"

namespace keyhole::problems {

AdditiveNoise::AdditiveNoise(const std::string& owner, double deviation, Tails tails,
                             ProblemSeed seed)
    : deviation_(deviation), tails_(tails), draws_(seed) {
  base::require_not_negative("the noise of " + owner, deviation);
}

double AdditiveNoise::operator()(std::uint64_t t) const noexcept {
  if (deviation_ == 0) return 0;
  std::array<double, 3> z{};
  if (tails_ == Tails::normal) {
    draws_.normals(Purpose::noise, t, std::span(z).first(1));
    return deviation_ * z[0];
  }
  draws_.normals(Purpose::noise, t, z);
  // z / sqrt(chi^2 / 2), where chi^2 has two degrees of freedom.
  return deviation_ * (z[0] / std::sqrt((z[1] * z[1] + z[2] * z[2]) / 2));
}

LossBounds AdditiveNoise::widened(LossBounds bounds) const noexcept {
  if (deviation_ == 0) return bounds;
  bounds.loss += (tails_ == Tails::normal ? 5 : 30) * deviation_;
  bounds.proven = false;
  return bounds;
}

std::string AdditiveNoise::text() const {
  if (deviation_ == 0) return {};
  return ", noise=" + base::number_text(deviation_) +
         (tails_ == Tails::student ? ", tails=student" : "");
}

}  // namespace keyhole::problems
