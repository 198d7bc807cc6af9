// posterior in few and many dimensions, as Markdown: the processor time of a round, with the loss
// that it is told, and the memory of the learner; or its regret over that of staying at the start.
//
//   bench_wide [ROUNDS]    2000 rounds; a tenth in more than 10^5 dimensions, ten times as many in
//                          up to 100
//   bench_wide regret [RUNS] [SEED] [LEARNER] [ROW...]
//                          3 runs of 2^14 rounds, of seeds SEED, SEED + 1, ... (1 unless given), of
//                          posterior, or of another learner; of all rows, or of those named

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "budget.h"
#include "keyhole/hindsight.h"
#include "keyhole/keyhole.h"
#include "keyhole/spec.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

/// What the process has in memory, in bytes.
double resident() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return 4096 * pages;
}

void print(const std::string& family, std::size_t n, std::uint64_t rounds) {
  const SetPtr set = make_set(family + std::to_string(n) + ")");
  std::vector<double> y(n);
  std::vector<double> c(n);
  for (std::size_t i = 0; i < n; ++i) c[i] = static_cast<double>(i % 7) - 3;
  const double before = resident();
  Learner learner = make_learner("posterior", set, {.seed = 1, .window = 1024});
  const double start = processor_microseconds();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) loss += c[i] * y[i];
    learner.tell(id, loss);
  }
  const auto size = static_cast<double>(n);
  const double a_round = (processor_microseconds() - start) / static_cast<double>(rounds);
  std::printf("| `%s%zu)` | %.1f | %.1f | ", family.c_str(), n, a_round, 1e3 * a_round / size);
  // Less is taken from what the process has freed.
  if (n < 100000) {
    std::printf("|\n");
  } else {
    std::printf("%.0f |\n", (resident() - before) / size);
  }
  std::fflush(stdout);
}

/// A row of the table of regrets. Without a spec it is a budget over 1000 channels.
struct Row {
  const char* name;
  const char* spec;
};

constexpr Row rows[] = {
    {"simplex1000", "linear(simplex(1000), mean=-0.5)"},
    {"simplex10000", "linear(simplex(10000), mean=-0.5)"},
    {"l1_1000", "linear(l1_ball(1000))"},
    {"simplices", "linear(path_splits([100, 100, 100, 100, 100, 100, 100, 100, 100, 100]))"},
    {"symmetric", "completion(n=20, k=18, region=symmetric)"},
    {"psd", "completion(n=20, k=18, region=psd)"},
    {"ball1000", "tracking(ball(1000))"},
    {"channels1000", ""},
    {"simplex501", "linear(simplex(501), mean=-0.5)"},
    {"simplex521", "linear(simplex(521), mean=-0.5)"},
};

/// What a run gave: regrets over those of the start in the same rounds.
struct Run {
  double early = 0;    // up to 2^10
  double middle = 0;   // up to 2^12
  double all = 0;      // up to 2^14
  double last = 0;     // of the last quarter
  double largest = 0;  // up to t = 2^6, 2^7, ...
  double restarts = 0;
  double a_round = 0;  // microseconds of the learner
};

/// The least total of the losses so far, to a ten-thousandth of what the start may be above it.
double least_of(const Set& set, const TotalLoss& total) {
  std::vector<double> slope(set.dimension());
  total.gradient(set.centre(), slope);
  double above = -set.oracle()->minimise(slope).dot(slope);
  for (std::size_t i = 0; i < slope.size(); ++i) above += slope[i] * set.centre()[i];
  return best_fixed_point(set, total, {.tolerance = 1e-4 * std::max(above, 1e-12)}).value;
}

