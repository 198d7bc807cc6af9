#include "math/quotients.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/lanes.h"

namespace keyhole::math {
namespace {

#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)

// Side by side: one alone is a long chain of operations.
constexpr std::size_t quotients_at_once = 16;

// Whether all magnitudes are at least 2^-800.
[[gnu::always_inline]] inline bool none_tiny(const double* a) {
  constexpr std::uint64_t without_sign = ~(std::uint64_t{1} << 63);
  Truths tiny{};
  for (std::size_t j = 0; j < quotients_at_once; j += 2) {
    tiny |= std::bit_cast<Numbers>(load_lanes<Words>(a + j) & without_sign) < 0x1p-800;
  }
  return !any(tiny);
}

// The quotients of a block; h and l as in the header.
[[gnu::always_inline]] inline void divide_block(double* a, double divisor, double h, double l) {
  if (!none_tiny(a)) [[unlikely]] {
    for (std::size_t j = 0; j < quotients_at_once; ++j) a[j] /= divisor;
    return;
  }
  std::array<double, quotients_at_once> q;
  std::array<double, quotients_at_once> rest;
  for (std::size_t j = 0; j < quotients_at_once; ++j) q[j] = a[j] * l;
  for (std::size_t j = 0; j < quotients_at_once; ++j) q[j] = std::fma(a[j], h, q[j]);
  for (std::size_t j = 0; j < quotients_at_once; ++j) rest[j] = std::fma(-q[j], divisor, a[j]);
  for (std::size_t j = 0; j < quotients_at_once; ++j) a[j] = std::fma(rest[j], h, q[j]);
}

#endif

}  // namespace

void divide(std::span<double> x, double divisor) noexcept {
  std::size_t i = 0;
#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  const double h = 1 / divisor;
  const double l = std::fma(-divisor, h, 1.0) / divisor;
  const bool moderate = std::abs(divisor) >= 0x1p-100 && std::abs(divisor) <= 0x1p100;
  for (; moderate && i + quotients_at_once <= x.size(); i += quotients_at_once)
    divide_block(x.data() + i, divisor, h, l);
#endif
  for (; i < x.size(); ++i) x[i] /= divisor;
}

}  // namespace keyhole::math
