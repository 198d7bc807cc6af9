#pragma once

#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// The sets that a product has side by side; the set itself if it is none.
[[nodiscard]] std::vector<SetPtr> factors_of(const SetPtr& set);

}  // namespace keyhole::sets
