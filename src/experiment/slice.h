#pragma once

#include <cstdint>
#include <string>

#include "experiment/experiment.h"

namespace keyhole::experiment {

/// The unit of work: a problem in a repeat. Units are numbered, the repeat outermost.
struct Unit {
  /// The index of the problem.
  std::size_t problem = 0;
  /// The number of the repeat.
  std::uint64_t repeat = 0;
};

/// How many units an experiment has.
[[nodiscard]] std::uint64_t unit_count(const Experiment& experiment);

/// A unit by its number.
[[nodiscard]] Unit unit_of(const Experiment& experiment, std::uint64_t number);

/// One of several shares of the units of an experiment, for one of several machines. Of each run of
/// `count` units a slice has one, at a place that moves from run to run: so all slices have as
/// many, and none has the same problem again and again.
struct Slice {
  /// From 1 on.
  std::uint64_t number = 1;
  /// How many there are.
  std::uint64_t count = 1;

  bool operator==(const Slice&) const = default;
};

/// The number, from 1 on, of the slice that holds a unit.
[[nodiscard]] std::uint64_t slice_of(std::uint64_t unit, std::uint64_t count);

/// "3/8" is the third of eight; "slurm" is the task of a Slurm array, by its environment: the tasks
/// must be numbered evenly, as in --array=1-8. Throws InvalidArgument.
[[nodiscard]] Slice read_slice(const std::string& text);

/// "3/8".
[[nodiscard]] std::string slice_text(const Slice& slice);

}  // namespace keyhole::experiment
