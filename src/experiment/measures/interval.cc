#include "experiment/measures/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace keyhole::experiment {
namespace {

/// P(|X| <= t), by the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions
/// (1964), 26.7.3 and 26.7.4, with tan theta = t / sqrt(nu):
///
///   nu even:  sin theta (1 + 1/2 cos^2 + (1 3)/(2 4) cos^4 + ... up to cos^(nu-2))
///   nu odd:   2/pi (theta + sin theta (cos + 2/3 cos^3 + ... up to cos^(nu-2)))
double within(double t, std::uint64_t nu) {
  const double v = static_cast<double>(nu);
  const double cos2 = v / (v + t * t);
  const double sine = std::sqrt(t * t / (v + t * t));
  const bool odd = nu % 2 == 1;
  double term = odd ? std::sqrt(cos2) : 1;
  double sum = 0;
  for (std::uint64_t power = odd ? 1 : 0; power + 2 <= nu; power += 2) {
    sum += term;
    term *= cos2 * static_cast<double>(power + 1) / static_cast<double>(power + 2);
  }
  if (!odd) return sine * sum;
  return 2 / std::numbers::pi * (std::atan(t / std::sqrt(v)) + sine * sum);
}

/// The expansion about the normal quantile z (Abramowitz and Stegun 26.7.5), whose first term left
/// out is of order nu^-5.
double expansion(double nu) {
  const double z = 1.959963984540054;
  const double z2 = z * z;
  const double g1 = z * (z2 + 1) / 4;
  const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (g1 + (g2 + (g3 + g4 / nu) / nu) / nu) / nu;
}

}  // namespace

double student_t_95(std::uint64_t degrees) {
  if (degrees > 1000) return expansion(static_cast<double>(degrees));
  double low = 1;
  double high = 13;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (within(middle, degrees) < 0.95 ? low : high) = middle;
  }
}

void Moments::add(double x) {
  ++count_;
  const double off = x - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (x - mean_);
}

Interval Moments::interval(double t) const {
  if (count_ < 2) return {mean_, {}};
  const double k = static_cast<double>(count_);
  return {mean_, t * std::sqrt(squares_ / (k - 1) / k)};
}

void QuotientMoments::add(double x, double y) {
  ++count_;
  const double k = static_cast<double>(count_);
  const double off_x = x - mean_x_;
  const double off_y = y - mean_y_;
  mean_x_ += off_x / k;
  mean_y_ += off_y / k;
  xx_ += off_x * (x - mean_x_);
  xy_ += off_x * (y - mean_y_);
  yy_ += off_y * (y - mean_y_);
}

Interval QuotientMoments::interval(double t) const {
  const double r = mean_x_ / mean_y_;
  if (count_ < 2) return {r, {}};
  const double k = static_cast<double>(count_);
  const double squares = std::max(xx_ - 2 * r * xy_ + r * r * yy_, 0.0);  // of x - r y
  return {r, t * std::sqrt(squares / (k - 1) / k) / std::abs(mean_y_)};
}

}  // namespace keyhole::experiment
