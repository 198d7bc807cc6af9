#include "math/programs/dual_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double feasibility_asked = 1e-11;
/// What either method may leave: such a point is left where it is. In a sharp corner the rows, met
/// more closely, would move it by many times as much as they are off.
constexpr double feasibility_kept = 1e-10;
constexpr double gap_asked = 1e-12;

}  // namespace

DualNewton::DualNewton(const LinearConstraints& constraints, std::span<const double> low,
                       std::span<const double> high, double length)
    : k_(constraints),
      length_(length),
      face_(constraints, low, high, length),
      most_rows_(face_.most_rows()),
      z_(k_.columns),
      shifted_(k_.columns),
      x_(k_.columns),
      excess_(k_.right.size()),
      y_(k_.right.size()),
      trial_(k_.right.size()),
      gathered_(most_rows_ * k_.columns),
      hessian_(most_rows_ * most_rows_),
      factor_(most_rows_ * most_rows_),
      solution_(most_rows_),
      step_(most_rows_) {
  rows_.reserve(k_.right.size());
  free_.reserve(k_.columns);
  in_step_.reserve(most_rows_);
}

/// x(y), A x - b, and minus the dual function.
double DualNewton::evaluate(std::span<const double> y) {
  std::copy(z_.begin(), z_.end(), shifted_.begin());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 0) add(shifted_, -y[i], k_.row(i));
  }
  for (std::size_t j = 0; j < x_.size(); ++j) {
    x_[j] = std::clamp(shifted_[j], k_.lower[j], k_.upper[j]);
  }
  for (std::size_t i = 0; i < y.size(); ++i) excess_[i] = dot(k_.row(i), x_) - k_.right[i];
  const double squares =
      reduce(x_.size(), [&](std::size_t j) { return (x_[j] - z_[j]) * (x_[j] - z_[j]); });
  return -(0.5 * squares + dot(y, excess_));
}

/// The largest violation of a row, or slack of a row that has a multiplier.
double DualNewton::violation() const noexcept {
  double most = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const bool counts = i >= k_.inequalities || y_[i] > 0 || excess_[i] > 0;
    if (counts) most = std::max(most, std::abs(excess_[i]));
  }
  return most;
}

/// Equalities, rows with a multiplier, and violated ones: the most violated if there are too many.
void DualNewton::choose_rows() {
  rows_.clear();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (i >= k_.inequalities || y_[i] > 0 || excess_[i] > 0) rows_.push_back(i);
  }
  if (rows_.size() <= most_rows_) return;
  const auto rank = [&](std::size_t i) {
    const bool keep = i >= k_.inequalities || y_[i] > 0;
    return keep ? std::numeric_limits<double>::infinity() : excess_[i];
  };
  std::sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
    return rank(a) > rank(b) || (rank(a) == rank(b) && a < b);
  });
  rows_.resize(most_rows_);
  std::sort(rows_.begin(), rows_.end());
}

void DualNewton::choose_free() {
  free_.clear();
  for (std::size_t j = 0; j < x_.size(); ++j) {
    if (k_.lower[j] < shifted_[j] && shifted_[j] < k_.upper[j]) free_.push_back(j);
  }
}

/// The chosen rows over the free coordinates, and their products.
void DualNewton::gather() {
  const std::size_t q = free_.size();
  const std::size_t k = rows_.size();
  for (std::size_t a = 0; a < k; ++a) {
    const std::span<const double> row = k_.row(rows_[a]);
    for (std::size_t j = 0; j < q; ++j) gathered_[a * q + j] = row[free_[j]];
  }
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double product = dot({gathered_.data() + a * q, q}, {gathered_.data() + b * q, q});
      hessian_[a * k + b] = product;
      hessian_[b * k + a] = product;
    }
  }
}

/// step = (A_J A_J^T + mu I)^-1 (A x - b), without the rows that it would push below zero at once.
bool DualNewton::newton_step() {
  const std::size_t k = rows_.size();
  double trace = 0;
  for (std::size_t a = 0; a < k; ++a) trace += hessian_[a * k + a];
  const double mean = trace / static_cast<double>(k) + 1e-12;
  double mu = mean * (std::min(1e-2, 1e-3 * violation() / length_) + 1e-12);
  in_step_.clear();
  for (std::size_t a = 0; a < k; ++a) in_step_.push_back(a);
  constexpr int most_failures = 20;  // by then mu is 1e28 times the mean
  for (int failures = 0; failures < most_failures;) {
    const std::size_t size = in_step_.size();
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        factor_[a * size + b] = hessian_[in_step_[a] * k + in_step_[b]];
      }
      factor_[a * size + a] += mu;
      solution_[a] = excess_[rows_[in_step_[a]]];
    }
    if (!cholesky(factor_, size)) {
      mu *= 100;
      ++failures;
      continue;
    }
    cholesky_solve(factor_, size, solution_);
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t a = 0; a < size; ++a) step_[in_step_[a]] = solution_[a];
    const auto pushed_out = [&](std::size_t a) {
      const std::size_t i = rows_[a];
      return i < k_.inequalities && !(y_[i] > 0) && step_[a] < 0;
    };
    const auto end = std::remove_if(in_step_.begin(), in_step_.end(), pushed_out);
    if (end == in_step_.end()) return true;
    in_step_.erase(end, in_step_.end());
  }
  return false;
}

/// Halves the step until the dual function has grown enough. False if it never does.
bool DualNewton::search() {
  const double before = value_;
  double share = 1;
  for (int halvings = 0; halvings < 50; ++halvings, share /= 2) {
    std::copy(y_.begin(), y_.end(), trial_.begin());
    double slope = 0;  // excess_ is overwritten: solution_ keeps what it was
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const std::size_t i = rows_[a];
      trial_[i] += share * step_[a];
      if (i < k_.inequalities) trial_[i] = std::max(trial_[i], 0.0);
      slope += solution_[a] * (trial_[i] - y_[i]);
    }
    value_ = evaluate(trial_);
    if (value_ <= before - 1e-4 * slope + 1e-14 * std::abs(before)) {
      y_.swap(trial_);
      return true;
    }
  }
  return false;
}

/// Solves for x on the face of the rows that have multipliers and of the free coordinates.
bool DualNewton::solved_exactly(double feasibility) {
  rows_.clear();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (i >= k_.inequalities || y_[i] > 0) rows_.push_back(i);
  }
  choose_free();
  std::copy(y_.begin(), y_.end(), trial_.begin());
  return face_.solve(z_, rows_, free_, feasibility, gap_asked, x_, trial_);
}

bool DualNewton::solve(std::span<const double> z, std::span<double> x) {
  constexpr std::size_t most_steps = 30;
  std::copy(z.begin(), z.end(), z_.begin());
  std::fill(y_.begin(), y_.end(), 0.0);
  value_ = evaluate(y_);
  for (steps_ = 0; steps_ < most_steps; ++steps_) {
    // x needs no multipliers, or the method has all but converged.
    const bool is_first = steps_ == 0;
    if (violation() <= (is_first ? feasibility_kept : 1e-5) * length_) {
      if (solved_exactly(is_first ? feasibility_kept : feasibility_asked)) {
        std::copy(x_.begin(), x_.end(), x.begin());
        return true;
      }
      value_ = evaluate(y_);
    }
    choose_rows();
    choose_free();
    if (rows_.empty() || free_.empty()) return false;  // no slope to go by
    gather();
    if (!newton_step()) return false;
    for (std::size_t a = 0; a < rows_.size(); ++a) solution_[a] = excess_[rows_[a]];
    if (!search()) return false;
  }
  return false;
}

}  // namespace keyhole::math
