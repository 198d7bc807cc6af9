// Many quotients by one divisor, at a fraction of the cost of as many divisions.

#pragma once

#include <span>

namespace keyhole::math {

// x_i = x_i / divisor, each the double nearest to the quotient, as / gives it, for numbers of
// magnitude up to 2^900 or that of the divisor. Thread-safe.
//
// Where the processor fuses multiply-adds: h + l = 1 / divisor to twice the digits, so that q =
// fl(x h + fl(x l)) is off by less than a unit in the last place, and from such a q the remainder
// leads to the nearest double: fl(q + fl(x - q divisor) h) (Markstein 1990; Brisebarre, Muller,
// Raina 2004). Next to numbers so small that the remainder may underflow, and 0, whose sign it
// would lose, and by divisors beyond 2^-100 to 2^100 all is divided.
void divide(std::span<double> x, double divisor) noexcept;

}  // namespace keyhole::math
