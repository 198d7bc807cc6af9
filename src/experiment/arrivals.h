#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/experiment.h"
#include "math/random/ars.h"

namespace keyhole::experiment {

/// When the values of a run become known, the same for all of its players: that of round t after
/// d_t further rounds, or never, with probability `missing`. d_t is independent and uniform from 0
/// to delay - 1, or what ArrivalTimes says. Both are pure functions of (seed, repeat, t). Not
/// thread-safe.
class Arrivals {
 public:
  /// Of a problem of the experiment in a repeat: the stream 2^63 + repeat of the seed.
  Arrivals(const Experiment& experiment, std::size_t problem, std::uint64_t repeat);

  /// d_t; none if never.
  [[nodiscard]] std::optional<std::uint64_t> delay_of(std::uint64_t t) const;

  /// The rounds whose values arrive in round t, to be asked for t = 1, 2, ... one after the other.
  /// Valid until the next call.
  const std::vector<std::uint64_t>& in_round(std::uint64_t t);

 private:
  math::Ars generator_;
  ArrivalTimes times_;
  std::uint64_t delay_;
  double missing_;
  std::vector<std::vector<std::uint64_t>> due_;  // in round t: at t modulo their number
};

}  // namespace keyhole::experiment
