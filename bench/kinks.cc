// The figures of docs/theory.md, as Markdown: parameter_free on losses with kinks that tie
// coordinates together, explored from extreme points and from the inscribed sphere, with and
// without curvature; and the bound of its theorem next to the regret of the theorem's own setting.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/parameter_free/exploration_sizes.h"
#include "learners/parameter_free/predictor.h"
#include "learners/parameter_free/status.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t seeds = 3;
constexpr std::uint64_t rounds_of_kinks = std::uint64_t{1} << 17;
constexpr std::uint64_t rounds_of_theorem = std::uint64_t{1} << 16;

/// A loss, the same in every round, and its least value on the set.
struct Loss {
  SetPtr set;
  const char* formula;
  std::function<double(const Vector& y)> f;
  double least;
};

/// The largest i y_i; on the simplex it is least where all are equal, 1 / (1 + 1/2 + ... + 1/n).
Loss largest_multiple(std::size_t n) {
  double harmonic = 0;
  for (std::size_t i = 1; i <= n; ++i) harmonic += 1 / static_cast<double>(i);
  const auto f = [](const Vector& y) {
    double largest = y[0];
    for (std::size_t i = 1; i < y.size(); ++i) {
      largest = std::max(largest, static_cast<double>(i + 1) * y[i]);
    }
    return largest;
  };
  return {simplex(n), "the largest i y_i", f, 1 / harmonic};
}

std::vector<Loss> losses() {
  // All but those of the simplices of largest_multiple and of the box are least at (1/2, 1/2, 0).
  const auto along_kink = [](const Vector& y) { return std::abs(y[0] - y[1]) - (y[0] + y[1]) / 2; };
  const auto box_loss = [](const Vector& y) {  // least at (1, ..., 1)
    double sum = 0;
    for (const double coordinate : y) sum += coordinate;
    return *std::max_element(y.begin(), y.end()) - 0.3 * sum;
  };
  return {
      {simplex(3), "abs(y_1 - y_2) + y_3 / 2",
       [](const Vector& y) { return std::abs(y[0] - y[1]) + y[2] / 2; }, 0},
      {simplex(3), "(y_1 - y_2)^2 + y_3 / 2",
       [](const Vector& y) { return (y[0] - y[1]) * (y[0] - y[1]) + y[2] / 2; }, 0},
      {solid_simplex(3), "abs(y_1 - y_2) - (y_1 + y_2) / 2", along_kink, -0.5},
      largest_multiple(5),
      largest_multiple(20),
      {box(0, 1, 5), "the largest y_i less 0.3 sum y_i", box_loss, -0.5},
      {l1_ball(3), "abs(y_1 - y_2) - (y_1 + y_2) / 2", along_kink, -0.5},
  };
}

const std::vector<ParameterFreeOptions> variants = {
    {},
    {.curvature = false},
    {.explore_at = ExploreAt::inscribed_sphere},
    {.explore_at = ExploreAt::inscribed_sphere, .curvature = false},
};

/// Averages over the rounds of a run.
struct Averages {
  double regret;
  double calls;  // of the linear oracle
};

/// Plays against one loss. Noise is told to the learner, and not counted in the regret.
Averages run_kink(const Loss& loss, const ParameterFreeOptions& options, double noise,
                  std::uint64_t seed) {
  Learner learner(parameter_free(loss.set, options), {.seed = seed});
  const Randomness random(loss.set, seed, 1);  // learners use stream 0
  Vector y(loss.set->dimension());
  Vector z(1);
  double sum = 0;
  for (std::uint64_t t = 1; t <= rounds_of_kinks; ++t) {
    const PlayId id = learner.ask(y);
    const double value = loss.f(y);
    sum += value - loss.least;
    if (noise > 0) random.normals(t, z);
    learner.tell(id, value + noise * z[0]);
  }
  const auto T = static_cast<double>(rounds_of_kinks);
  return {sum / T, static_cast<double>(learner.summary().oracle_calls) / T};
}

