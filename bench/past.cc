// What it is worth to tell the default learner what was measured before, and how often a loss
// counts. Regret is over that of staying at the centre: 1 is no better than that, 0 the best point.
//
//   bench_past [RUNS]
//
// Past losses: RUNS runs (200) with 0 to 1,000 losses at random points that are taught before the
// first round. "By steps" is the same regret with the least loss that 400 Frank-Wolfe steps find in
// place of the exact one. Counts: losses that are means of more or fewer measurements, log-uniform,
// told with their counts or without; "alike" are losses that all have the mean of the counts, which
// is the most that they can be worth together. At the regret of 4,096 rounds without counts, how
// many times the rounds they take; and those with counts, at theirs, next to "alike". Errors are
// two standard errors. Widened: the upper bound of one coordinate of five was 0.6, and the best is
// 0.9; after 1,000 rounds a learner on the whole box is taught these plays. The regret of its first
// 1,000 rounds, next to that of a new learner, and of one that had the whole box from the
// beginning.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "chance.h"
#include "keyhole/keyhole.h"

namespace {

using keyhole::Learner;
using keyhole::Play;
using keyhole::bench::Chance;
using Vector = std::vector<double>;

constexpr std::array<int, 3> marks = {64, 256, 1024};

/// A loss on a set, with its least value.
struct Problem {
  Problem(bool on_simplex, Chance& chance)
      : simplex(on_simplex),
        set(simplex ? keyhole::simplex(6) : keyhole::box(0, 1, 5)),
        target(set->dimension()) {
    for (double& c : target) c = chance.uniform();
    least = simplex ? least_on_simplex() : 0;
    of_centre = loss(set->centre()) - least;
    by_steps = least_by_steps(400);
  }

  [[nodiscard]] double loss(const Vector& x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += simplex ? -target[i] * std::log1p(8 * std::max(0.0, x[i]))
                     : (x[i] - target[i]) * (x[i] - target[i]);
    }
    return sum;
  }
  /// By the multiplier: x_i = max(0, c_i / l - 1/8), which sum to 1 for one l.
  [[nodiscard]] double least_on_simplex() const {
    double low = 1e-9;
    double high = 100;
    Vector x(target.size());
    for (int k = 0; k < 200; ++k) {
      const double l = (low + high) / 2;
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        sum += x[i] = std::max(0.0, target[i] / l - 0.125);
      }
      (sum > 1 ? low : high) = l;
    }
    return loss(x);
  }
  /// What so many Frank-Wolfe steps from the centre find, each to the least point on its line.
  [[nodiscard]] double least_by_steps(int steps) const {
    const auto oracle = set->oracle();
    Vector x = set->centre();
    Vector y(x.size());
    Vector vertex = x;
    Vector gradient(x.size());
    const auto gradient_at = [&](double s) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = x[i] + s * (vertex[i] - x[i]);
        gradient[i] = simplex ? -8 * target[i] / (1 + 8 * y[i]) : 2 * (y[i] - target[i]);
      }
    };
    for (int k = 0; k < steps; ++k) {
      gradient_at(0);
      oracle->minimise(gradient).write_to(vertex);
      double low = 0;
      double high = 1;
      for (int j = 0; j < 25; ++j) {
        gradient_at((low + high) / 2);
        double slope = 0;
        for (std::size_t i = 0; i < x.size(); ++i) slope += gradient[i] * (vertex[i] - x[i]);
        (slope > 0 ? high : low) = (low + high) / 2;
      }
      gradient_at(low);
      x = y;
    }
    return loss(x);
  }
  [[nodiscard]] Vector random_point(Chance& chance) const {
    Vector x(set->dimension());
    double sum = 0;
    for (double& value : x) sum += value = simplex ? -std::log(chance.uniform()) : chance.uniform();
    if (simplex) {
      for (double& value : x) value /= sum;
    }
    return x;
  }

  bool simplex;
  keyhole::SetPtr set;
  Vector target;
  double least = 0;
  double of_centre = 0;
  double by_steps = 0;
};

void past(unsigned runs) {
  for (const bool simplex : {false, true}) {
    for (const int losses : {0, 30, 100, 300, 1000}) {
      std::array<double, marks.size()> at{};
      std::array<double, marks.size()> squares{};
      std::array<double, marks.size()> by_steps{};
      for (unsigned run = 0; run < runs; ++run) {
        Chance chance(300 + run);
        const Problem problem(simplex, chance);
        Learner learner(problem.set, {.seed = run});
        for (int k = 0; k < losses; ++k) {
          const Vector x = problem.random_point(chance);
          learner.learn(x, problem.loss(x) + 0.3 * chance.normal());
        }
        double total = 0;
        for (int t = 1, m = 0; t <= marks.back(); ++t) {
          const Play play = learner.ask();
          const double loss = problem.loss(play.point);
          total += loss - problem.least;
          learner.tell(play.id, loss + 0.3 * chance.normal());
          if (t == marks[static_cast<std::size_t>(m)]) {
            const auto mark = static_cast<std::size_t>(m++);
            const double regret = total / t / problem.of_centre;
            at[mark] += regret / runs;
            squares[mark] += regret * regret / runs;
            const double above = problem.by_steps - problem.least;
            by_steps[mark] += (total / t - above) / (problem.of_centre - above) / runs;
          }
        }
      }
      std::printf("%-10s %4d past losses:", simplex ? "simplex(6)" : "box(5)", losses);
      for (std::size_t m = 0; m < at.size(); ++m) {
        std::printf(" %.3f +- %.3f", at[m],
                    2 * std::sqrt(std::max(0.0, squares[m] - at[m] * at[m]) / (runs - 1)));
      }
      std::printf("; by steps %.3f %.3f %.3f\n", by_steps[0], by_steps[1], by_steps[2]);
      std::fflush(stdout);
    }
  }
}

