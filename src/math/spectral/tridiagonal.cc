#include "math/spectral/tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/lanes.h"
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

// Pivots of T - x from the top in one lane and from the bottom in the other, to where they meet,
// with the derivatives of their logarithms. With a_i = -q_i' and b_i = a_i',
//   a_i = 1 + g a_{i-1},  b_i = g (b_{i-1} + 2 a_{i-1}^2 / q_{i-1}),  g = (e_{i-1} / q_{i-1})^2
//   s_1 = sum a_i / q_i,  s_2 = sum b_i / q_i + (a_i / q_i)^2
// where no term is negative, so that nothing cancels.
template <class T>  // double, or two of them
struct Pivots {
  T q;
  T w;  // 1 / q
  T a;
  T b;
  T s_1;
  T s_2;

  [[gnu::always_inline]] void go_on(T d_x, T e) noexcept {
    const T ew = e * w;
    const T g = ew * ew;
    q = d_x - e * ew;
    b = g * (b + 2 * a * (a * w));
    a = 1 + g * a;
    w = 1 / q;
    const T aw = a * w;
    s_1 += aw;
    s_2 += b * w + aw * aw;
  }
};

template <class T>
[[gnu::always_inline]] inline Pivots<T> first_pivots(T q) noexcept {
  const T w = 1 / q;
  return {q, w, T{} + 1, T{}, w, w * w};
}

// With s_k = sum_i (lambda_i - x)^-k the smallest eigenvalue is at least Laguerre's step
// n / (s_1 + sqrt((n - 1)(n s_2 - s_1^2))) from x, and at most n / s_1. The sums are those of the
// logarithmic derivatives of det(T - x), the product of the pivots of a twisted factorisation: from
// both ends to the row in the middle. Two chains of divisions at once take half as long as one.
Distance distance_from(std::span<const double> diagonal, std::span<const double> off_diagonal,
                       double x) noexcept {
  const std::size_t size = diagonal.size();
  const double* const d = diagonal.data();
  const double* const e = off_diagonal.data();
  const auto n = static_cast<double>(size);
  const auto answer = [n](double s_1, double s_2) {
    return Distance{n / (s_1 + std::sqrt((n - 1) * std::max(n * s_2 - s_1 * s_1, 0.0))), n / s_1};
  };
  if (size < 3) {
    Pivots<double> only = first_pivots(d[0] - x);
    if (!(only.q > 0)) return {};
    if (size == 2) only.go_on(d[1] - x, e[0]);
    return only.q > 0 ? answer(only.s_1, only.s_2) : Distance{};
  }
  const std::size_t middle = size / 2;
  const std::size_t below =
      size - 1 - middle;  // rows behind the middle: as many as before, or less
  Pivots<Numbers> both = first_pivots(Numbers{d[0], d[size - 1]} - x);
  Truths is_positive = both.q > 0;
  for (std::size_t i = 1; i < below; ++i) {
    both.go_on(Numbers{d[i], d[size - 1 - i]} - x, Numbers{e[i - 1], e[size - 1 - i]});
    is_positive &= both.q > 0;
  }
  if (any(~is_positive)) return {};
  Pivots<double> top = {both.q[0],
                        both.w[0],
                        both.a[0],
                        both.b[0],
                        both.s_1[0] + both.s_1[1],
                        both.s_2[0] + both.s_2[1]};
  if (below < middle) {
    top.go_on(d[below] - x, e[below - 1]);
    if (!(top.q > 0)) return {};
  }
  // The pivot in the middle has both for neighbours.
  const double ew_0 = e[middle - 1] * top.w;
  const double ew_1 = e[middle] * both.w[1];
  const double g_0 = ew_0 * ew_0;
  const double g_1 = ew_1 * ew_1;
  const double q = ((d[middle] - x) - e[middle - 1] * ew_0) - e[middle] * ew_1;
  if (!(q > 0)) return {};
  const double b = g_0 * (top.b + 2 * top.a * (top.a * top.w)) +
                   g_1 * (both.b[1] + 2 * both.a[1] * (both.a[1] * both.w[1]));
  const double aw = (1 + (g_0 * top.a + g_1 * both.a[1])) / q;
  return answer(top.s_1 + aw, top.s_2 + (b / q + aw * aw));
}

}  // namespace

double smallest_eigenvalue(std::span<const double> d, std::span<const double> e) noexcept {
  const auto [gershgorin, scale] = bounds(d, e);
  // Where a step is this small, the eigenvalue is at most n times as far.
  const double tolerance = 4 * eps * scale;
  double low = gershgorin - tolerance;
  double high = *std::min_element(d.begin(), d.end());
  double x = low;
  double last_step = std::numeric_limits<double>::infinity();
  double back = 0;             // how far to go back from a step of Laguerre's that went too far
  constexpr int enough = 400;  // a bracket of doubles is used up by far fewer halvings
  for (int k = 0; k < enough && high - low > tolerance; ++k) {
    const auto [step, most] = distance_from(d, e, x);
    if (step > 0) {
      low = x;
      if (step <= tolerance) break;
      high = std::min(high, x + most);
      x += step;
      back = tolerance;
      // Tied eigenvalues slow Laguerre down to a fixed ratio: halve the bracket instead.
      if (!(step < 0.5 * last_step) || !(x < high)) {
        x = low + (high - low) / 2;
        back = high - low;
      }
      last_step = step;
    } else {
      // Only rounding takes a step of Laguerre's too far: the eigenvalue is just below.
      high = x;
      x = std::max(high - back, low + (high - low) / 2);
      back *= 16;
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
  up[n - 1] = pivot(d[n - 1] - lambda);
  for (std::size_t i = 1; i < n; ++i) {  // side by side: each waits for its last division
    down[i] = pivot((d[i] - lambda) - e[i - 1] * (e[i - 1] / down[i - 1]));
    const std::size_t j = n - 1 - i;
    up[j] = pivot((d[j] - lambda) - e[j] * (e[j] / up[j + 1]));
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
