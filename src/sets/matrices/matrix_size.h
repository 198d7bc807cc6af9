// How large matrices may be.

#pragma once

#include <cstddef>
#include <string>

#include "base/require.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless m x n matrices have at least one entry and at most 1e9; `what`
/// names their set.
inline void require_matrix_size(const std::string& what, std::size_t m, std::size_t n) {
  constexpr std::size_t most_entries = 1'000'000'000;
  base::require(m >= 1 && n >= 1, what + " needs at least one row and one column, not " +
                                      std::to_string(m) + " and " + std::to_string(n));
  base::require(m <= most_entries / n, what + " of " + std::to_string(m) + " x " +
                                           std::to_string(n) +
                                           " matrices is too large: 1e9 entries are the most");
}

}  // namespace keyhole::sets
