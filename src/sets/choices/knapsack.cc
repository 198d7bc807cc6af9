#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/choices/budget_set.h"
#include "sets/sampled_vertices.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// min <d, x> over {0 <= x <= upper, <w, x> <= capacity}: what pays is taken by its ratio d_i / w_i
/// until the capacity is used (Dantzig, "Discrete-variable extremum problems", 1957). One a thread.
class FractionalKnapsack {
 public:
  FractionalKnapsack(std::span<const double> weights, std::span<const double> upper)
      : weights_(weights), upper_(upper), order_(weights.size()), sort_(weights.size()) {}

  /// Calls take(i, x_i) for each x_i > 0.
  template <class Take>
  void minimise(std::span<const double> d, double capacity, const Take& take) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!(d[i] < 0)) continue;
      order_[count++] = i;
    }
    sort_(std::span(order_).first(count), [&](std::size_t i) { return d[i] / weights_[i]; });
    for (std::size_t k = 0; k < count && capacity > 0; ++k) {
      const std::size_t i = order_[k];
      const double x = std::min(upper_[i], capacity / weights_[i]);
      take(i, x);
      capacity -= weights_[i] * x;
    }
  }

 private:
  std::span<const double> weights_;
  std::span<const double> upper_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
};

class KnapsackOracle final : public BudgetOracle {
 public:
  explicit KnapsackOracle(const BudgetSet& set)
      : BudgetOracle(set),
        greedy_(set.budget().weights, set.budget().upper),
        capacity_(set.budget().total),
        indices_(set.dimension()),
        values_(set.dimension()) {}

  const Vertex& minimise(std::span<const double> direction) override {
    std::size_t count = 0;
    greedy_.minimise(direction, capacity_, [&](std::size_t i, double x) {
      indices_[count] = i;
      values_[count++] = x;
    });
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

 private:
  FractionalKnapsack greedy_;
  double capacity_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// r from the facets. With u_i = min(1, capacity / w_i) no x_i exceeds u_i, so x_i^2 <= u_i x_i and
///
///   ||x - p||^2 <= ||p||^2 + max over K of sum_i (u_i - 2 p_i) x_i,
///   ||x - y||^2 <= max of sum_i u_i z_i over 0 <= z <= u, <w, z> <= 2 capacity,
///
/// each a fractional knapsack.
Geometry knapsack_geometry(const Budget& budget, std::span<const double> p) {
  const std::size_t n = p.size();
  Vector most(n);
  Vector gains(n);
  for (std::size_t i = 0; i < n; ++i) {
    most[i] = std::min(1.0, budget.total / budget.weights[i]);
    gains[i] = 2 * p[i] - most[i];
  }
  FractionalKnapsack greedy(budget.weights, most);
  double squared_radius = math::squared_norm(p);
  greedy.minimise(gains, budget.total,
                  [&](std::size_t i, double x) { squared_radius -= gains[i] * x; });
  for (std::size_t i = 0; i < n; ++i) gains[i] = -most[i];
  double squared_diameter = 0;
  greedy.minimise(gains, 2 * budget.total,
                  [&](std::size_t i, double z) { squared_diameter -= gains[i] * z; });
  // The roundings of the sums must not make a bound too small.
  const double R = std::sqrt(squared_radius) * (1 + 1e-14 * static_cast<double>(n));
  const double D = std::sqrt(squared_diameter) * (1 + 1e-14 * static_cast<double>(n));
  return {{p.begin(), p.end()}, budget.inner_radius(p), R, std::clamp(D, R, 2 * R), false, false};
}

/// s 1 with s = min(1/2, capacity / (sum w + ||w||)), as far from the sides 0 as from the others.
Vector knapsack_centre(const Budget& budget) {
  const double share = budget.total / (math::sum(budget.weights) + math::norm(budget.weights));
  return Vector(budget.weights.size(), std::min(0.5, share));
}

class Knapsack final : public BudgetSet {
 public:
  explicit Knapsack(const Budget& budget)
      : BudgetSet(budget, knapsack_geometry(budget, knapsack_centre(budget))) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<KnapsackOracle>(*this);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return knapsack_geometry(budget(), centre);
  }

  [[nodiscard]] std::string spec() const override {
    return "knapsack(" + base::list_text(budget().weights, false) + ", " +
           base::number_text(budget().total) + ")";
  }
};

}  // namespace

SetPtr knapsack(List<double> weights, double capacity) {
  base::require(!weights.empty(), "a knapsack needs at least one weight");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    base::require_positive("weight " + std::to_string(i) + " of a knapsack", weights[i]);
  }
  base::require_positive("the capacity of a knapsack", capacity);
  const double all = math::sum(weights);
  base::require(capacity < all, "the capacity " + base::number_text(capacity) +
                                    " of a knapsack holds all of its weights, which sum to " +
                                    base::number_text(all) + ": use hypercube(" +
                                    std::to_string(weights.size()) + ")");
  const std::size_t n = weights.size();
  const Budget budget{Vector(n, 0.0), Vector(n, 1.0), Vector(weights.begin(), weights.end()),
                      capacity, false};
  budget.require_even("knapsack");
  return std::make_shared<Knapsack>(budget);
}

}  // namespace keyhole::sets
