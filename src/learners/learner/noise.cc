#include "keyhole/noise.h"

#include <utility>

#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole {

Noise::Noise(SetPtr set, std::uint64_t seed, std::uint64_t stream)
    : set_(std::move(set)), seed_(seed), stream_(stream), z_(set_->dimension()) {}

std::span<const double> Noise::operator()(std::uint64_t t) {
  if (t == latest_) return z_;
  constexpr unsigned last_attempt = 127;
  math::gaussians(math::Ars(seed_, stream_), t, last_attempt, z_);
  set_->flatten(z_);
  latest_ = t;
  return z_;
}

}  // namespace keyhole
