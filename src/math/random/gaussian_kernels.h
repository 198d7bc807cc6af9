// The two ways to compute many normal numbers: by blocks in plain C++ and with the processor's AES
// instructions. Both give the same digits; only gaussian.cc, which chooses, and the tests, which
// compare, look at this header.

#pragma once

#include <cstddef>
#include <cstdint>

#include "math/random/ziggurat.h"

namespace keyhole::math {

// So many groups at a time, for a mask of 64 bits.
inline constexpr std::size_t most_groups = 64;

// Writes the halves of the blocks at the counters (low = first + j, high = id) to bits[2j] and
// bits[2j + 1], and to z what scale_group makes of each group, for 1 to most_groups groups; that of
// the last goes to `last`. Returns the set of the groups in which not all lanes are accepted, as a
// mask. The lowest byte of `first` must be 0, so that no other changes.
using GaussianKernel = std::uint64_t (*)(ZigguratTables tables, const std::uint64_t* round_keys,
                                         std::uint64_t id, std::uint64_t first, std::size_t groups,
                                         std::uint64_t* bits, double* z, double* last) noexcept;

std::uint64_t gaussian_portable(ZigguratTables tables, const std::uint64_t* round_keys,
                                std::uint64_t id, std::uint64_t first, std::size_t groups,
                                std::uint64_t* bits, double* z, double* last) noexcept;

// Null where this build has no such code. It must only be called if ars_hardware_available().
extern const GaussianKernel gaussian_hardware;

}  // namespace keyhole::math
