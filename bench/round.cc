// How long a round of projection_free takes on the solid simplex through ask and tell, next to the
// tightest loop of the same mathematics (floor_round.h) and the obvious version (eigen_round.h);
// and a round of fkm there, for peers/rounds.py. The loss costs nothing: a number drawn beforehand.
// The rounds of the floor give the library's digits, which is checked first. scripts/performance
// runs this with interleaved repetitions.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
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

/// Losses that move the iterate about: bounded, of no expense, and the same in every language.
const Vector& losses() {
  static const Vector drawn = [] {
    Vector numbers(1024);
    double golden = 0;
    for (double& number : numbers) {
      golden += 0.6180339887498949;
      number = 2 * (golden - std::floor(golden)) - 1;
    }
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

/// With steps so long that the projection has work to do.
class Fkm {
 public:
  explicit Fkm(std::size_t n) : Fkm(n, keyhole::solid_simplex(n)) {}
  void round(double loss, Vector& y) { learner_.tell(learner_.ask(y), loss); }

 private:
  Fkm(std::size_t n, const keyhole::SetPtr& set) : Fkm(n, set, set->inner_radius() / 8) {}
  Fkm(std::size_t n, const keyhole::SetPtr& set, double delta)
      : learner_(keyhole::fkm(set, {.loss_bound = loss_bound,
                                    .horizon = horizon,
                                    .delta = delta,
                                    .eta = 0.1 * delta / static_cast<double>(n)}),
                 {.seed = seed}) {}

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
  const std::uint64_t before = keyhole::tests::allocations;
  for (std::uint64_t k = 0; k < counted; ++k) round();
  state.counters["allocations"] =
      static_cast<double>(keyhole::tests::allocations - before) / static_cast<double>(counted);
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

/// Prints u_t and the library's plays y_t, for another program to repeat.
template <class Player>
void print_plays(const char* name) {
  constexpr std::size_t n = 20;
  Player player(n);
  keyhole::Randomness u(keyhole::solid_simplex(n), seed, 0);
  Vector y(n);
  for (std::size_t t = 0; t < 300; ++t) {
    player.round(losses()[t % losses().size()], y);
    std::printf("%s", name);
    for (const double coordinate : u.direction(t + 1)) std::printf(" %.17g", coordinate);
    for (const double coordinate : y) std::printf(" %.17g", coordinate);
    std::printf("\n");
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {20, 100, 400, 10000, 1000000}) benchmark->Arg(n);
}

BENCHMARK_TEMPLATE(time_rounds, Library)->Name("library")->Apply(sizes);
BENCHMARK_TEMPLATE(time_rounds, Floor)->Name("floor")->Apply(sizes);
BENCHMARK_TEMPLATE(time_rounds, Fkm)->Name("fkm")->Apply(sizes);
BENCHMARK_TEMPLATE(time_rounds, Obvious)->Name("eigen")->Apply(sizes);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--plays") {
    print_plays<Library>("projection_free");
    print_plays<Fkm>("fkm");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!same_digits()) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
