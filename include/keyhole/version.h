#pragma once

#include <cstdint>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The library's version, by semantic versioning.
inline constexpr const char* version = "1.0.0";

/// The revision of the digits. Two builds of the same revision play the same points, bit for bit,
/// for the same set, options, seed and feedback; every change that moves a digit raises it. It
/// stands in every saved state.
inline constexpr std::uint32_t trace_revision = 11;

}  // namespace keyhole
#pragma GCC visibility pop
