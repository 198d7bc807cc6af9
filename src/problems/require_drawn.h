#pragma once

#include "keyhole/error.h"
#include "keyhole/problem.h"

namespace keyhole::problems {

/// Throws InvalidArgument unless there is a loss to add. Builds its message only then, as sums are
/// added to every round.
inline void require_drawn(const Problem& problem) {
  if (problem.drawn() == 0) throw InvalidArgument("no loss has been drawn yet that could be added");
}

}  // namespace keyhole::problems
