#pragma once

#include <optional>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A bound on a metric, a number that is measured besides the loss. One of `most` and `least` is
/// given.
struct Limit {
  /// The largest value that is allowed.
  std::optional<double> most = {};
  /// The least value that is allowed.
  std::optional<double> least = {};
  /// With what probability it is kept in each round: from 0.5 to 1, excluded. What is kept is the
  /// metric without its noise.
  double each = 0.999;
  /// Whether it holds for the mean of all rounds instead.
  bool over_all = false;

  /// The same members.
  bool operator==(const Limit&) const = default;
};

}  // namespace keyhole
#pragma GCC visibility pop