/// The first round from which on the mean regret of the rounds so far is at most so much.
double rounds_to(const Vector& regret, double most) {
  std::size_t t = regret.size();
  while (t > 1 && regret[t - 2] <= most) --t;
  return static_cast<double>(t);
}

/// How losses are told that are means of more or fewer measurements.
enum class Told { without, with, alike };

void counts(unsigned runs) {
  constexpr int rounds = 4096;
  constexpr std::array<const char*, 3> names = {"not told", "told", "alike"};
  for (const double ratio : {100.0, 1000.0}) {
    // Log-uniform from 1 / sqrt(ratio) to sqrt(ratio), and the mean of that.
    const double mean_count = (std::sqrt(ratio) - 1 / std::sqrt(ratio)) / std::log(ratio);
    std::array<Vector, names.size()> so_far;  // mean regret of the rounds up to each
    for (const Told told : {Told::without, Told::with, Told::alike}) {
      Vector& curve = so_far[static_cast<std::size_t>(told)];
      curve.resize(rounds);
      double mean = 0;
      double squares = 0;
      for (unsigned run = 0; run < runs; ++run) {
        Chance chance(500 + run);
        const Problem problem(false, chance);
        Learner learner(problem.set, {.seed = run});
        double total = 0;
        for (int t = 1; t <= rounds; ++t) {
          const Play play = learner.ask();
          const double drawn = std::pow(ratio, chance.uniform() - 0.5);
          const double count = told == Told::alike ? mean_count : drawn;
          const double loss = problem.loss(play.point);
          total += loss;
          curve[static_cast<std::size_t>(t - 1)] += total / t / problem.of_centre / runs;
          learner.tell(play.id, loss + 0.5 / std::sqrt(count) * chance.normal(),
                       told == Told::with ? count : 1);
        }
        const double regret = total / rounds / problem.of_centre;
        mean += regret / runs;
        squares += regret * regret / runs;
      }
      const double error = 2 * std::sqrt(std::max(0.0, squares - mean * mean) / (runs - 1));
      std::printf("counts of ratio %4.0f, %-8s: %.4f +- %.4f\n", ratio,
                  names[static_cast<std::size_t>(told)], mean, error);
      std::fflush(stdout);
    }
    const auto& [without, with, alike] = so_far;
    std::printf("  at equal regret: not told %.2f times the rounds of told, told %.2f of alike\n",
                rounds / rounds_to(with, without.back()), rounds / rounds_to(alike, with.back()));
  }
}

/// The mean loss of so many rounds, over that of the centre; hands over each play and its loss.
template <class Take>
double rounds_of(Learner& learner, const Problem& problem, Chance& chance, int rounds, Take take) {
  double total = 0;
  for (int t = 0; t < rounds; ++t) {
    const Play play = learner.ask();
    const double loss = problem.loss(play.point);
    const double told = loss + 0.3 * chance.normal();
    total += loss - problem.least;
    learner.tell(play.id, told);
    take(play.point, told);
  }
  return total / rounds / problem.of_centre;
}

void widened(unsigned runs) {
  constexpr int rounds = 1000;
  double taught_regret = 0;
  double new_regret = 0;
  double old_regret = 0;
  const auto ignore = [](const Vector&, double) {};
  for (unsigned run = 0; run < runs; ++run) {
    Chance chance(700 + run);
    Problem problem(false, chance);
    problem.target[0] = 0.9;
    problem.of_centre = problem.loss(problem.set->centre());
    const keyhole::LearnerOptions options{.seed = run};
    Learner tight(keyhole::box({0, 0, 0, 0, 0}, {0.6, 1, 1, 1, 1}), options);
    Learner taught(problem.set, options);
    (void)rounds_of(tight, problem, chance, rounds,
                    [&](const Vector& x, double loss) { taught.learn(x, loss); });
    taught_regret += rounds_of(taught, problem, chance, rounds, ignore) / runs;
    Learner whole(problem.set, options);
    new_regret += rounds_of(whole, problem, chance, rounds, ignore) / runs;
    old_regret += rounds_of(whole, problem, chance, rounds, ignore) / runs;
  }
  std::printf("widened: taught %.3f, new %.3f, from the beginning %.3f: %.0f %% kept\n",
              taught_regret, new_regret, old_regret,
              100 * (new_regret - taught_regret) / (new_regret - old_regret));
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned runs = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 200;
  past(runs);
  counts(runs);
  widened(runs);
}
