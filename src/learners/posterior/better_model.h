#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/posterior/constants.h"

namespace keyhole::algorithms {

/// Which of two models predicts the losses better, by what they say of losses that they have not
/// learned from. The first holds until the second is proven; it holds again once it has predicted
/// as well as the second.
class BetterModel {
  using Chosen = PosteriorConstants;

 public:
  /// Takes the errors of both at a loss, where the noise has that variance.
  void take(double first, double second, double noise) {
    count_ += 1;
    const double most = Chosen::clip * Chosen::clip;
    const double saved =
        std::min(first * first / noise, most) - std::min(second * second / noise, most);
    const double kept = 1 - 1 / (Chosen::window + Chosen::window_growth * count_);
    sum_ = kept * sum_ + saved;
    squares_ = kept * squares_ + saved * saved;
    if (sum_ > Chosen::pairs_proof * std::sqrt(squares_)) second_ = 1;
    if (sum_ < 0) second_ = 0;
  }

  /// Whether it is the second.
  [[nodiscard]] bool is_second() const noexcept { return second_ != 0; }

  /// The share of samples that the second is tried for.
  [[nodiscard]] double share_of_second() const {
    if (is_second()) return 1;
    if (!(squares_ > 0)) return Chosen::pairs_tried;
    return Chosen::pairs_tried *
           std::clamp(1 + sum_ / (Chosen::pairs_doubt * std::sqrt(squares_)), 0.0, 1.0);
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(second_);
    for (double* number : {&count_, &sum_, &squares_}) archive.field(*number);
  }

 private:
  std::uint8_t second_ = 0;
  double count_ = 0;
  double sum_ = 0;      // of what the second has saved, with old losses fading
  double squares_ = 0;  // of the same
};

}  // namespace keyhole::algorithms
