#include "keyhole/directions.h"

#include <utility>

#include "math/ars.h"
#include "math/gaussian.h"
#include "math/sums.h"

namespace keyhole {

Directions::Directions(SetPtr set, std::uint64_t seed, std::uint64_t stream)
    : set_(std::move(set)), seed_(seed), stream_(stream), u_(set_->dimension()) {}

std::span<const double> Directions::operator()(std::uint64_t t) {
  if (t == latest_) return u_;
  // A standard normal vector, flattened, is normal in the hull's directions: dividing by its length
  // makes it uniform on the sphere. Short ones, which flattening leaves with few digits, are drawn
  // again; a rejection by length alone keeps the uniform law.
  constexpr double shortest = 1e-4;
  const math::Ars generator(seed_, stream_);
  double length = 0;
  for (unsigned attempt = 0; length < shortest; ++attempt) {
    math::gaussians(generator, t, attempt, u_);
    set_->flatten(u_);
    length = math::norm(u_);
  }
  for (double& coordinate : u_) coordinate /= length;
  latest_ = t;
  return u_;
}

}  // namespace keyhole
