#pragma once

#include <string>

#include "experiment/experiment.h"

namespace keyhole::cli {

/// Shows on stderr how far the processes are that run an experiment in a directory, by its parts,
/// until all are there; reads names of files alone, and takes no lock. False if interrupted.
bool watch(const experiment::Experiment& study, const std::string& directory);

}  // namespace keyhole::cli
