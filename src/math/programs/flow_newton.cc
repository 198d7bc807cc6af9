#include "math/programs/flow_newton.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double flow_feasibility = 1e-11;
constexpr double flow_gap = 1e-12;

}  // namespace

FlowNewton::FlowNewton(const LinearConstraints& constraints, std::span<const ArcRows> arcs,
                       std::span<const double> low, std::span<const double> high, double length)
    : k_(constraints),
      arcs_(arcs),
      length_(length),
      face_(constraints, low, high, length),
      middle_(k_.columns),
      point_(k_.columns),
      z_(k_.columns),
      shifted_(k_.columns),
      moves_(k_.columns),
      x_(k_.columns),
      y_(k_.right.size()),
      excess_(k_.right.size()),
      step_(k_.right.size()),
      factor_(k_.right.size() * k_.right.size()),
      rows_(k_.right.size()) {
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  for (std::size_t j = 0; j < middle_.size(); ++j) middle_[j] = (low[j] + high[j]) / 2;
  first_ = rows_;
  for (const auto& [from, to] : arcs) {
    if (from == ArcRows::none || to == ArcRows::none) continue;
    std::size_t& first = first_[std::max(from, to)];
    first = std::min<std::size_t>(first, std::min(from, to));
  }
  free_.reserve(k_.columns);
}

double FlowNewton::difference(std::span<const double> y, std::size_t j) const noexcept {
  const auto [from, to] = arcs_[j];
  return (from == ArcRows::none ? 0 : y[from]) - (to == ArcRows::none ? 0 : y[to]);
}

void FlowNewton::evaluate() noexcept {
  for (std::size_t i = 0; i < excess_.size(); ++i) excess_[i] = -k_.right[i];
  free_.clear();
  for (std::size_t j = 0; j < x_.size(); ++j) {
    shifted_[j] = z_[j] - difference(y_, j);
    x_[j] = std::clamp(shifted_[j], k_.lower[j], k_.upper[j]);
    if (k_.lower[j] < shifted_[j] && shifted_[j] < k_.upper[j]) free_.push_back(j);
    const auto [from, to] = arcs_[j];
    if (from != ArcRows::none) excess_[from] += x_[j];
    if (to != ArcRows::none) excess_[to] -= x_[j];
  }
}

void FlowNewton::fill_hessian(double mu) noexcept {
  const std::size_t m = rows_.size();
  for (std::size_t i = 0; i < m; ++i) {
    std::fill(&factor_[i * m + first_[i]], &factor_[i * m + i], 0.0);
    factor_[i * m + i] = mu;
  }
  for (const std::size_t j : free_) {
    const auto [from, to] = arcs_[j];
    if (from == to) continue;
    if (from != ArcRows::none) factor_[from * m + from] += 1;
    if (to != ArcRows::none) factor_[to * m + to] += 1;
    if (from != ArcRows::none && to != ArcRows::none) {
      factor_[std::max(from, to) * m + std::min(from, to)] -= 1;
    }
  }
}

// Cholesky's method; what comes before the first entries stays 0.
bool FlowNewton::factorise() noexcept {
  const std::size_t m = rows_.size();
  for (std::size_t i = 0; i < m; ++i) {
    double* const row = &factor_[i * m];
    for (std::size_t j = first_[i]; j <= i; ++j) {
      const double* const other = &factor_[j * m];
      const std::size_t begin = std::max(first_[i], first_[j]);
      const double left = row[j] - dot({row + begin, j - begin}, {other + begin, j - begin});
      if (j == i && !(left > 0)) return false;
      row[j] = j == i ? std::sqrt(left) : left / other[j];
    }
  }
  return true;
}

