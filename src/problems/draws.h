#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "keyhole/problems.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::problems {

/// What random numbers are drawn for: no number serves two purposes.
enum class Purpose : unsigned {
  /// The losses of the rounds; round 0 for what is drawn once.
  rounds = 0,
  /// Losses like those of the rounds that are never played, to estimate bounds from.
  samples = 1,
  /// What is added to the losses of the rounds. Far from the others, since the directions of a set
  /// (which count their attempts where purposes stand) may be drawn from the same seed.
  noise = 32,
  /// What is added to what is told of them.
  told_noise = 36,
  /// The level of what is told.
  levels = 40,
  /// Whether there is a click or a disaster.
  events = 44,
  /// What is drawn again from stage to stage, or of another kind than the rest of round 0.
  stages = 48,
};

/// The random numbers of a problem: pure functions of (seed, purpose, round). Immutable.
class Draws {
 public:
  explicit Draws(ProblemSeed seed) noexcept : generator_(seed.seed, seed.stream) {}

  /// z = independent standard normal numbers.
  void normals(Purpose purpose, std::uint64_t t, std::span<double> z) const noexcept {
    math::gaussians(generator_, t, static_cast<unsigned>(purpose), z);
  }

  /// u = independent numbers, uniform on the multiples of 2^-53 in [0, 1).
  void uniforms(Purpose purpose, std::uint64_t t, std::span<double> u) const noexcept;

 private:
  math::Ars generator_;
};

}  // namespace keyhole::problems
