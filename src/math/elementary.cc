#include "math/elementary.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "math/elementary_steps.h"

namespace keyhole::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// e^(x + low) for |low| below an ulp or so of x.
double exp_of_sum(double x, double low) noexcept {
  if (x != x) return x;
  if (x > 709.79) return infinity;  // e^709.79 > 2^1024
  if (x < -745.14) return 0.0;      // e^-745.14 < 2^-1075, which rounds to 0
  const auto [y, k] = steps::exp_of_sum(x, low);
  // Results that may be subnormal or need 2^1024 take the scaling in two steps, of which only the
  // last one rounds.
  if (k > 1023) return y * 2.0 * steps::power_of_two(k - 1);
  if (k < -1021) return y * steps::power_of_two(k + 200) * 0x1p-200;
  return y * steps::power_of_two(k);
}

// For finite x > 0.
steps::Reduced<double> reduce_to_octave(double x) noexcept {
  if (x >= std::numeric_limits<double>::min()) return steps::reduce_to_octave(x);
  const auto [octaves, f] = steps::reduce_to_octave(x * 0x1p54);  // a subnormal number has no
  return {octaves - 54, f};                                       // exponent of its own
}

}  // namespace

double exp(double x) noexcept { return exp_of_sum(x, 0.0); }

// With s = f / (2 + f) and z = s^2:
//
//   log(1 + f) = 2 atanh(s) = 2 s + s R,  R = 2 z / 3 + 2 z^2 / 5 + ...
//
// As 2 s = f - s f and s f = h - s h with h = f^2 / 2, the same is f - (h - s (h + R)): the leading
// term f is exact and what is rounded is small.
double log(double x) noexcept {
  if (x != x || x == infinity) return x;
  if (x <= 0.0) return x == 0.0 ? -infinity : not_a_number;
  const auto [octaves, f] = reduce_to_octave(x);
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double remainder = ((steps::end_of_series(z) * z + 2.0 / 5.0) * z + 2.0 / 3.0) * z;
  const double h = 0.5 * f * f;
  return octaves * steps::ln2_high - ((h - (s * (h + remainder) + octaves * steps::ln2_low)) - f);
}

double pow(double x, double y) noexcept {
  if (x == 1.0 || y == 0.0) return 1.0;
  // Outside of these ranges the result is 0, infinite or not a number, whatever the last digits
  // are: |log x| > 2^-54 for x other than 1. Inside, no intermediate result can overflow.
  constexpr double huge = 0x1p64;
  if (!(x > 0.0 && x < infinity && y > -huge && y < huge)) return exp(y * log(x));
  const auto exponent = steps::product(steps::log_as_pair(reduce_to_octave(x)), {y, 0.0});
  return exp_of_sum(exponent.high, exponent.low);
}

void powers(double first, double y, std::span<double> z) noexcept {
  using steps::Octet;
  assert(first >= 1 && std::abs(y) <= 16);
  for (std::size_t i = 0; i < z.size(); i += Octet::size) {
    std::array<double, Octet::size> numbers;
    for (std::size_t j = 0; j < Octet::size; ++j) numbers[j] = first + static_cast<double>(i + j);
    const Octet x = Octet::load(numbers.data());
    const auto exponent =
        steps::product<Octet>(steps::log_as_pair(steps::reduce_to_octave(x)), {y, 0.0});
    const auto [mantissa, k] = steps::exp_of_sum(exponent.high, exponent.low);
    (mantissa * steps::power_of_two(k)).store(numbers.data());
    std::copy_n(numbers.begin(), std::min(Octet::size, z.size() - i), z.data() + i);
  }
}

}  // namespace keyhole::math
