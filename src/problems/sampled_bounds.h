#pragma once

#include <cstdint>
#include <functional>

#include "keyhole/problem.h"

namespace keyhole::problems {

/// Estimates for a problem whose losses have no bound that holds for certain: 1.5 times the largest
/// |f(v)| and ||gradient f(v)|| found for 128 sampled losses f at the centre p, and for those of
/// them with |f(p)| + R ||gradient f(p)|| near the record at three vertices reached from p by v =
/// argmax over K of <gradient f(v), .>, and three by argmin. draw(k) makes the k-th sampled loss,
/// k = 1, 2, ..., the problem's current one.
[[nodiscard]] LossBounds sampled_bounds(const Problem& problem,
                                        const std::function<void(std::uint64_t k)>& draw);

}  // namespace keyhole::problems
