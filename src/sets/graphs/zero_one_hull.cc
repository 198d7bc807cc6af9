#include "sets/graphs/zero_one_hull.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

EstimatedShape shape_of(std::size_t n, Oracle& oracle, const std::string& what) {
  const auto minimise = [&oracle](std::span<const double> d, std::span<double> v) {
    oracle.minimise(d).write_to(v);
  };
  try {
    return estimate_shape(n, minimise, n <= most_decomposed_coordinates);
  } catch (const InvalidArgument&) {  // all else that it refuses is not of 0-1 vectors
    throw InvalidArgument("there is only one " + what + ", which leaves nothing to choose");
  }
}

/// Two vectors of k ones each differ in at most 2 k places.
Geometry zero_one_geometry(const EstimatedShape& shape, Oracle& oracle) {
  Geometry result = shape.geometry;
  const Vector& p = result.centre;
  Vector costs(p.size());
  for (std::size_t e = 0; e < p.size(); ++e) costs[e] = 2 * p[e] - 1;
  const Vertex& farthest = oracle.minimise(costs);
  result.outer_radius = std::sqrt(math::squared_norm(p) - farthest.dot(costs));
  result.outer_radius_exact = true;
  const double twice = std::sqrt(2 * math::sum(farthest.values));
  const double of_box = result.diameter > 0 ? result.diameter : twice;
  result.diameter =
      std::max(result.outer_radius, std::min({of_box, twice, 2 * result.outer_radius}));
  result.diameter_exact = false;
  return result;
}

}  // namespace

ZeroOneHull::ZeroOneHull(std::size_t edges, Oracle& oracle, const std::string& what,
                         std::string spec)
    : ZeroOneHull(shape_of(edges, oracle, what), oracle, std::move(spec)) {}

ZeroOneHull::ZeroOneHull(EstimatedShape shape, Oracle& oracle, std::string spec)
    : Set(shape.geometry.centre.size(), shape.hull_dimension, zero_one_geometry(shape, oracle)),
      shape_(std::move(shape)),
      spec_(std::move(spec)) {}

std::unique_ptr<Exploration> ZeroOneHull::exploration() const { return explore(*this, shape_); }

void ZeroOneHull::flatten(std::span<double> direction) const { shape_.flatten(direction); }

}  // namespace keyhole::sets
