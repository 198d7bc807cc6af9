// What a study had learned at a position of its log, as bytes: read in place of all that stands
// before the position. It is never needed: the log alone gives the same.
//
//   5         the format
//   position  of the log, and seal, 8 bytes: they name the history that it is of
//   asked, before, offset     the numbers of the plays (studies/image/image.h)
//   text      of the era: the length and the bytes
//   point     that was recommended: how many numbers, and 8 bytes each
//   explores  1 or 0: whether exploring is on
//   past      how many losses of the past were learned
//   clipped   how many numbers of contexts were far outside
//   changed   0, or 1 if it was changed: then the latest play before, how many losses were taught
//             and how many dropped
//   calls     that have taught losses of the past by an id, the latest: how many; each: the id
//             (length and bytes), 8 bytes of a hash (0 if the space was changed since), how many
//             losses were learned, projected and skipped
//   workers   how many; each: the name (length and bytes), the play, `explores` when it was asked
//             for, its point, and the context
//   state     of the learner: the length and the bytes
//   checksum  4 bytes: CRC-32C of all of the above
//
// Numbers without a size are written by sevens of bits. Format 4 had no `changed` and no `calls`,
// and format 3 no `past`. In formats 1 and 2 stood, in place of the position and the seal: where
// the latest frame begins, where it ends, and the CRC-32C of its content (4 bytes). Format 1 had no
// `explores`.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/study.h"
#include "studies/format/frame.h"

namespace keyhole::studies {

/// A play that a worker has not told.
struct WorkersPlay {
  std::uint64_t play = 0;
  std::vector<double> point = {};
  /// Whether exploring was on when it was asked for.
  bool explores = true;
  /// What was known then, as in a step.
  std::vector<double> context = {};
};

/// Losses of the past that were taught by an id.
struct PastCall {
  std::string id = {};
  /// A hash of the losses and their points; 0 if the space was changed since.
  std::uint64_t hash = 0;
  PastReceipt receipt = {};
};

/// What a study had learned.
struct Snapshot {
  /// Of one of format 1 or 2 only the position is known...
  Mark mark = {};
  /// ...and the checksum of the content of the frame before it.
  std::optional<std::uint32_t> old_checksum = {};
  std::uint64_t asked = 0;
  std::uint64_t before = 0;
  std::uint64_t offset = 0;
  std::string text = {};
  std::vector<double> recommended = {};
  bool explores = true;
  std::uint64_t past = 0;
  std::uint64_t clipped = 0;
  std::optional<StudyChange> changed = {};
  std::deque<PastCall> calls = {};
  std::map<std::string, WorkersPlay> workers = {};
  std::string state = {};
  /// Whether it was found to be of a log; not written.
  bool is_found = false;

  /// Looks whether it was made where a frame of a log ends. One of format 1 or 2 then knows its
  /// mark.
  void find(std::string_view content, const Mark& end);
};

[[nodiscard]] std::string snapshot_bytes(const Snapshot& snapshot);

/// The snapshot of some bytes; nothing if they are none, or changed.
[[nodiscard]] std::optional<Snapshot> read_snapshot(std::string_view bytes);

}  // namespace keyhole::studies
