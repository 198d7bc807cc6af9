#pragma once

#include <string>
#include <string_view>

#include "studies/journals/journal.h"

namespace keyhole::studies {

/// What was found in some bytes of a log.
struct LogRead {
  /// Where the whole frames end: behind that is a torn tail, or nothing.
  Mark end;
  /// How far the frames say that the log was on the medium.
  std::uint64_t hardened = 0;
};

/// Hands over the frames of bytes that begin at a mark of a log. Throws StudyError, which names the
/// log and the byte, if what was there has changed.
LogRead read_frames(std::string_view bytes, const Mark& begin, const std::string& log,
                    const Journal::Take& take);

/// How many bytes before a mark say whether it is one of a log: those of its seal.
[[nodiscard]] inline std::uint64_t looks_back(const Mark& mark) {
  return mark.is_sealed && mark.position > 0 ? sizeof mark.seal : 0;
}
/// Throws ReplacedStudy, which names the log, if these bytes before a mark, or fewer where the log
/// is shorter, are not its seal.
void require_mark(std::string_view before, const Mark& mark, const std::string& log);

/// Throws that the log is damaged at a byte.
[[noreturn]] void fail_as_damaged(const std::string& log, std::uint64_t position);

}  // namespace keyhole::studies
