#include "math/programs/nearest_on_face.h"

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
      orthonormal_(most_rows_ * k_.columns),
      triangle_(most_rows_ * most_rows_),
      solution_(most_rows_),
      excess_(most_rows_),
      off_(k_.columns) {
  independent_.reserve(most_rows_);
}

/// Gram and Schmidt, twice, on the rows over the free coordinates: row a of the independent ones is
/// sum_b triangle_ab orthonormal_b. Products of rows would square their condition, and rows whose
/// columns are in units far apart are all but parallel.
void NearestOnFace::factorise(std::span<const std::size_t> rows,
                              std::span<const std::size_t> free) noexcept {
  const std::size_t q = free.size();
  independent_.clear();
  for (const std::size_t i : rows) {
    const std::size_t a = independent_.size();
    if (a == q) return;
    const std::span<double> left{orthonormal_.data() + a * q, q};
    const std::span<double> along{triangle_.data() + a * most_rows_, a + 1};
    for (std::size_t j = 0; j < q; ++j) left[j] = k_.row(i)[free[j]];
    std::fill(along.begin(), along.end(), 0.0);
    const double whole = norm(left);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::span<const double> other{orthonormal_.data() + b * q, q};
        const double share = dot(left, other);
        add(left, -share, other);
        along[b] += share;
      }
    }
    along[a] = norm(left);
    // Rows may depend on each other where more than enough of them meet.
    if (!(along[a] > 1e-13 * whole)) continue;
    for (double& value : left) value /= along[a];
    independent_.push_back(i);
  }
}

/// One step of refinement of the conditions  x + A^T y = z  and  A x = b  on the face.
void NearestOnFace::refine(std::span<const double> z, std::span<const std::size_t> rows,
                           std::span<const std::size_t> free, std::span<double> x,
                           std::span<double> y) noexcept {
  const std::size_t k = independent_.size();
  const std::size_t q = free.size();
  const std::span<double> off{off_.data(), q};
  const auto orthonormal = [&](std::size_t a) {
    return std::span<const double>{orthonormal_.data() + a * q, q};
  };
  const auto triangle = [&](std::size_t a, std::size_t b) { return triangle_[a * most_rows_ + b]; };
  // What z - x - A^T y has along the face moves x, the rest is made up for by y.
  for (std::size_t j = 0; j < q; ++j) off[j] = z[free[j]] - x[free[j]];
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < q; ++j) off[j] -= y[i] * k_.row(i)[free[j]];
  }
  for (std::size_t a = 0; a < k; ++a) {
    solution_[a] = dot(off, orthonormal(a));
    add(off, -solution_[a], orthonormal(a));
  }
  for (std::size_t j = 0; j < q; ++j) x[free[j]] += off[j];
  // Back to A x = b by the shortest way, which is along the rows.
  std::fill(off.begin(), off.end(), 0.0);
  for (std::size_t a = 0; a < k; ++a) {
    excess_[a] = dot(k_.row(independent_[a]), x) - k_.right[independent_[a]];
    for (std::size_t b = 0; b < a; ++b) excess_[a] -= triangle(a, b) * excess_[b];
    excess_[a] /= triangle(a, a);
    add(off, -excess_[a], orthonormal(a));
    solution_[a] += excess_[a];
  }
  for (std::size_t j = 0; j < q; ++j) x[free[j]] += off[j];
  for (std::size_t a = k; a-- > 0;) {
    for (std::size_t b = a + 1; b < k; ++b) solution_[a] -= triangle(b, a) * solution_[b];
    solution_[a] /= triangle(a, a);
    y[independent_[a]] += solution_[a];
  }
}

bool NearestOnFace::solve(std::span<const double> z, std::span<const std::size_t> rows,
                          std::span<const std::size_t> free, double feasibility, double gap,
                          std::span<double> x, std::span<double> y) {
  if (rows.size() > most_rows_) return false;
  factorise(rows, free);
  constexpr int passes = 3;  // the later ones refine: far points carry few digits in z - A^T y
  for (int pass = 0; pass < passes; ++pass) refine(z, rows, free, x, y);
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
