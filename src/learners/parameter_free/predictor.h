#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/parameter_free/constants.h"

namespace keyhole::algorithms {

/// Predicts the next number of a stream by whichever of four simple predictors has been best of
/// late: a fast and a slow exponential average, the last number, the last but one. The last serves
/// losses that wander, the last but one those that alternate. What it predicts depends on earlier
/// numbers only.
class Predictor {
  using Chosen = ParameterFreeConstants;

 public:
  /// How many numbers there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The prediction; 0 before the first number.
  [[nodiscard]] double best() const { return predictions_[index_of_best()]; }
  /// How far it is from the slow average, where it is one of the latest numbers; else 0.
  [[nodiscard]] double swing() const {
    const std::size_t index = index_of_best();
    return index == last || index == last_but_one ? predictions_[index] - predictions_[slow] : 0;
  }
  /// The fast exponential average.
  [[nodiscard]] double average() const noexcept { return predictions_[fast]; }

  /// Takes the next number.
  void take(double number) {
    if (count_ > 0) {
      for (std::size_t i = 0; i < predictions_.size(); ++i) {
        errors_[i] = Chosen::predictor_memory * errors_[i] + std::abs(number - predictions_[i]);
      }
    }
    ++count_;
    constexpr auto first = static_cast<std::uint64_t>(1 / Chosen::slow_rate);
    const double first_rate = count_ > first ? 0 : 1 / static_cast<double>(count_);
    predictions_[fast] += std::max(Chosen::fast_rate, first_rate) * (number - predictions_[fast]);
    predictions_[slow] += std::max(Chosen::slow_rate, first_rate) * (number - predictions_[slow]);
    predictions_[last_but_one] = count_ == 1 ? number : predictions_[last];
    predictions_[last] = number;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(count_);
    archive.field(predictions_);
    archive.field(errors_);
  }

 private:
  enum : std::size_t { fast, slow, last, last_but_one };

  [[nodiscard]] std::size_t index_of_best() const {
    const auto least = std::min_element(errors_.begin(), errors_.end());
    return static_cast<std::size_t>(least - errors_.begin());
  }

  std::uint64_t count_ = 0;
  std::array<double, 4> predictions_{};
  std::array<double, 4> errors_{};  // sums of magnitudes, discounted
};

}  // namespace keyhole::algorithms
