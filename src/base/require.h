#pragma once

#include <cmath>
#include <string>

#include "base/number_text.h"
#include "keyhole/error.h"
#include "keyhole/set.h"

namespace keyhole::base {

/// Throws InvalidArgument with the message unless the condition holds.
inline void require(bool condition, const std::string& message) {
  if (!condition) throw InvalidArgument(message);
}

/// Whether a coordinate, bound or shift is usable: finite, and not so large that products overflow.
inline bool is_moderate(double value) { return std::abs(value) <= largest_number; }

/// Whether a length, scale or bound is usable: positive, neither too large nor too small.
inline bool is_moderate_positive(double value) {
  return value >= smallest_number && value <= largest_number;
}

/// Throws unless the value is_moderate_positive(); `what` names it.
inline void require_positive(const std::string& what, double value) {
  require(is_moderate_positive(value),
          what + " must be a number from 1e-50 to 1e50, not " + base::number_text(value));
}

/// Throws unless the value is a usable number that is not negative; `what` names it.
inline void require_not_negative(const std::string& what, double value) {
  require(value >= 0 && is_moderate(value),
          what + " must be a number from 0 to 1e50, not " + base::number_text(value));
}

}  // namespace keyhole::base
