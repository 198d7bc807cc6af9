// The matrix completion of the paper's published curves.

#pragma once

#include "keyhole/catalogue.h"

namespace keyhole::reproduction {

/// published_completion: completion(n=20, k=18) on symmetric_nuclear_ball(n, k), which is projected
/// onto and explored in, with the linear oracle of psd_trace_ball(n, k), as the paper has it: k v
/// v' for the top eigenvector of the negative direction minimises over the second, not over the
/// first (docs/paper.md). It breaks the contract of a set, whose oracle must be optimal, so only
/// the reproduction of the published curves uses it.
[[nodiscard]] SpecEntry published_completion();

}  // namespace keyhole::reproduction
