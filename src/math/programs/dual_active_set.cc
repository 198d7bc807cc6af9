#include "math/programs/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Turns the rows a and b by the rotation (c, s).
void rotate(double* a, double* b, std::size_t size, double c, double s) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    const double of_a = a[i];
    a[i] = c * of_a + s * b[i];
    b[i] = c * b[i] - s * of_a;
  }
}

}  // namespace

DualActiveSet::DualActiveSet(const LinearConstraints& constraints, std::span<const double> low,
                             std::span<const double> high, double length)
    : k_(constraints),
      face_(constraints, low, high, length),
      length_(length),
      n_(constraints.columns),
      x_(n_),
      y_(k_.right.size()),
      basis_(n_ * n_),
      triangle_(n_ * n_),
      along_(n_),
      direction_(n_),
      weights_(n_),
      is_active_(k_.right.size() + 2 * n_) {
  active_.reserve(n_ + 1);
  rows_.reserve(std::max(n_ + 1, face_.most_rows()));
  free_.reserve(n_);
}

double DualActiveSet::excess(std::size_t c) const noexcept {
  const std::size_t m = k_.right.size();
  if (c < m) return k_.right[c] - dot(k_.row(c), x_);
  if (c < m + n_) return x_[c - m] - k_.lower[c - m];
  return k_.upper[c - m - n_] - x_[c - m - n_];
}

/// Equalities come first, in their order.
std::size_t DualActiveSet::most_violated(double tolerance) const noexcept {
  for (std::size_t c = k_.inequalities; c < k_.right.size(); ++c) {
    if (is_active_[c] == 0) return c;
  }
  std::size_t worst = none;
  double least = -tolerance;
  for (std::size_t c = 0; c < is_active_.size(); ++c) {
    if (is_active_[c] != 0) continue;
    const double of_c = excess(c);
    if (of_c < least) {
      least = of_c;
      worst = c;
    }
  }
  return worst;
}

/// along = basis * normal.
void DualActiveSet::transform_normal(std::size_t c, double sign) noexcept {
  const std::size_t m = k_.right.size();
  for (std::size_t j = 0; j < n_; ++j) {
    const double* const vector = basis_.data() + j * n_;
    along_[j] = c < m        ? -sign * dot({vector, n_}, k_.row(c))
                : c < m + n_ ? vector[c - m]
                             : -vector[c - m - n_];
  }
}

/// Raises the multiplier of a violated constraint until it holds, dropping active constraints whose
/// multipliers fall to zero. False if nothing can make it hold.
bool DualActiveSet::take_up(std::size_t c) {
  const double sign = is_equality(c) && excess(c) > 0 ? -1 : 1;
  Active entry{c, sign, 0};
  for (; steps_left_ > 0; --steps_left_) {
    transform_normal(c, sign);
    const std::size_t q = active_.size();
    std::fill(direction_.begin(), direction_.end(), 0.0);
    for (std::size_t j = q; j < n_; ++j) add(direction_, along_[j], {basis_.data() + j * n_, n_});
    for (std::size_t k = q; k-- > 0;) {
      const double* const row = triangle_.data() + k * n_;
      const std::size_t after = q - k - 1;
      weights_[k] =
          (along_[k] - dot({row + k + 1, after}, {weights_.data() + k + 1, after})) / row[k];
    }
    double dual_step = infinity;
    std::size_t blocking = none;
    for (std::size_t k = 0; k < q; ++k) {
      if (is_equality(active_[k].constraint) || !(weights_[k] > 1e-12)) continue;
      const double step = active_[k].multiplier / weights_[k];
      if (step < dual_step) {
        dual_step = step;
        blocking = k;
      }
    }
    const double speed = squared_norm({along_.data() + q, n_ - q});
    const double full_step = speed > 1e-18 ? std::max(-sign * excess(c), 0.0) / speed : infinity;
    const double step = std::min(dual_step, full_step);
    if (step == infinity) return false;
    if (full_step < infinity) add(x_, step, direction_);
    for (std::size_t k = 0; k < q; ++k) active_[k].multiplier -= step * weights_[k];
    entry.multiplier += step;
    if (full_step <= dual_step) {
      append(entry);
      return true;
    }
    drop(blocking);
  }
  return false;
}

