// How long the parts of a round take: random words, normal numbers and directions, by the
// processor's AES instructions and by the portable path, which gives the same bits, and next to
// them the standard library's generators; then all else that a round of projection_free on the
// solid simplex does. "ns" counts a word, a number, a coordinate, or for what does not grow a
// round. scripts/performance runs this with interleaved repetitions.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/one_point.h"
#include "learners/power_sequence.h"
#include "math/elementary.h"
#include "math/quotients.h"
#include "math/random/ars_kernels.h"
#include "math/random/gaussian.h"
#include "math/random/ziggurat.h"
#include "math/sums.h"

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
  keyhole::Randomness u(keyhole::solid_simplex(n), 7, 0);
  std::uint64_t t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(u.direction(++t).data());
    benchmark::ClobberMemory();
  }
  count_items(state, n);
}

/// A normal number from a word that is there, accepted or not.
void ziggurat(benchmark::State& state) {
  std::mt19937_64 engine(7);
  std::array<std::uint64_t, 1024> words{};
  for (std::uint64_t& word : words) word = engine();
  std::vector<double> width(keyhole::math::ZigguratTables::size, 1e-16);
  std::vector<std::int64_t> last_accepted(width.size(), std::int64_t{1} << 52);
  std::array<double, words.size()> z{};
  for (auto _ : state) {
    std::int64_t room = 0;
    for (std::size_t j = 0; j < words.size(); j += keyhole::math::lanes_in_group) {
      room |= keyhole::math::scale_group({width.data(), last_accepted.data()}, words.data() + j,
                                         z.data() + j);
    }
    benchmark::DoNotOptimize(room);
    benchmark::ClobberMemory();
  }
  count_items(state, words.size());
}

/// Vectors of a benchmark's size, of numbers as a round has them.
std::vector<double> normal_vector(const benchmark::State& state, std::uint64_t id) {
  std::vector<double> z(static_cast<std::size_t>(state.range(0)));
  keyhole::math::gaussians(Ars(7, 0), id, 0, z);
  return z;
}

/// Times work(), which handles every coordinate once.
template <class Work>
void time_coordinates(benchmark::State& state, Work work) {
  for (auto _ : state) {
    work();
    benchmark::ClobberMemory();
  }
  count_items(state, static_cast<std::size_t>(state.range(0)));
}

void length(benchmark::State& state) {
  const std::vector<double> z = normal_vector(state, 1);
  time_coordinates(state, [&] { benchmark::DoNotOptimize(keyhole::math::norm(z)); });
}

void division(benchmark::State& state) {
  std::vector<double> z = normal_vector(state, 1);
  double divisor = 3;
  time_coordinates(state, [&] {
    keyhole::math::divide(z, divisor);
    divisor = 1 / divisor;
  });
}

/// y = x + delta u, S += factor u, and the gradient with the step of x, as projection_free has it.
void passes(benchmark::State& state) {
  const std::vector<double> u = normal_vector(state, 1);
  const std::vector<double> x_1 = normal_vector(state, 2);
  std::vector<double> x = x_1;
  std::vector<double> y = x_1;
  std::vector<double> S(x.size());
  std::vector<double> gradient(x.size());
  const auto step = [](double* __restrict g, double* __restrict at, const double* __restrict sum,
                       const double* start, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      g[i] = 0.1 * sum[i] + 2.0 * (at[i] - start[i]);
      at[i] = 0.9 * at[i] + 0.1 * start[i];
    }
  };
  time_coordinates(state, [&] {
    step(gradient.data(), x.data(), S.data(), x_1.data(), x.size());
    keyhole::algorithms::add_one_point_estimate(1, 1, 1e-3, 1, u, S);
    keyhole::algorithms::perturb(x, 0.1, u, y);
  });
}

void oracle(benchmark::State& state) {
  const std::vector<double> z = normal_vector(state, 1);
  const keyhole::SetPtr set = keyhole::solid_simplex(z.size());
  const auto its_oracle = set->oracle();
  time_coordinates(state, [&] { benchmark::DoNotOptimize(&its_oracle->minimise(z)); });
}

void settling(benchmark::State& state) {
  std::vector<double> y = normal_vector(state, 1);
  for (double& coordinate : y) coordinate = std::abs(coordinate);
  const keyhole::SetPtr set = keyhole::solid_simplex(y.size());
  const auto its_oracle = set->oracle();
  time_coordinates(state, [&] { its_oracle->settle(y); });
}

/// sigma_t by itself.
void power(benchmark::State& state) {
  double t = 1;
  for (auto _ : state) {
    t += 1;
    benchmark::DoNotOptimize(keyhole::math::pow(t, -0.4));
  }
  count_items(state, 1);
}

/// sigma_t in turn, once a round.
void power_in_turn(benchmark::State& state) {
  keyhole::algorithms::PowerSequence sigma(-0.4);
  std::uint64_t t = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sigma(++t));
  count_items(state, 1);
}

/// Ask and tell with an algorithm that does nothing.
void bookkeeping(benchmark::State& state) {
  class Idle final : public keyhole::Algorithm {
   public:
    Idle() : Algorithm(keyhole::solid_simplex(1)) {}
    [[nodiscard]] std::string spec() const override { return "idle()"; }
    void advance() override {}
    void recommend(std::span<double>) const override {}
    [[nodiscard]] keyhole::RegretBound regret_bound(std::uint64_t) const override { return {}; }
    void play(keyhole::PlayId, keyhole::Randomness&, std::span<double>) override {}
    bool absorb(keyhole::PlayId, double, keyhole::Randomness&) override { return true; }
  };
  keyhole::Learner learner(std::make_unique<Idle>(), {.seed = 7});
  std::vector<double> y(1);
  for (auto _ : state) learner.tell(learner.ask(y), 1);
  count_items(state, 1);
}

/// A cycle of the processor: an addition that waits for the one before.
void cycle(benchmark::State& state) {
  std::uint64_t sum = 0;
  constexpr std::size_t additions = 1024;
  for (auto _ : state) {
    for (std::size_t i = 0; i < additions; i += 8) {
      for (std::size_t j = 0; j < 8; ++j) {
        ++sum;
        asm volatile("" : "+r"(sum));
      }
    }
  }
  count_items(state, additions);
}

void round_sizes(benchmark::internal::Benchmark* benchmark) { benchmark->Arg(100)->Arg(10000); }

BENCHMARK(words_by_aes);
BENCHMARK(words_portable);
BENCHMARK(words_mt19937_64);
BENCHMARK(gaussians)->Arg(100)->Arg(10000);
BENCHMARK(gaussians_standard_library)->Arg(10000);
BENCHMARK(directions)->Arg(20)->Arg(100)->Arg(400)->Arg(10000)->Arg(1000000);
BENCHMARK(ziggurat);
BENCHMARK(length)->Apply(round_sizes);
BENCHMARK(division)->Apply(round_sizes);
BENCHMARK(passes)->Apply(round_sizes);
BENCHMARK(oracle)->Apply(round_sizes);
BENCHMARK(settling)->Apply(round_sizes);
BENCHMARK(power);
BENCHMARK(power_in_turn);
BENCHMARK(bookkeeping);
BENCHMARK(cycle);

}  // namespace

BENCHMARK_MAIN();
