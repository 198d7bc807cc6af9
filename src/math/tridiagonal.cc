#include "math/tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Gershgorin: all eigenvalues are at least `low`; `scale` bounds their magnitude.
struct Bounds {
  double low = std::numeric_limits<double>::infinity();
  double scale = 0;
};

Bounds bounds(std::span<const double> d, std::span<const double> e) noexcept {
  Bounds found;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double radius =
        (i > 0 ? std::abs(e[i - 1]) : 0) + (i + 1 < d.size() ? std::abs(e[i]) : 0);
    found.low = std::min(found.low, d[i] - radius);
    found.scale = std::max(found.scale, std::abs(d[i]) + radius);
  }
  return found;
}

// How far the smallest eigenvalue is from x at least and at most; both 0 unless it is above x.
struct Distance {
  double least = 0;
  double most = 0;
};

// With s_k = sum_i (lambda_i - x)^-k it is at least Laguerre's step
// n / (s_1 + sqrt((n - 1)(n s_2 - s_1^2))), and at most n / s_1. The sums are those
// of the logarithmic derivatives of det(T - x) = q_1 ... q_n: with a_i = -q_i' and b_i = a_i',
//   a_i = 1 + g a_{i-1},  b_i = g (b_{i-1} + 2 a_{i-1}^2 / q_{i-1}),  g = (e_{i-1} / q_{i-1})^2
//   s_1 = sum a_i / q_i,  s_2 = sum b_i / q_i + (a_i / q_i)^2
// where no term is negative, so that nothing cancels.
Distance distance_from(std::span<const double> d, std::span<const double> e, double x) noexcept {
  double a = 1;
  double b = 0;
  double q = d[0] - x;
  if (!(q > 0)) return {};
  double w = 1 / q;
  double s_1 = w;
  double s_2 = w * w;
  for (std::size_t i = 1; i < d.size(); ++i) {
    const double ew = e[i - 1] * w;
    const double g = ew * ew;
    q = (d[i] - x) - e[i - 1] * ew;
    if (!(q > 0)) return {};
    b = g * (b + 2 * a * (a * w));
    a = 1 + g * a;
    w = 1 / q;
    const double aw = a * w;
    s_1 += aw;
    s_2 += b * w + aw * aw;
  }
  const auto n = static_cast<double>(d.size());
  return {n / (s_1 + std::sqrt((n - 1) * std::max(n * s_2 - s_1 * s_1, 0.0))), n / s_1};
}

}  // namespace

std::size_t sturm_count(std::span<const double> d, std::span<const double> e, double x) noexcept {
  std::size_t negative = 0;
  double q = 1;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double e_2 = i == 0 ? 0 : e[i - 1] * e[i - 1];
    q = (d[i] - x) - (e_2 == 0 ? 0 : e_2 / q);  // at q = 0: -infinity, and counted once
    if (q < 0) ++negative;
  }
  return negative;
}

double smallest_eigenvalue(std::span<const double> d, std::span<const double> e) noexcept {
  const auto [gershgorin, scale] = bounds(d, e);
  // Where a step is this small, the eigenvalue is at most n times as far.
  const double tolerance = 4 * eps * scale;
  double low = gershgorin - tolerance;
  double high = *std::min_element(d.begin(), d.end());
  double x = low;
  double last_step = std::numeric_limits<double>::infinity();
  constexpr int enough = 400;  // a bracket of doubles is used up by far fewer halvings
  for (int k = 0; k < enough && high - low > tolerance; ++k) {
    const auto [step, most] = distance_from(d, e, x);
    if (step > 0) {
      low = x;
      if (step <= tolerance) break;
      high = std::min(high, x + most);
      x += step;
      // Tied eigenvalues slow Laguerre down to a fixed ratio: halve the bracket instead.
      if (!(step < 0.25 * last_step) || !(x < high)) x = low + (high - low) / 2;
      last_step = step;
    } else {
      high = x;
      x = low + (high - low) / 2;
    }
  }
  return low;
}

void smallest_eigenvector(std::span<const double> d, std::span<const double> e, double lambda,
                          std::span<double> scratch, std::span<double> z) noexcept {
  const std::size_t n = d.size();
  const std::span<double> down = scratch.first(n);  // pivots of T - lambda from the top,
  const std::span<double> up = scratch.subspan(n);  // and from the bottom
  // Below the smallest eigenvalue pivots are positive; rounding may make them less.
  const double least = std::max(eps * eps * bounds(d, e).scale, std::numeric_limits<double>::min());
  const auto pivot = [&](double q) { return q < least && q > -least ? least : q; };
  down[0] = pivot(d[0] - lambda);
  for (std::size_t i = 1; i < n; ++i) {
    down[i] = pivot((d[i] - lambda) - e[i - 1] * (e[i - 1] / down[i - 1]));
  }
  up[n - 1] = pivot(d[n - 1] - lambda);
  for (std::size_t i = n - 1; i-- > 0;) {
    up[i] = pivot((d[i] - lambda) - e[i] * (e[i] / up[i + 1]));
  }
  // 1 / gamma_i is the i-th diagonal entry of the inverse of T - lambda: its largest column is the
  // one to take.
  std::size_t twist = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double gamma = std::abs(down[i] + (up[i] - (d[i] - lambda)));
    if (gamma < smallest) {
      smallest = gamma;
      twist = i;
    }
  }
  z[twist] = 1;
  for (std::size_t i = twist; i-- > 0;) z[i] = -(e[i] / down[i]) * z[i + 1];
  for (std::size_t i = twist + 1; i < n; ++i) z[i] = -(e[i - 1] / up[i]) * z[i - 1];
  const double length = norm(z);
  for (double& entry : z) entry /= length;
}

}  // namespace keyhole::math
