#pragma once

#include <string>

#include "experiment/experiment.h"

namespace keyhole::experiment {

/// Why an experiment is no extension of another one; empty if it is. An extension has all repeats,
/// learners and problems of the other one, and perhaps more: the results of the other one are part
/// of its own. Its problems begin with those of the other one, in order; learners may stand in any
/// order. Names, and what regrets are divided by, may change.
[[nodiscard]] std::string why_no_extension(const Experiment& larger, const Experiment& smaller);

}  // namespace keyhole::experiment
