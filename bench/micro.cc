// How long the parts of a round take that depend on no set: random words, normal numbers and
// directions, by the processor's AES instructions and by the portable path, which gives the same
// bits. Beside them the standard library's generators. "ns" counts a word, a number, a coordinate.
// scripts/performance runs this with interleaved repetitions.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "keyhole/keyhole.h"
#include "math/ars_kernels.h"
#include "math/elementary.h"
#include "math/gaussian.h"

namespace {

using keyhole::math::Ars;

/// Has the report say nanoseconds an item.
void count_items(benchmark::State& state, std::size_t items) {
  state.counters["ns"] = benchmark::Counter(
      1e-9 * static_cast<double>(state.iterations()) * static_cast<double>(items),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void time_kernel(benchmark::State& state, keyhole::math::ArsKernel kernel) {
  std::array<std::uint64_t, 16> round_keys{};
  keyhole::math::ars_key_schedule(7, 0, keyhole::math::ars_rounds, round_keys.data());
  std::array<std::uint64_t, 1024> words{};
  std::uint64_t id = 0;
  for (auto _ : state) {
    kernel(round_keys.data(), keyhole::math::ars_rounds, ++id, 0, words.data(), words.size() / 2);
    benchmark::DoNotOptimize(words.data());
    benchmark::ClobberMemory();
  }
  count_items(state, words.size());
}

void words_by_aes(benchmark::State& state) {
  if (!keyhole::math::ars_hardware_available()) {
    state.SkipWithError("no AES instructions");
    return;
  }
  time_kernel(state, keyhole::math::ars_hardware);
}

void words_portable(benchmark::State& state) { time_kernel(state, &keyhole::math::ars_portable); }

void words_mt19937_64(benchmark::State& state) {
  std::mt19937_64 engine(7);
  std::array<std::uint64_t, 1024> words{};
  for (auto _ : state) {
    for (std::uint64_t& word : words) word = engine();
    benchmark::DoNotOptimize(words.data());
    benchmark::ClobberMemory();
  }
  count_items(state, words.size());
}

void gaussians(benchmark::State& state) {
  const Ars generator(7, 0);
  std::vector<double> z(static_cast<std::size_t>(state.range(0)));
  std::uint64_t id = 0;
  for (auto _ : state) {
    keyhole::math::gaussians(generator, ++id, 0, z);
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
  count_items(state, z.size());
}

void gaussians_standard_library(benchmark::State& state) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> z(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    for (double& number : z) number = normal(engine);
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
  }
  count_items(state, z.size());
}

void directions(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  keyhole::Directions u(keyhole::solid_simplex(n), 7, 0);
  std::uint64_t t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(u(++t).data());
    benchmark::ClobberMemory();
  }
  count_items(state, n);
}

/// sigma_t, once a round.
void power(benchmark::State& state) {
  double t = 1;
  for (auto _ : state) {
    t += 1;
    benchmark::DoNotOptimize(keyhole::math::pow(t, -0.4));
  }
  count_items(state, 1);
}

BENCHMARK(words_by_aes);
BENCHMARK(words_portable);
BENCHMARK(words_mt19937_64);
BENCHMARK(gaussians)->Arg(100)->Arg(10000);
BENCHMARK(gaussians_standard_library)->Arg(10000);
BENCHMARK(directions)->Arg(20)->Arg(100)->Arg(400)->Arg(10000)->Arg(1000000);
BENCHMARK(power);

}  // namespace

BENCHMARK_MAIN();
