// Whether a learner throws away what it has learned where nothing changes, as Markdown: runs of
// 32,768 rounds of a quadratic loss with noise, in windows of 256 rounds. A window after round 1024
// is bad if it costs more than half of what the start does.
//
//   bench_relapse [RUNS] [LEARNER...]    400 runs of posterior, parameter_free and with restarts

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "keyhole/spec.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t rounds = 32768;
constexpr std::uint64_t window = 256;
constexpr std::uint64_t first_judged = 1024;
constexpr unsigned first_seed = 5001;

struct Task {
  const char* name;
  SetPtr set;
  Vector best;

  /// What a point costs over the best.
  [[nodiscard]] double excess(const Vector& y) const {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - best[i]) * (y[i] - best[i]);
    return 5 * sum;
  }
};

std::vector<Task> tasks() {
  return {{"box(6)", box(0, 1, 6), {.2, .8, .3, .7, .25, .6}},
          {"box(6) x simplex(5)",
           product({box(0, 1, 6), simplex(5)}),
           {.12, .09, .24, .24, .25, .3, .4, .3, .15, .1, .05}}};
}

struct Outcome {
  bool bad = false;
  double worst = 0;  // window over the start
  double mean = 0;   // excess
};

Outcome play(const Task& task, const std::string& spec, double noise, unsigned seed) {
  Learner learner = make_learner(spec, task.set, {.seed = seed});
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const double of_start = task.excess(task.set->centre());
  Vector y(task.best.size());
  Outcome outcome;
  double in_window = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    const double excess = task.excess(y);
    in_window += excess;
    outcome.mean += excess / static_cast<double>(rounds);
    learner.tell(id, 10 + excess + noise * normal(random));
    if (t % window != 0) continue;
    if (t > first_judged) {
      outcome.worst = std::max(outcome.worst, in_window / static_cast<double>(window) / of_start);
    }
    in_window = 0;
  }
  outcome.bad = outcome.worst > 0.5;
  return outcome;
}

void print(const std::string& spec, unsigned runs) {
  for (const Task& task : tasks()) {
    for (const double noise : {0.1, 0.5, 1.0}) {
      unsigned bad = 0;
      double worst = 0;
      double mean = 0;
      for (unsigned run = 0; run < runs; ++run) {
        const Outcome outcome = play(task, spec, noise, first_seed + run);
        bad += outcome.bad ? 1 : 0;
        worst = std::max(worst, outcome.worst);
        mean += outcome.mean / runs;
      }
      std::printf("| `%s` | %s | %.1f | %u of %u | %.2f | %.4f |\n", spec.c_str(), task.name, noise,
                  bad, runs, worst, mean);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  const unsigned runs = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 400;
  std::vector<std::string> learners(argv + std::min(argc, 2), argv + argc);
  if (learners.empty()) {
    learners = {"posterior", "parameter_free", "parameter_free(restarts=true)"};
  }
  std::printf(
      "| learner | set | noise | runs with a bad window | worst window / start | mean excess |\n"
      "|---|---|---|---|---|---|\n");
  for (const std::string& learner : learners) keyhole::bench::print(learner, runs);
}
