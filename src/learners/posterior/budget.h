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
/// and by how much they do, as the model of today sees the plays so far. From play t_0 = 10 (m + 2)
/// on the second part falls like sqrt(t_0 / t): what sqrt t plays cannot find is not worth more. A
/// model that fits badly finds much noise, and must not allow itself more for that: the variance
/// counts for no more than grows like the number of plays. After construction nothing allocates.
class Budget {
  using Chosen = PosteriorConstants;

 public:
  Budget(double caution, std::size_t m)
      : caution_(caution), of_noise_(std::sqrt(static_cast<double>(m + 2))) {}

  /// Begins with no plays.
  void begin() { gain_ = slack_ = a_round_ = noise_ = 0; }

  /// The gain over the start that can be relied on, a round.
  void expect(double gain) { gain_ = gain; }
  [[nodiscard]] double expected() const noexcept { return gain_; }

  /// Counts what there is, by the model, which has noted all plays, for noise of that variance. The
  /// first plays, so many, have more of the caution.
  void count(const Model& model, double noise, double bold = 0) {
    const std::span<const double> mean = model.posterior().mean();
    const std::span<const double> sums = model.noted();
    double spent = model.by_slopes(sums);
    if (spent < 0) spent *= model.reliable_share();
    for (std::size_t i = model.of_curvature(); i < mean.size(); ++i) spent += mean[i] * sums[i];
    const double plays = sums[0];  // the first feature is 1
    noise_ = noise_ > 0 ? std::min(noise, noise_ * (1 + 1 / std::max(plays, 1.0))) : noise;
    const double more = Chosen::bold - 1;
    const double cautions = cautions_of(plays) + more * cautions_of(std::min(plays, bold));
    a_round_ = caution_ * of_noise_ * std::sqrt(noise_);
    slack_ = plays * Chosen::spending * gain_ + cautions * a_round_ - spent;
    a_round_ *= falling(plays) * (plays < bold ? Chosen::bold : 1);
  }
  /// Says that the variance of the noise is so many times what it was.
  void scale_noise(double by) { noise_ *= by; }

  /// What is left.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// What one play may cost, where so many are made alike: never less than a round's caution.
  [[nodiscard]] double a_play(double alike) const { return std::max(slack_ / alike, a_round_); }
  /// Whether plays may go farther.
  [[nodiscard]] bool allows_more() const noexcept { return slack_ > -a_round_; }

  /// The fields of a state.
  void state(Archive& archive) {
    for (double* number : {&gain_, &slack_, &a_round_}) archive.field(*number);
    if (archive.revision() >= 8) archive.field(noise_);
  }

 private:
  /// What share of its caution a play has after so many.
  [[nodiscard]] double falling(double plays) const {
    return plays > whole() ? std::sqrt(whole() / plays) : 1;
  }
  /// What so many plays have in all.
  [[nodiscard]] double cautions_of(double plays) const {
    const double share = falling(plays);
    return share < 1 ? whole() * (2 / share - 1) : plays;
  }
  /// How many plays have all of it.
  [[nodiscard]] double whole() const { return Chosen::cautious * of_noise_ * of_noise_; }

  double caution_;
  double of_noise_;
  double gain_ = 0;
  double slack_ = 0;
  double a_round_ = 0;  // of the caution
  double noise_ = 0;    // the variance that counts
};

}  // namespace keyhole::algorithms
