// The multiplier of a projection: the root of an increasing function of one variable.

#pragma once

#include <cmath>
#include <limits>

namespace keyhole::sets {

/// The root in [low, high] of an increasing function, by Newton's method within the interval that
/// is left, which is halved where a step would leave it. step(x) is f(x) / f'(x) and has the sign
/// of f. It ends when a step changes x by no more than `fine` of it, which is rounding only unless
/// more is said. The numbers are doubles or math::DoubleDouble.
template <class Number, class Step>
Number multiplier(Number low, Number high, Number start, Step step,
                  Number fine = 2 * std::numeric_limits<Number>::epsilon()) {
  using std::abs;
  constexpr int most_steps = 200;
  Number x = start;
  for (int k = 0; k < most_steps; ++k) {
    const Number by = step(x);
    if (abs(by) <= fine * x) break;
    (by <= 0 ? low : high) = x;
    const Number next = x - by;
    x = next > low && next < high ? next : low + (high - low) / 2;
    if (!(low < x && x < high)) break;
  }
  return x;
}

}  // namespace keyhole::sets
