// Distributions that are near one that is known, where moving a unit from any place to any other
// has a cost of its own.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "math/combinatorial/transportation.h"
#include "sets/distributions/transport_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Membership is a transportation problem of as many rows and columns.
constexpr std::size_t most_costed_places = 500;

/// A distribution q at places with a cost of moving a unit from each to each.
struct CostTable {
  Vector q;
  Vector costs;                       // row by row: from i to j
  std::vector<std::size_t> by_costs;  // the other places of each, by rising costs

  CostTable(Vector distribution, Vector table)
      : q(std::move(distribution)), costs(std::move(table)) {
    const std::size_t n = q.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) by_costs.push_back(j);
      }
      std::stable_sort(by_costs.end() - static_cast<std::ptrdiff_t>(n - 1), by_costs.end(),
                       [&](std::size_t a, std::size_t b) { return cost(i, a) < cost(i, b); });
    }
  }

  [[nodiscard]] double cost(std::size_t i, std::size_t j) const { return costs[i * q.size() + j]; }

  class Places {
   public:
    explicit Places(const CostTable& table) : table_(table) {}

    void look_at(std::span<const double> /*d*/) {}

    template <class Visit>
    void for_each(std::size_t i, const Visit& visit) const {
      const std::size_t others = table_.q.size() - 1;
      for (std::size_t k = 0; k < others; ++k) {
        const std::size_t j = table_.by_costs[i * others + k];
        visit(j, table_.cost(i, j));
      }
    }

   private:
    const CostTable& table_;
  };

  /// The transportation problem between the places that have something. Infinite where it could not
  /// be solved.
  [[nodiscard]] double distance(std::span<const double> x) const {
    Vector supply;
    Vector demand;
    Vector between;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (q[i] > 0) supply.push_back(q[i]);
      if (x[i] > 0) demand.push_back(x[i]);
    }
    const double scale = math::sum(supply) / math::sum(demand);  // 1 up to rounding
    for (double& share : demand) share *= scale;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (q[i] > 0 && x[j] > 0) between.push_back(cost(i, j));
      }
    }
    math::Transportation plan(supply, demand);
    if (!plan.minimise(between)) return std::numeric_limits<double>::infinity();
    return math::reduce(plan.cells().size(),
                        [&](std::size_t k) { return plan.flows()[k] * between[plan.cells()[k]]; });
  }

  /// distance(x + v) - distance(x) <= <g, v>, g the potentials of the columns of x + v: g_j is the
  /// least f_i + cost(i, j), so no two differ by more than the largest cost, and n numbers that
  /// differ by at most C have the length C sqrt n / 2 about their mean.
  [[nodiscard]] double slope() const {
    return math::largest_magnitude(costs) * std::sqrt(static_cast<double>(q.size())) / 2;
  }

  [[nodiscard]] double step() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < q.size(); ++i) {
      least = std::min(least, cost(i, by_costs[i * (q.size() - 1)]));
    }
    return least;
  }
};

/// Row by row.
Vector read_costs(std::size_t n, const std::vector<std::vector<double>>& costs) {
  base::require(costs.size() == n, "a Wasserstein ball of " + std::to_string(n) +
                                       " probabilities needs as many rows of costs, not " +
                                       std::to_string(costs.size()));
  Vector all;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    base::require(costs[i].size() == n,
                  "row " + std::to_string(i) + " of the costs of a Wasserstein ball has " +
                      std::to_string(costs[i].size()) + " numbers, not " + std::to_string(n));
    for (std::size_t j = 0; j < n; ++j) {
      const double cost = costs[i][j];
      const bool is_sound = i == j ? cost == 0 : cost > 0 && base::is_moderate(cost);
      base::require(is_sound, "the cost of moving from place " + std::to_string(i) + " to place " +
                                  std::to_string(j) + " must be " +
                                  (i == j ? "0" : "positive and at most 1e50") + ", not " +
                                  base::number_text(cost));
      largest = std::max(largest, cost);
      all.push_back(cost);
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    base::require(k % (n + 1) == 0 || all[k] >= 1e-9 * largest,
                  "the cost of moving from place " + std::to_string(k / n) + " to place " +
                      std::to_string(k % n) + ", " + base::number_text(all[k]) +
                      ", is below 1e-9 of the largest, " + base::number_text(largest) +
                      ", which costs digits: make one place of the two");
  }
  return all;
}

}  // namespace

SetPtr wasserstein_ball(List<double> distribution, double radius,
                        const std::vector<std::vector<double>>& costs) {
  require_probabilities("a Wasserstein ball", distribution, most_costed_places);
  Vector table = read_costs(distribution.size(), costs);
  const double least = 1e-4 * math::largest_magnitude(table);
  base::require(radius >= least && base::is_moderate(radius),
                "the radius of a Wasserstein ball must be at least 1e-4 of its largest cost, " +
                    base::number_text(least) + ", and at most 1e50, not " +
                    base::number_text(radius));
  std::string spec = "wasserstein_ball(" + base::list_text(distribution, false) + ", " +
                     base::number_text(radius) +
                     ", costs=" + base::matrix_text(table, distribution.size()) + ")";
  return std::make_shared<TransportBall<CostTable>>(
      CostTable({distribution.begin(), distribution.end()}, std::move(table)), radius,
      std::move(spec));
}

}  // namespace keyhole::sets
