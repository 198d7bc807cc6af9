#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "keyhole/archive.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/model.h"
#include "math/sums.h"

namespace keyhole::algorithms {

/// What exploring may cost: the plays together may lie above the start by
///
///   half of the gain that the model has reason to expect + caution noise sqrt(m + 2)   a round
///
/// and by how much they do, as the model of today sees the plays so far. After construction nothing
/// allocates.
class Budget {
  using Chosen = PosteriorConstants;

 public:
  Budget(double caution, std::size_t m)
      : caution_(caution), of_noise_(std::sqrt(static_cast<double>(m + 2))) {}

  /// Begins with no plays.
  void begin() { gain_ = slack_ = a_round_ = 0; }

  /// The gain over the start that can be relied on, a round.
  void expect(double gain) { gain_ = gain; }
  [[nodiscard]] double expected() const noexcept { return gain_; }

  /// Counts what there is, by the model, which has noted all plays, for noise of that variance.
  void count(const Model& model, double noise) {
    const std::span<const double> mean = model.posterior().mean();
    const std::span<const double> sums = model.noted();
    const std::size_t curved = model.first_curvature();
    double spent = math::dot(mean.subspan(1, curved - 1), sums.subspan(1, curved - 1));
    if (spent < 0) spent *= model.reliable_share();
    for (std::size_t i = curved; i < mean.size(); ++i) spent += mean[i] * sums[i];
    a_round_ = caution_ * of_noise_ * std::sqrt(noise);
    const double plays = sums[0];  // the first feature is 1
    slack_ = plays * (Chosen::spending * gain_ + a_round_) - spent;
  }

  /// What is left.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// What one play may cost, where so many are made alike: never less than a round's caution.
  [[nodiscard]] double a_play(double alike) const { return std::max(slack_ / alike, a_round_); }
  /// Whether plays may go farther.
  [[nodiscard]] bool allows_more() const noexcept { return slack_ > -a_round_; }

  /// The fields of a state.
  void state(Archive& archive) {
    for (double* number : {&gain_, &slack_, &a_round_}) archive.field(*number);
  }

 private:
  double caution_;
  double of_noise_;
  double gain_ = 0;
  double slack_ = 0;
  double a_round_ = 0;  // of the caution
};

}  // namespace keyhole::algorithms
