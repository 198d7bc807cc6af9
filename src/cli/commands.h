#pragma once

#include <iosfwd>

namespace keyhole::cli {

/// Runs every learner on an embedded problem on two sets and prints how they do: average losses at
/// powers of two, and at the end the regret beside its bound.
void reproduce(std::ostream& out);

}  // namespace keyhole::cli
