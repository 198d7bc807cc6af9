// Matroids without the elements that are in no independent set.

#pragma once

#include <vector>

#include "keyhole/matroids.h"

namespace keyhole::sets {

/// Which elements are dependent alone.
[[nodiscard]] std::vector<bool> loops_of(const Matroid& matroid);

/// The matroid of the other elements, in their order: of the same kind where the library has its
/// own.
[[nodiscard]] MatroidPtr without(const MatroidPtr& matroid, const std::vector<bool>& left_out);

}  // namespace keyhole::sets
