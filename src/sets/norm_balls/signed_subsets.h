// Where norm balls explore that do not mind signs: random coordinates with random signs.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// v_i = +-m_i on k of the n coordinates, all choices of coordinates and signs as likely as each
/// other, 0 elsewhere; m = magnitudes, positive. Mean 0, Sigma = k/n diag(m_i^2), and
/// Sigma^-1 v = n/k v_i / m_i^2 in coordinate i. The squared extent is n: no point of the set may
/// have sum_i (x_i / m_i)^2 > k. A draw takes O(n).
[[nodiscard]] std::unique_ptr<Exploration> signed_subsets(std::vector<double> magnitudes,
                                                          std::size_t k);

}  // namespace keyhole::sets
