// The checksum of frames: CRC-32C (Castagnoli, Braeuer and Herrmann 1993), which notices every
// error in up to 5 bits of a frame of up to 600 bytes, and any others but for a share of 2^-32.

#pragma once

#include <cstdint>
#include <string_view>

namespace keyhole::studies {

/// The checksum of what `before` is the checksum of, followed by the bytes; 0 before anything.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace keyhole::studies
