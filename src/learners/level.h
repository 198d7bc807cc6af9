#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// The mean and the variance of a stream of numbers, over about the last fifth of it, by which the
/// next number is judged.
class Level {
 public:
  /// Takes the next number and returns by how much it is above the mean of those before it: no more
  /// than `most` either way.
  double take(double number, double most = std::numeric_limits<double>::infinity()) {
    const double away = std::clamp(number - mean_, -most, most);
    ++count_;
    const double weight = rate();
    mean_ += weight * away;
    variance_ += weight * (away * away - variance_);
    return away;
  }

  /// How many numbers there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Their mean.
  [[nodiscard]] double mean() const noexcept { return mean_; }
  /// Their variance about the means before them.
  [[nodiscard]] double variance() const noexcept { return variance_; }
  /// Their standard deviation, once six have shown one; infinity before.
  [[nodiscard]] double deviation() const {
    return count_ > 5 && variance_ > 0 ? std::sqrt(variance_)
                                       : std::numeric_limits<double>::infinity();
  }
  /// The variance of the mean.
  [[nodiscard]] double squared_error() const { return count_ == 0 ? 0 : variance_ * rate() / 2; }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(count_);
    archive.field(mean_);
    archive.field(variance_);
  }

 private:
  /// 1/j for the first 25 numbers, then the weight of a window of about j/5: the larger of two
  /// quotients by one division, for rounding keeps the order of quotients.
  [[nodiscard]] double rate() const {
    const auto j = static_cast<double>(count_);
    return 1 / std::min(j, 20 + 0.2 * j);
  }

  std::uint64_t count_ = 0;
  double mean_ = 0;
  double variance_ = 0;
};

}  // namespace keyhole::algorithms
