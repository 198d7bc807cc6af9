// What a study had learned at a position of its log, as bytes: read in place of all that stands
// before the position. It is never needed: the log alone gives the same.
//
//   2         the format; in format 1 there is no `explores`
//   last      where the latest frame begins, and position, where it ends
//   checksum  4 bytes: CRC-32C of that frame's content
//   asked, before, offset     the numbers of the plays (studies/era.h)
//   text      of the era: the length and the bytes
//   point     that was recommended: how many numbers, and 8 bytes each
//   explores  1 or 0: whether exploring is on
//   workers   how many; each: the name (length and bytes), the play, `explores` when it was asked
//             for, its point
//   state     of the learner: the length and the bytes
//   checksum  4 bytes: CRC-32C of all of the above
//
// Numbers without a size are written by sevens of bits.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::studies {

/// A play that a worker has not told.
struct WorkersPlay {
  std::uint64_t play = 0;
  std::vector<double> point = {};
  /// Whether exploring was on when it was asked for.
  bool explores = true;
};

/// What a study had learned.
struct Snapshot {
  std::uint64_t last = 0;
  std::uint64_t position = 0;
  std::uint32_t checksum = 0;
  std::uint64_t asked = 0;
  std::uint64_t before = 0;
  std::uint64_t offset = 0;
  std::string text = {};
  std::vector<double> recommended = {};
  bool explores = true;
  std::map<std::string, WorkersPlay> workers = {};
  std::string state = {};
};

[[nodiscard]] std::string snapshot_bytes(const Snapshot& snapshot);

/// The snapshot of some bytes; nothing if they are none, or changed.
[[nodiscard]] std::optional<Snapshot> read_snapshot(std::string_view bytes);

}  // namespace keyhole::studies
