// Standard normal numbers as a pure function of (generator, id, attempt, lane).
//
// The method is the ziggurat (Marsaglia, Tsang 2000) with 1024 layers and 52-bit mantissas; what
// follows is the definition of the digits, and no change of the code may change them. With f(x) =
// exp(-x^2 / 2), the area under f on [0, infinity) is cut into 1024 strips of the same area v.
// Strip 0 is the base, [0, r] x [0, f(r)] together with the tail beyond r. Strips 1 .. 1023 are
// rectangles of widths x_1 < ... < x_1023 = r, strip i lying between the heights f(x_i) and
// f(x_{i-1}), with x_0 = 0 at the top:
//
//   v = r f(r) + integral of f over [r, infinity)
//   x_1024 = v / f(r),    f(x_{i-1}) = v / x_i + f(x_i)
//   w_0 = x_1024 / 2^52,  k_0 = floor(2^52 r / x_1024)
//   w_i = x_i / 2^52,     k_i = floor(2^52 x_{i-1} / x_i),  i = 1 .. 1023
//
// A counter is (low = flag, attempt and index as below, high = id):
//
//   bit 63: 0 for a primary block, 1 for an extra block | bits 62..56: attempt | bits 55..0: index
//
// The primary bits of lane i are half (i mod 2) of the primary block of index floor(i / 2). For
// trial = 0, 1, ...
//
//   layer = bits & 1023, sign = bit 11 (1 is negative), m = bits >> 12, x = m w_layer
//   m < k_layer: the number is +-x.
//   Otherwise (a, b) = the extra block of index 256 i + trial, u_a = (a >> 11) / 2^53, u_b alike.
//   layer > 0: y = f(x_layer) + u_a (f(x_{layer-1}) - f(x_layer)).
//              The number is +-x if y < f(x); else bits = b, next trial.
//   layer = 0: t = -log(1 - u_a) / r.
//              The number is +-(r + t) if -2 log(1 - u_b) >= t^2; else next trial, same bits.
//
// One word serves more than 99 % of the lanes, and the rare rest is found by its own counter: a
// lane never depends on what happened to other lanes, so any part of a vector can be drawn alone,
// in any order, by any number of lanes at once.

#pragma once

#include <cstdint>
#include <span>

#include "math/random/ars.h"

namespace keyhole::math {

// z[i] = gaussian(generator, id, attempt, i), bit for bit, at a fraction of the cost. Thread-safe,
// allocates nothing. `attempt` (below 128) gives a caller that must reject a whole vector a fresh
// one under the same id.
void gaussians(const Ars& generator, std::uint64_t id, unsigned attempt,
               std::span<double> z) noexcept;

// The number of one lane (below 2^48), by the definition above: the reference for every faster way.
// Thread-safe.
double gaussian(const Ars& generator, std::uint64_t id, unsigned attempt,
                std::uint64_t lane) noexcept;

}  // namespace keyhole::math