void FlowNewton::newton_step() {
  const std::size_t m = rows_.size();
  double mu = std::min(1e-2, 1e-3 * largest_magnitude(excess_) / length_) + 1e-12;
  for (fill_hessian(mu); !factorise(); fill_hessian(mu)) mu *= 100;
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t before = i - first_[i];
    const double* const row = &factor_[i * m];
    step_[i] = (excess_[i] - dot({row + first_[i], before}, {&step_[first_[i]], before})) / row[i];
  }
  for (std::size_t i = m; i-- > 0;) {
    const std::size_t before = i - first_[i];
    const double* const row = &factor_[i * m];
    step_[i] /= row[i];
    add({&step_[first_[i]], before}, -step_[i], {row + first_[i], before});
  }
  for (std::size_t j = 0; j < moves_.size(); ++j) moves_[j] = difference(step_, j);
}

// <step, N x - d>: the flows fall along the step, so this falls as well.
double FlowNewton::slope(double share) const noexcept {
  const double of_arcs = reduce(x_.size(), [&](std::size_t j) {
    return moves_[j] * std::clamp(shifted_[j] - share * moves_[j], k_.lower[j], k_.upper[j]);
  });
  return of_arcs - dot(step_, k_.right);
}

// All of the step if the slope is about gone there; else where it changes its sign.
double FlowNewton::search() const noexcept {
  constexpr double gone = 0.1;
  const double at_first = slope(0);
  double low = 0;
  double high = 1;
  double at_high = slope(high);
  for (int k = 0; k < 60 && at_high > gone * at_first; ++k) {
    low = high;
    high *= 2;
    at_high = slope(high);
  }
  for (int k = 0; k < 60 && at_high < -gone * at_first; ++k) {
    const double middle = (low + high) / 2;
    const double at_middle = slope(middle);
    if (at_middle > gone * at_first) {
      low = middle;
    } else {
      high = middle;
      at_high = at_middle;
    }
  }
  return high;
}

// x(y) minimises the Lagrangian over the bounds, so <z - x, v - x> <= <y, d - N x> for all v in K.
bool FlowNewton::is_proved() const noexcept {
  if (!(largest_magnitude(excess_) <= flow_feasibility * length_)) return false;
  const auto square = [&](std::size_t j) { return (z_[j] - x_[j]) * (z_[j] - x_[j]); };
  const double distance = std::sqrt(reduce(x_.size(), square));
  return -dot(y_, excess_) <= flow_gap * length_ * std::max(length_, distance);
}

void FlowNewton::climb(double enough) {
  constexpr int most_steps = 60;
  evaluate();
  for (int steps = 0; steps < most_steps && !is_proved(); ++steps) {
    if (largest_magnitude(excess_) <= enough * length_) break;
    newton_step();
    if (!(slope(0) > 0)) break;  // rounding is all that is left
    add(y_, search(), step_);
    evaluate();
  }
}

bool FlowNewton::solve(std::span<const double> z, std::span<double> x) {
  constexpr double near = 4;
  constexpr double stride = 8;
  std::copy(z.begin(), z.end(), point_.begin());
  std::fill(y_.begin(), y_.end(), 0.0);
  const auto square = [&](std::size_t j) {
    return (point_[j] - middle_[j]) * (point_[j] - middle_[j]);
  };
  const double distance = std::sqrt(reduce(point_.size(), square));
  double share = near * length_ / std::max(distance, near * length_);
  while (share < 1) {
    for (std::size_t j = 0; j < z_.size(); ++j) {
      z_[j] = middle_[j] + share * (point_[j] - middle_[j]);
    }
    climb(0.1);
    const double farther = std::min(stride, 1 / share);
    for (double& multiplier : y_) multiplier *= farther;
    share *= farther;
  }
  std::copy(point_.begin(), point_.end(), z_.begin());
  climb(0);
  if (!is_proved()) {  // from afar z - N^T y has lost digits
    constexpr double about = 1e-5;
    if (!(largest_magnitude(excess_) <= about * length_)) return false;
    if (!face_.solve(z_, rows_, free_, flow_feasibility, flow_gap, x_, y_)) return false;
  }
  std::copy(x_.begin(), x_.end(), x.begin());
  return true;
}

}  // namespace keyhole::math
