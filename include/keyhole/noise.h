#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The noise z_1, z_2, ... of a run: independent, standard normal in every direction of the set's
/// affine hull and zero across it. z_t is a pure function of (seed, stream, t), so none is ever
/// stored or saved. It comes from the generator of Directions under the same key (seed, stream),
/// but from counters of their own: those of the last of the 128 attempts that a vector may take,
/// where Directions begins with the first and hardly ever needs a second. So z_t shares no random
/// bit with any u_s, and every pair of seed and stream gives its own. Not thread-safe.
class Noise {
 public:
  /// The noise for one set, seed and stream.
  Noise(SetPtr set, std::uint64_t seed, std::uint64_t stream);

  /// z_t. Valid until the next call; the latest is kept, so that asking for it again costs nothing.
  std::span<const double> operator()(std::uint64_t t);

 private:
  SetPtr set_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t latest_ = 0;  // rounds count from 1: 0 is none
  std::vector<double> z_;
};

}  // namespace keyhole
#pragma GCC visibility pop
