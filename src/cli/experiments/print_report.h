#pragma once

#include "cli/commands.h"
#include "experiment/run.h"

namespace keyhole::cli {

/// Prints what a run did: the summary to stdout, the rest to stderr. Returns the exit code.
int print_report(const experiment::RunReport& report, const experiment::RunOptions& options,
                 const Arguments& arguments, const Program& program);

/// What --out and --threads say. Throws UsageError.
[[nodiscard]] experiment::RunOptions run_options(const Arguments& arguments);

/// Plays what is missing of an experiment, and prints what it did. Returns the exit code.
int play(const experiment::Experiment& experiment, experiment::RunOptions options,
         const Arguments& arguments, const Program& program);

}  // namespace keyhole::cli
