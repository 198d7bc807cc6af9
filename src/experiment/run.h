#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "experiment/experiment.h"
#include "experiment/progress.h"
#include "experiment/slice.h"
#include "experiment/summary.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// What of an experiment to do.
enum class Stage {
  everything,  // what is missing, then the results
  trial,       // find out who is too slow, together with other processes, a problem by one of them
  prepare,     // make the directory, and find out who is too slow: before several processes begin
  units,       // the units of a slice, together with other processes; no results
  results,     // the results, if all units are there
};

/// How to run an experiment; nothing here changes its results.
struct RunOptions {
  /// The results directory.
  std::string out;
  /// What to do.
  Stage stage = Stage::everything;
  /// Stage::units: which of them.
  Slice slice = {};
  /// Stage::units: hands out the numbers of units, each once, instead of the slice, then
  /// unit_count() and more for the first and further problems, whose times are measured; none when
  /// there are no more. Stage::trial: the numbers of problems. Called from several threads at once.
  std::function<std::optional<std::uint64_t>()> next = {};
  /// How many runs at a time; 0 for one a core.
  unsigned threads = 0;
  /// Is told how far it is; null for nobody.
  ProgressSink* progress = nullptr;
  /// Ends the run soon when it becomes true, as from the handler of a signal; null for never.
  const std::atomic<bool>* stop = nullptr;
  /// Is set when the run ends early, whatever the reason: for learners that wait for something
  /// else.
  std::atomic<bool>* given_up = nullptr;
  /// How long each learner's time is measured on each problem; 0 for no times at all.
  double timing_seconds = 0.3;
  /// Where problems and algorithms come from.
  Catalogue catalogue = Catalogue::standard();
  /// The door to the disk; null for the usual one.
  base::Disk* disk = nullptr;
};

/// What a call of run() did.
struct RunReport {
  /// Whether all of the stage is done; otherwise it was stopped, and the next call continues.
  bool complete = false;
  /// Whether the directory held a smaller experiment, which was extended.
  bool extended = false;
  /// How many runs (problems x repeats) the experiment, or the slice, has.
  std::uint64_t units = 0;
  /// How many of them were computed now rather than found.
  std::uint64_t computed = 0;
  /// What the user should know.
  std::vector<std::string> warnings = {};
  /// The summary, if complete; none of the stages `trial`, `prepare` and `units`.
  ExperimentSummary summary = {};
};

/// Runs what is missing of an experiment, then writes curves.csv and summary.json; or one stage of
/// that. An experiment can be extended (see Directory): what is there is not computed again, and
/// the results are those of the larger one from nothing. Interrupted by `stop` or by force it can
/// be called again, and ends with the same bytes in curves.csv; so it does for any number of
/// threads, slices and processes. Throws RunError if the directory cannot be used or, in
/// Stage::results, if units are missing (they and their slices are named), DiskError if it cannot
/// be written to, or if a run fails (problem, repeat and learner are named, and what was thrown is
/// nested); what was finished stays.
[[nodiscard]] RunReport run(const Experiment& experiment, const RunOptions& options);

}  // namespace keyhole::experiment
