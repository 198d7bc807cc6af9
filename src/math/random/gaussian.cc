#include "math/random/gaussian.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "math/elementary.h"
#include "math/random/ars.h"
#include "math/random/ars_kernels.h"
#include "math/random/gaussian_kernels.h"
#include "math/random/ziggurat.h"

namespace keyhole::math {
namespace {

constexpr std::size_t layers = 1024;
constexpr std::uint64_t sign = std::uint64_t{1} << 11;

// The one r for which the strips close, f(x_0) = 1, and the area v of a strip for it, each rounded
// to the nearest double.
constexpr double tail_start = 0x1.027c84109fad5p+2;
constexpr double strip_area = 0x1.417941005fc17p-10;

// f(x) = exp(-x^2 / 2).
double density(double x) noexcept { return exp(-0.5 * (x * x)); }

constexpr double mantissas = 0x1p52;

struct Tables {
  alignas(64) std::array<double, ZigguratTables::size> width{};
  alignas(64) std::array<std::int64_t, ZigguratTables::size> last_accepted{};
  std::array<double, layers> height;  // f(x_i)

  Tables() noexcept {
    double x = tail_start;
    const double base = strip_area / density(x);
    set(0, std::floor(x / base * mantissas), base / mantissas);
    height[0] = 1.0;
    for (std::size_t i = layers - 1; i > 0; --i) {
      height[i] = density(x);
      const double inner = i == 1 ? 0.0 : std::sqrt(-2.0 * log(strip_area / x + height[i]));
      set(i, std::floor(inner / x * mantissas), x / mantissas);
      x = inner;
    }
  }

 private:
  void set(std::size_t i, double k, double w) noexcept {
    width[i] = w;
    width[i | sign] = -w;
    last_accepted[i] = last_accepted[i | sign] = static_cast<std::int64_t>(k) - 1;
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

// Where the tables have the layer and the sign of a word.
std::uint64_t place_of(std::uint64_t bits) noexcept {
  return bits & ZigguratTables::layer_and_sign;
}

std::uint64_t layer_of(std::uint64_t bits) noexcept { return bits & (layers - 1); }

// m, below 2^52.
std::int64_t mantissa_of(std::uint64_t bits) noexcept {
  return static_cast<std::int64_t>(bits >> 12);
}

bool accepted(const Tables& t, std::uint64_t bits) noexcept {
  return mantissa_of(bits) <= t.last_accepted[place_of(bits)];
}

double uniform(std::uint64_t word) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(word >> 11)) * 0x1p-53;
}

// Whether y = f(x_layer) + u (f(x_{layer-1}) - f(x_layer)) < f(x), for x_{layer-1} <= x <= x_layer.
bool below_density(const Tables& t, std::uint64_t layer, double u, double x) noexcept {
  // From the chord between the ends f is away by up to run^2 / 8, as |f''| <= 1. That decides most
  // cases; 1e-14 is more than all roundings.
  const double outer = t.width[layer] * mantissas;
  const double run = layer == 1 ? outer : outer - t.width[layer - 1] * mantissas;
  const double drop = t.height[layer - 1] - t.height[layer];
  const double above_chord = drop * (u * run - (outer - x));  // times run
  const double margin = run * (0.126 * (run * run) + 1e-14);
  if (std::abs(above_chord) > margin) return above_chord < 0;
  return t.height[layer] + u * drop < density(x);
}

// The definition from trial 0 on, given the primary bits.
[[gnu::noinline]] double ziggurat(const Tables& t, const Ars& generator, std::uint64_t id,
                                  unsigned attempt, std::uint64_t lane,
                                  std::uint64_t bits) noexcept {
  for (unsigned trial = 0;; ++trial) {
    // By way of a signed integer, for which every processor has an instruction.
    const double z = static_cast<double>(mantissa_of(bits)) * t.width[place_of(bits)];
    if (accepted(t, bits)) return z;

    std::array<std::uint64_t, 2> extra;
    generator.words(id, extra_counter(attempt, lane, trial), extra);
    const double u = uniform(extra[0]);
    if (layer_of(bits) == 0) {
      // Marsaglia's tail: exponential candidates. As bits stay, so does the layer. 1 - u is exact
      // and never 0.
      const double beyond = -log(1.0 - u) / tail_start;
      const double level = -log(1.0 - uniform(extra[1]));
      if (2.0 * level >= beyond * beyond) return std::copysign(tail_start + beyond, z);
    } else {
      if (below_density(t, layer_of(bits), u, std::abs(z))) return z;
      bits = extra[1];
    }
  }
}

}  // namespace

std::uint64_t gaussian_portable(ZigguratTables tables, const std::uint64_t* round_keys,
                                std::uint64_t id, std::uint64_t first, std::size_t groups,
                                std::uint64_t* bits, double* z, double* last) noexcept {
  ars_portable(round_keys, ars_rounds, id, first, bits, groups * lanes_in_group / 2);
  std::uint64_t rejected = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t j = g * lanes_in_group;
    const std::int64_t room = scale_group(tables, bits + j, g + 1 < groups ? z + j : last);
    rejected |= (static_cast<std::uint64_t>(room) >> 63) << g;
  }
  return rejected;
}

double gaussian(const Ars& generator, std::uint64_t id, unsigned attempt,
                std::uint64_t lane) noexcept {
  std::array<std::uint64_t, 2> block;
  generator.words(id, primary_counter(attempt, lane / 2), block);
  return ziggurat(tables(), generator, id, attempt, lane, block[lane % 2]);
}

void gaussians(const Ars& generator, std::uint64_t id, unsigned attempt,
               std::span<double> z) noexcept {
  static const GaussianKernel kernel =
      ars_hardware_available() ? gaussian_hardware : &gaussian_portable;
  const Tables& t = tables();
  constexpr std::size_t chunk = most_groups * lanes_in_group;
  alignas(16) std::array<std::uint64_t, chunk> bits;
  alignas(16) std::array<double, lanes_in_group> last;
  for (std::size_t start = 0; start < z.size(); start += chunk) {
    const std::size_t count = std::min(chunk, z.size() - start);
    const std::size_t groups = (count + lanes_in_group - 1) / lanes_in_group;
    const std::size_t beyond = (groups - 1) * lanes_in_group;
    double* const to = z.data() + start;
    const bool whole = count % lanes_in_group == 0;
    // No lane depends on another: every lane as if it were accepted, and the few others once more.
    std::uint64_t rejected = kernel({t.width.data(), t.last_accepted.data()},
                                    generator.round_keys(), id, primary_counter(attempt, start / 2),
                                    groups, bits.data(), to, whole ? to + beyond : last.data());
    if (!whole) std::copy_n(last.data(), count - beyond, to + beyond);
    for (; rejected != 0; rejected &= rejected - 1) {
      const std::size_t first =
          static_cast<std::size_t>(std::countr_zero(rejected)) * lanes_in_group;
      for (std::size_t j = first; j < std::min(first + lanes_in_group, count); ++j) {
        if (!accepted(t, bits[j])) to[j] = ziggurat(t, generator, id, attempt, start + j, bits[j]);
      }
    }
  }
}

}  // namespace keyhole::math
