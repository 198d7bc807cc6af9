#include "math/nearest_on_face.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {

double nearness_gap(const LinearConstraints& constraints, std::span<const double> low,
                    std::span<const double> high, std::span<const double> z,
                    std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  double gap = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 0) gap += y[i] * (constraints.right[i] - dot(constraints.row(i), x));
  }
  for (std::size_t j = 0; j < n; ++j) {
    double w = z[j] - x[j];
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] != 0) w -= constraints.rows[i * n + j] * y[i];
    }
    gap += std::max(w * (low[j] - x[j]), w * (high[j] - x[j]));
  }
  return gap;
}

NearestOnFace::NearestOnFace(const LinearConstraints& constraints, std::span<const double> low,
                             std::span<const double> high, double length)
    : k_(constraints),
      low_(low),
      high_(high),
      length_(length),
      most_rows_(std::min(k_.right.size(), 2 * k_.columns + 10)),
      gathered_(most_rows_ * k_.columns),
      factor_(most_rows_ * most_rows_),
      solution_(most_rows_) {}

bool NearestOnFace::solve(std::span<const double> z, std::span<const std::size_t> rows,
                          std::span<const std::size_t> free, double feasibility, double gap,
                          std::span<double> x, std::span<double> y) {
  const std::size_t k = rows.size();
  const std::size_t q = free.size();
  if (k > most_rows_) return false;
  for (std::size_t a = 0; a < k; ++a) {
    const std::span<const double> row = k_.row(rows[a]);
    for (std::size_t j = 0; j < q; ++j) gathered_[a * q + j] = row[free[j]];
  }
  double trace = 0;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      factor_[a * k + b] = dot({gathered_.data() + a * q, q}, {gathered_.data() + b * q, q});
    }
    trace += factor_[a * k + a];
  }
  // Rows may depend on each other where more than enough of them meet.
  for (std::size_t a = 0; a < k; ++a) factor_[a * k + a] += 1e-13 * trace + 1e-30;
  if (!cholesky(factor_, k)) return false;
  constexpr int passes = 3;  // the later ones refine: far points carry few digits in z - A^T y
  for (int pass = 0; pass < passes && k > 0; ++pass) {
    for (std::size_t a = 0; a < k; ++a) {
      solution_[a] = dot(k_.row(rows[a]), x) - k_.right[rows[a]];
    }
    cholesky_solve(factor_, k, solution_);
    for (std::size_t a = 0; a < k; ++a) {
      y[rows[a]] += solution_[a];
      for (std::size_t j = 0; j < q; ++j) x[free[j]] -= solution_[a] * gathered_[a * q + j];
    }
  }
  for (std::size_t i = 0; i < k_.inequalities; ++i) y[i] = std::max(y[i], 0.0);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::clamp(x[j], k_.lower[j], k_.upper[j]);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = dot(k_.row(i), x) - k_.right[i];
    if (!((i < k_.inequalities ? off : std::abs(off)) <= feasibility * length_)) return false;
  }
  const auto square = [&](std::size_t j) { return (x[j] - z[j]) * (x[j] - z[j]); };
  const double distance = std::sqrt(reduce(x.size(), square));
  return nearness_gap(k_, low_, high_, z, x, y) <= gap * length_ * std::max(length_, distance);
}

}  // namespace keyhole::math
