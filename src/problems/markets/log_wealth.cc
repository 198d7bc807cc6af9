#include "problems/markets/log_wealth.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::problems {

double LogLoss::operator()(double w) const {
  return w >= floor ? -math::log(w) : -math::log(floor) + (floor - w) / floor;
}

double LogLoss::slope(double w) const { return -1 / std::max(w, floor); }

double WealthMap::operator()(std::span<const double> r, std::span<const double> y) const {
  return math::reduce(r.size(), [&](std::size_t i) { return r[i] * (y[i] + shift); }) / scale;
}

double TotalLogLoss::value(std::span<const double> x) const {
  return math::reduce(days_.size(), [&](std::size_t t) { return loss_(map_(days_[t], x)); });
}

void TotalLogLoss::gradient(std::span<const double> x, std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const std::span<const double> r : days_) {
    const double slope = loss_.slope(map_(r, x)) / map_.scale;
    for (std::size_t i = 0; i < r.size(); ++i) gradient[i] += slope * r[i];
  }
}

double TotalLogLoss::line_minimum(std::span<const double> x, std::span<const double> d,
                                  double longest) const {
  // Along the line a day's wealth is w_t + step v_t: only these two numbers are needed of it.
  std::vector<double> w(days_.size());
  std::vector<double> v(days_.size());
  for (std::size_t t = 0; t < days_.size(); ++t) {
    w[t] = map_(days_[t], x);
    v[t] = math::dot(days_[t], d) / map_.scale;
  }
  const auto derivative = [&](double step) {
    return math::reduce(w.size(),
                        [&](std::size_t t) { return v[t] * loss_.slope(w[t] + step * v[t]); });
  };
  const auto curvature = [&](double step) {
    return math::reduce(w.size(), [&](std::size_t t) {
      const double wealth = w[t] + step * v[t];
      const double ratio = v[t] / wealth;
      return wealth > loss_.floor ? ratio * ratio : 0.0;
    });
  };
  if (!(derivative(0) < 0)) return 0;
  if (derivative(longest) <= 0) return longest;
  // Newton's method from within a bracket of the minimum, which is halved where it would leave.
  double low = 0;
  double high = longest;
  double step = 0;
  constexpr int enough = 200;  // halving alone needs fewer for all digits
  for (int i = 0; i < enough; ++i) {
    const double slope = derivative(step);
    (slope < 0 ? low : high) = step;
    const double change = -slope / curvature(step);  // not a number if both are 0
    if (std::abs(change) <= 1e-15 * longest) break;
    double next = step + change;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (!(next > low && next < high)) break;
    step = next;
  }
  return step;
}

}  // namespace keyhole::problems
