// What was measured of a play besides its loss, by name.

#pragma once

#include "keyhole/space.h"

namespace keyhole::spaces {

/// The values of those that were measured; what Space::metrics() takes.
[[nodiscard]] Values metric_values(const Space& space, const Metrics& metrics);

}  // namespace keyhole::spaces
