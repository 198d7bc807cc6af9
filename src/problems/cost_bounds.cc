#include <algorithm>
#include <cmath>

#include "math/sums.h"
#include "problems/costs.h"

namespace keyhole::problems {

CostBounds::CostBounds(const Set& set)
    : set_(set),
      oracle_(set.oracle()),
      direction_(set.dimension()),
      bounds_{.loss = 0, .gradient = 0, .proven = true} {}

void CostBounds::widen(std::span<const double> c, double b) {
  std::copy(c.begin(), c.end(), direction_.begin());
  const double least = oracle_->minimise(direction_).dot(c) + b;
  for (double& cost : direction_) cost = -cost;
  const double most = oracle_->minimise(direction_).dot(c) + b;
  set_.flatten(direction_);
  bounds_.gradient = std::max(bounds_.gradient, math::norm(direction_));
  bounds_.loss = std::max({bounds_.loss, std::abs(least), std::abs(most)});
}

LossBounds CostBounds::bounds() const {
  // Members, and what is computed of them, may be off by rounding.
  LossBounds wider = bounds_;
  const double R = set_.outer_radius();
  wider.loss += membership_tolerance * (bounds_.loss + R * bounds_.gradient);
  wider.gradient *= 1 + membership_tolerance;
  return wider;
}

}  // namespace keyhole::problems
