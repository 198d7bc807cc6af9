#pragma once

#include "base/require.h"
#include "keyhole/problem.h"

namespace keyhole::problems {

/// Throws InvalidArgument if losses or gradients can be too large.
inline void require_moderate_losses(const Problem& problem) {
  const auto [loss, gradient, proven] = problem.bounds();
  base::require(base::is_moderate(loss) && base::is_moderate(gradient),
                "losses of " + problem.spec() + " would be up to " + base::number_text(loss) +
                    ", or their gradients up to " + base::number_text(gradient) + ", beyond 1e50");
}

/// Throws InvalidArgument unless there is a loss to add. Builds its message only then, as sums are
/// added to every round.
inline void require_drawn(const Problem& problem) {
  if (problem.drawn() == 0) throw InvalidArgument("no loss has been drawn yet that could be added");
}

}  // namespace keyhole::problems
