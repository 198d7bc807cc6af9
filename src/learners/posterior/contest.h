#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/posterior/constants.h"

namespace keyhole::algorithms {

/// Which of two lives is cheaper, the one before a surprise or the one that began with it: they
/// play in turns, and neighbours in time are compared, so that a level that moves does not matter.
/// The old life loses as soon as the new one is proven cheaper, and wins if that is not proven in
/// time. Where the old one wins, the next contest waits twice as long as the one before: a
/// surprise that means nothing often comes again.
class Contest {
  using Chosen = PosteriorConstants;

 public:
  /// The lives, by their age.
  enum class Side : std::size_t { old_life, new_life };
  /// What is known.
  enum class Verdict { open, old_wins, new_wins };

  /// For a model with so many coefficients.
  explicit Contest(double dimension) : dimension_(dimension), wait_(dimension) {}

  /// Whether there is one.
  [[nodiscard]] bool on() const noexcept { return on_ != 0; }
  /// Whether one may begin after so many losses.
  [[nodiscard]] bool may_begin(std::uint64_t losses) const {
    return on_ == 0 && static_cast<double>(losses) >= not_before_;
  }

  /// Begins, or counts from here on.
  void begin() {
    on_ = 1;
    forget_pair();
    pairs_ = sum_ = squares_ = 0;
  }

  /// Takes the loss of a play. While the new life explores near the start it can win, for plays
  /// that cost more than those are good for nothing, but it cannot lose before the end: that comes
  /// only where it learns nothing, because its losses are all the same or none is told.
  Verdict take(Side side, double loss, bool explores) {
    if (counts_[0] > 0 && counts_[1] > 0) close_pair();
    sums_[static_cast<std::size_t>(side)] += loss;
    counts_[static_cast<std::size_t>(side)] += 1;
    const double most = Chosen::most_pairs * dimension_;
    if (std::max(counts_[0], counts_[1]) > most) return Verdict::old_wins;
    if (pairs_ < Chosen::least_pairs) return Verdict::open;
    const double within = std::max(0.0, squares_ - sum_ * sum_ / pairs_);
    const double proof = Chosen::proof * std::sqrt(within * pairs_ / (pairs_ - 1));
    if (sum_ < -proof) return Verdict::new_wins;
    // The new one is young: it may still become cheaper.
    if (!explores && sum_ > 2 * proof) return Verdict::old_wins;
    return pairs_ < most ? Verdict::open : Verdict::old_wins;
  }

  /// Ends, after so many losses in all.
  void end(Verdict verdict, std::uint64_t losses) {
    on_ = 0;
    if (verdict == Verdict::new_wins) wait_ = dimension_;
    not_before_ = static_cast<double>(losses) + wait_;
    if (verdict == Verdict::old_wins) wait_ *= 2;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(on_);
    archive.field(sums_);
    archive.field(counts_);
    for (double* number : {&pairs_, &sum_, &squares_, &wait_, &not_before_}) {
      archive.field(*number);
    }
  }

 private:
  void close_pair() {
    const double above = sums_[1] / counts_[1] - sums_[0] / counts_[0];
    const double weighted = 2 * above / (1 / counts_[0] + 1 / counts_[1]);
    pairs_ += 1;
    sum_ += weighted;
    squares_ += weighted * weighted;
    forget_pair();
  }
  void forget_pair() { sums_ = counts_ = {}; }

  double dimension_;
  std::uint8_t on_ = 0;
  std::array<double, 2> sums_{};  // of the losses of a pair, old and new
  std::array<double, 2> counts_{};
  double pairs_ = 0;
  double sum_ = 0;  // of what the new life cost more in a pair
  double squares_ = 0;
  double wait_;            // in losses, for the next contest
  double not_before_ = 0;  // so many losses
};

}  // namespace keyhole::algorithms
