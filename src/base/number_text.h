// Numbers as text, the same in every locale.

#pragma once

#include <span>
#include <string>

namespace keyhole::base {

// The shortest decimal text that reads back to the same double: 0.1, 1e-300, -0, inf, nan. Whole
// numbers up to 2^53 are written with their digits alone (3, 100000; not 3.0, 1e+05), as one would
// write a size. Thread-safe.
std::string number_text(double value);

// "[0.25, 0.5, 0.25]"; a single number where all are equal, if `shorten`.
std::string list_text(std::span<const double> values, bool shorten);

}  // namespace keyhole::base
