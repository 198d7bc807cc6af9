#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"

namespace keyhole::algorithms {

/// What plays were made from, for plays whose loss comes later: a sample serves a run of plays. The
/// latest 1024 samples are kept, and a state has those alone that wait for losses.
class SampleLog {
 public:
  /// What chance decides of a play, and the lengths that it goes.
  struct Sizes {
    /// How often a play is made near the start, to compare.
    double compared = 0;
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
    /// How they were made.
    Sizes sizes;
  };

  /// For points of `numbers` coordinates.
  explicit SampleLog(std::size_t numbers)
      : numbers_(numbers), entries_(most), points_(most * numbers) {}

  /// Whether there is none.
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// The latest.
  [[nodiscard]] Entry& latest() { return entries_[(count_ - 1) % most]; }
  [[nodiscard]] const Entry& latest() const { return entries_[(count_ - 1) % most]; }
  /// Its point.
  [[nodiscard]] std::span<double> latest_point() { return point((count_ - 1) % most); }
  [[nodiscard]] std::span<const double> latest_point() const {
    return std::span(points_).subspan((count_ - 1) % most * numbers_, numbers_);
  }

  /// Begins a run of plays; the point is that of the run before, and zeros at first.
  void add(PlayId first, const Sizes& sizes) {
    ++count_;
    if (count_ > 1) {
      const std::span<double> before = point((count_ - 2) % most);
      std::copy(before.begin(), before.end(), latest_point().begin());
    } else {
      std::fill(latest_point().begin(), latest_point().end(), 0.0);
    }
    latest() = {first, 0, 0, runs_++, sizes};
  }

  /// The run of play t; null if it is older than the log.
  [[nodiscard]] Entry* of(PlayId t) {
    const std::size_t index = index_of(t);
    return index == most ? nullptr : &entries_[index];
  }
  /// Whether the run of play t is known.
  [[nodiscard]] bool knows(PlayId t) const { return index_of(t) < most; }
  /// The point of a run.
  [[nodiscard]] std::span<const double> point_of(const Entry& entry) const {
    const auto index = static_cast<std::size_t>(&entry - entries_.data());
    return std::span(points_).subspan(index * numbers_, numbers_);
  }

  /// The fields of a state.
  void state(Archive& archive) {
    std::uint64_t kept = 0;
    for (std::uint64_t k = oldest(); k < count_; ++k) kept += is_needed(k) ? 1 : 0;
    archive.field(kept);
    archive.field(runs_);
    if (archive.reading()) {
      if (kept > most) throw StateError("the state has " + std::to_string(kept) + " samples");
      count_ = kept;
    }
    for (std::uint64_t k = archive.reading() ? 0 : oldest(); k < count_; ++k) {
      if (!archive.reading() && !is_needed(k)) continue;
      Entry& entry = entries_[k % most];
      for (std::uint64_t* count : {&entry.first, &entry.plays, &entry.waiting, &entry.number}) {
        archive.field(*count);
      }
      Sizes& sizes = entry.sizes;
      for (double* number : {&sizes.compared, &sizes.at_start, &sizes.on_the_way, &sizes.reach,
                             &sizes.exploring, &sizes.exploring_reach}) {
        archive.field(*number);
      }
      archive.field(point(k % most));
    }
  }

 private:
  static constexpr std::size_t most = 1024;

  [[nodiscard]] std::uint64_t oldest() const { return count_ > most ? count_ - most : 0; }
  /// Where the run of play t is; `most` if it is older than the log.
  [[nodiscard]] std::size_t index_of(PlayId t) const {
    for (std::uint64_t k = count_; k > oldest(); --k) {
      const Entry& entry = entries_[(k - 1) % most];
      if (entry.first > t) continue;
      return t < entry.first + entry.plays && is_recent(entry) ? (k - 1) % most : most;
    }
    return most;
  }
  [[nodiscard]] bool is_needed(std::uint64_t k) const {
    const Entry& entry = entries_[k % most];
    return k + 1 == count_ || (entry.waiting > 0 && is_recent(entry));
  }
  /// A log that was read holds few runs, and forgets them when the one that was written does.
  [[nodiscard]] bool is_recent(const Entry& entry) const { return entry.number + most >= runs_; }
  [[nodiscard]] std::span<double> point(std::size_t index) {
    return std::span(points_).subspan(index * numbers_, numbers_);
  }

  std::size_t numbers_;
  std::uint64_t count_ = 0;  // runs in the log, or ever added to it
  std::uint64_t runs_ = 0;   // before a state was read, too
  std::vector<Entry> entries_;
  std::vector<double> points_;
};

}  // namespace keyhole::algorithms
