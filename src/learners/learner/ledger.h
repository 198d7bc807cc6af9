#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "keyhole/summary.h"

namespace keyhole::algorithms {

/// A learner's account of its plays: their numbers, what was told of the latest of them (the
/// window), in which order it is to be learned from, and what was told twice, too late, or never.
/// What is told of a play is a fixed number of doubles: one loss, or one gradient. Takes 1 byte and
/// those doubles for each play of the window, all at construction, and 8 bytes more from the first
/// count on. Not thread-safe.
class Ledger {
 public:
  /// What is known of a play of the window.
  enum class Feedback : std::uint8_t {
    /// Nothing yet.
    pending,
    /// It was told, and is to be learned from at the next ask.
    received,
    /// It was told and learned from.
    absorbed,
  };

  /// An empty account of `window` plays, each with `width` doubles. A play that is not among the
  /// latest `expiry` any more, or has left the window, has expired.
  Ledger(std::uint64_t window, std::size_t width, std::optional<std::uint64_t> expiry = {});

  /// How many plays have been asked for.
  [[nodiscard]] PlayId asked() const noexcept { return asked_; }
  /// The oldest play of the window; 1 before the first.
  [[nodiscard]] PlayId oldest() const noexcept { return first_of_latest(window_); }
  /// What is known of a play of the window.
  [[nodiscard]] Feedback feedback(PlayId id) const noexcept { return feedback_[slot(id)]; }
  /// What was told of a play of the window; zeros while it is pending.
  [[nodiscard]] std::span<const double> told(PlayId id) const noexcept {
    return {values_.data() + slot(id) * width_, width_};
  }

  /// How often what was told of a play of the window counts; 1 while it is pending.
  [[nodiscard]] double count(PlayId id) const noexcept {
    return counts_.empty() ? 1 : counts_[slot(id)];
  }
  /// Whether anything was told that does not count once.
  [[nodiscard]] bool has_counts() const noexcept { return !counts_.empty(); }

  /// Numbers the next play; the oldest leaves the window when it is full.
  PlayId open();
  /// Throws FeedbackError for the number of a play that was never asked for.
  void require_asked(PlayId id) const;
  /// What take() would make of what is told of a play that was asked for, but for what the
  /// algorithm says of it; nothing if it contradicts what was told before, which stands.
  [[nodiscard]] std::optional<Receipt> judge(PlayId id, std::span<const double> told,
                                             double count = 1) const {
    const bool told_before = id >= oldest() && feedback(id) != Feedback::pending;
    if (!told_before) return id < first_of_latest(expiry_) ? Receipt::expired : Receipt::fresh;
    const std::span<const double> known = this->told(id);
    if (!std::equal(told.begin(), told.end(), known.begin()) || count != this->count(id)) return {};
    return Receipt::repeated;
  }
  /// Takes what is told, as it was judged; and whether it is above the bound that was promised.
  void take(PlayId id, std::span<const double> told, Receipt receipt, bool above_bound,
            double count = 1);
  /// The next play to learn from, in order of their numbers; 0 if there is none. From then on it
  /// counts as absorbed.
  PlayId next_received();

  /// Counts a play that was told too late to be learned from.
  void count_late() { ++late_; }
  /// How many plays were told in time.
  [[nodiscard]] std::uint64_t told_count() const noexcept { return told_; }
  /// All counts but the oracle's. Looks at the whole window.
  [[nodiscard]] Summary summary() const;

  /// The counts, as fields of a state.
  void counts(Archive& archive);
  /// What is known of the window's plays, oldest first, as fields of a state, after counts().
  void window(Archive& archive);
  /// How often what was told of them counts, if there are such counts, after window().
  void counts_of_plays(Archive& archive, bool are_there);

 private:
  [[nodiscard]] std::size_t slot(PlayId id) const noexcept {
    return static_cast<std::size_t>((id - 1) % window_);
  }
  /// The first of the latest `count` plays; 1 before there are as many.
  [[nodiscard]] PlayId first_of_latest(std::uint64_t count) const noexcept {
    return asked_ > count ? asked_ - count + 1 : 1;
  }
  /// The numbers of a play of the window.
  [[nodiscard]] std::span<double> numbers(PlayId id) noexcept {
    return {values_.data() + slot(id) * width_, width_};
  }
  /// Sets what is known of a play but for its numbers, which are 0. Throws StateError for a mark
  /// that is none.
  void set_mark(PlayId id, unsigned mark);
  void mark_received(PlayId id);

  std::uint64_t window_;
  std::size_t width_;
  std::uint64_t expiry_;  // at most the window
  // State.
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t expired_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t above_bound_ = 0;
  std::vector<double> values_;      // of the window's plays, by slot
  std::vector<Feedback> feedback_;  // of the window's plays, by slot
  std::vector<double> counts_;      // likewise; empty while all are 1
  // Follows from the state: the range of plays received and not absorbed; empty if first is 0.
  PlayId first_received_ = 0;
  PlayId last_received_ = 0;
};

}  // namespace keyhole::algorithms
