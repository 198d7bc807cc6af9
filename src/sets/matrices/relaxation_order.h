// How large the matrices of semidefinite programs may be.

#pragma once

#include <cstddef>

namespace keyhole::sets {

/// A program of this order takes about a fifth of a second.
inline constexpr std::size_t most_relaxation_order = 200;

}  // namespace keyhole::sets
