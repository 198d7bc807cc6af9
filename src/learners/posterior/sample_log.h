#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"
#include "learners/level.h"
#include "learners/posterior/constants.h"

namespace keyhole::algorithms {

/// What plays were made from, for plays whose loss comes later: a sample serves a run of plays. The
/// latest samples are kept, 1024 or 4096 with contexts or limits, and a state has those alone that
/// wait for losses.
class SampleLog {
 public:
  /// What chance decides of a play, and the lengths that it goes.
  struct Sizes {
    /// How often it is made at the start.
    double at_start = 0;
    /// How often it is made on the way to the sample.
    double on_the_way = 0;
    /// How far it goes towards the sample.
    double reach = 0;
    /// How often it explores besides.
    double exploring = 0;
    /// How far that goes.
    double exploring_reach = 0;
    /// How many samples before this one plays take turns with.
    double turns = 0;
  };

  /// A run of plays.
  struct Entry {
    /// The first of them.
    PlayId first = 0;
    /// How many numbers they take, from the first to the last: not all need be of this learner.
    std::uint64_t plays = 0;
    /// How many of their losses have not come in.
    std::uint64_t waiting = 0;
    /// How many runs there were before.
    std::uint64_t number = 0;
    /// Which life made them.
    std::uint64_t life = 0;
    /// How they were made.
    Sizes sizes;
  };

  /// For points of `numbers` coordinates, and for so many runs.
  explicit SampleLog(std::size_t numbers, std::size_t runs = 1024)
      : most_(runs), numbers_(numbers), entries_(most_), points_(most_ * numbers) {}

  /// Whether there is none.
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// The latest.
  [[nodiscard]] Entry& latest() { return entries_[(count_ - 1) % most_]; }
  [[nodiscard]] const Entry& latest() const { return entries_[(count_ - 1) % most_]; }
  /// Its point.
  [[nodiscard]] std::span<double> latest_point() { return point((count_ - 1) % most_); }
  [[nodiscard]] std::span<const double> latest_point() const {
    return std::span(points_).subspan((count_ - 1) % most_ * numbers_, numbers_);
  }

  /// How many plays a run must have at least, so that the log has room for four times as many plays
  /// as wait for their losses on the average.
  [[nodiscard]] double least_run() const { return 4 * ages_.mean() / static_cast<double>(most_); }

  /// Begins a run of plays; the point is that of the run before, and zeros at first.
  void add(PlayId first, const Sizes& sizes, std::uint64_t life = 0) {
    ++count_;
    if (count_ > 1) {
      const std::span<double> before = point((count_ - 2) % most_);
      std::copy(before.begin(), before.end(), latest_point().begin());
    } else {
      std::fill(latest_point().begin(), latest_point().end(), 0.0);
    }
    latest() = {first, 0, 0, runs_++, life, sizes};
  }

  /// The run of play t, whose loss has come in; null if it is older than the log.
  [[nodiscard]] Entry* of(PlayId t) {
    if (const PlayId end = empty() ? 0 : latest().first + latest().plays; t < end) {
      ages_.take(static_cast<double>(end - t - 1));
    }
    const std::size_t index = index_of(t);
    return index == most_ ? nullptr : &entries_[index];
  }
  /// The run whose sample a play of that run is made from, by a random number from 0 to 1.
  [[nodiscard]] const Entry& turn(const Entry& run, double uniform) const {
    const auto back = static_cast<std::size_t>(uniform * (1 + run.sizes.turns));
    const auto index = static_cast<std::size_t>(&run - entries_.data());
    return entries_[(index + most_ - back) % most_];
  }
  /// Whether the run of play t is known.
  [[nodiscard]] bool knows(PlayId t) const { return index_of(t) < most_; }
  /// The point of a run.
  [[nodiscard]] std::span<const double> point_of(const Entry& entry) const {
    const auto index = static_cast<std::size_t>(&entry - entries_.data());
    return std::span(points_).subspan(index * numbers_, numbers_);
  }

  /// Calls f(entry, its point) for every run of the log.
  template <class F>
  void for_each(F f) {
    for (std::uint64_t k = oldest(); k < count_; ++k) f(entries_[k % most_], point(k % most_));
  }

  /// The fields of a state.
  void state(Archive& archive) {
    std::uint64_t kept = 0;
    for (std::uint64_t k = oldest(); k < count_; ++k) kept += is_needed(k) ? 1 : 0;
    archive.field(kept);
    archive.field(runs_);
    const bool before_7 = archive.revision() < 7;  // no ages, no lives, another size for turns
    if (!before_7) ages_.state(archive);
    if (archive.reading()) {
      if (kept > most_) throw StateError("the state has " + std::to_string(kept) + " samples");
      count_ = kept;
    }
    for (std::uint64_t k = archive.reading() ? 0 : oldest(); k < count_; ++k) {
      if (!archive.reading() && !is_needed(k)) continue;
      Entry& entry = entries_[k % most_];
      for (std::uint64_t* count : {&entry.first, &entry.plays, &entry.waiting, &entry.number}) {
        archive.field(*count);
      }
      if (!before_7) archive.field(entry.life);
      Sizes& sizes = entry.sizes;
      double compared = 0;  // how often plays were made near the start, to compare
      if (before_7) archive.field(compared);
      for (double* number : {&sizes.at_start, &sizes.on_the_way, &sizes.reach, &sizes.exploring,
                             &sizes.exploring_reach}) {
        archive.field(*number);
      }
      if (!before_7) archive.field(sizes.turns);
      if (compared > 0) entry.plays = 0;  // which of them were is not known any more
      archive.field(point(k % most_));
    }
  }

 private:
  static constexpr auto most_turns = static_cast<std::uint64_t>(PosteriorConstants::turns) - 1;

  [[nodiscard]] std::uint64_t oldest() const { return count_ > most_ ? count_ - most_ : 0; }
  /// Where the run of play t is; `most_` if it is older than the log.
  [[nodiscard]] std::size_t index_of(PlayId t) const {
    for (std::uint64_t k = count_; k > oldest(); --k) {
      const Entry& entry = entries_[(k - 1) % most_];
      if (entry.first > t) continue;
      return t < entry.first + entry.plays && is_recent(entry) ? (k - 1) % most_ : most_;
    }
    return most_;
  }
  /// Whether a loss or a play may ask for run k, or for one that takes turns with it.
  [[nodiscard]] bool is_needed(std::uint64_t k) const {
    std::uint64_t back = 0;
    for (std::uint64_t j = k; j < count_ && back <= most_turns; ++j, ++back) {
      const Entry& entry = entries_[j % most_];
      if (entry.sizes.turns < static_cast<double>(back)) continue;
      if (j + 1 == count_ || (entry.waiting > 0 && is_recent(entry))) return true;
    }
    return false;
  }
  /// Whether a run is in the log with all those that it takes turns with. A log that was read holds
  /// few runs, and forgets them when the one that was written does.
  [[nodiscard]] bool is_recent(const Entry& entry) const {
    return entry.number + most_ >= runs_ + static_cast<std::uint64_t>(entry.sizes.turns);
  }
  [[nodiscard]] std::span<double> point(std::size_t index) {
    return std::span(points_).subspan(index * numbers_, numbers_);
  }

  std::size_t most_;  // runs
  std::size_t numbers_;
  std::uint64_t count_ = 0;  // runs in the log, or ever added to it
  std::uint64_t runs_ = 0;   // before a state was read, too
  Level ages_;               // how many plays were made before a loss came in
  std::vector<Entry> entries_;
  std::vector<double> points_;
};

}  // namespace keyhole::algorithms
