// How long a round of every learner takes through ask and tell on the paper's three kinds of sets,
// and a call of the oracle and of the projection there. The losses and gradients cost nothing:
// numbers drawn beforehand. A learner that does not take a set (no projection, no gauge, too many
// dimensions) is left out there. scripts/performance runs this with interleaved repetitions.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "keyhole/keyhole.h"
#include "random.h"

namespace {

using Vector = std::vector<double>;

struct Place {
  std::string name;
  keyhole::SetPtr set;
};

std::vector<Place> places() {
  std::vector<Place> all;
  for (const std::size_t n : {20U, 100U, 400U, 10'000U, 1'000'000U}) {
    all.push_back({"solid_simplex/" + std::to_string(n), keyhole::solid_simplex(n)});
  }
  for (const std::size_t n : {20U, 50U, 100U}) {
    const std::string size = std::to_string(n);
    const auto problem = keyhole::make_problem("quadratic(" + size + ", rows=" + size + ")");
    all.push_back({"polytope/" + size, problem->shared_set()});
  }
  for (const std::size_t n : {20U, 50U, 100U}) {
    all.push_back({"nuclear_ball/" + std::to_string(n), keyhole::nuclear_ball(n, n, 18)});
  }
  return all;
}

/// Vectors of normals to choose from in turn: few if they are long.
std::vector<Vector> drawn(std::size_t n) {
  keyhole::tests::Random random(7);
  std::vector<Vector> vectors;
  for (std::size_t k = 0; k < (n > 10'000 ? 2 : 16); ++k) vectors.push_back(random.normals(n));
  return vectors;
}

class Losses {
 public:
  double next() {
    golden_ += 0.6180339887498949;
    if (golden_ >= 1) golden_ -= 1;
    return 2 * golden_ - 1;
  }

 private:
  double golden_ = 0;
};

void time_rounds(benchmark::State& state, const Place& place, const std::string& spec) {
  keyhole::AnyAlgorithm algorithm = keyhole::make_algorithm(
      spec,
      {.set = place.set, .loss_bound = 1, .gradient_bound = 1, .horizon = std::uint64_t{1} << 40U});
  Vector y(place.set->dimension());
  if (auto* const bandit = std::get_if<0>(&algorithm)) {
    keyhole::Learner learner(std::move(*bandit), {.seed = 7});
    Losses losses;
    for (auto _ : state) learner.tell(learner.ask(y), losses.next());
  } else {
    const std::vector<Vector> gradients = drawn(y.size());
    keyhole::GradientLearner learner(std::get<1>(std::move(algorithm)), {.seed = 7});
    std::size_t t = 0;
    for (auto _ : state) learner.tell(learner.ask(y), gradients[t++ % gradients.size()]);
  }
}

/// Whether the learner takes the set, with options that its defaults do not have.
bool takes(const Place& place, const std::string& spec) {
  try {
    (void)keyhole::make_algorithm(spec, {.set = place.set,
                                         .loss_bound = 1,
                                         .gradient_bound = 1,
                                         .horizon = std::uint64_t{1} << 40U});
    return true;
  } catch (const keyhole::InputError&) {
    return false;
  }
}

void time_minimise(benchmark::State& state, const Place& place) {
  const std::vector<Vector> directions = drawn(place.set->dimension());
  const std::unique_ptr<keyhole::Oracle> oracle = place.set->oracle();
  std::size_t t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(&oracle->minimise(directions[t++ % directions.size()]));
  }
}

/// Of points a tenth of R away from the set's centre and farther, half of them inside.
void time_project(benchmark::State& state, const Place& place) {
  const keyhole::Geometry& geometry = place.set->geometry();
  std::vector<Vector> points = drawn(place.set->dimension());
  double reach = 0.1;
  for (Vector& point : points) {
    double square = 0;
    for (const double coordinate : point) square += coordinate * coordinate;
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = geometry.centre[i] + reach * geometry.outer_radius / std::sqrt(square) * point[i];
    }
    reach *= 1.3;
  }
  const std::unique_ptr<keyhole::Oracle> oracle = place.set->oracle();
  Vector nearest(place.set->dimension());
  std::size_t t = 0;
  for (auto _ : state) {
    oracle->project(points[t++ % points.size()], nearest);
    benchmark::DoNotOptimize(nearest.data());
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<Place> all = places();
  for (const Place& place : all) {
    for (const char* learner : {"posterior", "parameter_free", "anytime(projection_free)",
                                "projection_free", "fkm", "bbcg", "gauge", "online_newton",
                                "two_point", "ogd", "ocg", "stochastic_ocg", "one_shot"}) {
      if (!takes(place, learner)) continue;
      benchmark::RegisterBenchmark((learner + ("/" + place.name)).c_str(), time_rounds, place,
                                   std::string(learner));
    }
    benchmark::RegisterBenchmark(("minimise/" + place.name).c_str(), time_minimise, place);
    if (place.set->can_project()) {
      benchmark::RegisterBenchmark(("project/" + place.name).c_str(), time_project, place);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
