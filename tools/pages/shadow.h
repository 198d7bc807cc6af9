#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::pages {

using Vector = std::vector<double>;

/// A set as seen along some orthonormal directions of its hull: the coordinates of its points,
/// about its centre, in these directions. Everything that is drawn is asked of the oracle here.
class Shadow {
 public:
  /// On the whole hull if it has at most 3 dimensions, on a fixed plane of it otherwise.
  explicit Shadow(const Set& set);

  [[nodiscard]] const Set& set() const { return set_; }
  /// The number of directions, 1 to 3.
  [[nodiscard]] std::size_t dimension() const { return basis_.size(); }
  /// Whether the set has just these dimensions, so that it is shown whole.
  [[nodiscard]] bool is_whole() const { return dimension() == set_.hull_dimension(); }
  /// The coordinates of x - p.
  [[nodiscard]] Vector of(std::span<const double> x) const;
  /// The coordinates of a direction.
  [[nodiscard]] Vector of_direction(std::span<const double> x) const;
  /// Whether p + sum_i shadow_i b_i, settled, is in the set.
  [[nodiscard]] bool contains(std::span<const double> shadow) const;
  /// The coordinates of the set's farthest point along sum_i direction_i b_i.
  [[nodiscard]] Vector farthest(std::span<const double> direction);
  /// The set's farthest point along a direction of all coordinates.
  [[nodiscard]] Vector farthest_in_full(Vector direction);

 private:
  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  std::vector<Vector> basis_;
};

double dot(std::span<const double> x, std::span<const double> y);
double norm(std::span<const double> x);

}  // namespace keyhole::pages
