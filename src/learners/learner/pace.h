#pragma once

#include <optional>
#include <span>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// Keeps consecutive plays near each other: where an algorithm wants to be played farther away,
/// plays on the straight line lead there, in K because K is convex. The algorithm knows nothing of
/// these. Takes two points, at construction. Not thread-safe.
class Pace {
 public:
  /// For plays of n numbers: each at most max_step from the one before in the Euclidean norm, and
  /// at most max_steps[i] in coordinate i; either may be absent. Throws InvalidArgument unless
  /// these are usable positive numbers, max_steps none or n.
  Pace(std::optional<double> max_step, const std::vector<double>& max_steps, std::size_t n);

  /// Whether the point that was wanted last has yet to be reached.
  [[nodiscard]] bool on_the_way() const noexcept { return on_the_way_; }

  /// The point that is wanted.
  void aim(std::span<const double> wanted);
  /// Gives up the point that was wanted.
  void stop() noexcept { on_the_way_ = false; }
  /// Writes the next play: that point, or one as much nearer to it as is allowed. The first play is
  /// wherever it is wanted.
  void move(bool first, std::span<double> point);

  /// Whether the point is yet to be reached, as a field of a state; the two points.
  void flag(Archive& archive);
  void points(Archive& archive);

 private:
  /// The share of the way to the target that one play may go, at most 1.
  [[nodiscard]] double allowed_share() const;

  std::optional<double> max_step_;
  std::vector<double> max_steps_;
  // State.
  bool on_the_way_ = false;
  std::vector<double> position_;  // the latest play
  std::vector<double> target_;    // the point that was wanted last
};

}  // namespace keyhole::algorithms
