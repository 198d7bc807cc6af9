#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Keeps consecutive plays within max_step of each other: where an algorithm wants to be played
/// farther away, plays on the straight line lead there, in K because K is convex. The algorithm
/// knows nothing of these: its own plays are numbered 1, 2, ... without them, and it is not told
/// what they cost. Takes two points and 8 bytes for each play of the window, all at construction.
/// Not thread-safe.
class Pace {
 public:
  /// For plays of n numbers, of which the latest `window` can be told. Throws InvalidArgument
  /// unless max_step is a usable positive number.
  Pace(double max_step, std::uint64_t window, std::size_t n);

  /// Whether the point that the algorithm wanted last has yet to be reached.
  [[nodiscard]] bool on_the_way() const noexcept { return on_the_way_; }
  /// How many plays the algorithm has wanted.
  [[nodiscard]] std::uint64_t wanted() const noexcept { return wanted_; }
  /// The number by which the algorithm knows play t of the window; 0 for one on the way.
  [[nodiscard]] PlayId own_number(PlayId t) const noexcept { return own_numbers_[slot(t)]; }

  /// Numbers the next play that the algorithm wants.
  PlayId want() noexcept { return ++wanted_; }
  /// The point that the algorithm wants to be played.
  void aim(std::span<const double> wanted);
  /// Writes play t: that point, or one max_step nearer to it than the play before.
  void move(PlayId t, std::span<double> point);

  /// The fields of a state of that many plays.
  void state(Archive& archive, std::uint64_t asked);

 private:
  [[nodiscard]] std::size_t slot(PlayId t) const noexcept {
    return static_cast<std::size_t>((t - 1) % own_numbers_.size());
  }

  double max_step_;
  // State.
  std::uint64_t wanted_ = 0;
  bool on_the_way_ = false;
  std::vector<double> position_;     // the latest play
  std::vector<double> target_;       // the point that the algorithm wanted last
  std::vector<PlayId> own_numbers_;  // of the window's plays, by slot
};

}  // namespace keyhole
#pragma GCC visibility pop
