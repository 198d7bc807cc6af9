#include "math/gaussian.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "math/ars.h"
#include "math/elementary.h"
#include "math/lanes.h"

namespace keyhole::math {
namespace {

constexpr std::size_t layers = 1024;

// The one r for which the strips close, f(x_0) = 1, and the area v of a strip for it, each rounded
// to the nearest double.
constexpr double tail_start = 0x1.027c84109fad5p+2;
constexpr double strip_area = 0x1.417941005fc17p-10;

// f(x) = exp(-x^2 / 2).
double density(double x) noexcept { return exp(-0.5 * (x * x)); }

struct Tables {
  // Side by side, since every lane needs both. The threshold is a whole number below 2^53.
  struct alignas(16) Layer {
    double threshold;  // k
    double width;      // w
  };
  std::array<Layer, layers> layer;
  std::array<double, layers> height;  // f(x_i)

  Tables() noexcept {
    constexpr double mantissas = 0x1p52;
    double x = tail_start;
    const double base = strip_area / density(x);
    layer[0] = {std::floor(x / base * mantissas), base / mantissas};
    height[0] = 1.0;
    for (std::size_t i = layers - 1; i > 0; --i) {
      height[i] = density(x);
      const double inner = i == 1 ? 0.0 : std::sqrt(-2.0 * log(strip_area / x + height[i]));
      layer[i] = {std::floor(inner / x * mantissas), x / mantissas};
      x = inner;
    }
  }
};

const Tables& tables() noexcept {
  static const Tables tables;
  return tables;
}

std::uint64_t primary_counter(unsigned attempt, std::uint64_t block) noexcept {
  assert(attempt < 128 && block < std::uint64_t{1} << 47);
  return (std::uint64_t{attempt} << 56) | block;
}

std::uint64_t extra_counter(unsigned attempt, std::uint64_t lane, unsigned trial) noexcept {
  return (std::uint64_t{1} << 63) | (std::uint64_t{attempt} << 56) | ((lane << 8) + trial);
}

std::uint64_t layer_of(std::uint64_t bits) noexcept { return bits & (layers - 1); }

// m, below 2^52, exactly; by way of a signed integer, for which every processor has an instruction.
double mantissa_of(std::uint64_t bits) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(bits >> 12));
}

// magnitude >= 0 with the sign in bit 11 of bits.
double with_sign(double magnitude, std::uint64_t bits) noexcept {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | ((bits << 52) & sign));
}

double uniform(std::uint64_t word) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(word >> 11)) * 0x1p-53;
}

// The definition from trial 0 on, given the primary bits.
[[gnu::noinline]] double ziggurat(const Tables& t, const Ars& generator, std::uint64_t id,
                                  unsigned attempt, std::uint64_t lane,
                                  std::uint64_t bits) noexcept {
  for (unsigned trial = 0;; ++trial) {
    const std::uint64_t layer = layer_of(bits);
    const double x = mantissa_of(bits) * t.layer[layer].width;
    if (mantissa_of(bits) < t.layer[layer].threshold) return with_sign(x, bits);

    std::array<std::uint64_t, 2> extra;
    generator.words(id, extra_counter(attempt, lane, trial), extra);
    const double u = uniform(extra[0]);
    if (layer == 0) {
      // Marsaglia's tail: exponential candidates. As bits stay, so does the layer. 1 - u is exact
      // and never 0.
      const double beyond = -log(1.0 - u) / tail_start;
      const double level = -log(1.0 - uniform(extra[1]));
      if (2.0 * level >= beyond * beyond) return with_sign(tail_start + beyond, bits);
    } else {
      const double y = t.height[layer] + u * (t.height[layer - 1] - t.height[layer]);
      if (y < density(x)) return with_sign(x, bits);
      bits = extra[1];
    }
  }
}

constexpr std::size_t lanes_at_once = 8;

// z = +-m w for the bits of a few lanes, as if all of them were accepted; whether they are.
[[gnu::always_inline]] inline bool scale(const Tables& t, const std::uint64_t* bits,
                                         double* z) noexcept {
  // m with the exponent of 2^52 is 2^52 + m; the difference is exact.
  constexpr std::uint64_t exponent = 0x4330000000000000;
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  Truths rejected{};
  for (std::size_t j = 0; j < lanes_at_once; j += 2) {
    const auto word = load_lanes<Words>(bits + j);
    const auto a = load_lanes<Numbers>(&t.layer[layer_of(bits[j])]);
    const auto b = load_lanes<Numbers>(&t.layer[layer_of(bits[j + 1])]);
    const Numbers threshold = __builtin_shufflevector(a, b, 0, 2);
    const Numbers width = __builtin_shufflevector(a, b, 1, 3);
    const Numbers mantissa = std::bit_cast<Numbers>((word >> 12) | exponent) - 0x1p52;
    rejected |= mantissa >= threshold;
    const auto magnitude = std::bit_cast<Words>(mantissa * width);
    const Words result = (magnitude & ~sign) | ((word << 52) & sign);
    std::memcpy(z + j, &result, sizeof result);
  }
  return !any(rejected);
}

}  // namespace

double gaussian(const Ars& generator, std::uint64_t id, unsigned attempt,
                std::uint64_t lane) noexcept {
  std::array<std::uint64_t, 2> block;
  generator.words(id, primary_counter(attempt, lane / 2), block);
  return ziggurat(tables(), generator, id, attempt, lane, block[lane % 2]);
}

void gaussians(const Ars& generator, std::uint64_t id, unsigned attempt,
               std::span<double> z) noexcept {
  const Tables& t = tables();
  constexpr std::size_t chunk = 128;
  alignas(16) std::array<std::uint64_t, chunk> bits;
  for (std::size_t start = 0; start < z.size(); start += chunk) {
    const std::size_t count = std::min(chunk, z.size() - start);
    generator.words(id, primary_counter(attempt, start / 2),
                    std::span(bits).first((count + 1) / 2 * 2));
    double* const to = z.data() + start;
    const auto draw_rejected = [&](std::size_t first, std::size_t end) {
      for (std::size_t j = first; j < end; ++j) {
        if (mantissa_of(bits[j]) < t.layer[layer_of(bits[j])].threshold) continue;
        to[j] = ziggurat(t, generator, id, attempt, start + j, bits[j]);
      }
    };
    // No lane depends on another: every lane as if it were accepted, and the few others once more.
    std::size_t j = 0;
    for (; j + lanes_at_once <= count; j += lanes_at_once) {
      if (!scale(t, bits.data() + j, to + j)) [[unlikely]]
        draw_rejected(j, j + lanes_at_once);
    }
    if (j == count) continue;
    std::fill_n(bits.data() + count, j + lanes_at_once - count, 0);
    alignas(16) std::array<double, lanes_at_once> last;
    const bool all_accepted = scale(t, bits.data() + j, last.data());
    std::copy_n(last.data(), count - j, to + j);
    if (!all_accepted) [[unlikely]]
      draw_rejected(j, count);
  }
}

}  // namespace keyhole::math
