#pragma once

#include <array>
#include <cstdint>

#include "math/elementary.h"

namespace keyhole::algorithms {

/// t^y for whole numbers t >= 1 that come one after the other, as schedules of steps have them:
/// math::pow(t, y), but computed several at a time. What it keeps is no state: it follows from t.
class PowerSequence {
 public:
  /// |y| <= 16.
  explicit PowerSequence(double y) : y_(y) {}

  double operator()(std::uint64_t t) {
    const std::uint64_t first = t - (t - 1) % values_.size();
    if (first != first_) {
      math::powers(static_cast<double>(first), y_, values_);
      first_ = first;
    }
    return values_[t - first];
  }

 private:
  double y_;
  std::uint64_t first_ = 0;  // 0 is none
  std::array<double, 8> values_{};
};

}  // namespace keyhole::algorithms
