#include "math/programs/basic_vertex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/programs/simplex_steps.h"
#include "math/sums.h"

namespace keyhole::math {

BasicVertex::BasicVertex(const LinearConstraints& constraints)
    : tight_(std::min(constraints.columns, constraints.right.size()) + 1),
      free_(std::min(constraints.columns, constraints.right.size()) + 1),
      x_(constraints.columns),
      y_(constraints.right.size()),
      solution_(std::min(x_.size(), y_.size())),
      off_(solution_.size()),
      reduced_(x_.size()),
      slacks_(padded(y_.size())),
      elimination_(solution_.size()) {}

bool BasicVertex::compute(SimplexBasis& basis, std::span<const double> cost,
                          bool forgive_roundings) noexcept {
  tight_.assign(basis.tight());
  free_.assign(basis.free());
  std::sort(tight_.begin(), tight_.end());
  std::sort(free_.begin(), free_.end());
  return compute_point(basis) && is_feasible(basis) &&
         compute_multipliers(basis, cost, forgive_roundings);
}

bool BasicVertex::compute_point(const SimplexBasis& basis) noexcept {
  const LinearConstraints& constraints = basis.constraints();
  basis.nonbasic_coordinates(x_);
  const bool only_basic = largest_magnitude(x_) == 0;
  const std::size_t k = free_.size();
  elimination_.reset(k);
  for (std::size_t i = 0; i < k; ++i) {
    const std::span<const double> a = constraints.row(tight_[i]);
    for (std::size_t j = 0; j < k; ++j) elimination_.at(i, j) = a[free_[j]];
    solution_[i] = constraints.right[tight_[i]] - (only_basic ? 0 : dot(a, x_));
  }
  if (!elimination_.factorise(1e-13)) return false;
  elimination_.solve(std::span(solution_).first(k));
  const double tolerance = 2 * basis.tolerance();
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t j = free_[i];
    x_[j] = std::clamp(solution_[i], constraints.lower[j], constraints.upper[j]);
    if (!(std::abs(x_[j] - solution_[i]) <= tolerance)) return false;
  }
  return true;
}

bool BasicVertex::is_feasible(SimplexBasis& basis) noexcept {
  const LinearConstraints& constraints = basis.constraints();
  basis.slacks(x_, slacks_);
  const double scale = basis.scale();
  const auto most = [&](std::size_t i) {
    return 2e-11 * std::max(scale, std::abs(constraints.right[i]));
  };
  bool feasible = true;
  for (std::size_t i = 0; i < y_.size(); ++i) feasible &= slacks_[i] >= -most(i);
  for (std::size_t i = constraints.inequalities; i < y_.size(); ++i) {
    feasible &= slacks_[i] <= most(i);
  }
  return feasible;
}

bool BasicVertex::compute_multipliers(const SimplexBasis& basis, std::span<const double> cost,
                                      bool forgive_roundings) noexcept {
  const LinearConstraints& constraints = basis.constraints();
  const std::size_t k = free_.size();
  const std::span<double> solution = std::span(solution_).first(k);
  for (std::size_t j = 0; j < k; ++j) solution[j] = cost[free_[j]];
  elimination_.solve_transposed(solution);
  double largest = 0;
  if (forgive_roundings) {
    refine_multipliers(constraints, cost);
    largest = largest_magnitude(solution);
  }
  constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
  const double allowed = 10 * cost_tolerance + roundings * largest;
  std::fill(y_.begin(), y_.end(), 0.0);
  std::copy(cost.begin(), cost.end(), reduced_.begin());
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t r = tight_[i];
    y_[r] = solution[i];
    if (r < constraints.inequalities && !(y_[r] <= allowed)) return false;
    add(reduced_, -y_[r], constraints.row(r));
  }
  for (const std::size_t j : free_) reduced_[j] = 0;
  bool feasible = true;
  for (std::size_t j = 0; j < x_.size(); ++j) {
    const SimplexBasis::At at = basis.at(j);
    feasible &= at == SimplexBasis::At::upper || reduced_[j] >= -allowed;
    feasible &= at == SimplexBasis::At::lower || reduced_[j] <= allowed;
  }
  return feasible;
}

/// One step of refinement of A_WS^T y_W = c_S, with y_W in solution_.
void BasicVertex::refine_multipliers(const LinearConstraints& constraints,
                                     std::span<const double> cost) noexcept {
  const std::size_t k = free_.size();
  for (std::size_t j = 0; j < k; ++j) {
    off_[j] = cost[free_[j]] - reduce(k, [&](std::size_t i) {
                return constraints.row(tight_[i])[free_[j]] * solution_[i];
              });
  }
  elimination_.solve_transposed(std::span(off_).first(k));
  for (std::size_t i = 0; i < k; ++i) solution_[i] += off_[i];
}

}  // namespace keyhole::math
