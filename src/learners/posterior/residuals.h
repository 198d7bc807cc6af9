#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/parameter_free/predictor.h"
#include "learners/posterior/constants.h"

namespace keyhole::algorithms {

/// What losses differ from the model by, and what that shows: how strong the noise is, whether the
/// next difference can be predicted from those before, as where losses swing or wander, and
/// whether the losses have changed, by Page's cumulative sums (1954).
class Residuals {
  using Chosen = PosteriorConstants;

 public:
  /// Begins after `count` losses of that variance. No change is looked for before `patience`
  /// losses.
  void begin(std::uint64_t count, double variance, std::uint64_t patience) {
    *this = {};
    count_ = count;
    patience_ = patience;
    variance_ = mean_variance_ = variance;
  }

  /// The variance of the noise.
  [[nodiscard]] double noise() const {
    return std::max(variance_, Chosen::least_noise * mean_variance_);
  }
  /// Whether there was a change.
  [[nodiscard]] bool changed() const noexcept { return cusum_ > Chosen::change_alarm; }
  /// How close that is, from 0 to 1.
  [[nodiscard]] double suspicion() const { return std::min(1.0, cusum_ / Chosen::change_alarm); }
  /// What the next loss is predicted to be in addition to the usual, where losses are known to
  /// swing.
  [[nodiscard]] double swing() const noexcept { return swing_; }

  /// Takes the difference of a loss from the model, whose own variance there is h. Returns what is
  /// to be learned: the difference less what was predicted of it, clipped.
  double take(double residual, double h) {
    ++count_;
    const bool wins = predictor_.error_of_best() < Chosen::winning * error_of_none_;
    streak_ = wins ? streak_ + 1 : 0;
    const bool proven = streak_ >= Chosen::winning_streak;
    const bool used = proven || (wins && count_ <= 2 * Chosen::winning_streak);
    const double spread = std::sqrt(noise() + h);
    const double away = (residual - (used ? predictor_.best() : 0)) / spread;
    if (count_ > patience_) {
      const double sign = proven ? away : residual / spread;
      cusum_ += std::clamp(sign, -Chosen::change_clip, Chosen::change_clip) - Chosen::change_drift;
      cusum_ = std::max(0.0, cusum_);
    }
    const double error = learn_noise(away, spread, h);
    if (predictor_.count() > 0) {
      error_of_none_ =
          ParameterFreeConstants::predictor_memory * error_of_none_ + std::abs(residual);
    }
    predictor_.take(residual);
    swing_ = used ? predictor_.swing() : 0;
    return error;
  }

  /// The same for a loss that has no place in time: it shows the noise and nothing else.
  double take_timeless(double residual, double h) {
    ++count_;
    const double spread = std::sqrt(noise() + h);
    return learn_noise(residual / spread, spread, h);
  }

  /// The fields of a state.
  void state(Archive& archive) {
    for (std::uint64_t* count : {&count_, &patience_, &streak_}) archive.field(*count);
    for (double* number : {&variance_, &mean_variance_, &error_of_none_, &swing_, &cusum_}) {
      archive.field(*number);
    }
    predictor_.state(archive);
  }

 private:
  /// Learns the noise from a difference of so many spreads. Returns the difference, clipped.
  double learn_noise(double away, double spread, double h) {
    const double error = std::clamp(away, -Chosen::clip, Chosen::clip) * spread;
    const double share_of_noise = noise() / (noise() + h);
    const auto count = static_cast<double>(count_);
    variance_ += (error * error * share_of_noise - variance_) / std::min(count, 20 + 0.2 * count);
    mean_variance_ += (variance_ - mean_variance_) / count;
    return error;
  }

  std::uint64_t count_ = 0;
  std::uint64_t patience_ = 0;
  std::uint64_t streak_ = 0;  // for how many losses running a predictor has been worth using
  double variance_ = 0;       // over about the last fifth
  double mean_variance_ = 0;  // of all
  double error_of_none_ = 0;  // of predicting 0
  double swing_ = 0;
  double cusum_ = 0;
  Predictor predictor_;
};

}  // namespace keyhole::algorithms
