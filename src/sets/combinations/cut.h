// A cut of a set by that set's oracle alone, whatever else is known of it.

#pragma once

#include <span>

#include "keyhole/set.h"
#include "sets/combinations/cut_columns.h"

namespace keyhole::sets {

/// cut(), but never by linear inequalities: for tests.
[[nodiscard]] SetPtr cut_by_columns(const SetPtr& set, std::span<const double> matrix,
                                    std::span<const double> right);

/// What cut_by_columns() works with: rows of length 1 within the hull of the set, without those
/// that all its points keep; x_0 and a ball of the set about it that keeps them too. Throws
/// InvalidArgument if there is no such ball, or if its rows allow less than 1e-6 of the diameter.
[[nodiscard]] CutFrame find_cut(const SetPtr& set, std::span<const double> matrix,
                                std::span<const double> right);

}  // namespace keyhole::sets
