// The frames that a log is made of. A frame that begins at byte p of the log:
//
//   length   1 to 5 bytes    of the content, by sevens of bits
//   gap      1 to 10 bytes   p minus how far the log was known to be on the medium, likewise
//   content
//   seal     8 bytes         the running hash of all frames up to here: of the seal before, and of
//                            all of the above
//
// In logs of format 1 a frame ends with 4 bytes instead: the CRC-32C of p (8 bytes) and of all of
// the above. Such a log goes on in format 2 behind a frame that says so (events.h).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "studies/format/seal.h"

namespace keyhole::studies {

/// The longest content.
inline constexpr std::uint64_t longest_content = std::uint64_t{1} << 28U;

/// Between two frames of a log. A position and a seal name one history.
struct Mark {
  /// The byte.
  std::uint64_t position = 0;
  /// The running hash of the frames before.
  std::uint64_t seal = first_seal;
  /// Whether the seal is in the log, in the 8 bytes before. Not in a part that has format 1.
  bool is_sealed = true;

  bool operator==(const Mark&) const = default;
};

/// A frame of a log, as it was read.
struct Frame {
  /// Where it ends, and the next one begins.
  Mark end;
  /// How far the log was known to be on the medium when it was written.
  std::uint64_t hardened = 0;
  /// What it says.
  std::string_view content;
};

/// The bytes of a frame at a mark of a log that is known to be on the medium up to `hardened`. The
/// mark moves behind it.
[[nodiscard]] std::string frame_bytes(Mark& mark, std::uint64_t hardened, std::string_view content);

/// The frame that begins with these bytes, at that mark of the log; nothing if there is none, or
/// not all of it. The first frame of a log says by itself which format it has.
[[nodiscard]] std::optional<Frame> read_frame(std::string_view bytes, const Mark& mark);

/// The first bytes of a log of format 1, for tests: as frame_bytes() for a log of format 2.
[[nodiscard]] Mark first_mark_of_format_1();

/// What is the matter with a log that has no whole frame at a mark, where `bytes` begin.
enum class Fault {
  /// Writing was cut short, or a power cut lost what was not on the medium yet: what is there can
  /// be cut off.
  torn,
  /// What was there has changed: a later frame is witness to it.
  damaged,
};
[[nodiscard]] Fault fault_at(std::string_view bytes, const Mark& mark);

}  // namespace keyhole::studies
