#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The random numbers of a run on a set. Everything drawn for play t is a pure function of (seed,
/// stream, t), so nothing is ever stored with a play or saved: it is drawn again when the loss
/// arrives. The four kinds of draws share no random bit, nor do plays, nor sub-streams. Not
/// thread-safe.
class Randomness {
 public:
  /// Of one set, seed and stream; every pair of a seed and a stream gives its own numbers.
  Randomness(SetPtr set, std::uint64_t seed, std::uint64_t stream);

  /// u_t: uniform on the unit sphere of the directions of the set's affine hull. Valid until the
  /// next call; the latest is kept, so that asking for it again costs nothing.
  std::span<const double> direction(std::uint64_t t);
  /// z_t: standard normal in every direction of the hull, and zero across it. Valid likewise.
  std::span<const double> noise(std::uint64_t t);
  /// Words of 64 random bits for play t, an even number of them.
  void words(std::uint64_t t, std::span<std::uint64_t> words) const;
  /// Independent standard normal numbers for play t.
  void normals(std::uint64_t t, std::span<double> z) const;

  /// The randomness of a part that must draw for itself, such as an algorithm inside another, by
  /// the name of the part: independent of this one and of those of other names. The same for the
  /// same name, and sub-streams have sub-streams. It lives as long as this one; the first call for
  /// a name allocates.
  [[nodiscard]] Randomness& sub_stream(std::string_view name);

 private:
  enum class Draw : std::uint8_t { nothing, direction, noise };

  SetPtr set_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  Draw latest_draw_ = Draw::nothing;
  std::uint64_t latest_ = 0;  // the play that it is for
  std::vector<double> vector_;
  std::vector<std::pair<std::string, std::unique_ptr<Randomness>>> sub_streams_;
};

}  // namespace keyhole
#pragma GCC visibility pop
