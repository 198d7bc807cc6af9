// Where a polytope explores: vertices that random directions find.

#pragma once

#include <cstddef>
#include <memory>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// Above this dimension a list of vertices, and the covariance, are too large for comfort.
inline constexpr std::size_t most_sampled_coordinates = 1500;

/// The minimisers of +-e_i and of max(200, min(10 n, 4e6 / n)) standard normal directions from a
/// fixed key, with the weights of a D-optimal design (up to 100 steps towards it, as many as take
/// about half a second). Where they do not span the hull, those of as many directions again are
/// added, and at last the points p +- r u of the inner sphere on the axes, which do; a set so thin
/// that rounding hides this is explored on the inscribed sphere. A pure function of the set.
[[nodiscard]] std::unique_ptr<Exploration> sampled_vertices(const Set& set);

/// Those up to most_sampled_coordinates, above it the inscribed sphere.
[[nodiscard]] std::unique_ptr<Exploration> explore_vertices(const Set& set);

}  // namespace keyhole::sets
