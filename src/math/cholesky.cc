#include "math/cholesky.h"

#include "math/dense.h"

namespace keyhole::math {

bool is_positive_definite(std::span<const double> a, std::size_t n, double shift,
                          std::span<double> scratch, double sign) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      scratch[i * n + j] = sign * 0.5 * (a[i * n + j] + a[j * n + i]) + (i == j ? shift : 0);
    }
  }
  return cholesky(scratch, n);
}

}  // namespace keyhole::math
