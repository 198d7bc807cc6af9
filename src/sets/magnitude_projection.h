// Projections onto sets that look at magnitudes only.

#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// Onto {x : |x| in the set of magnitudes, x >= 0}: the magnitudes are projected, the signs stay.
class MagnitudeProjection {
 public:
  explicit MagnitudeProjection(const SetPtr& of_magnitudes)
      : oracle_(of_magnitudes->oracle()), magnitudes_(of_magnitudes->dimension()) {}

  void project(std::span<const double> point, std::span<double> nearest) {
    for (std::size_t i = 0; i < point.size(); ++i) magnitudes_[i] = std::abs(point[i]);
    oracle_->project(magnitudes_, magnitudes_);
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = std::copysign(magnitudes_[i], point[i]);
    }
  }

 private:
  std::unique_ptr<Oracle> oracle_;
  std::vector<double> magnitudes_;
};

}  // namespace keyhole::sets
