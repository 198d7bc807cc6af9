#include "keyhole/directions.h"

#include <utility>

#include "math/quotients.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"

namespace keyhole {
namespace {

// Counters of their own (math/gaussian.h numbers them by attempt): a direction begins with attempt
// 0 and hardly ever needs another, Noise has 127.
constexpr unsigned attempt_of_normals = 126;
constexpr std::uint64_t first_word = std::uint64_t{125} << 56U;

}  // namespace

Directions::Directions(SetPtr set, std::uint64_t seed, std::uint64_t stream)
    : set_(std::move(set)), seed_(seed), stream_(stream), u_(set_->dimension()) {}

void Directions::words(std::uint64_t t, std::span<std::uint64_t> words) const {
  math::Ars(seed_, stream_).words(t, first_word, words);
}

void Directions::normals(std::uint64_t t, std::span<double> z) const {
  math::gaussians(math::Ars(seed_, stream_), t, attempt_of_normals, z);
}

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
  math::divide(u_, length);
  latest_ = t;
  return u_;
}

}  // namespace keyhole
