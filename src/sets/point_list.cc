#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/explored_points.h"
#include "sets/moments.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

void require_list(const Set& set, const std::vector<Vector>& list, const Vector& weights) {
  base::require(list.size() > set.hull_dimension(),
                "a list of " + std::to_string(list.size()) + " points cannot span the hull of " +
                    set.spec() + ", of dimension " + std::to_string(set.hull_dimension()));
  for (const Vector& point : list) {
    base::require(point.size() == set.dimension() && set.contains(point),
                  "a point to explore is not in the set " + set.spec());
  }
  base::require(weights.size() == list.size(), "a list of " + std::to_string(list.size()) +
                                                   " points needs as many weights, not " +
                                                   std::to_string(weights.size()));
  for (const double weight : weights) {
    base::require(weight >= 0 && weight <= 1,
                  "the weight of a point must be from 0 to 1, not " + base::number_text(weight));
  }
  base::require(
      std::abs(math::sum(weights) - 1) <= 1e-9,
      "the weights of a list must sum to 1, not " + base::number_text(math::sum(weights)));
}

Vector equal_weights(std::size_t count) { return Vector(count, 1 / static_cast<double>(count)); }

}  // namespace

std::unique_ptr<Exploration> point_list(const Set& set, const std::vector<Vector>& list,
                                        const Vector& weights) {
  const Vector given = weights.empty() ? equal_weights(list.size()) : weights;
  require_list(set, list, given);
  return sets::explore(
      set, std::make_shared<const sets::ExploredPoints>(sets::space_of(set), list, given));
}

std::vector<double> design_weights(const Set& set, const std::vector<Vector>& list,
                                   std::size_t steps) {
  require_list(set, list, equal_weights(list.size()));
  return sets::optimal_design(sets::space_of(set), list, steps);
}

}  // namespace keyhole
