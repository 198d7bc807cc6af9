// How long a round of the T^(3/4) and T^(4/5) learners takes on the polytopes of the problem
// quadratic, {0 <= x <= 1, A x <= 1} with A uniform on [0, 1]: gauge makes one matrix-vector
// product a round, fkm a projection, projection_free solves a linear program. The losses are linear
// with noise, which costs next to nothing, and pull the iterates to a vertex; the constants are
// those of the theorems. Next to it the single calls, at the points of that run.

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"

namespace {

using Vector = std::vector<double>;
using keyhole::bench::median_microseconds;

/// Microseconds a round, ask and tell.
double round_time(std::unique_ptr<keyhole::Algorithm> algorithm) {
  const std::size_t n = algorithm->set().dimension();
  keyhole::Learner learner(std::move(algorithm));
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  Vector c(n);
  for (double& coordinate : c) coordinate = normal(engine);
  Vector noise(1024);
  for (double& number : noise) number = 0.1 * normal(engine);
  Vector x(n);
  return median_microseconds([&](std::size_t i) {
    const keyhole::PlayId id = learner.ask(x);
    double loss = noise[i % noise.size()];
    for (std::size_t j = 0; j < n; ++j) loss += c[j] * x[j];
    learner.tell(id, loss);
  });
}

void run(std::size_t n, std::size_t rows) {
  const auto problem = keyhole::quadratic({.n = n, .rows = rows}, {1});
  const keyhole::SetPtr set = problem->shared_set();
  constexpr std::uint64_t T = std::uint64_t{1} << 24U;
  const double root = std::sqrt(static_cast<double>(n));
  const double by_gauge =
      round_time(keyhole::gauge(set, {.loss_bound = 3, .gradient_bound = root, .horizon = T}));
  const double by_projection =
      round_time(keyhole::fkm(set, {.loss_bound = 3, .gradient_bound = root, .horizon = T}));
  const double by_program =
      round_time(keyhole::projection_free(set, {.loss_bound = 3, .horizon = T}));

  // The calls alone: normal directions, and points as far from the centre as K reaches.
  const auto oracle = set->oracle();
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal;
  std::vector<Vector> directions(64, Vector(n));
  std::vector<Vector> points;
  for (Vector& d : directions) {
    double square = 0;
    for (double& coordinate : d) {
      coordinate = normal(engine);
      square += coordinate * coordinate;
    }
    Vector point = set->centre();
    for (std::size_t j = 0; j < n; ++j) {
      point[j] += set->outer_radius() * d[j] / std::sqrt(square);
    }
    points.push_back(point);
  }
  Vector s(n);
  double sink = 0;
  const double gauge_call =
      median_microseconds([&](std::size_t i) { sink += oracle->gauge(points[i % 64], s); });
  const double projection_call =
      median_microseconds([&](std::size_t i) { oracle->project(points[i % 64], s); });
  const double program_call = median_microseconds(
      [&](std::size_t i) { sink += oracle->minimise(directions[i % 64]).dot(directions[i % 64]); });
  std::printf("%9zu %6zu %10.2f %10.2f %16.2f %10.2f %10.2f %10.2f%s\n", n, rows, by_gauge,
              by_projection, by_program, gauge_call, projection_call, program_call,
              std::isnan(sink) ? " not a number" : "");
}

}  // namespace

int main() {
  std::printf("microseconds %29s %16s %32s\n", "a round", "", "a call of the oracle");
  std::printf("%9s %6s %10s %10s %16s %10s %10s %10s\n", "dimension", "rows", "gauge", "fkm",
              "projection_free", "gauge", "project", "minimise");
  run(50, 50);
  run(100, 100);
  return 0;
}
