// The coordinates of a study's points, for people.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::studies {

/// A coordinate.
struct Axis {
  /// "timeout", "pool.a", "codec.lz4" for the probability of a choice, or x1 on a set.
  std::string name;
  std::string unit = {};
  /// The least and the largest that it can be.
  double from = 0;
  double to = 1;
  /// Whether the user's value is its exponential, or a whole number.
  bool log = false;
  bool whole = false;
  /// Whether it may be anything between both, whatever the others are.
  bool alone = false;
  /// The texts of the levels of whose places it is one.
  std::vector<std::string> levels = {};

  /// The user's value of a coordinate.
  [[nodiscard]] double value(double x) const;
  /// Where it is on the way from one end to the other, from 0 to 1.
  [[nodiscard]] double place(double x) const;
};

/// Some coordinates of what a study plays on, by their numbers from 0 on. On a set an oracle says
/// how far each can go.
[[nodiscard]] std::vector<Axis> axes_of(const Study& study, const std::vector<std::size_t>& which);

}  // namespace keyhole::studies
