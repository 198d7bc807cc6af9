#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/set.h"

namespace keyhole::algorithms {

/// The width of each coordinate of a set: the standard deviation of its exploration.
inline std::vector<double> widths_of(const Set& set) {
  const std::unique_ptr<Exploration> nu = set.exploration();
  std::vector<double> widths(nu->variance().begin(), nu->variance().end());
  for (double& width : widths) width = std::sqrt(width);
  return widths;
}

/// y = the projection of x + factor d.
inline void move_within(Oracle& oracle, std::span<const double> x, double factor,
                        std::span<const double> d, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + factor * d[i];
  oracle.project(y, y);
  oracle.settle(y);
}

/// Throws InvalidArgument unless the set projects.
inline void require_projection(const std::string& learner, const Set& set) {
  base::require(set.can_project(),
                learner + " projects, and " + set.spec() + " cannot: use parameter_free");
}

}  // namespace keyhole::algorithms
