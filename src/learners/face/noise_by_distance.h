#pragma once

#include <algorithm>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// The variance of the noise at squared distance q from the start, a + b q: costs that are random
/// in every coordinate are far noisier at a vertex than at the centre. Fitted to squared residuals
/// less their own variance, those of what is well known counting more.
class NoiseByDistance {
 public:
  /// Begins with noise of variance a everywhere, and a guess of b that is worth eight losses.
  void begin(double a, double guess) {
    *this = {};
    a_ = mean_ = a;
    guess_ = guess;
  }
  void guess(double b) { guess_ = b; }

  /// The variance at squared distance q.
  [[nodiscard]] double at(double q) const { return std::max(a_ + b_ * q, 1e-9); }
  /// Its mean over the latest tenth of the plays.
  [[nodiscard]] double mean() const noexcept { return mean_; }
  /// What a loss there counts for: one near the start for ten others at most.
  [[nodiscard]] double precision(double q) const { return 1 / std::max(at(q), near * at(1)); }

  /// Takes the residual of the loss with that number, where the model had that variance.
  void take(double q, double residual, double variance, double count) {
    const double noise = at(q);
    const double known = noise / (noise + variance);
    const double squared = std::min(residual * residual, clip * clip * (noise + variance));
    const double fade = 1 - 1 / (100 + 0.5 * count);
    const double w = known * known;
    for (double* sum : {&one_, &q_, &qq_, &e_, &qe_, &raw_, &qraw_}) *sum *= fade;
    one_ += w;
    q_ += w * q;
    qq_ += w * q * q;
    e_ += w * (squared - variance);
    qe_ += w * q * (squared - variance);
    raw_ += w * squared;
    qraw_ += w * q * squared;
    mean_ += (noise - mean_) / std::min(count, 20 + 0.1 * count);
  }

  /// Fits a and b, by least squares: none is below 0, and neither changes by more than 2.
  void fit() {
    const double one = one_ + guessed;
    const double q = q_ + guessed;
    const double qq = qq_ + guessed;
    const double e = std::max(e_, least * raw_) + guessed * (a_ + guess_);
    const double qe = std::max(qe_, least * qraw_) + guessed * (a_ + guess_);
    const double determinant = one * qq - q * q;
    if (!(determinant > 1e-9 * one * qq)) return;
    double b = (one * qe - q * e) / determinant;
    double a = (e - b * q) / one;
    if (b < 0) {
      b = 0;
      a = e / one;
    }
    if (const double smallest = 1e-3 * (a_ + b_); a < smallest) {
      a = smallest;
      b = std::max(0.0, (qe - a * q) / qq);
    }
    const double most = 2 * a_ + b_;
    a_ = std::clamp(a, a_ / 2, most);
    b_ = std::clamp(b, b_ / 2, 2 * (a_ + b_));
  }

  /// The fields of a state.
  void state(Archive& archive) {
    for (double* number : {&a_, &b_, &guess_, &mean_, &one_, &q_, &qq_, &e_, &qe_, &raw_, &qraw_}) {
      archive.field(*number);
    }
  }

 private:
  static constexpr double near = 0.1;
  static constexpr double clip = 5;     // standard deviations
  static constexpr double guessed = 8;  // losses that the guess is worth
  static constexpr double least = 0.3;  // the share of the squares that is noise at least

  double a_ = 1;
  double b_ = 0;
  double guess_ = 0;
  double mean_ = 1;
  // Sums over the losses, weighted and fading.
  double one_ = 0;
  double q_ = 0;
  double qq_ = 0;
  double e_ = 0;
  double qe_ = 0;
  double raw_ = 0;
  double qraw_ = 0;
};

}  // namespace keyhole::algorithms
