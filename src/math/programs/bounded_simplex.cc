#include "math/programs/bounded_simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t none = SimplexBasis::none;
using At = SimplexBasis::At;

}  // namespace

BoundedSimplex::BoundedSimplex(LinearConstraints constraints)
    : constraints_(std::make_shared<const LinearConstraints>(std::move(constraints))),
      now_(constraints_),
      start_(now_),
      ratio_test_(now_.most_positions()),
      vertex_(*constraints_),
      cost_(constraints_->columns) {
  start_result_ = phase_1();
  start_.become(now_);
}

LinearResult BoundedSimplex::phase_1() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const LinearResult result = improve(true);
    if (result == LinearResult::stuck) return result;
    now_.refresh();
    price_infeasibility();
    double worst = 0;
    for (std::size_t i = 0; i < now_.positions(); ++i) {
      worst = std::max(worst, std::abs(now_.violation(i)));
    }
    if (worst == 0) return LinearResult::optimal;
    if (worst > 100 * now_.tolerance() && steepest_column(now_) == none) {
      return LinearResult::infeasible;
    }
  }
  return LinearResult::stuck;
}

/// Reduced costs of the sum of infeasibilities, a piecewise linear function of x.
void BoundedSimplex::price_infeasibility() noexcept {
  std::fill(cost_.begin(), cost_.end(), 0.0);
  for (std::size_t i = 0; i < now_.positions(); ++i) {
    const double off = now_.violation(i);
    if (off == 0) continue;
    const double sign = off > 0 ? 1 : -1;
    const std::size_t variable = now_.variable(i);
    if (variable < constraints_->columns) {
      cost_[variable] += sign;
    } else {
      add(cost_, -sign, constraints_->row(i));
    }
  }
  now_.price(cost_);
}

LinearResult BoundedSimplex::improve(bool phase_1) noexcept {
  const std::size_t size = constraints_->columns + constraints_->right.size();
  const std::size_t most = 10000 + 200 * size;
  const std::size_t patience = 20 + size / 4;
  constexpr std::size_t fresh_for = 300;
  std::size_t unmoved = 0;
  for (std::size_t k = 0; k < most; ++k) {
    if (now_.age() >= fresh_for) {
      now_.refresh();
      if (!phase_1) now_.price(cost_);
    }
    if (phase_1) price_infeasibility();
    const bool bland = unmoved > patience;
    const std::size_t column = bland ? lowest_column(now_) : steepest_column(now_);
    if (column == none) return LinearResult::optimal;
    const std::size_t variable = now_.nonbasic(column);
    const double reduced = now_.reduced()[column];
    const At at = now_.at(variable);
    const double sign = at == At::upper ? -1 : at == At::lower || reduced < 0 ? 1 : -1;
    now_.gather_column(column);
    const RatioTest::Stop stop = ratio_test_(now_, sign, {phase_1, bland});
    const double range = now_.upper(variable) - now_.lower(variable);
    const double step = std::min(range, stop.step);
    if (step == infinity) {
      ray_column_ = column;
      return LinearResult::unbounded;
    }
    unmoved = step * std::abs(reduced) > 1e-14 * now_.scale() ? 0 : unmoved + 1;
    now_.move(sign * step);
    if (range <= stop.step) {
      now_.flip(column);
    } else {
      const double value = now_.nonbasic_value(variable) + sign * step;
      now_.exchange(column, stop.position, value, stop.arrives);
    }
    ++iterations_;
  }
  return LinearResult::stuck;
}

LinearResult BoundedSimplex::minimise(std::span<const double> c) {
  const double largest = largest_magnitude(c);
  int exponent = 0;
  if (largest > 0 && largest < infinity) std::frexp(largest, &exponent);
  const double to_one = std::ldexp(1.0, -std::max(exponent, -1000));
  for (std::size_t j = 0; j < cost_.size(); ++j) cost_[j] = c[j] * to_one;
  now_.become(start_);
  iterations_ = 0;
  constexpr int most_attempts = 4;
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    if (attempt > 1) now_.refresh();
    now_.price(cost_);
    const LinearResult result = improve(false);
    if (result != LinearResult::optimal) return result;
    if (vertex_.compute(now_, cost_, attempt == most_attempts)) return result;
  }
  return LinearResult::stuck;
}

std::vector<std::size_t> BoundedSimplex::culprits() const {
  const bool infeasible = start_result_ == LinearResult::infeasible;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < now_.positions(); ++i) {
    const bool counts =
        infeasible ? now_.violation(i) != 0 : std::abs(now_.column()[i]) > smallest_pivot;
    if (counts) all.push_back(now_.variable(i));
  }
  for (std::size_t j = 0; j < constraints_->columns; ++j) {
    const bool counts =
        infeasible ? std::abs(now_.reduced()[j]) > smallest_pivot : j == ray_column_;
    if (counts) all.push_back(now_.nonbasic(j));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace keyhole::math
