// What a run came to, as claims and report look at it.

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "experiment/summary.h"
#include "report/curves.h"
#include "reproduction/runs.h"

namespace keyhole::reproduction {

/// The median of passes over the same rounds, and an interval about it.
struct Spread {
  double median = 0;
  double lower = 0;
  double upper = 0;
};

/// Of nine passes the second smallest and the second largest are the interval. Both lie on one side
/// of the true median in 20 of 512 cases, whatever the times are like: it is one of 96 %. Other
/// work on the machine disturbs single passes, and the one that it disturbs most is left out.
constexpr std::size_t passes = 9;
[[nodiscard]] Spread spread_of(std::array<double, passes> times);

/// A run and its results.
struct Outcome {
  Run run;
  experiment::ExperimentSummary summary;
  report::ProblemCurves curves;
  /// The average loss of all rounds of each learner, repeat by repeat. All learners of a repeat
  /// meet the same losses, so that their differences vary much less than they do.
  std::map<std::string, std::vector<double>> average_losses = {};
  /// How many rounds and repeats the default learner had.
  std::uint64_t default_rounds = 0;
  std::uint64_t default_repeats = 0;
  /// The time of a round of each learner, as a multiple of Proposed's.
  std::map<std::string, Spread> relative_time = {};

  /// The one problem of the run.
  [[nodiscard]] const experiment::ProblemSummary& problem() const {
    return summary.problems.front();
  }
  /// By how much the average loss of one learner exceeds that of another, repeat by repeat.
  [[nodiscard]] experiment::Interval excess(const std::string& one, const std::string& other) const;
  /// The learner of that name.
  [[nodiscard]] const experiment::LearnerSummary& learner(const std::string& name) const;
  /// Its curve of average losses.
  [[nodiscard]] const report::Series& losses(const std::string& name) const;
};

}  // namespace keyhole::reproduction
