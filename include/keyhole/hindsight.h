#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/problem.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The best fixed point of a sum of losses, with a certificate.
struct FixedPoint {
  /// A point of the set.
  std::vector<double> point;
  /// F(point).
  double value = 0;
  /// value - gap <= min F <= value: the largest <gradient F(point), point - v> over the set; or
  /// less, where a guess is better than the point whose gap bounds min F.
  double gap = 0;
  /// How many steps it took.
  std::uint64_t steps = 0;
};

/// Options of best_fixed_point.
struct HindsightOptions {
  /// The gap that is good enough, in units of F.
  double tolerance = 0;
  /// Where to give up: the gap is then above the tolerance.
  std::uint64_t most_steps = 1'000'000;
  /// Where to begin, a point of the set; the centre if empty.
  std::vector<double> start = {};
};

/// argmin over the set of F, which is asked at points of the set only: by spectral projected
/// gradients where the set can project, else by fully corrective conditional gradients. The
/// certificate is one call of the linear oracle at the point returned. Where F has a guess, that
/// (its projection, if it is not in the set; nothing, if the set cannot project) is tried first,
/// and the search goes on from it unless the start is better. Never throws for a tolerance that is
/// out of reach (steps run out, roundings are all that is left, F has a kink where it is least):
/// the gap then says how far it came. Throws InvalidArgument for a start outside of the set.
[[nodiscard]] FixedPoint best_fixed_point(const Set& set, const TotalLoss& total,
                                          const HindsightOptions& options);

}  // namespace keyhole
#pragma GCC visibility pop
