#include "sets/budgets/budget_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

/// The length of the part of e_i within the hull of a flat set, weight_i that share of their norm.
double in_hull(double share) { return std::sqrt((1 - share) * (1 + share)); }

}  // namespace

std::vector<double> Budget::axes() const {
  std::vector<double> result(weights.size(), 1.0);
  if (!flat || weights == result) return result;
  const double length = math::norm(weights);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = in_hull(weights[i] / length);
  return result;
}

double Budget::inner_radius(std::span<const double> p) const {
  const double length = math::norm(weights);
  double r =
      flat ? std::numeric_limits<double>::infinity() : (total - math::dot(weights, p)) / length;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double axis = flat ? in_hull(weights[i] / length) : 1.0;
    r = std::min({r, (p[i] - lower[i]) / axis, (upper[i] - p[i]) / axis});
  }
  return r;
}

void Budget::require_even(const std::string& what) const {
  const auto [lightest, heaviest] = std::minmax_element(weights.begin(), weights.end());
  base::require(*heaviest <= 1e5 * *lightest,
                "the weights of a " + what + " go from " + base::number_text(*lightest) + " to " +
                    base::number_text(*heaviest) +
                    ", too far apart to tell what exceeds the sum: a factor of 1e5 is the most");
}

BudgetSet::BudgetSet(Budget budget, Geometry geometry)
    : Set(budget.weights.size(), budget.weights.size() - (budget.flat ? 1 : 0),
          std::move(geometry)),
      budget_(std::move(budget)),
      squared_norm_(math::squared_norm(budget_.weights)) {
  const double length = std::sqrt(squared_norm_);
  const double lightest = *std::min_element(budget_.weights.begin(), budget_.weights.end());
  const double reach = math::norm(this->centre()) + this->outer_radius();
  row_slack_ = slack() * std::sqrt(length * lightest) +
               8 * std::numeric_limits<double>::epsilon() * length * reach;
}

double BudgetSet::bound_slack() const {
  // Far from the origin the roundings of a coordinate can exceed the tolerance.
  return slack() + 8 * std::numeric_limits<double>::epsilon() * math::norm(centre());
}

bool BudgetSet::contains(std::span<const double> x) const {
  if (x.size() != dimension()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(budget_.lower[i] <= x[i] && x[i] <= budget_.upper[i])) return false;
  }
  const double excess = math::dot(budget_.weights, x) - budget_.total;
  return excess <= row_slack_ && (!budget_.flat || excess >= -row_slack_);
}

void BudgetSet::flatten(std::span<double> direction) const {
  if (!budget_.flat) return;
  math::add(direction, -math::dot(budget_.weights, direction) / squared_norm_, budget_.weights);
}

std::optional<PolytopeConstraints> BudgetSet::linear_description() const {
  PolytopeConstraints result{.n = dimension(), .lower = budget_.lower, .upper = budget_.upper};
  LinearRows& row = budget_.flat ? result.equalities : result.inequalities;
  row = {.dense = budget_.weights, .right = {budget_.total}};
  return result;
}

BudgetOracle::BudgetOracle(const BudgetSet& set)
    : set_(set),
      row_(set.budget().lower, set.budget().upper, set.budget().weights, set.budget().total),
      far_(1024 * (set.outer_radius() + math::norm(set.centre()))),
      near_(set.dimension()) {}

std::span<const double> BudgetOracle::brought_near(std::span<const double> point) {
  const double distance = math::norm(point);
  if (distance <= far_) return point;
  const std::vector<double>& weights = set_.budget().weights;
  const double along = math::dot(weights, point) / math::dot(weights, weights);
  for (std::size_t i = 0; i < point.size(); ++i) near_[i] = point[i] - along * weights[i];
  return 1024 * math::norm(near_) <= distance ? near_ : point;
}

bool BudgetOracle::do_project(std::span<const double> point, std::span<double> nearest) {
  const Budget& k = set_.budget();
  const double spent = math::reduce(point.size(), [&](std::size_t i) {
    return k.weights[i] * std::clamp(point[i], k.lower[i], k.upper[i]);
  });
  if (k.flat || spent > k.total) {
    return row_.project(brought_near(point), nearest);
  }
  for (std::size_t i = 0; i < point.size(); ++i) {
    nearest[i] = std::clamp(point[i], k.lower[i], k.upper[i]);
  }
  return true;
}

double BudgetOracle::do_gauge(std::span<const double> w, std::span<double> subgradient) {
  const Budget& k = set_.budget();
  const std::vector<double>& p = set_.centre();
  std::fill(subgradient.begin(), subgradient.end(), 0.0);
  const auto [gamma, width, first] = farthest_side(p, w, k.lower, k.upper);
  const double spent =
      math::reduce(w.size(), [&](std::size_t i) { return k.weights[i] * (w[i] - p[i]); });
  const double room = k.total - math::dot(k.weights, p);
  if (!k.flat && spent > gamma * room) {
    for (std::size_t i = 0; i < w.size(); ++i) subgradient[i] = k.weights[i] / room;
    return spent / room;
  }
  if (first == w.size()) return 0;
  subgradient[first] = 1 / width;
  set_.flatten(subgradient);
  return gamma;
}

void BudgetOracle::settle(std::span<double> point) {
  settle_between(point, set_.budget().lower, set_.budget().upper, set_.bound_slack());
}

}  // namespace keyhole::sets
