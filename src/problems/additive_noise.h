#pragma once

#include <cstdint>
#include <string>

#include "keyhole/problems.h"
#include "problems/draws.h"

namespace keyhole::problems {

/// What a round adds to its loss, the same for all plays: deviation z_t, z_t of the law that the
/// tails name. A pure function of (seed, t).
class AdditiveNoise {
 public:
  /// Throws InvalidArgument for a deviation that is no number from 0 to 1e50; `owner` is the
  /// problem that it is a part of.
  AdditiveNoise(const std::string& owner, double deviation, Tails tails, ProblemSeed seed);

  /// The noise of round t.
  [[nodiscard]] double operator()(std::uint64_t t) const noexcept;

  /// Bounds of losses with this noise, from those without: M grows by 5 deviations of normal noise
  /// (exceeded once in 1.7 million rounds) or by 30 units of Student's (once in 900), and nothing
  /// is proven any more.
  [[nodiscard]] LossBounds widened(LossBounds bounds) const noexcept;

  /// ", noise=0.3, tails=student" as it stands in specs; empty if there is none.
  [[nodiscard]] std::string text() const;

 private:
  double deviation_;
  Tails tails_;
  Draws draws_;
};

}  // namespace keyhole::problems
