#pragma once

#include <string>

#include "experiment/summary.h"

namespace keyhole::experiment {

/// How a summary is shown.
enum class Format { table, json, csv };

/// The format of a name, "table", "json" or "csv". Throws InvalidArgument for another name.
[[nodiscard]] Format format_of(const std::string& name);

/// A table for the eye, of at most 100 columns, a problem after the other: learner, average loss
/// with half the width of its 95 % interval, average regret, the theorem's bound on it (in brackets
/// where it does not hold, with a star where it is vacuous), seconds and oracle calls per round;
/// "n/a" where it was too slow. Below it infeasible plays and alarms, and the wealth of portfolios.
[[nodiscard]] std::string summary_table(const ExperimentSummary& summary);

/// One line a problem and learner, after a header.
[[nodiscard]] std::string summary_csv(const ExperimentSummary& summary);

/// The summary in a format; as table and CSV that of relative regret, if asked for.
[[nodiscard]] std::string formatted(const ExperimentSummary& summary, Format format,
                                    bool relative = false);

}  // namespace keyhole::experiment
