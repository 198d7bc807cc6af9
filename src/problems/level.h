#pragma once

#include <cstdint>

#include "keyhole/problems.h"
#include "problems/draws.h"

namespace keyhole::problems {

/// What a round adds to what is told of it, the same for all plays: see LossLevel. A pure function
/// of (seed, t).
class MovingLevel {
 public:
  /// Of a size in units of the losses; a season has 2 rounds or more.
  MovingLevel(LossLevel kind, double size, std::uint64_t period, ProblemSeed seed)
      : kind_(kind), size_(size), period_(period), draws_(seed) {}

  /// The level in round t = 1, 2, ..., 2^53.
  [[nodiscard]] double operator()(std::uint64_t t) const noexcept;

  /// Bounds of what is told, from those of the losses: M grows by the size, and by five sizes of a
  /// walk, which a long one exceeds.
  [[nodiscard]] LossBounds widened(LossBounds bounds) const noexcept;

 private:
  [[nodiscard]] double stage(std::uint64_t index) const noexcept;
  [[nodiscard]] double number(std::uint64_t index) const noexcept;
  [[nodiscard]] double walk(std::uint64_t t) const noexcept;

  LossLevel kind_;
  double size_;
  std::uint64_t period_;
  Draws draws_;
};

}  // namespace keyhole::problems
