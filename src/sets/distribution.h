#pragma once

#include <cmath>
#include <span>

#include "math/sums.h"

namespace keyhole::sets {

/// Whether the numbers are no less than 0 and sum to 1, but for a step of the length of the slack.
[[nodiscard]] inline bool is_distribution(std::span<const double> x, double slack) {
  for (const double coordinate : x) {
    if (!(coordinate >= 0)) return false;
  }
  const double of_sum = slack * std::sqrt(static_cast<double>(x.size())) + 1e-15;
  return std::abs(math::sum(x) - 1) <= of_sum;
}

}  // namespace keyhole::sets
