#pragma once

#include <cstdint>

#include "keyhole/problems.h"
#include "problems/draws.h"

namespace keyhole::problems {

/// What a round adds to its loss, the same for all plays: deviation z_t, z_t of the law that the
/// tails name. A pure function of (seed, t).
class AdditiveNoise {
 public:
  /// Of a standard deviation from 0 to 1e50; 0 for none.
  AdditiveNoise(double deviation, Tails tails, ProblemSeed seed, Purpose purpose = Purpose::noise)
      : deviation_(deviation), tails_(tails), purpose_(purpose), draws_(seed) {}

  /// The noise of round t.
  [[nodiscard]] double operator()(std::uint64_t t) const noexcept;

  /// Bounds of losses with this noise, from those without: M grows by 5 deviations of normal noise
  /// (exceeded once in 1.7 million rounds), by 30 units of Student's (once in 900), by 600 of
  /// Cauchy's (once in 940) or by 30 deviations of lognormal noise (once in 74,000), and nothing is
  /// proven any more.
  [[nodiscard]] LossBounds widened(LossBounds bounds) const noexcept;

 private:
  double deviation_;
  Tails tails_;
  Purpose purpose_;
  Draws draws_;
};

}  // namespace keyhole::problems
