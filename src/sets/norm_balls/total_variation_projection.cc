#include "sets/norm_balls/total_variation_projection.h"

#include <algorithm>
#include <cmath>

#include "math/sums.h"
#include "sets/multiplier.h"

namespace keyhole::sets {
namespace {

using math::DoubleDouble;

double sum_of(std::span<const double> x) { return math::sum(x); }

DoubleDouble sum_of(std::span<const DoubleDouble> x) {
  DoubleDouble result = 0;
  for (const DoubleDouble value : x) result += value;
  return result;
}

DoubleDouble total_variation(std::span<const DoubleDouble> x) {
  DoubleDouble result = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) result += abs(x[i + 1] - x[i]);
  return result;
}

}  // namespace

double total_variation(std::span<const double> x) {
  return math::reduce(x.size() - 1, [&](std::size_t i) { return std::abs(x[i + 1] - x[i]); });
}

template <class Number>
TotalVariationSearch<Number>::TotalVariationSearch(std::size_t n, double radius)
    : radius_(radius), z_(n), x_(n), low_(n), high_(n), knots_(2 * n) {}

template <class Number>
void TotalVariationSearch<Number>::denoise(Number mu) {
  const std::size_t n = z_.size();
  std::size_t first = n;  // the knots are first, ..., last - 1
  std::size_t last = n;
  Knot left = {0, 0, 0};  // the line before the first knot, and after the last one
  Knot right = {0, 0, 0};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    left = {0, left.slope + 1, left.offset - z_[i]};
    right = {0, right.slope + 1, right.offset - z_[i]};
    // Cut off what is below -mu, from the left, and above mu, from the right.
    for (; first < last && left.slope * knots_[first].at + left.offset <= -mu; ++first) {
      left.slope += knots_[first].slope;
      left.offset += knots_[first].offset;
    }
    for (; first < last && right.slope * knots_[last - 1].at + right.offset >= mu; --last) {
      right.slope -= knots_[last - 1].slope;
      right.offset -= knots_[last - 1].offset;
    }
    if (first == last) right = left;  // one line, which rounding may have told in two ways
    low_[i] = (-mu - left.offset) / left.slope;
    high_[i] = (mu - right.offset) / right.slope;
    knots_[--first] = {low_[i], left.slope, left.offset + mu};
    knots_[last++] = {high_[i], -right.slope, mu - right.offset};
    left = {0, 0, -mu};
    right = {0, 0, mu};
  }
  // The last number is where the derivative is 0; the others follow as near as they may.
  left = {0, left.slope + 1, left.offset - z_[n - 1]};
  for (; first < last && left.slope * knots_[first].at + left.offset <= 0; ++first) {
    left.slope += knots_[first].slope;
    left.offset += knots_[first].offset;
  }
  x_[n - 1] = -left.offset / left.slope;
  for (std::size_t i = n - 1; i-- > 0;) {
    x_[i] = std::min(std::max(x_[i + 1], low_[i]), high_[i]);
  }
}

template <class Number>
Number TotalVariationSearch<Number>::refine(Number mu) {
  const std::size_t n = x_.size();
  Number variation = 0;
  Number slope = 0;
  double rise = 0;  // the sign of the step before the piece
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (end < n && x_[end] == x_[i]) ++end;
    const auto length = static_cast<double>(end - i);
    const double next = end == n ? 0 : x_[end] > x_[i] ? 1 : -1;
    const Number mean = sum_of(std::span<const Number>(z_).subspan(i, end - i)) / length;
    const Number value = mean + mu * (Number{next - rise} / length);
    variation += value * (rise - next);
    slope += Number{(rise - next) * (rise - next)} / length;
    std::fill(x_.begin() + static_cast<std::ptrdiff_t>(i),
              x_.begin() + static_cast<std::ptrdiff_t>(end), value);
    rise = next;
    i = end;
  }
  return (radius_ - variation) / slope;
}

template <class Number>
void TotalVariationSearch<Number>::find(std::span<const double> point, std::span<double> nearest) {
  using std::abs;
  const auto n = static_cast<double>(point.size());
  std::copy(point.begin(), point.end(), z_.begin());
  const Number mean = sum_of(std::span<const Number>(z_)) / n;
  for (Number& value : z_) value -= mean;
  const auto newton = [&](Number mu) {
    denoise(mu);
    return refine(mu);
  };
  const bool inside = total_variation(std::span<const Number>(z_)) <= radius_;
  if (inside) {
    x_ = z_;
  } else {
    Number most = 0;  // from here on x is constant
    Number so_far = 0;
    for (const Number value : z_) {
      so_far += value;
      most = std::max<Number>(most, abs(so_far));
    }
    (void)newton(multiplier(Number{0}, most, Number{0}, newton));
  }
  std::transform(x_.begin(), x_.end(), nearest.begin(),
                 [](Number value) { return static_cast<double>(value); });
  if (inside) return;
  // Rounding may not lead out of the ball.
  const double off = math::sum(nearest) / n;
  const double scale = std::min(radius_ / total_variation(nearest), 1.0);
  for (double& value : nearest) value = (value - off) * scale;
}

TotalVariationProjection::TotalVariationProjection(std::size_t n, double radius)
    : radius_(radius), search_(n, radius), fine_search_(n, radius) {}

bool TotalVariationProjection::project(std::span<const double> point, std::span<double> nearest) {
  constexpr double far = 1024;
  constexpr double too_far = 0x1p60;  // of 106 bits 46 are left
  const double largest = math::largest_magnitude(point);
  if (largest > too_far * radius_) return false;
  if (largest > far * radius_) {
    fine_search_.find(point, nearest);
  } else {
    search_.find(point, nearest);
  }
  return true;
}

}  // namespace keyhole::sets
