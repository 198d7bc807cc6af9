// The multiplier of a projection: the root of an increasing function of one variable.

#pragma once

#include <cmath>
#include <limits>

namespace keyhole::sets {

/// The root in [low, high] of an increasing function, by Newton's method within the interval that
/// is left, which is halved where a step would leave it. step(x) is f(x) / f'(x) and has the sign
/// of f. It ends when a step changes x by no more than `fine` of it, which is rounding only unless
/// more is said.
template <class Step>
double multiplier(double low, double high, double start, Step step,
                  double fine = 2 * std::numeric_limits<double>::epsilon()) {
  constexpr int most_steps = 200;
  double x = start;
  for (int k = 0; k < most_steps; ++k) {
    const double by = step(x);
    if (std::abs(by) <= fine * x) break;
    (by <= 0 ? low : high) = x;
    const double next = x - by;
    x = next > low && next < high ? next : low + (high - low) / 2;
    if (!(low < x && x < high)) break;
  }
  return x;
}

}  // namespace keyhole::sets
