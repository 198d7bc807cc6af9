// Where a polytope explores: vertices that random directions find.

#pragma once

#include <cstddef>
#include <memory>

#include "keyhole/exploration.h"

namespace keyhole {

/// Above this dimension a list of vertices, and the covariance, are too large for comfort.
inline constexpr std::size_t most_sampled_coordinates = 1500;

/// max(200, 2 n, min(20 n, 4e6 / n)) minimisers of standard normal directions from a fixed key,
/// repetitions kept, each as likely as the others. Where they do not span the hull, those of +-e_i
/// and of as many directions again are added, and at last the points p +- r u of the inner sphere
/// on the axes, which do. A pure function of the set.
[[nodiscard]] std::unique_ptr<Exploration> sampled_vertices(const Set& set);

}  // namespace keyhole
