#include "math/quotients.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace keyhole::math {
namespace {

#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)

// Side by side: one alone is a long chain of operations.
constexpr std::size_t quotients_at_once = 8;

// Whether all magnitudes are at least 2^-511, which is so if one of the two upper bits of the
// exponent is set. Looked at as integers, since the vector units have enough to do.
[[gnu::always_inline]] inline bool none_tiny(const double* a) {
  std::uint64_t large = ~std::uint64_t{0};
  for (std::size_t j = 0; j < quotients_at_once; ++j) {
    const auto bits = std::bit_cast<std::uint64_t>(a[j]);
    large &= bits | (bits << 1);
  }
  return (large >> 62 & 1) != 0;
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
#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  const bool moderate = std::abs(divisor) >= 0x1p-100 && std::abs(divisor) <= 0x1p100;
  if (moderate && x.size() >= quotients_at_once) {
    const double h = 1 / divisor;
    const double l = std::fma(-divisor, h, 1.0) * h;
    // The last block reaches back over numbers that are divided in the one before as well.
    std::array<double, quotients_at_once> last;
    double* const its_place = x.data() + x.size() - quotients_at_once;
    std::copy_n(its_place, quotients_at_once, last.begin());
    divide_block(last.data(), divisor, h, l);
    for (std::size_t i = 0; i + quotients_at_once <= x.size(); i += quotients_at_once)
      divide_block(x.data() + i, divisor, h, l);
    std::copy_n(last.begin(), quotients_at_once, its_place);
    return;
  }
#endif
  for (double& number : x) number /= divisor;
}

}  // namespace keyhole::math
