// What is known of a part of a set that a slice or a cut leaves.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/set.h"

namespace keyhole::sets {

struct NarrowedShape {
  Geometry geometry;
  /// Vertices and weights to explore; none if they are to be found later.
  std::vector<std::vector<double>> vertices = {};
  std::vector<double> weights = {};

  /// Of the set with this shape.
  [[nodiscard]] std::unique_ptr<Exploration> exploration(const Set& set) const;
};

/// What is known, or what the minimisers of the oracle show if their ball is larger: they are asked
/// up to 200 coordinates.
[[nodiscard]] NarrowedShape narrowed_shape(Geometry known, std::size_t hull_dimension,
                                           Oracle& oracle);

/// Makes bounds that are above others as small as those.
void make_consistent(Geometry& geometry);

}  // namespace keyhole::sets
