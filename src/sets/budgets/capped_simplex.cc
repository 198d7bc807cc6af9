#include <algorithm>
#include <string>
#include <utility>
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

/// With the same bounds for all coordinates and weights of 1 the vertices are the orders of one
/// vector: upper as often as it fits, one number between, and lower. Null if these differ.
SetPtr orders_of(const Budget& budget) {
  const double low = budget.lower.front();
  const double high = budget.upper.front();
  for (std::size_t i = 0; i < budget.lower.size(); ++i) {
    if (budget.lower[i] != low || budget.upper[i] != high || budget.weights[i] != 1) return nullptr;
  }
  const std::size_t n = budget.lower.size();
  const double room = budget.total - static_cast<double>(n) * low;
  const auto full = std::min(n - 1, static_cast<std::size_t>(room / (high - low)));
  Vector values(n, low);
  std::fill_n(values.begin(), full, high);
  const double between = low + (room - static_cast<double>(full) * (high - low));
  values[full] = std::clamp(between, low, high);
  return permutahedron(values);
}

/// Of the orders R and D are exact.
Geometry capped_geometry(const Budget& budget, const SetPtr& orders, std::span<const double> p) {
  Geometry result = bounded_geometry(budget, p);
  if (orders == nullptr) return result;
  const Geometry of_orders = orders->geometry_about(p);
  result.outer_radius = of_orders.outer_radius;
  result.diameter = of_orders.diameter;
  result.outer_radius_exact = of_orders.outer_radius_exact;
  result.diameter_exact = of_orders.diameter_exact;
  return result;
}

class CappedSimplex final : public BoundedBudget {
 public:
  CappedSimplex(const Budget& budget, SetPtr orders)
      : BoundedBudget(budget, capped_geometry(budget, orders, bounded_centre(budget))),
        orders_(std::move(orders)) {}

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return orders_ != nullptr ? orders_->exploration() : explore_vertices(*this);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return capped_geometry(budget(), orders_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    return "capped_simplex(" + bounds_text(budget().lower, budget().upper) +
           (budget().total == 1 ? "" : ", total=" + base::number_text(budget().total)) +
           (budget().weights == Vector(dimension(), 1.0)
                ? ""
                : ", weights=" + base::list_text(budget().weights, false)) +
           ")";
  }

 private:
  SetPtr orders_;
};

}  // namespace

SetPtr capped_simplex(List<double> lower, List<double> upper, double total, List<double> weights) {
  require_bounds("a capped simplex", lower, upper);
  base::require(weights.size() == lower.size(),
                "a capped simplex needs a weight for each of its " + std::to_string(lower.size()) +
                    " coordinates, not " + std::to_string(weights.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    base::require_positive("weight " + std::to_string(i) + " of a capped simplex", weights[i]);
  }
  base::require(lower.size() >= 2,
                "a capped simplex of 1 coordinate is a single point: at least 2 are needed");
  base::require(base::is_moderate(total),
                "the total of a capped simplex must be a number of magnitude up to 1e50, not " +
                    base::number_text(total));
  const double least = math::dot(weights, lower);
  const double most = math::dot(weights, upper);
  const std::string of_total =
      "the total " + base::number_text(total) + " of a capped simplex leaves nothing to choose: ";
  base::require(total > least, of_total + "its lower bounds take " + base::number_text(least) +
                                   " already; lower them, or raise the total");
  base::require(total < most, of_total + "its upper bounds allow " + base::number_text(most) +
                                  " at most; raise them, or lower the total");
  const Budget budget{Vector(lower.begin(), lower.end()), Vector(upper.begin(), upper.end()),
                      Vector(weights.begin(), weights.end()), total, true};
  budget.require_even("capped simplex");
  return std::make_shared<CappedSimplex>(budget, orders_of(budget));
}

SetPtr capped_simplex(List<double> lower, List<double> upper, double total) {
  return capped_simplex(lower, upper, total, Vector(lower.size(), 1.0));
}

SetPtr capped_simplex(double lower, double upper, std::size_t n, double total) {
  return capped_simplex(Vector(n, lower), Vector(n, upper), total);
}

}  // namespace keyhole::sets
