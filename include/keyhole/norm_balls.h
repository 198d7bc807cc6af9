#pragma once

#include <cstddef>
#include <span>

#include "keyhole/set.h"

namespace keyhole {

/// {x : sum_i (w_i |x_i|)^p <= radius^p}, 1 <= p <= inf, with positive weights w; for p = inf
/// {x : w_i |x_i| <= radius}.
///
/// Oracle: with g = d / w and 1/p + 1/q = 1, v_i = -radius / w_i sign(g_i) |g_i|^(q-1) /
/// ||g||_q^(q-1), and -radius / w_1 e_1 for d = 0. For p = 1 -radius / w_i sign(d_i) e_i for the
/// first i of largest |g_i|, sparse; for p = inf radius / w_i where d_i < 0, else -radius / w_i.
/// p = 0, D = 2 R, all exact: R = radius / min w for p <= 2, else radius (sum w_i^-s)^(1/s) with
/// s = 2p / (p - 2); r = radius / max w for p >= 2, else radius / (sum w_i^s)^(1/s) with s = 2p /
/// (2 - p). With weights 1 the smaller is the larger times n^-|1/2 - 1/p|. Projection by clamping
/// for p = inf, by Michelot's method (1986) for p = 1, else by Newton's method on the multiplier.
/// O(n); the projection takes about 50 n powers.
[[nodiscard]] SetPtr lp_ball(double p, std::span<const double> weights, double radius = 1);
/// The ball with weights 1 in dimension n >= 1.
[[nodiscard]] SetPtr lp_ball(std::size_t n, double p, double radius = 1);

}  // namespace keyhole
