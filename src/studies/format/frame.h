// The frames that a log is made of. A frame that begins at byte p of the log:
//
//   length   1 to 5 bytes    of the content, by sevens of bits
//   gap      1 to 10 bytes   p minus how far the log was known to be on the medium, likewise
//   content
//   checksum 4 bytes         CRC-32C of p (8 bytes) and of all of the above

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace keyhole::studies {

/// The longest content.
inline constexpr std::uint64_t longest_content = std::uint64_t{1} << 28U;

/// A frame of a log, as it was read.
struct Frame {
  /// The byte at which it ends, and the next one begins.
  std::uint64_t end = 0;
  /// How far the log was known to be on the medium when it was written.
  std::uint64_t hardened = 0;
  /// What it says.
  std::string_view content;
};

/// The bytes of a frame at a position of a log that is known to be on the medium up to `hardened`.
[[nodiscard]] std::string frame_bytes(std::uint64_t position, std::uint64_t hardened,
                                      std::string_view content);

/// The frame that begins with these bytes, at that position of the log; nothing if there is none,
/// or not all of it.
[[nodiscard]] std::optional<Frame> read_frame(std::string_view bytes, std::uint64_t position);

/// What is the matter with a log that has no whole frame at `position`, where `bytes` begin.
enum class Fault {
  /// Writing was cut short, or a power cut lost what was not on the medium yet: what is there can
  /// be cut off.
  torn,
  /// What was on the medium has changed: a later frame is witness that it was there.
  damaged,
};
[[nodiscard]] Fault fault_at(std::string_view bytes, std::uint64_t position);

}  // namespace keyhole::studies
