#include "studies/journals/log_reader.h"

#include <algorithm>

#include "keyhole/study.h"
#include "studies/format/bytes.h"

namespace keyhole::studies {

void fail_as_damaged(const std::string& log, std::uint64_t position) {
  throw StudyError(log + " is damaged at byte " + std::to_string(position) +
                       ": restore it from a copy; nothing was changed",
                   ErrorCode::damaged_log);
}

void require_mark(std::string_view before, const Mark& mark, const std::string& log) {
  if (looks_back(mark) == 0 || Taker(before).fixed(sizeof mark.seal) == mark.seal) return;
  throw ReplacedStudy(
      log + " is not the log that was open, up to byte " + std::to_string(mark.position) +
      ": it was cut, replaced or restored; nothing was stored, open the study again");
}

LogRead read_frames(std::string_view bytes, const Mark& begin, const std::string& log,
                    const Journal::Take& take) {
  LogRead read{.end = begin};
  while (!bytes.empty()) {
    const auto frame = read_frame(bytes, read.end);
    if (!frame) {
      if (fault_at(bytes, read.end) == Fault::torn) break;
      fail_as_damaged(log, read.end.position);
    }
    bytes.remove_prefix(frame->end.position - read.end.position);
    read.end = frame->end;
    read.hardened = std::max(read.hardened, frame->hardened);
    take(frame->content, frame->end);
  }
  return read;
}

}  // namespace keyhole::studies
