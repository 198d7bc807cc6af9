// The set on which the paper seems to have completed matrices.

#pragma once

#include <cstddef>

#include "keyhole/set.h"

namespace keyhole::problems {

/// symmetric_nuclear_ball(n, k), which is projected onto and explored in, with the linear oracle of
/// psd_trace_ball(n, k), as the paper has it: k v v' for the top eigenvector of the negative
/// direction minimises over the second, not over the first (docs/paper.md). It breaks the contract
/// of a set, whose oracle must be optimal, so only the reproduction of the published curves uses
/// it.
[[nodiscard]] SetPtr published_region(std::size_t n, double k);

}  // namespace keyhole::problems
