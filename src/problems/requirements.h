#pragma once

#include <cstddef>
#include <string>

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

/// Throws InvalidArgument unless there is a set, of which the named problem keeps n^2 numbers.
inline void require_square_fits(const std::string& name, const SetPtr& set) {
  constexpr std::size_t largest = 4096;
  base::require(set != nullptr, name + " needs a set to play on");
  base::require(set->dimension() <= largest, name + " needs a set of dimension up to 4096, not " +
                                                 std::to_string(set->dimension()));
}

/// Throws InvalidArgument unless there is a loss to add. Builds its message only then, as sums are
/// added to every round.
inline void require_drawn(const Problem& problem) {
  if (problem.drawn() == 0) throw InvalidArgument("no loss has been drawn yet that could be added");
}

}  // namespace keyhole::problems
