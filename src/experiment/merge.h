#pragma once

#include <string>

#include "experiment/directory.h"
#include "experiment/summary.h"
#include "experiment/trial.h"

namespace keyhole::experiment {

/// What all parts together say.
struct Merged {
  /// curves.csv: problem,learner,measure,round,mean,lower,upper,repeats. The measure is
  /// average_loss, on a fine logarithmic grid of rounds, or average_regret, at powers of two, at
  /// checkpoints and at the last round; lower and upper are blank for a single repeat.
  std::string curves;
  /// The summary, without times.
  ExperimentSummary summary;
};

/// Merges the parts, problem by problem and repeat by repeat: the bytes do not depend on how the
/// parts came about. Throws RunError if one is missing.
[[nodiscard]] Merged merge(const Experiment& experiment, const Trial& trial, Directory& directory);

}  // namespace keyhole::experiment
