#pragma once

#include <string>

#include "report/report.h"

namespace keyhole::report {

/// The report of a directory of results: a section a problem, average loss next to average regret,
/// and below them the table of the summary. Reads
///
///   curves.csv     problem,learner,measure,round,mean,lower,upper,repeats; the measure is
///                  average_loss or average_regret; lower and upper may be blank
///   summary.json   version, commit, trace_revision, seed, rounds, repeats, command, and problems:
///                  name, spec, set, dimension, rounds, warnings, and learners: name, spec,
///                  left_out, average_loss, average_regret and relative_regret {mean, lower,
///                  upper}, regret_bound {per_round, holds, note}, seconds_per_round,
///                  oracle_calls_per_round, infeasible_plays, alarms, beliefs {noise, gain,
///                  gain_error, curvature, fit, restarts}. All but the names may be missing or
///                  null.
///
/// Throws InputError, naming the file and the place, if one is missing or is not of this form.
[[nodiscard]] Report of_results(const std::string& directory);

}  // namespace keyhole::report
