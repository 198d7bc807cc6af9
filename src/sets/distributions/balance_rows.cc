#include "sets/distributions/balance_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

using Vector = std::vector<double>;

void BalanceRows::add_entry(std::size_t row, double value) {
  rows_.push_back(row);
  values_.push_back(value);
}

void BalanceRows::finish(Vector right) {
  right_ = std::move(right);
  factor_ = gram(Vector(columns(), 1.0));
  base::require(math::cholesky(factor_, rows()),
                "rounding errors hide the measures of the decision process: some state is reached "
                "too seldom");
}

std::size_t BalanceRows::hull_dimension() const {
  std::size_t free = 0;
  for (std::size_t j = 0; j < columns(); ++j) free += is_free(j) ? 1 : 0;
  return free - rows();
}

Vector BalanceRows::gram(std::span<const double> weights) const {
  const std::size_t m = rows();
  Vector result(m * m, 0.0);
  for (std::size_t j = 0; j < columns(); ++j) {
    for_each(j, [&](std::size_t i, double value) {
      for_each(j, [&](std::size_t k, double other) {
        if (k <= i) result[i * m + k] += weights[j] * value * other;
      });
    });
  }
  return result;
}

void BalanceRows::multiply(std::span<const double> x, std::span<double> y) const {
  for (std::size_t j = 0; j < columns(); ++j) {
    for_each(j, [&](std::size_t i, double value) { y[i] += value * x[j]; });
  }
}

void BalanceRows::flatten(std::span<double> x) const {
  thread_local Vector y;  // learners flatten in every round, and several threads one set
  y.assign(rows(), 0.0);
  multiply(x, y);
  math::cholesky_solve(factor_, rows(), y);
  for (std::size_t j = 0; j < columns(); ++j) {
    if (!is_free(j)) x[j] = 0;
    for_each(j, [&](std::size_t i, double value) { x[j] -= value * y[i]; });
  }
}

double BalanceRows::distance(std::span<const double> x) const {
  Vector off(rows());
  for (std::size_t i = 0; i < rows(); ++i) off[i] = -right_[i];
  multiply(x, off);
  Vector y = off;
  math::cholesky_solve(factor_, rows(), y);
  return std::sqrt(std::max(0.0, math::dot(off, y)));
}

Vector BalanceRows::axis_lengths() const {
  const auto m = static_cast<double>(rows());
  Vector lengths(columns(), 1.0);
  if (m * m * static_cast<double>(columns()) > 1e9) return lengths;
  Vector column(rows());
  Vector y(rows());
  for (std::size_t j = 0; j < columns(); ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    for_each(j, [&](std::size_t i, double value) { column[i] += value; });
    y = column;
    math::cholesky_solve(factor_, rows(), y);
    lengths[j] = std::sqrt(std::max(0.0, 1 - math::dot(column, y)));
  }
  return lengths;
}

/// min -sum log x_j: the step is x - X^2 E' y with E X^2 E' y = E x, and the decrement its length
/// in units of x.
double BalanceRows::centre_step(std::span<double> x) const {
  Vector squares(columns());
  for (std::size_t j = 0; j < columns(); ++j) squares[j] = x[j] * x[j];
  Vector hessian = gram(squares);
  if (!math::cholesky(hessian, rows())) return 0;
  Vector y(rows(), 0.0);
  multiply(x, y);
  math::cholesky_solve(hessian, rows(), y);
  Vector relative(columns(), 0.0);
  for (std::size_t j = 0; j < columns(); ++j) {
    if (!is_free(j)) continue;
    relative[j] = 1;
    for_each(j, [&](std::size_t i, double value) { relative[j] -= x[j] * value * y[i]; });
  }
  const double decrement = math::norm(relative);
  for (std::size_t j = 0; j < columns(); ++j) x[j] += x[j] * relative[j] / (1 + decrement);
  return decrement;
}

double BalanceRows::cost_of_step() const {
  const auto m = static_cast<double>(rows());
  double cost = m * m * m / 3;
  for (std::size_t j = 0; j < columns(); ++j) {
    const auto entries = static_cast<double>(starts_[j + 1] - starts_[j]);
    cost += entries * entries;
  }
  return cost;
}

}  // namespace keyhole::sets
