#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/parameter_free/constants.h"
#include "learners/parameter_free/predictor.h"
#include "learners/posterior/constants.h"
#include "math/elementary.h"

namespace keyhole::algorithms {

/// What losses differ from a model by, and what that shows: how strong the noise is, whether losses
/// alternate, whether their level has jumped, and how well the model predicts them.
class Residuals {
  using Chosen = PosteriorConstants;

 public:
  /// Begins after `count` losses of that variance. No jump is looked for before `calm` losses.
  void begin(std::uint64_t count, double variance, double calm) {
    *this = {};
    count_ = count;
    calm_ = calm;
    variance_ = mean_variance_ = variance;
  }

  /// The variance of the noise.
  [[nodiscard]] double noise() const {
    return std::max(variance_, Chosen::least_noise * mean_variance_);
  }
  /// Says that it is so many times what it was.
  void scale_noise(double by) {
    variance_ *= by;
    mean_variance_ *= by;
  }
  /// What the next loss is predicted to be in addition to the usual, where losses alternate.
  [[nodiscard]] double swing() const noexcept { return swing_; }
  /// The logarithm of the likelihood of the losses (Student's t), old ones fading.
  [[nodiscard]] double evidence() const noexcept { return evidence_; }
  /// From here on.
  void forget_evidence() noexcept { evidence_ = 0; }
  /// How many losses there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// By how much the level seems to have jumped just now, squared; 0 if it has not.
  [[nodiscard]] double jumped() const noexcept { return jumped_; }
  /// Whether losses have just begun to count for more.
  [[nodiscard]] bool widened() const noexcept { return widened_; }
  /// How many standard deviations the latest loss was off by.
  [[nodiscard]] double away() const noexcept { return away_; }

  /// Takes the difference of a loss from the model, whose own variance there is h. Returns what is
  /// to be learned: the difference less what was predicted of it, clipped. Only a fresh loss is
  /// evidence: one at the same point as the loss before is predicted best by that one, however the
  /// model fits. The noise of a loss has 1/count of the variance.
  double take(double residual, double h, bool fresh, double count = 1) {
    ++count_;
    const bool wins =
        error_of_alternating_ < Chosen::winning * std::min(error_of_none_, error_of_last_);
    streak_ = wins ? streak_ + 1 : 0;
    const bool used =
        streak_ >= Chosen::winning_streak || (wins && count_ <= 2 * Chosen::winning_streak);
    const double spread = std::sqrt(noise() / count + h);
    away_ = (residual - (used ? alternating() : 0)) / spread;
    if (fresh) {
      const double window = Chosen::window + Chosen::window_growth * static_cast<double>(count_);
      evidence_ = (1 - 1 / window) * evidence_ + log_likelihood(away_, spread);
    }
    const double side = away_ > Chosen::clip ? 1 : away_ < -Chosen::clip ? -1 : 0;
    run_ = side != 0 && side * run_ >= 0 ? run_ + side : side;
    jumped_ = 0;
    if (std::abs(run_) >= Chosen::jump && static_cast<double>(count_) > calm_) {
      cut_ = cut_squares_ = cut_count_ = 0;
      jumped_ = away_ * away_ * spread * spread;
      run_ = 0;
    }
    const double error = learn_noise(spread, h, count);
    const auto add = [](double& sum, double off) {
      sum = ParameterFreeConstants::predictor_memory * sum + std::abs(off);
    };
    add(error_of_none_, residual);
    add(error_of_last_, residual - last_);
    add(error_of_alternating_, residual - alternating());
    before_last_ = last_;
    last_ = residual;
    swing_ = used ? alternating() : 0;
    return error;
  }

  /// The same for a loss that has no place in time: it shows the noise and nothing else. A jump
  /// before it is still one for the next loss that has.
  double take_timeless(double residual, double h, double count = 1) {
    ++count_;
    const double spread = std::sqrt(noise() / count + h);
    away_ = residual / spread;
    return learn_noise(spread, h, count);
  }

  /// Reads what they were before revision 7, and keeps the noise.
  void read_before_7(Archive& archive) {
    std::array<std::uint64_t, 3> counts{};  // losses, patience, streak
    for (std::uint64_t& count : counts) archive.field(count);
    count_ = counts[0];
    archive.field(variance_);
    archive.field(mean_variance_);
    double other = 0;  // the error of none, the swing, the cumulative sum
    for (int k = 0; k < 3; ++k) archive.field(other);
    Predictor predictor;
    predictor.state(archive);
  }

  /// The fields of a state.
  void state(Archive& archive) {
    for (std::uint64_t* count : {&count_, &streak_}) archive.field(*count);
    for (double* number : {&variance_, &mean_variance_, &error_of_none_, &error_of_last_,
                           &error_of_alternating_, &last_, &before_last_, &swing_, &evidence_,
                           &run_, &jumped_, &calm_, &clip_, &cut_, &cut_squares_, &cut_count_}) {
      archive.field(*number);
    }
  }

 private:
  /// What the next one is if they alternate: about nothing, so that a mean of theirs is learned.
  [[nodiscard]] double alternating() const noexcept { return (before_last_ - last_) / 2; }
  /// Of a difference of so many spreads, by Student's t with 4 degrees of freedom.
  static double log_likelihood(double away, double spread) {
    return -math::log(spread) - 2.5 * math::log(1 + away * away / 4);
  }
  /// Learns the noise from the latest difference. Returns the difference, clipped.
  double learn_noise(double spread, double h, double count) {
    const auto losses = static_cast<double>(count_);
    const double error = std::clamp(away_, -clip_, clip_) * spread;
    // What is cut off must have no mean. Where it has one losses are skewed, and count for more.
    const double cut = std::sqrt(count) * (away_ * spread - error);
    cut_ += cut;
    cut_squares_ += cut * cut;
    cut_count_ += 1;
    widened_ = cut_ * cut_ > Chosen::proof * Chosen::proof * cut_squares_ &&
               std::abs(cut_) > Chosen::least_cut * cut_count_ * std::sqrt(noise());
    if (widened_) {
      clip_ *= 2;
      cut_ = cut_squares_ = cut_count_ = 0;
    }
    const double share_of_noise = noise() / (noise() + count * h);
    variance_ += (count * (error * error) * share_of_noise - variance_) /
                 std::min(losses, 20 + 0.2 * losses);
    mean_variance_ += (variance_ - mean_variance_) / losses;
    return error;
  }

  std::uint64_t count_ = 0;
  std::uint64_t streak_ = 0;         // for how many losses running alternation has been worth using
  double variance_ = 0;              // over about the last fifth
  double mean_variance_ = 0;         // of all
  double error_of_none_ = 0;         // of predicting 0
  double error_of_last_ = 0;         // of predicting the last
  double error_of_alternating_ = 0;  // the last but one
  double last_ = 0;
  double before_last_ = 0;
  double swing_ = 0;
  double evidence_ = 0;
  double run_ = 0;  // how many losses running were far off the same way, with its sign
  double jumped_ = 0;
  double calm_ = 0;
  double clip_ = Chosen::clip;
  double cut_ = 0;  // what the clip has cut off
  double cut_squares_ = 0;
  double cut_count_ = 0;
  double away_ = 0;
  bool widened_ = false;
};

}  // namespace keyhole::algorithms
