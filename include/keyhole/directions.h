#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The directions u_1, u_2, ... of a run: independent, uniform on the unit sphere of the directions
/// of the set's affine hull. u_t is a pure function of (seed, stream, t), so none is ever stored
/// with a play or saved: it is drawn again when its loss arrives. Not thread-safe.
class Directions {
 public:
  /// The directions for one set, seed and stream; every 64-bit seed gives its own.
  Directions(SetPtr set, std::uint64_t seed, std::uint64_t stream);

  /// Words of random bits for play t, an even number of them: a pure function of (seed, stream, t)
  /// that shares no bit with any direction or normal number.
  void words(std::uint64_t t, std::span<std::uint64_t> words) const;
  /// Independent standard normal numbers for play t, likewise.
  void normals(std::uint64_t t, std::span<double> z) const;

  /// u_t. Valid until the next call; the latest is kept, so that asking for it again costs nothing.
  std::span<const double> operator()(std::uint64_t t);

 private:
  SetPtr set_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t latest_ = 0;  // rounds count from 1: 0 is none
  std::vector<double> u_;
};

}  // namespace keyhole
#pragma GCC visibility pop
