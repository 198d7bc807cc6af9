#pragma once

#include <cstdint>

#include "keyhole/algorithms.h"

namespace keyhole {

/// What parameter_free is doing.
struct ParameterFreeStatus {
  /// How many blocks have ended.
  std::uint64_t blocks = 0;
  /// How often the sums were started again.
  std::uint64_t restarts = 0;
  /// s: how far an exploring play goes from the iterate towards an explored point.
  double reach = 0;
  /// rho: how often a play explores.
  double exploring = 0;
  /// The certificate of the latest leader: its objective is at most so far above the least...
  double leader_gap = 0;
  /// ...where at most this was wanted, unless the 50 oracle calls of a block were used up.
  double leader_tolerance = 0;
};

/// A learner that is told nothing but the set. See parameter_free().
class ParameterFreeAlgorithm : public Algorithm {
 public:
  using Algorithm::Algorithm;

  /// What it is doing.
  [[nodiscard]] virtual ParameterFreeStatus status() const = 0;
};

}  // namespace keyhole
