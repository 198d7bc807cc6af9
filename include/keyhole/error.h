#pragma once

#include <stdexcept>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The magnitudes that are accepted for coordinates, radii, bounds and losses: within them no
/// product that a learner forms can overflow or vanish.
inline constexpr double largest_number = 1e50;
/// The smallest inner radius, scale or loss bound that is accepted; see largest_number.
inline constexpr double smallest_number = 1e-50;

/// What every exception of this library derives from. The message names the offending value and
/// says what to do. Whatever threw is left as it was before the call, or refuses to go on until a
/// state is restored: never half-done.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A set or an option that makes no sense: thrown at construction, or for a span of the wrong size.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A tell that cannot be learned from: an unknown play, a loss that is not finite, or a second,
/// different loss for the same play.
class FeedbackError : public Error {
 public:
  using Error::Error;
};

/// Bytes that are not a state of this learner: truncated, altered, foreign or newer. Or a learner
/// that has failed half-way through a play, and needs a state to go on from.
class StateError : public Error {
 public:
  using Error::Error;
};

/// A file or a text that cannot be read or understood: the message names the file, the line and the
/// column where it knows them.
class InputError : public Error {
 public:
  using Error::Error;
};

}  // namespace keyhole
#pragma GCC visibility pop
