// What a study reads from the disk. The first byte says what the others are:
//
//   L   a log, byte for byte
//   S   the frames of a log behind a description that is given here: the length of each (a byte)
//       and its content
//   D   a description
//   P   a snapshot, without its checksum
//
// Any bytes are what they should be or an error. A log that was read gives the same state again,
// and the study goes on.

#include <optional>

#include "fuzz/fuzz.h"
#include "keyhole/store.h"
#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/frame.h"
#include "studies/format/snapshot.h"
#include "studies/image/description_text.h"
#include "studies/journals/memory_journal.h"
#include "studies/made_study.h"
#include "studies/study/new_study.h"

namespace {

using namespace keyhole;  // NOLINT

Study study_of(const std::string& log) {
  return tests::study_of(std::make_unique<studies::MemoryJournal>(log), Durability::process);
}

void read_log(const std::string& log) {
  try {
    Study study = study_of(log);
    tests::promise(study.state() == study_of(log).state(), "the same state");
    (void)study.ask();
  } catch (const Error&) {
  }
}

/// A description of few coordinates: larger ones take time, and nothing else.
const std::string& a_description() {
  static const std::string text = [] {
    const StudyDescription description = {
        .on = "simplex(3)", .learner = "parameter_free", .options = {.window = 8}};
    return studies::new_study(description, Catalogue::standard()).text;
  }();
  return text;
}

std::string log_of_frames(std::string_view bytes) {
  studies::Mark mark;
  std::string log = studies::frame_bytes(mark, 0, a_description());
  while (!bytes.empty()) {
    const std::size_t length = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    log += studies::frame_bytes(mark, mark.position, bytes.substr(0, length));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
  return log;
}

void read_description(const std::string& text) {
  std::optional<studies::DescriptionRead> read;
  try {
    read = studies::read_description(text, "fuzz");
  } catch (const StudyError&) {
    return;
  }
  studies::require_same("fuzz", read->description, read->description);
}

void read_snapshot(std::string bytes) {
  studies::put_bytes(bytes, studies::crc32c(bytes), 4);
  const auto snapshot = studies::read_snapshot(bytes);
  if (!snapshot) return;
  const std::string again = studies::snapshot_bytes(*snapshot);
  tests::promise(studies::snapshot_bytes(*studies::read_snapshot(again)) == again, "a snapshot");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 1 << 16) return 0;
  const std::string bytes(data + 1, data + size);
  switch (data[0]) {
    case 'L':
      read_log(bytes);
      break;
    case 'S':
      read_log(log_of_frames(bytes));
      break;
    case 'D':
      read_description(bytes);
      break;
    case 'P':
      read_snapshot(bytes);
      break;
    default:
      break;
  }
  return 0;
}