/// Turns the last basis vectors so that the normal is spanned by the first q + 1.
void DualActiveSet::append(const Active& entry) noexcept {
  const std::size_t q = active_.size();
  for (std::size_t j = n_ - 1; j > q; --j) {
    const double a = along_[j - 1];
    const double b = along_[j];
    if (b == 0) continue;
    const double length = std::sqrt(a * a + b * b);
    rotate(basis_.data() + (j - 1) * n_, basis_.data() + j * n_, n_, a / length, b / length);
    along_[j - 1] = length;
    along_[j] = 0;
  }
  for (std::size_t k = 0; k <= q; ++k) triangle_[k * n_ + q] = along_[k];
  active_.push_back(entry);
  is_active_[entry.constraint] = 1;
}

void DualActiveSet::drop(std::size_t position) noexcept {
  const std::size_t q = active_.size();
  is_active_[active_[position].constraint] = 0;
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(position));
  for (std::size_t k = 0; k < q; ++k) {
    double* const row = triangle_.data() + k * n_;
    std::copy(row + position + 1, row + q, row + position);
  }
  for (std::size_t k = position; k + 1 < q; ++k) {  // rows k and k + 1 of R, a step below it
    double* const upper = triangle_.data() + k * n_;
    double* const lower = upper + n_;
    const double a = upper[k];
    const double b = lower[k];
    if (b == 0) continue;
    const double length = std::sqrt(a * a + b * b);
    rotate(upper + k, lower + k, q - 1 - k, a / length, b / length);
    lower[k] = 0;
    rotate(basis_.data() + k * n_, basis_.data() + (k + 1) * n_, n_, a / length, b / length);
  }
}

/// The point once more, from the active set, with the proof.
bool DualActiveSet::finish(std::span<const double> z) {
  const std::size_t m = k_.right.size();
  std::fill(y_.begin(), y_.end(), 0.0);
  rows_.clear();
  free_.clear();
  for (const Active& entry : active_) {
    if (entry.constraint >= m) continue;
    rows_.push_back(entry.constraint);
    y_[entry.constraint] = entry.sign * entry.multiplier;
  }
  std::sort(rows_.begin(), rows_.end());
  for (std::size_t j = 0; j < n_; ++j) {
    if (is_active_[m + j] != 0) {
      x_[j] = k_.lower[j];
    } else if (is_active_[m + n_ + j] != 0) {
      x_[j] = k_.upper[j];
    } else {
      free_.push_back(j);
    }
  }
  constexpr double feasibility = 1e-10;
  constexpr double gap = 5e-10;
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (face_.solve(z, rows_, free_, feasibility, gap, x_, y_)) return true;
    if (!shrink_face(0.1 * feasibility * length_)) return false;
  }
  return false;
}

/// What was violated by less than the roundings of a far point, and so not taken up, joins the
/// face: coordinates that were clamped, and rows. False if there is nothing.
bool DualActiveSet::shrink_face(double tolerance) {
  const std::size_t before = free_.size() + k_.inequalities - rows_.size();
  std::erase_if(free_, [&](std::size_t j) { return x_[j] == k_.lower[j] || x_[j] == k_.upper[j]; });
  for (std::size_t c = 0; c < k_.inequalities; ++c) {
    const bool is_in = std::binary_search(rows_.begin(), rows_.end(), c);
    if (is_in || excess(c) >= -tolerance || rows_.size() == face_.most_rows()) continue;
    rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), c), c);
  }
  return free_.size() + k_.inequalities - rows_.size() < before;
}

bool DualActiveSet::solve(std::span<const double> z, std::span<double> x) {
  std::copy(z.begin(), z.end(), x_.begin());
  std::fill(basis_.begin(), basis_.end(), 0.0);
  for (std::size_t j = 0; j < n_; ++j) basis_[j * n_ + j] = 1;
  std::fill(triangle_.begin(), triangle_.end(), 0.0);
  std::fill(is_active_.begin(), is_active_.end(), static_cast<unsigned char>(0));
  active_.clear();
  steps_left_ = 1000 + 20 * is_active_.size();
  // Far points leave their roundings in x until finish() corrects them.
  const double tolerance = 1e-12 * length_ + 1e-15 * norm(z);
  for (;;) {
    const std::size_t c = most_violated(tolerance);
    if (c == none) break;
    if (!take_up(c)) break;  // finish() tells whether it is good enough
  }
  if (!finish(z)) return false;
  std::copy(x_.begin(), x_.end(), x.begin());
  return true;
}

}  // namespace keyhole::math
