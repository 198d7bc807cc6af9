// What is known when a play is asked for, as a log keeps it: a number for each context of a space.
// It is the number that was given, the hours or days of a clock, the place of a name from 0 on,
// that behind the last for a name that was never listed, and NaN for what is not known.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "keyhole/space.h"

namespace keyhole::spaces {

/// Throws InvalidArgument as Space::context().
[[nodiscard]] std::vector<double> context_numbers(const Space& space, const Values& values);

/// The values of those that are known. A name that was never listed is a text that none is.
[[nodiscard]] Values context_values(const Space& space, std::span<const double> numbers);

/// What a learner is asked with; see Space::context(). Counts what is clipped.
[[nodiscard]] Context context_of(const Space& space, std::span<const double> numbers,
                                 std::uint64_t& clipped);

/// By how many numbers a learner lets a context move what is best.
[[nodiscard]] std::size_t slopes_of(const SpaceContext& context);

/// What a clock says so many seconds after the beginning of 1970 in UTC.
[[nodiscard]] double clock_number(const Clock& clock, double seconds);

}  // namespace keyhole::spaces
