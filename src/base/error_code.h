// Codes of errors by their words.

#pragma once

#include "keyhole/error.h"

namespace keyhole::base {

/// The code of a word: that of "unknown_play". ErrorCode::other for a word that is none.
[[nodiscard]] ErrorCode error_code_of(std::string_view word);

}  // namespace keyhole::base
