// A slice of a set by that set's oracle alone, whatever else is known of it.

#pragma once

#include <span>

#include "keyhole/set.h"

namespace keyhole::sets {

/// slice(), but never by linear inequalities: for tests.
[[nodiscard]] SetPtr slice_by_columns(const SetPtr& set, std::span<const double> matrix,
                                      std::span<const double> right);

}  // namespace keyhole::sets
