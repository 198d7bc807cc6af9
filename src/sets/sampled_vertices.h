// Where a polytope explores: vertices that random directions find.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "keyhole/exploration.h"
#include "sets/explored_points.h"

namespace keyhole::sets {

/// Above this dimension a list of vertices, and the covariance, are too large for comfort.
inline constexpr std::size_t most_sampled_coordinates = 1500;

/// Up to so many coordinates all vertices that can help are asked for, above it they are asked for
/// sparingly.
inline constexpr std::size_t few_coordinates = 100;

/// How many random directions are asked for vertices: max(200, 10 n) up to few_coordinates, 3 n but
/// from 1000 to 3000 above. N vertices of m dimensions make scores larger than if all vertices were
/// known: squared, by a factor of N / (N - m) for normal directions; 1.3 for 3 m spread ones.
[[nodiscard]] std::size_t random_directions(std::size_t n);

/// Makes an oracle whose answers are points of the set far out in the direction, quickly found, but
/// not proved to be the farthest.
using MakeOracle = std::function<std::unique_ptr<Oracle>()>;

/// The minimisers of +-e_i and of normal directions from a fixed key; above few_coordinates of
/// SpreadDirections, and of +-e_i only where all of these agree in coordinate i. The weights are
/// those of a D-optimal design (up to 100 steps towards it, as many as take about half a second).
/// Where these points do not span the hull, those of as many directions again, or of all axes, are
/// added, and at last the points p +- r u of the inner sphere on the axes, which do; none of a set
/// so thin that rounding hides this. A pure function of the set.
///
/// Where a vertex is expensive and a projection is not, `most_vertices` of the random directions
/// are asked for vertices, and the others up to 3 n for boundary points instead: those nearest to
/// p - R d / ||d||, which is as far from the centre as the set reaches. With `make_rough` its
/// oracle is asked above few_coordinates.
[[nodiscard]] SharedPoints sampled_vertices(const Set& set,
                                            std::optional<std::size_t> most_vertices = {},
                                            const MakeOracle& make_rough = {});

/// Explores those, found once a set, up to most_sampled_coordinates; above it, or where there are
/// none, the inscribed sphere.
[[nodiscard]] std::unique_ptr<Exploration> explore_vertices(const Set& set,
                                                            const MakeOracle& make_rough = {});

}  // namespace keyhole::sets
