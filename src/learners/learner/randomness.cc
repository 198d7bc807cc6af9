#include "keyhole/randomness.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "math/quotients.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"

namespace keyhole {
namespace {

/// Which of the generator's counters a draw takes: its attempt, which is bits 62..56 of a counter
/// (math/random/gaussian.h), so that draws of different attempts share no counter. The generator's
/// key is (seed, stream). Directions take attempts from 0 up, one more for each vector that is too
/// short, which hardly ever happens; every other draw has one attempt of its own, at the far end of
/// the 128, where no direction ever comes. The numbers are part of the digits: another draw takes
/// 123, and none of these is changed or used again.
enum Attempt : unsigned { of_directions = 0, of_names = 124, of_words, of_normals, of_noise };

constexpr std::uint64_t first_counter(Attempt attempt) { return std::uint64_t{attempt} << 56U; }

}  // namespace

Randomness::Randomness(SetPtr set, std::uint64_t seed, std::uint64_t stream)
    : set_(std::move(set)), seed_(seed), stream_(stream), vector_(set_->dimension()) {}

std::span<const double> Randomness::direction(std::uint64_t t) {
  if (latest_draw_ == Draw::direction && latest_ == t) return vector_;
  // A standard normal vector, flattened, is normal in the hull's directions: dividing by its length
  // makes it uniform on the sphere. Short ones, which flattening leaves with few digits, are drawn
  // again; a rejection by length alone keeps the uniform law.
  constexpr double shortest = 1e-4;
  const math::Ars generator(seed_, stream_);
  latest_draw_ = Draw::nothing;  // until it is done
  double length = 0;
  for (unsigned attempt = of_directions; length < shortest; ++attempt) {
    math::gaussians(generator, t, attempt, vector_);
    set_->flatten(vector_);
    length = math::norm(vector_);
  }
  math::divide(vector_, length);
  latest_draw_ = Draw::direction;
  latest_ = t;
  return vector_;
}

std::span<const double> Randomness::noise(std::uint64_t t) {
  if (latest_draw_ == Draw::noise && latest_ == t) return vector_;
  latest_draw_ = Draw::nothing;
  math::gaussians(math::Ars(seed_, stream_), t, of_noise, vector_);
  set_->flatten(vector_);
  latest_draw_ = Draw::noise;
  latest_ = t;
  return vector_;
}

void Randomness::words(std::uint64_t t, std::span<std::uint64_t> words) const {
  math::Ars(seed_, stream_).words(t, first_counter(of_words), words);
}

void Randomness::normals(std::uint64_t t, std::span<double> z) const {
  math::gaussians(math::Ars(seed_, stream_), t, of_normals, z);
}

Randomness& Randomness::sub_stream(std::string_view name) {
  const auto known = std::find_if(sub_streams_.begin(), sub_streams_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (known != sub_streams_.end()) return *known->second;
  // A key of 128 random bits, by the hash of the name.
  std::array<std::uint64_t, 2> key{};
  const std::uint64_t hash = base::fnv1a(std::as_bytes(std::span(name.data(), name.size())));
  math::Ars(seed_, stream_).words(hash, first_counter(of_names), key);
  auto made = std::make_unique<Randomness>(set_, key[0], key[1]);
  return *sub_streams_.emplace_back(name, std::move(made)).second;
}

}  // namespace keyhole
