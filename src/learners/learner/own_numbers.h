#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// The numbers by which an algorithm knows its plays, where not every play of the learner is its
/// own: the algorithm counts 1, 2, ... without the others and is not told what they cost. Takes 8
/// bytes for each play of the window, all at construction. Not thread-safe.
class OwnNumbers {
 public:
  /// Noted for a play that a coin has made at the start.
  static constexpr PlayId start = std::numeric_limits<PlayId>::max();

  /// After that many plays, all of them the algorithm's own.
  OwnNumbers(std::uint64_t window, std::uint64_t asked) : numbers_(window), wanted_(asked) {
    for (PlayId t = first_of_window(asked); t <= asked; ++t) note(t, t);
  }

  /// How many plays the algorithm has made.
  [[nodiscard]] std::uint64_t wanted() const noexcept { return wanted_; }
  /// Its number of play t of the window; 0 if that is not its own.
  [[nodiscard]] PlayId of(PlayId t) const noexcept { return at_start(t) ? 0 : numbers_[slot(t)]; }
  /// Whether a coin has play t of the window made at the start.
  [[nodiscard]] bool at_start(PlayId t) const noexcept { return numbers_[slot(t)] == start; }

  /// Numbers the next play that the algorithm makes.
  PlayId want() noexcept { return ++wanted_; }
  /// Play t is the algorithm's play of that number; 0 or `start` if it is not its own.
  void note(PlayId t, PlayId number) noexcept { numbers_[slot(t)] = number; }

  /// The fields of a state of that many plays: the count, and then the numbers.
  void count(Archive& archive, std::uint64_t asked) {
    archive.field(wanted_);
    if (wanted_ > asked) throw StateError("the state's own numbers are not sound");
  }
  /// After count().
  void numbers(Archive& archive, std::uint64_t asked) {
    for (PlayId t = first_of_window(asked); t <= asked; ++t) {
      archive.field(numbers_[slot(t)]);
      if (of(t) > wanted_) throw StateError("the state's own numbers are not sound");
    }
  }

 private:
  [[nodiscard]] std::size_t slot(PlayId t) const noexcept {
    return static_cast<std::size_t>((t - 1) % numbers_.size());
  }
  [[nodiscard]] PlayId first_of_window(std::uint64_t asked) const noexcept {
    return asked > numbers_.size() ? asked - numbers_.size() + 1 : 1;
  }

  std::vector<PlayId> numbers_;  // of the window's plays, by slot
  std::uint64_t wanted_;
};

}  // namespace keyhole::algorithms
