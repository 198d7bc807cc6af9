#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/run.h"

namespace keyhole::experiment {

/// Copies what directories hold of an experiment (parts, times, who is too slow) into the directory
/// `options.out`, as from machines without a common disk. All must hold this very experiment, by
/// programs of one trace revision, and agree on who is too slow. Parts that are damaged are passed
/// over, and named in what is returned. Throws RunError, DiskError.
std::vector<std::string> gather(const Experiment& experiment, const RunOptions& options,
                                const std::vector<std::string>& directories);

}  // namespace keyhole::experiment
