#include "sets/matrices/symmetric_part.h"

#include "math/sums.h"

namespace keyhole::sets {

void symmetrise(std::span<double> x, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      x[i * n + j] = x[j * n + i] = 0.5 * (x[i * n + j] + x[j * n + i]);
    }
  }
}

double trace_of(std::span<const double> x, std::size_t n) noexcept {
  return math::reduce(n, [&](std::size_t i) { return x[i * n + i]; });
}

void set_trace(std::span<double> x, std::size_t n, double trace) noexcept {
  const double excess = (trace_of(x, n) - trace) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) x[i * n + i] -= excess;
}

bool is_symmetric(std::span<const double> x, std::size_t n, double tolerance,
                  std::span<double> scratch) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) scratch[i * n + j] = 0.5 * (x[i * n + j] - x[j * n + i]);
  }
  return math::norm(scratch) <= tolerance;
}

std::vector<double> multiple_of_identity(std::size_t n, double diagonal) {
  std::vector<double> x(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) x[i * n + i] = diagonal;
  return x;
}

}  // namespace keyhole::sets
