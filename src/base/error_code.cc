#include "base/error_code.h"

namespace keyhole {

std::string_view error_word(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::horizon_used_up:
      return "horizon_used_up";
    case ErrorCode::unknown_play:
      return "unknown_play";
    case ErrorCode::unusable_feedback:
      return "unusable_feedback";
    case ErrorCode::contradiction:
      return "contradiction";
    case ErrorCode::damaged_state:
      return "damaged_state";
    case ErrorCode::newer_state:
      return "newer_state";
    case ErrorCode::foreign_state:
      return "foreign_state";
    case ErrorCode::other_digits:
      return "other_digits";
    case ErrorCode::failed_learner:
      return "failed_learner";
    case ErrorCode::unreadable_input:
      return "unreadable_input";
    case ErrorCode::unreadable_spec:
      return "unreadable_spec";
    case ErrorCode::unknown_study:
      return "unknown_study";
    case ErrorCode::other_description:
      return "other_description";
    case ErrorCode::needs_renewal:
      return "needs_renewal";
    case ErrorCode::damaged_log:
      return "damaged_log";
    case ErrorCode::newer_log:
      return "newer_log";
    case ErrorCode::replaced:
      return "replaced";
    case ErrorCode::disk:
      return "disk";
    case ErrorCode::database:
      return "database";
    case ErrorCode::busy:
      return "busy";
    case ErrorCode::other:
      break;
  }
  return "other";
}

ErrorCode base::error_code_of(std::string_view word) {
  for (std::uint16_t number = 1;; ++number) {  // there are no gaps
    const ErrorCode code{number};
    const std::string_view known = error_word(code);
    if (known == "other") return ErrorCode::other;
    if (known == word) return code;
  }
}

}  // namespace keyhole
