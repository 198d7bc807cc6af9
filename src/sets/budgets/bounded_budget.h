// What knapsacks and capped simplices have in common: a budget whose bounds are all finite.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sets/budgets/budget_set.h"

namespace keyhole::sets {

/// A centre of the largest ball within {lower <= x <= upper, <weights, x> <= total}, or the same
/// with equality: with r its radius and s_i = r axes()_i, p = lower + s + t (upper - lower - 2 s),
/// t as near to 1/2 as the total allows.
[[nodiscard]] std::vector<double> bounded_centre(const Budget& budget);

/// r from the facets; R and D are upper bounds, each by a fractional knapsack.
[[nodiscard]] Geometry bounded_geometry(const Budget& budget, std::span<const double> p);

/// All but the exploration and the spec.
class BoundedBudget : public BudgetSet {
 public:
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override;
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return bounded_geometry(budget(), centre);
  }

 protected:
  BoundedBudget(Budget budget, Geometry geometry);

 private:
  std::vector<double> widths_;
  double room_ = 0;  // what the lower bounds leave of the total
};

}  // namespace keyhole::sets
