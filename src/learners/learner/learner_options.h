#pragma once

#include "keyhole/learner.h"
#include "keyhole/options.h"

namespace keyhole {

/// The options of learners: what reads, prints and documents them.
void list_options(OptionVisitor& visit, LearnerOptions& options);

}  // namespace keyhole
