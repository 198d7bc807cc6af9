// What bad feedback costs, as Markdown: losses that come late or never, one absurd loss, heavy
// tails, offsets and scales. Regret over that of staying at the centre, the mean over the runs and
// its standard error, of tracking(ball(10), noise=0.1).
//
//   bench_rough [RUNS] [LEARNER...]    16 runs of posterior and of parameter_free

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "keyhole/spec.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t rounds = 16384;
constexpr std::size_t n = 10;
constexpr double target = 0.6;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned first_seed = 6001;

/// What is done to the feedback.
struct Case {
  std::string name;
  /// The noise of a round.
  std::function<double(std::mt19937&)> noise;
  /// What is told of a loss.
  std::function<double(std::uint64_t, double)> told = [](std::uint64_t, double loss) {
    return loss;
  };
  /// How many rounds later; never if it is not told.
  std::function<std::uint64_t(std::mt19937&)> delay = [](std::mt19937&) { return 0; };
};

double normal(std::mt19937& random) { return 0.1 * std::normal_distribution<double>()(random); }

Case late(std::uint64_t most, double missing) {
  return {.name = "up to T/" + std::to_string(rounds / most) + " late" +
                  (missing > 0 ? ", 3 of 10 never" : ""),
          .noise = normal,
          .delay = [=](std::mt19937& random) -> std::uint64_t {
            if (std::uniform_real_distribution<double>()(random) < missing) return never;
            return std::uniform_int_distribution<std::uint64_t>(0, most - 1)(random);
          }};
}

Case absurd(std::uint64_t when, double factor) {
  char name[64];
  std::snprintf(name, sizeof name, "loss %llu times %g", static_cast<unsigned long long>(when),
                factor);
  return {.name = name, .noise = normal, .told = [=](std::uint64_t t, double loss) {
            return t == when ? factor * loss : loss;
          }};
}

Case transformed(const char* name, double offset, double scale) {
  return {.name = name, .noise = normal, .told = [=](std::uint64_t, double loss) {
            return scale * (loss + offset);
          }};
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      {.name = "prompt", .noise = normal}, late(rounds / 4, 0), late(rounds / 4, 0.3)};
  for (const std::uint64_t when : {1U, 16U, 100U, 4096U}) {
    for (const double factor : {1e6, -1e6}) all.push_back(absurd(when, factor));
  }
  all.push_back({.name = "noise: Student t, 2 degrees", .noise = [](std::mt19937& random) {
                   return 0.1 * std::student_t_distribution<double>(2)(random);
                 }});
  all.push_back({.name = "noise: Cauchy", .noise = [](std::mt19937& random) {
                   return 0.1 * std::cauchy_distribution<double>()(random);
                 }});
  all.push_back(transformed("offset 1e6", 1e6, 1));
  all.push_back(transformed("scale 1e-40", 0, 1e-40));
  all.push_back(transformed("scale 1e45", 0, 1e45));
  return all;
}

/// Regret over that of the centre. The loss is |y - target|^2 / 2, the target 0.6 away from the
/// centre in a direction of the seed's.
double play(const std::string& spec, const Case& rough, unsigned seed) {
  std::mt19937 random(seed);
  Vector best(n);
  double length = 0;
  for (double& entry : best) {
    entry = normal(random);
    length += entry * entry;
  }
  for (double& entry : best) entry *= target / std::sqrt(length);
  Learner learner = make_learner(spec, ball(n), {.seed = seed, .window = rounds});
  std::vector<std::vector<std::pair<PlayId, double>>> due(rounds + 1);
  Vector y(n);
  double regret = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) loss += (y[i] - best[i]) * (y[i] - best[i]) / 2;
    regret += loss;
    const std::uint64_t wait = rough.delay(random);
    const double told = rough.told(t, 1 + loss + rough.noise(random));
    if (wait <= rounds - t) due[t + wait].emplace_back(id, told);
    for (const auto& [play, value] : due[t]) learner.tell(play, value);
  }
  return regret / static_cast<double>(rounds) / (target * target / 2);
}

void print(const std::vector<std::string>& learners, unsigned runs) {
  std::printf("| feedback |");
  for (const std::string& learner : learners) std::printf(" `%s` |", learner.c_str());
  std::printf("\n|---|");
  for (std::size_t k = 0; k < learners.size(); ++k) std::printf("---|");
  std::printf("\n");
  for (const Case& rough : cases()) {
    std::printf("| %s |", rough.name.c_str());
    for (const std::string& learner : learners) {
      double sum = 0;
      double squares = 0;
      for (unsigned run = 0; run < runs; ++run) {
        const double regret = play(learner, rough, first_seed + run);
        sum += regret;
        squares += regret * regret;
      }
      const double mean = sum / runs;
      const double variance = std::max(0.0, squares / runs - mean * mean);
      std::printf(" %.3f ± %.3f |", mean, std::sqrt(variance / std::max(1U, runs - 1)));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  const unsigned runs = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 16;
  std::vector<std::string> learners(argv + std::min(argc, 2), argv + argc);
  if (learners.empty()) learners = {"posterior", "parameter_free"};
  keyhole::bench::print(learners, runs);
}
