#include "math/spectral/jacobi.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/sums.h"

namespace keyhole::math {
namespace {

// Turns rows p and q of a matrix: (p, q) <- (c p - s q, s p + c q).
void turn_rows(std::span<double> rows, std::size_t n, std::size_t p, std::size_t q, double c,
               double s) {
  double* __restrict const first = rows.data() + p * n;
  double* __restrict const second = rows.data() + q * n;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = first[i];
    const double y = second[i];
    first[i] = c * x - s * y;
    second[i] = s * x + c * y;
  }
}

}  // namespace

void jacobi(std::span<double> a, std::span<double> values, std::span<double> vectors) {
  constexpr int most_sweeps = 30;
  constexpr double negligible = 1e-24;  // of the squares off the diagonal
  const std::size_t n = values.size();
  std::fill(vectors.begin(), vectors.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
  const double all = squared_norm(a);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const double diagonal = reduce(n, [&](std::size_t i) { return a[i * n + i] * a[i * n + i]; });
    const double beside =
        reduce(n * n, [&](std::size_t k) { return k / n == k % n ? 0.0 : a[k] * a[k]; });
    if (!(beside > negligible * diagonal) || !(all > 0)) break;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double x = a[p * n + q];
        if (x == 0) continue;
        const double cot = (a[q * n + q] - a[p * n + p]) / (2 * x);
        const double t = (cot >= 0 ? 1 : -1) / (std::abs(cot) + std::sqrt(1 + cot * cot));
        const double c = 1 / std::sqrt(1 + t * t);
        const double s = t * c;
        turn_rows(a, n, p, q, c, s);
        for (std::size_t i = 0; i < n; ++i) {
          const double y = a[i * n + p];
          const double z = a[i * n + q];
          a[i * n + p] = c * y - s * z;
          a[i * n + q] = s * y + c * z;
        }
        a[p * n + q] = a[q * n + p] = 0;
        turn_rows(vectors, n, p, q, c, s);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) values[i] = a[i * n + i];
}

}  // namespace keyhole::math