/// The lowest and the highest of some figures, or one number if they look the same.
std::string range(const Vector& figures, const char* format) {
  const auto text = [&](double figure) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, format, figure);
    return std::string(buffer);
  };
  const auto [low, high] = std::minmax_element(figures.begin(), figures.end());
  return text(*low) == text(*high) ? text(*low) : text(*low) + " - " + text(*high);
}

void print_kinks() {
  std::printf("Average regret after %d rounds, lowest and highest of %d runs:\n\n",
              static_cast<int>(rounds_of_kinks), static_cast<int>(seeds));
  std::printf(
      "| set, loss | noise | centre | defaults | `curvature=false` | sphere | sphere, "
      "`curvature=false` |\n|---|---|---|---|---|---|---|\n");
  std::vector<Vector> calls(variants.size());
  for (const Loss& loss : losses()) {
    for (const double noise : {0.0, 0.1}) {
      if (noise == 0) {
        std::printf("| `%s`, %s | 0 | %.3f |", loss.set->spec().c_str(), loss.formula,
                    loss.f(loss.set->centre()) - loss.least);
      } else {
        std::printf("| | %g | |", noise);
      }
      for (std::size_t i = 0; i < variants.size(); ++i) {
        Vector regrets;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
          const Averages averages = run_kink(loss, variants[i], noise, seed);
          regrets.push_back(averages.regret);
          calls[i].push_back(averages.calls);
        }
        std::printf(" %s |", range(regrets, "%.3f").c_str());
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  }
  std::printf("| oracle calls a round, all of these | | |");
  for (const Vector& of_variant : calls) std::printf(" %s |", range(of_variant, "%.3f").c_str());
  std::printf("\n");
}

/// The constants of the theorem; losses are within M of a number.
struct Theorem {
  const Geometry& of;
  double n;
  double M;
  double G;

  /// A = R^2 / (6 r) + (1 + sqrt2) D
  [[nodiscard]] double A() const {
    return of.outer_radius * of.outer_radius / (6 * of.inner_radius) +
           (1 + std::sqrt(2.0)) * of.diameter;
  }
  /// n W / r
  [[nodiscard]] double noise() const { return n * 5.7 * M / of.inner_radius; }

  /// The second form of the bound, for gaps within the tolerance.
  [[nodiscard]] double closed_form(double T) const {
    const double C_1 =
        A() * (0.98 * G + 0.83 * noise()) + G * (3.75 * of.outer_radius + 1.35 * of.inner_radius);
    const double C_2 = G * (1.4 * A() + 1.42 * of.diameter);
    return C_1 * std::pow(T, 0.75) + C_2 * std::sqrt(T) +
           A() * noise() * (7 * std::sqrt(std::min(T, 1036.0)) + 1.1 * std::pow(T, 0.25) + 2) +
           G * of.diameter;
  }
  /// The T from which on the closed form is below 2 M T.
  [[nodiscard]] double first_use() const {
    double below = 1;
    double above = 1e30;
    while (above > below * (1 + 1e-9)) {
      const double T = std::sqrt(below * above);
      (closed_form(T) < 2 * M * T ? above : below) = T;
    }
    return above;
  }
};

/// What a run in the theorem's setting came to.
struct Outcome {
  double regret = 0;
  double bound = 0;  // steps 1 to 3 of the proof, with the Q and the gaps of the run
  double calls = 0;  // of the linear oracle, a round
};

/// Plays in the theorem's setting, and makes the learner's estimates again from its plays.
Outcome run_theorem(Problem& problem, const Theorem& theorem, std::uint64_t seed) {
  auto algorithm = parameter_free(problem.shared_set(), {.explore_at = ExploreAt::inscribed_sphere,
                                                         .schedule = ExplorationSchedule::fixed,
                                                         .baseline = Baseline::average,
                                                         .shrinkage = false,
                                                         .curvature = false,
                                                         .averaging = false,
                                                         .restarts = false,
                                                         .clipping = false});
  const auto& inside = dynamic_cast<const ParameterFreeAlgorithm&>(*algorithm);
  Learner learner(std::move(algorithm), {.seed = seed});
  const auto total = problem.total();
  const auto& [of, n, M, G] = theorem;
  const double r = of.inner_radius;
  Vector y(problem.set().dimension());
  Vector x(y.size());
  Vector g(y.size());  // the sum of the block's estimates
  double Q = 0;
  algorithms::Predictor predictor;
  algorithms::Costs costs;
  const Randomness directions(problem.shared_set(), seed, 0);
  std::vector<std::uint64_t> words(2);
  Outcome outcome;
  std::uint64_t block = 1;   // of play t
  std::uint64_t number = 0;  // of play t in it
  for (std::uint64_t t = 1; t <= rounds_of_theorem; ++t) {
    ++number;
    problem.draw(t);
    total->add();
    const PlayId id = learner.ask(y);
    learner.recommend(x);
    const double loss = problem.value(y);
    learner.tell(id, loss);
    outcome.regret += loss;

    const ParameterFreeStatus now = inside.status();
    const double s = now.reach;
    const double rho = now.exploring;
    // The first play of a block is still made at the iterate of the block before.
    const double e = std::min(of.diameter, r * std::sqrt(now.leader_gap / n));
    outcome.bound += G * (s * ((2 - rho) * of.outer_radius + r) + (number == 1 ? of.diameter : e));

    const double baseline = t == 1 ? loss : predictor.average();
    directions.words(t, words);
    const RandomBits bits{words, {}};
    const bool explores = bits.uniform(0) < rho;
    const bool shrunk = t <= 2 && bits.uniform(1) >= 0.5;
    const algorithms::PlayKind kind = explores ? algorithms::PlayKind::exploring
                                      : shrunk ? algorithms::PlayKind::shrunk
                                               : algorithms::PlayKind::at_iterate;
    const double w = costs.take(kind, loss - baseline, std::numeric_limits<double>::infinity());
    predictor.take(baseline + w);
    for (std::size_t i = 0; explores && t > 1 && i < g.size(); ++i) {
      const double v_less_p = (y[i] - (1 - s) * x[i]) / s - of.centre[i];
      g[i] += w / (s * rho) * n / (r * r) * v_less_p;
    }
    if (number < block && t < rounds_of_theorem) continue;
    for (const double coordinate : g) Q += coordinate * coordinate;
    g.assign(g.size(), 0.0);
    ++block;
    number = 0;
  }
  outcome.regret -= best_fixed_point(problem.set(), *total, {.tolerance = 1e-3}).value;
  outcome.bound += theorem.A() * std::sqrt(Q);
  outcome.calls =
      static_cast<double>(learner.summary().oracle_calls) / static_cast<double>(rounds_of_theorem);
  return outcome;
}

void print_theorem() {
  const SetPtr set = ball(5);
  // |theta| = 0.6, so no target is farther than 0.9 from the centre: losses are in [0, 1.9^2 / 2].
  const Theorem theorem{set->geometry(), 5, 1.9 * 1.9 / 4, 1.9};
  Vector regrets;
  Vector bounds;
  Vector calls;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto problem = tracking(set, {.distance = 0.6, .jitter = 0.3}, {seed, 1});
    const Outcome outcome = run_theorem(*problem, theorem, seed);
    regrets.push_back(outcome.regret);
    bounds.push_back(outcome.bound);
    calls.push_back(outcome.calls);
  }
  const auto T = static_cast<double>(rounds_of_theorem);
  std::printf(
      "\nThe theorem's setting, tracking on ball(5), T = %.0f, %d runs:\n\n"
      "| regret | bound with the runs' own Q and gaps | 2 M T | closed form | oracle calls a round "
      "|\n"
      "|---|---|---|---|---|\n| %s | %s | %.0f | %.0f | %s |\n\n"
      "The closed form is below 2 M T from T = %.2g on.\n",
      T, static_cast<int>(seeds), range(regrets, "%.0f").c_str(), range(bounds, "%.0f").c_str(),
      2 * theorem.M * T, theorem.closed_form(T), range(calls, "%.3f").c_str(), theorem.first_use());
}

void run() {
  const auto begin = std::chrono::steady_clock::now();
  print_kinks();
  print_theorem();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("\n%.1f seconds\n", taken.count());
}

}  // namespace
}  // namespace keyhole::bench

int main() { keyhole::bench::run(); }
