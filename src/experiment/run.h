#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/disk.h"
#include "experiment/experiment.h"
#include "experiment/progress.h"
#include "experiment/summary.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// How to run an experiment; nothing here changes its results.
struct RunOptions {
  /// The results directory.
  std::string out;
  /// How many runs at a time; 0 for one a core.
  unsigned threads = 0;
  /// Is told how far it is; null for nobody.
  ProgressSink* progress = nullptr;
  /// Ends the run soon when it becomes true, as from the handler of a signal; null for never.
  const std::atomic<bool>* stop = nullptr;
  /// How long each learner's time is measured on each problem; 0 for no times at all.
  double timing_seconds = 0.3;
  /// Where problems and algorithms come from.
  Catalogue catalogue = Catalogue::standard();
  /// The door to the disk; null for the usual one.
  base::Disk* disk = nullptr;
};

/// What a call of run() did.
struct RunReport {
  /// Whether all is there; otherwise it was stopped, and the next call continues.
  bool complete = false;
  /// How many runs (problems x repeats) the experiment has.
  std::uint64_t units = 0;
  /// How many of them were computed now rather than found.
  std::uint64_t computed = 0;
  /// What the user should know.
  std::vector<std::string> warnings = {};
  /// The summary, if complete.
  ExperimentSummary summary = {};
};

/// Runs what is missing of an experiment, then writes curves.csv and summary.json. Interrupted by
/// `stop` or by force it can be called again, and ends with the same bytes in curves.csv; so it
/// does for any number of threads. Throws RunError if the directory cannot be used, DiskError if it
/// cannot be written to, or if a run fails (problem, repeat and learner are named, and what was
/// thrown is nested); what was finished stays.
[[nodiscard]] RunReport run(const Experiment& experiment, const RunOptions& options);

}  // namespace keyhole::experiment
