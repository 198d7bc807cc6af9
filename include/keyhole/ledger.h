#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// What has happened so far.
struct Summary {
  /// Plays asked for.
  std::uint64_t asked = 0;
  /// Plays told in time.
  std::uint64_t told = 0;
  /// Plays that have not been told yet and still can be.
  std::uint64_t pending = 0;
  /// How many plays have been asked for since the oldest pending one; 0 if none is pending.
  std::uint64_t oldest_pending = 0;
  /// Plays that were not told before they expired.
  std::uint64_t missing = 0;
  /// Tells that repeated an earlier one and were ignored.
  std::uint64_t duplicates = 0;
  /// Tells that came after their play had expired: not learned from.
  std::uint64_t expired = 0;
  /// Tells that came in time but too late for the algorithm, such as one that has started anew: not
  /// learned from.
  std::uint64_t late = 0;
  /// Losses of a magnitude above the bound M that was promised, or gradients longer than G: the
  /// theorem does not cover them.
  std::uint64_t above_bound = 0;
  /// How often a linear function has been minimised.
  std::uint64_t oracle_calls = 0;
  /// The mean of the losses told, as they were told (not flipped); NaN before the first, and for
  /// learners that are told gradients.
  double average = std::numeric_limits<double>::quiet_NaN();
};

/// A learner's account of its plays: their numbers, what was told of the latest of them (the
/// window), in which order it is to be learned from, and what was told twice, too late, or never.
/// What is told of a play is a fixed number of doubles: one loss, or one gradient. Takes 1 byte and
/// those doubles for each play of the window, all at construction. Not thread-safe.
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

  /// How a tell was taken.
  enum class Receipt {
    /// It is the first for its play.
    fresh,
    /// The same was told before: counted, else ignored.
    repeated,
    /// Something else was told before, which stands: nothing has changed.
    contradicting,
    /// Its play has expired: counted, else ignored.
    expired,
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

  /// Numbers the next play; the oldest leaves the window when it is full.
  PlayId open();
  /// Throws FeedbackError for the number of a play that was never asked for.
  void require_asked(PlayId id) const;
  /// Takes what is told of a play that was asked for.
  Receipt take(PlayId id, std::span<const double> told);
  /// The next play to learn from, in order of their numbers; 0 if there is none. From then on it
  /// counts as absorbed.
  PlayId next_received();

  /// Counts a play that was told too late to be learned from.
  void count_late() { ++late_; }
  /// Counts a play told with a magnitude above the bound.
  void count_above_bound() { ++above_bound_; }
  /// How many plays were told in time.
  [[nodiscard]] std::uint64_t told_count() const noexcept { return told_; }
  /// All counts but the oracle's. Looks at the whole window.
  [[nodiscard]] Summary summary() const;

  /// The counts, as fields of a state.
  void counts(Archive& archive);
  /// What is known of the window's plays, oldest first, as fields of a state, after counts().
  void window(Archive& archive);

 private:
  [[nodiscard]] std::size_t slot(PlayId id) const noexcept {
    return static_cast<std::size_t>((id - 1) % window_);
  }
  /// The first of the latest `count` plays; 1 before there are as many.
  [[nodiscard]] PlayId first_of_latest(std::uint64_t count) const noexcept {
    return asked_ > count ? asked_ - count + 1 : 1;
  }
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
  // Follows from the state: the range of plays received and not absorbed; empty if first is 0.
  PlayId first_received_ = 0;
  PlayId last_received_ = 0;
};

}  // namespace keyhole
#pragma GCC visibility pop