Run play(const Row& row, const std::string& spec, std::uint64_t seed) {
  constexpr std::uint64_t rounds = 1U << 14U;
  const std::string text = row.spec;
  std::unique_ptr<Problem> problem = std::make_unique<Budget>(1000, seed);
  if (!text.empty()) problem = make_problem(text, {.seed = {.seed = seed, .stream = 1}});
  Learner learner = make_learner(spec, problem->shared_set(), {.seed = seed});
  const std::vector<double>& start = problem->set().centre();
  std::vector<double> y(start.size());
  const auto total = problem->total();
  double lost = 0;
  double stayed = 0;
  double lost_before = 0;  // in the first three quarters, above the start
  double us = 0;
  double least = 0;
  Run run;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem->draw(t);
    if (!text.empty() || t == 1) total->add();
    const double begun = processor_microseconds();
    const PlayId id = learner.ask(y);
    us += processor_microseconds() - begun;
    const double loss = problem->value(y);
    lost += loss;
    stayed += problem->value(start);
    const double told = problem->told(y, loss);
    const double then = processor_microseconds();
    learner.tell(id, told);
    us += processor_microseconds() - then;
    if (t == rounds / 4 * 3) lost_before = lost - stayed;
    if (t < 64 || (t & (t - 1)) != 0) continue;
    // The losses of the budget are all the same.
    const double times = text.empty() ? static_cast<double>(t) : 1;
    least = times * least_of(problem->set(), *total);
    const double regret = (lost - least) / (stayed - least);
    if (t == 1U << 10U) run.early = regret;
    if (t == 1U << 12U) run.middle = regret;
    run.all = regret;
    run.largest = std::max(run.largest, regret);
  }
  run.last = 1 + (lost - stayed - lost_before) / ((stayed - least) / 4);
  run.restarts = static_cast<double>(learner.status().restarts);
  run.a_round = us / static_cast<double>(rounds);
  return run;
}

void print_regrets(std::size_t count, std::uint64_t first, const std::string& spec,
                   const std::vector<std::string>& named) {
  std::printf("%s, %zu runs of seeds from %llu on\n\n", spec.c_str(), count,
              static_cast<unsigned long long>(first));
  std::printf(
      "| | 2^10 | 2^12 | 2^14 | deviation | worst run | worst last quarter | "
      "largest, t >= 64 | restarts | us a round |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    if (!named.empty() && std::find(named.begin(), named.end(), row.name) == named.end()) continue;
    Run mean;
    double squares = 0;
    double worst = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Run run = play(row, spec, first + k);
      for (double Run::*of : {&Run::early, &Run::middle, &Run::all, &Run::a_round}) {
        mean.*of += run.*of / static_cast<double>(count);
      }
      squares += run.all * run.all / static_cast<double>(count);
      worst = std::max(worst, run.all);
      mean.last = std::max(mean.last, run.last);
      mean.largest = std::max(mean.largest, run.largest);
      mean.restarts += run.restarts;
    }
    std::printf("| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.0f | %.1f |\n", row.name,
                mean.early, mean.middle, mean.all,
                std::sqrt(std::max(0.0, squares - mean.all * mean.all)), worst, mean.last,
                mean.largest, mean.restarts, mean.a_round);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "regret") {
    const std::vector<std::string> given(argv + 2, argv + argc);
    const auto number = [&](std::size_t k, std::uint64_t otherwise) {
      return given.size() > k ? std::strtoull(given[k].c_str(), nullptr, 10) : otherwise;
    };
    const std::vector<std::string> named(given.begin() + std::min<std::ptrdiff_t>(3, argc - 2),
                                         given.end());
    keyhole::bench::print_regrets(number(0, 3), number(1, 1),
                                  given.size() > 2 ? given[2] : "posterior", named);
    return 0;
  }
  const std::uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  std::printf("| set | us a round | ns a round and dimension | bytes a dimension |\n");
  std::printf("|---|---|---|---|\n");
  for (const char* family : {"box(0, 1, ", "simplex(", "ball("}) {
    for (const std::size_t n : {10, 50, 100, 500, 520, 1000, 10000, 100000, 1000000}) {
      keyhole::bench::print(family, n, n > 100000 ? rounds / 10 : n > 100 ? rounds : rounds * 10);
    }
  }
}
