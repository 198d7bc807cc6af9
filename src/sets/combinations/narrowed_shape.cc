#include "sets/combinations/narrowed_shape.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sets/estimated_shape.h"
#include "sets/explored_points.h"
#include "sets/sampled_vertices.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

/// Up to so many coordinates the minimisers are asked about the shape when the set is made.
constexpr std::size_t most_estimated = 200;

}  // namespace

std::unique_ptr<Exploration> NarrowedShape::exploration(const Set& set) const {
  if (vertices.empty()) return explore_vertices(set);
  return KeptExploration::of(set, [&]() -> SharedPoints {
    return std::make_shared<const ExploredPoints>(space_of(set), vertices, weights);
  });
}

NarrowedShape narrowed_shape(Geometry known, std::size_t hull_dimension, Oracle& oracle) {
  NarrowedShape result{.geometry = std::move(known)};
  Geometry& geometry = result.geometry;
  const std::size_t n = geometry.centre.size();
  if (n <= most_estimated) {
    EstimatedShape shape =
        estimate_shape(n, [&oracle](std::span<const double> d, std::span<double> v) {
          oracle.minimise(d).write_to(v);
        });
    if (shape.hull_dimension == hull_dimension) {
      const Geometry& seen = shape.geometry;
      geometry.diameter = std::min(geometry.diameter, seen.diameter);
      if (seen.inner_radius > geometry.inner_radius) {
        const double moved = distance_between(seen.centre, geometry.centre);
        geometry.outer_radius = std::min(geometry.outer_radius + moved, seen.outer_radius);
        geometry.centre = seen.centre;
        geometry.inner_radius = seen.inner_radius;
      }
      result.vertices = std::move(shape.vertices);
      result.weights = std::move(shape.weights);
    }
  }
  make_consistent(geometry);
  return result;
}

void make_consistent(Geometry& geometry) {
  geometry.outer_radius = std::min(geometry.outer_radius, geometry.diameter);
  geometry.diameter = std::min(geometry.diameter, 2 * geometry.outer_radius);
}

}  // namespace keyhole::sets
