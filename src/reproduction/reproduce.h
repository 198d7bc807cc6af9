// The paper's whole evaluation: runs it, judges its claims, writes a report.

#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "experiment/progress.h"
#include "report/report.h"
#include "reproduction/claims.h"

namespace keyhole::reproduction {

/// What to reproduce, and how.
struct Options {
  Wishes wishes = {};
  /// Which settings.
  std::vector<Setting> settings = {Setting::published, Setting::proven};
  /// The directory of the results, one directory a run in it.
  std::string out = {};
  /// How many runs at a time; 0 for one a core.
  unsigned threads = 0;
  /// Is told how far each run is; null for nobody.
  experiment::ProgressSink* progress = nullptr;
  /// Is called before each run with its name, if it is there.
  void (*announce)(const Run& run) = nullptr;
  /// Ends all soon when it becomes true; null for never.
  const std::atomic<bool>* stop = nullptr;
};

/// What came out.
struct Reproduction {
  /// Whether all was run; otherwise it was stopped, and the next call goes on.
  bool complete = false;
  std::vector<Outcome> outcomes = {};
  std::vector<Claim> claims = {};
};

/// Runs what is missing. Throws RunError or InputError if a run cannot be.
[[nodiscard]] Reproduction reproduce(const Options& options);

/// The report: the result, the claims, and a section a run with the published curves dashed next to
/// ours; times and constants last.
/// `command` is what the reader can type to make it again.
[[nodiscard]] report::Report report_of(const Reproduction& reproduction, const Options& options,
                                       const std::string& command);

}  // namespace keyhole::reproduction
