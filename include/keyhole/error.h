#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The magnitudes that are accepted for coordinates, radii, bounds and losses: within them no
/// product that a learner forms can overflow or vanish.
inline constexpr double largest_number = 1e50;
/// The smallest inner radius, scale or loss bound that is accepted; see largest_number.
inline constexpr double smallest_number = 1e-50;

/// What an exception is about, for programs. Numbers are never given to something else; later
/// versions add some at the end.
enum class ErrorCode : std::uint16_t {
  /// None of those below.
  other = 0,
  /// A set or an option that makes no sense, or a span of the wrong size.
  invalid_argument = 1,
  /// More plays are asked for than the algorithm's horizon leaves.
  horizon_used_up = 2,
  /// A tell for a play that was never asked for.
  unknown_play = 3,
  /// A loss or a gradient that is not finite or too large.
  unusable_feedback = 4,
  /// A tell that contradicts an earlier one.
  contradiction = 5,
  /// Bytes that are no sound state: truncated, altered, or something else.
  damaged_state = 6,
  /// A state in a format that only newer versions know.
  newer_state = 7,
  /// A state of another set, algorithm or options.
  foreign_state = 8,
  /// A state or a log whose digits this version cannot continue.
  other_digits = 9,
  /// The learner has failed half-way through a play, and needs a state to go on from.
  failed_learner = 10,
  /// A file or a text that cannot be read or understood.
  unreadable_input = 11,
  /// A spec that is not understood.
  unreadable_spec = 12,
  /// There is no study of that name.
  unknown_study = 13,
  /// There is a study of that name with another description, or in the way of a copy.
  other_description = 14,
  /// Another version made the study, and it must be renewed before it goes on.
  needs_renewal = 15,
  /// The log of a study, or an array that it keeps, has changed since it was written.
  damaged_log = 16,
  /// A newer version has written the log of a study.
  newer_log = 17,
  /// The study was deleted or replaced while it was open.
  replaced = 18,
  /// The disk has failed, or cannot be written.
  disk = 19,
  /// The database has failed.
  database = 20,
  /// Somebody else has held what is needed for too long.
  busy = 21,
};

/// The word of a code, as it is called here: "unknown_play". Python and the service say the same
/// words. "other" for a number that this version does not know.
[[nodiscard]] std::string_view error_word(ErrorCode code);

/// What every exception of this library derives from. The message names the offending value and
/// says what to do. Whatever threw is left as it was before the call, or refuses to go on until a
/// state is restored: never half-done.
class Error : public std::runtime_error {
 public:
  /// With a message for people, and a code for programs.
  explicit Error(const std::string& message, ErrorCode code = ErrorCode::other)
      : std::runtime_error(message), code_(code) {}

  /// What it is about.
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// A set or an option that makes no sense: thrown at construction, or for a span of the wrong size.
class InvalidArgument : public Error {
 public:
  /// With a message and a code.
  explicit InvalidArgument(const std::string& message, ErrorCode code = ErrorCode::invalid_argument)
      : Error(message, code) {}
};

/// A tell that cannot be learned from: an unknown play, a loss that is not finite, or a second,
/// different loss for the same play.
class FeedbackError : public Error {
 public:
  /// With a message and a code.
  FeedbackError(const std::string& message, ErrorCode code) : Error(message, code) {}
};

/// Bytes that are not a state of this learner: truncated, altered, foreign or newer. Or a learner
/// that has failed half-way through a play, and needs a state to go on from.
class StateError : public Error {
 public:
  /// With a message and a code.
  explicit StateError(const std::string& message, ErrorCode code = ErrorCode::damaged_state)
      : Error(message, code) {}
};

/// A file or a text that cannot be read or understood: the message names the file, the line and the
/// column where it knows them.
class InputError : public Error {
 public:
  /// With a message and a code.
  explicit InputError(const std::string& message, ErrorCode code = ErrorCode::unreadable_input)
      : Error(message, code) {}
};

}  // namespace keyhole
#pragma GCC visibility pop
