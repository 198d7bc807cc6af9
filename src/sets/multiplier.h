// The multiplier of a projection: the root of an increasing function of one variable.

#pragma once

#include <cmath>
#include <limits>

#include "sets/proof.h"

namespace keyhole::sets {

/// The root in [low, high] of an increasing function, by Newton's method within the interval that
/// is left, which is halved where a step would leave it. step(x) is f(x) / f'(x) and has the sign
/// of f. It ends when a step changes x by no more than `fine` of it, which is rounding only unless
/// more is said, or when the interval is used up. A root of about 0 takes all steps: then the last
/// one, or the interval, is to be `fine` of what `high` was, or an Error is thrown. The numbers are
/// doubles or math::DoubleDouble.
template <class Number, class Step>
Number multiplier(Number low, Number high, Number start, Step step,
                  Number fine = 2 * std::numeric_limits<Number>::epsilon(), int most_steps = 200) {
  using std::abs;
  const Number negligible = fine * high;
  Number x = start;
  Number by = 0;
  for (int k = 0; k < most_steps; ++k) {
    by = step(x);
    if (abs(by) <= fine * x) return x;
    (by <= 0 ? low : high) = x;
    const Number next = x - by;
    x = next > low && next < high ? next : low + (high - low) / 2;
    if (!(low < x && x < high)) return x;
  }
  require_end("a multiplier from being found", abs(by) <= negligible || high - low <= negligible);
  return x;
}

}  // namespace keyhole::sets
