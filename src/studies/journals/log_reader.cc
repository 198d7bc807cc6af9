#include "studies/journals/log_reader.h"

#include "keyhole/study.h"
#include "studies/format/frame.h"

namespace keyhole::studies {

std::uint64_t read_frames(std::string_view bytes, std::uint64_t position, const std::string& log,
                          const Journal::Take& take) {
  while (!bytes.empty()) {
    const auto frame = read_frame(bytes, position);
    if (!frame) {
      if (fault_at(bytes, position) == Fault::torn) break;
      throw StudyError(log + " is damaged at byte " + std::to_string(position) +
                       ": restore it from a copy; nothing was changed");
    }
    take(frame->content, frame->end);
    bytes.remove_prefix(frame->end - position);
    position = frame->end;
  }
  return position;
}

}  // namespace keyhole::studies
