#include "math/cholesky.h"

#include <cmath>

#include "math/sums.h"

namespace keyhole::math {

bool is_positive_definite(std::span<const double> a, std::size_t n, double shift,
                          std::span<double> scratch, double sign) noexcept {
  // Row i of L, from the rows above it.
  const auto row = [&](std::size_t i, std::size_t size) {
    return std::span<const double>(scratch).subspan(i * n, size);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double entry = sign * 0.5 * (a[i * n + j] + a[j * n + i]) + (i == j ? shift : 0);
      const double left = entry - dot(row(i, j), row(j, j));
      if (j < i) {
        scratch[i * n + j] = left / scratch[j * n + j];
      } else {
        if (!(left > 0)) return false;
        scratch[i * n + i] = std::sqrt(left);
      }
    }
  }
  return true;
}

}  // namespace keyhole::math
