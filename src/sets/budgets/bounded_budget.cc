#include "sets/budgets/bounded_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"
#include "sets/fractional_knapsack.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

double room_above(const Budget& budget) {
  return budget.total - math::dot(budget.weights, budget.lower);
}

/// lower, and upper where it pays, the last one in part.
class BoundedBudgetOracle final : public BudgetOracle {
 public:
  BoundedBudgetOracle(const BudgetSet& set, std::span<const double> widths, double room)
      : BudgetOracle(set),
        budget_(set.budget()),
        widths_(widths),
        room_(room),
        greedy_(budget_.weights, widths, budget_.flat),
        sparse_(std::all_of(budget_.lower.begin(), budget_.lower.end(),
                            [](double bound) { return bound == 0; })),
        indices_(sparse_ ? set.dimension() : 0),
        values_(set.dimension()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t count = 0;
    std::size_t last = 0;
    if (!sparse_) std::copy(budget_.lower.begin(), budget_.lower.end(), values_.begin());
    greedy_.minimise(direction, room_, [&](std::size_t i, double z) {
      last = i;
      if (sparse_) indices_[count] = i;
      values_[sparse_ ? count++ : i] =
          z < widths_[i] ? std::min(budget_.lower[i] + z, budget_.upper[i]) : budget_.upper[i];
    });
    if (sparse_) {
      vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    } else {
      vertex_ = {values_, {}, {}};
    }
    if (budget_.flat) settle_sum(values_[sparse_ ? count - 1 : last], last);
    return vertex_;
  }

 private:
  /// The roundings of many differences go to the coordinate that was filled last.
  void settle_sum(double& x, std::size_t last) {
    const double missing = budget_.total - vertex_.dot(budget_.weights);
    x = std::clamp(x + missing / budget_.weights[last], budget_.lower[last], budget_.upper[last]);
  }

  const Budget& budget_;
  std::span<const double> widths_;
  double room_;
  FractionalKnapsack greedy_;
  bool sparse_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// The least and the largest that each coordinate is in K.
struct CoordinateRanges {
  Vector least;
  Vector widths;
  double room = 0;  // total - <weights, least>

  explicit CoordinateRanges(const Budget& budget)
      : least(budget.lower), widths(least.size()), room(room_above(budget)) {
    const double below = math::dot(budget.weights, budget.upper) - budget.total;
    for (std::size_t i = 0; i < least.size(); ++i) {
      const double weight = budget.weights[i];
      const double most = std::min(budget.upper[i] - budget.lower[i], room / weight);
      if (budget.flat) {
        least[i] = std::max(budget.lower[i], budget.upper[i] - below / weight);
      }
      widths[i] = most - (least[i] - budget.lower[i]);
    }
    if (budget.flat) room = budget.total - math::dot(budget.weights, least);
  }
};

}  // namespace

std::vector<double> bounded_centre(const Budget& budget) {
  const std::size_t n = budget.weights.size();
  const Vector axes = budget.axes();
  const double sum = math::dot(budget.weights, axes);
  const double length = budget.flat ? 0.0 : math::norm(budget.weights);
  const double of_total = room_above(budget) / (sum + length);
  double r = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    r = std::min(r, (budget.upper[i] - budget.lower[i]) / (2 * axes[i]));
  }
  if (budget.flat) r = std::min(r, (math::dot(budget.weights, budget.upper) - budget.total) / sum);
  double share = 0;  // t
  if (of_total <= r) {
    r = of_total;
  } else {
    const double all = math::reduce(n, [&](std::size_t i) {
      return budget.weights[i] * ((budget.upper[i] - budget.lower[i]) - 2 * (r * axes[i]));
    });
    const double left = room_above(budget) - r * (sum + length);
    if (all > 0) share = std::clamp(left / all, 0.0, budget.flat ? 1.0 : 0.5);
  }
  Vector p(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double margin = r * axes[i];
    p[i] = budget.lower[i] + (margin + share * ((budget.upper[i] - budget.lower[i]) - 2 * margin));
  }
  return p;
}

/// With least_i <= x_i <= least_i + w_i for x in K, z = x - least has z_i^2 <= w_i z_i, so
///
///   ||x - p||^2 <= ||p - least||^2 + max over K of sum_i (w_i - 2 (p_i - least_i)) z_i,
///   ||x - y||^2 <= max of sum_i w_i z_i over 0 <= z <= w, <weights, z> <= 2 room,
///
/// each a fractional knapsack; in a flat set no two points are farther apart than twice what the
/// largest coordinates leave, either.
Geometry bounded_geometry(const Budget& budget, std::span<const double> p) {
  const std::size_t n = p.size();
  const CoordinateRanges ranges(budget);
  Vector from_least(n);
  Vector gains(n);
  for (std::size_t i = 0; i < n; ++i) {
    from_least[i] = p[i] - ranges.least[i];
    gains[i] = 2 * from_least[i] - ranges.widths[i];
  }
  double squared_radius = math::squared_norm(from_least);
  FractionalKnapsack farthest(budget.weights, ranges.widths, budget.flat);
  farthest.minimise(gains, ranges.room,
                    [&](std::size_t i, double z) { squared_radius -= gains[i] * z; });
  double apart = ranges.room;
  if (budget.flat) apart = std::min(apart, math::dot(budget.weights, ranges.widths) - apart);
  for (std::size_t i = 0; i < n; ++i) gains[i] = -ranges.widths[i];
  double squared_diameter = 0;
  FractionalKnapsack widest(budget.weights, ranges.widths);
  widest.minimise(gains, 2 * apart,
                  [&](std::size_t i, double z) { squared_diameter -= gains[i] * z; });
  // The roundings of the sums must not make a bound too small.
  const double R = std::sqrt(squared_radius) * (1 + 1e-14 * static_cast<double>(n));
  const double D = std::sqrt(squared_diameter) * (1 + 1e-14 * static_cast<double>(n));
  return {{p.begin(), p.end()}, budget.inner_radius(p), R, std::clamp(D, R, 2 * R), false, false};
}

BoundedBudget::BoundedBudget(Budget budget, Geometry geometry)
    : BudgetSet(std::move(budget), std::move(geometry)),
      widths_(dimension()),
      room_(room_above(this->budget())) {
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    widths_[i] = this->budget().upper[i] - this->budget().lower[i];
  }
}

std::unique_ptr<Oracle> BoundedBudget::make_oracle() const {
  return std::make_unique<BoundedBudgetOracle>(*this, widths_, room_);
}

}  // namespace keyhole::sets
