#pragma once

#include "cli/commands.h"
#include "experiment/run.h"

namespace keyhole::cli {

/// Prints what a run did: the summary to stdout, the rest to stderr. Returns the exit code.
int print_report(const experiment::RunReport& report, const experiment::RunOptions& options,
                 const Arguments& arguments, const Program& program);

}  // namespace keyhole::cli
