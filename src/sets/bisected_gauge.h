#pragma once

#include <span>

#include "keyhole/set.h"

namespace keyhole::sets {

/// The gauge gamma(w) = inf {l >= 0 : p + (w - p) / l in K} of a set without a closed form of it,
/// of a point w of the hull: by bisection on contains() between ||w - p|| / R and ||w - p|| / r,
/// until the two ends are within 1e-13 of each other: 43 + log2(R / r) calls. The end that
/// is given is the one inside: p + (w - p) / gamma, in this arithmetic, passes contains() if any
/// point that was tried does. `scratch` holds n numbers. Allocates what contains() does.
[[nodiscard]] double bisected_gauge(const Set& set, std::span<const double> w,
                                    std::span<double> scratch);

}  // namespace keyhole::sets
