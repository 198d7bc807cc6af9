// How long a round of projection_free takes on the solid simplex through ask and tell, beside the
// tightest loop of the same mathematics (floor_round.h) and the obvious version (eigen_round.h).
// The loss costs nothing: a number drawn beforehand. The rounds of the floor give the library's
// digits, which is checked first. scripts/performance runs this with interleaved repetitions.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "allocations.h"
#include "eigen_round.h"
#include "floor_round.h"
#include "keyhole/keyhole.h"

namespace {

using Vector = std::vector<double>;

constexpr double loss_bound = 3;
constexpr std::uint64_t horizon = std::uint64_t{1} << 40U;
constexpr std::uint64_t seed = 7;

/// Losses that move the iterate about: bounded, and of no expense.
const Vector& losses() {
  static const Vector drawn = [] {
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Vector numbers(1024);
    for (double& number : numbers) number = uniform(engine);
    return numbers;
  }();
  return drawn;
}

class Library {
 public:
  explicit Library(std::size_t n)
      : learner_(keyhole::projection_free(keyhole::solid_simplex(n),
                                          {.loss_bound = loss_bound, .horizon = horizon}),
                 {.seed = seed}) {}
  void round(double loss, Vector& y) { learner_.tell(learner_.ask(y), loss); }

 private:
  keyhole::Learner learner_;
};

class Floor {
 public:
  explicit Floor(std::size_t n) : rounds_(n, loss_bound, horizon, seed) {}
  void round(double loss, Vector& y) {
    rounds_.ask(y);
    rounds_.tell(loss);
  }

 private:
  keyhole::bench::FloorRound rounds_;
};

class Obvious {
 public:
  explicit Obvious(std::size_t n)
      : rounds_(static_cast<Eigen::Index>(n), loss_bound, static_cast<double>(horizon), seed) {}
  void round(double loss, Vector& y) {
    rounds_.ask(Eigen::Map<Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size())));
    rounds_.tell(loss);
  }

 private:
  keyhole::bench::EigenRound rounds_;
};

template <class Player>
void time_rounds(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Vector& loss = losses();
  Player player(n);
  Vector y(n);
  std::size_t t = 0;
  const auto round = [&] {
    player.round(loss[t % loss.size()], y);
    ++t;
  };
  constexpr std::uint64_t counted = 20;
  for (std::uint64_t k = 0; k < counted; ++k) round();
  const std::uint64_t before = keyhole::bench::allocations;
  for (std::uint64_t k = 0; k < counted; ++k) round();
  state.counters["allocations"] =
      static_cast<double>(keyhole::bench::allocations - before) / static_cast<double>(counted);
  for (auto _ : state) {
    round();
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
}

/// Whether the floor plays the library's points to the last bit.
bool same_digits() {
  for (const std::size_t n : {1U, 7U, 20U, 100U, 129U, 1000U}) {
    Library library(n);
    Floor floor(n);
    Vector y(n);
    Vector of_floor(n);
    for (std::size_t t = 0; t < 3000; ++t) {
      const double loss = losses()[t % losses().size()];
      library.round(loss, y);
      floor.round(loss, of_floor);
      if (y == of_floor) continue;
      std::fprintf(stderr, "the floor is not that of the library: n = %zu, round %zu\n", n, t + 1);
      return false;
    }
  }
  return true;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {20, 100, 400, 10000, 1000000}) benchmark->Arg(n);
}

BENCHMARK_TEMPLATE(time_rounds, Library)->Name("library")->Apply(sizes);
BENCHMARK_TEMPLATE(time_rounds, Floor)->Name("floor")->Apply(sizes);
BENCHMARK_TEMPLATE(time_rounds, Obvious)->Name("eigen")->Apply(sizes);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!same_digits()) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
