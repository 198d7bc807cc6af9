#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "studies/journals/journal.h"

namespace keyhole::studies {

/// Hands over the frames of bytes that begin at a position of a log. Returns where the whole ones
/// end: behind that is a torn tail, or nothing. Throws StudyError, which names the log and the
/// byte, if what was on the medium has changed.
std::uint64_t read_frames(std::string_view bytes, std::uint64_t position, const std::string& log,
                          const Journal::Take& take);

}  // namespace keyhole::studies
