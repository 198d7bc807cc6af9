#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/summary.h"

namespace keyhole::experiment {

/// What a learner's relative regrets at a round come to over the problems that have one there.
struct RelativeMean {
  /// The round.
  std::uint64_t round = 0;
  /// How many problems enter.
  std::uint64_t problems = 0;
  /// (r_1 + ... + r_m) / m.
  std::optional<double> arithmetic = {};
  /// (r_1 ... r_m)^(1/m), each r at least 0.001.
  std::optional<double> geometric = {};
  /// The same for the recommended points, and how many problems enter: those whose best point does
  /// not move.
  std::optional<double> recommended = {};
  /// See recommended.
  std::uint64_t recommended_problems = 0;
};

/// The same at all checkpoints.
struct RelativeMeans {
  /// The learner's name.
  std::string learner = {};
  /// One for each checkpoint.
  std::vector<RelativeMean> means = {};
};

/// For each learner, the means over the problems.
[[nodiscard]] std::vector<RelativeMeans> relative_means(const ExperimentSummary& summary);

/// A table for the eye of average regret divided by that of the control `stay`, a problem after the
/// other: at each checkpoint, at the last with half the width of its interval, that of the point
/// recommended in the end, the largest from round 64 on, the worst window (of long runs), the slope
/// of total regret over the rounds, oracle calls and time a round ("n/a" for a learner that was too
/// slow, "-" where there is nothing to divide by); then the means over the problems.
[[nodiscard]] std::string relative_table(const ExperimentSummary& summary);

/// One line a problem, learner and checkpoint, after a header; the means over the problems as those
/// of the problems "arithmetic mean" and "geometric mean". The last column is of the points that
/// are recommended at that round.
[[nodiscard]] std::string relative_csv(const ExperimentSummary& summary);

}  // namespace keyhole::experiment
