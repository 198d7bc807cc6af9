#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/budgets/bounded_budget.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class Knapsack final : public BoundedBudget {
 public:
  explicit Knapsack(const Budget& budget)
      : BoundedBudget(budget, bounded_geometry(budget, bounded_centre(budget))) {}

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] std::string spec() const override {
    const std::string lower = base::list_text(budget().lower, true);
    const std::string upper = base::list_text(budget().upper, true);
    return "knapsack(" + base::list_text(budget().weights, false) + ", " +
           base::number_text(budget().total) + (lower == "0" ? "" : ", lower=" + lower) +
           (upper == "1" ? "" : ", upper=" + upper) + ")";
  }
};

}  // namespace

SetPtr knapsack(List<double> weights, double capacity, List<double> lower, List<double> upper) {
  base::require(!weights.empty(), "a knapsack needs at least one weight");
  base::require(lower.size() == weights.size(),
                "a knapsack needs bounds for each of its " + std::to_string(weights.size()) +
                    " weights, not " + std::to_string(lower.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    base::require_positive("weight " + std::to_string(i) + " of a knapsack", weights[i]);
  }
  require_bounds("a knapsack", lower, upper);
  base::require(base::is_moderate(capacity),
                "the capacity of a knapsack must be a number of magnitude up to 1e50, not " +
                    base::number_text(capacity));
  const double least = math::dot(weights, lower);
  base::require(capacity > least, "the capacity " + base::number_text(capacity) +
                                      " of a knapsack leaves nothing to choose: its lower bounds "
                                      "weigh " +
                                      base::number_text(least) + " already");
  const double all = math::dot(weights, upper);
  base::require(capacity < all, "the capacity " + base::number_text(capacity) +
                                    " of a knapsack holds all that its upper bounds allow, which "
                                    "weighs " +
                                    base::number_text(all) + ": use box(" +
                                    bounds_text(lower, upper) + ")");
  const Budget budget{Vector(lower.begin(), lower.end()), Vector(upper.begin(), upper.end()),
                      Vector(weights.begin(), weights.end()), capacity, false};
  budget.require_even("knapsack");
  return std::make_shared<Knapsack>(budget);
}

SetPtr knapsack(List<double> weights, double capacity, double lower, double upper) {
  return knapsack(weights, capacity, Vector(weights.size(), lower), Vector(weights.size(), upper));
}

}  // namespace keyhole::sets
