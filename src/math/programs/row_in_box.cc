#include "math/programs/row_in_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sums.h"

namespace keyhole::math {

RowInBox::RowInBox(std::span<const double> lower, std::span<const double> upper,
                   std::span<const double> a, double b)
    : lower_(lower),
      upper_(upper),
      a_(a),
      b_(b),
      squared_norm_(squared_norm(a)),
      fine_(1e-14 * (std::abs(b) +
                     reduce(a.size(), [&](std::size_t i) { return a[i] * std::abs(lower[i]); }))),
      z_(a.size()),
      breakpoints_(2 * a.size()) {}

double RowInBox::at(std::size_t i, double mu) const {
  return std::clamp(z_[i] - mu * a_[i], lower_[i], upper_[i]);
}

double RowInBox::excess(double mu) const {
  return reduce(a_.size(), [&](std::size_t i) { return a_[i] * at(i, mu); }) - b_;
}

std::optional<double> RowInBox::multiplier_by_steps() const {
  constexpr int most_steps = 30;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double mu = (dot(a_, z_) - b_) / squared_norm_;  // without the bounds
  for (int step = 0; step < most_steps; ++step) {
    const double over = excess(mu);
    if (std::abs(over) <= fine_) return mu;
    (over > 0 ? low : high) = mu;
    const double slope = reduce(a_.size(), [&](std::size_t i) {
      const double x = z_[i] - mu * a_[i];
      return lower_[i] < x && x < upper_[i] ? a_[i] * a_[i] : 0.0;
    });
    mu += over / slope;
    if (!(low < mu && mu < high)) mu = (low + high) / 2;
    if (!std::isfinite(mu)) break;
  }
  return std::nullopt;
}

double RowInBox::multiplier_by_breakpoints() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    breakpoints_[count++] = (z_[i] - lower_[i]) / a_[i];
    const double leaves_upper = (z_[i] - upper_[i]) / a_[i];
    if (std::isfinite(leaves_upper)) breakpoints_[count++] = leaves_upper;
  }
  const std::span<double> sorted(breakpoints_.data(), count);
  std::sort(sorted.begin(), sorted.end());
  // The first at which nothing is in excess; at the last all are at their lower bounds.
  std::size_t low = 0;
  std::size_t high = count - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (excess(sorted[middle]) <= 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const double end = sorted[high];
  const double slope = reduce(z_.size(), [&](std::size_t i) {
    const bool moves = (z_[i] - upper_[i]) / a_[i] < end && (z_[i] - lower_[i]) / a_[i] >= end;
    return moves ? a_[i] * a_[i] : 0.0;
  });
  return slope > 0 ? end + excess(end) / slope : end;
}

// From afar z - mu a has lost digits: what is missing is shared by the coordinates that move.
void RowInBox::correct(std::span<double> x) const {
  const auto moves = [&](std::size_t i) { return lower_[i] < x[i] && x[i] < upper_[i]; };
  const double slope =
      reduce(x.size(), [&](std::size_t i) { return moves(i) ? a_[i] * a_[i] : 0.0; });
  if (!(slope > 0)) return;
  const double step = (b_ - dot(a_, x)) / slope;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (moves(i)) x[i] = std::clamp(x[i] + step * a_[i], lower_[i], upper_[i]);
  }
}

bool RowInBox::project(std::span<const double> z, std::span<double> x) {
  std::copy(z.begin(), z.end(), z_.begin());
  const std::optional<double> found = multiplier_by_steps();
  const double mu = found ? *found : multiplier_by_breakpoints();
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = at(i, mu);
  correct(z_);
  correct(z_);
  constexpr double roundings = 100;  // of a sum, in `fine_`
  if (std::abs(dot(a_, z_) - b_) > roundings * fine_) return false;
  std::copy(z_.begin(), z_.end(), x.begin());
  return true;
}

}  // namespace keyhole::math
