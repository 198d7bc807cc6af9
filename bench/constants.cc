// What the constants of posterior are worth, as Markdown: the suites with each of them halved and
// doubled. The posterior of this program is a copy whose constants can be changed (CMakeLists.txt).
//
//   bench_constants SUITES [ROUNDS] [REPEATS] [SEED] [CONSTANT...]
//
// SUITES is a folder with regret.toml, hard.toml and world.toml; 4096 rounds at most, 2 repeats and
// seed 1 unless given; all constants, or those named. A figure is by how many per cent the regret
// over that of staying is larger than with the constants as they are: the geometric mean over the
// problems, and its standard error over the problems and repeats. The geometric mean takes each
// regret to be at least 0.01, so that a problem that is solved does not decide.

#include "learners/posterior/constants.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "experiment/arrivals.h"
#include "experiment/config.h"
#include "experiment/measures/hindsight.h"
#include "experiment/player.h"
#include "keyhole/catalogue.h"

namespace keyhole::bench {
namespace {

using algorithms::PosteriorConstants;
using experiment::Experiment;
using Number = std::variant<double*, std::size_t*, int*>;

struct Constant {
  const char* name;
  Number number;
};

const Constant constants[] = {
#include "learners/posterior/constants.inc"
};

/// Multiplies a constant. What is above 1 by a little counts by how much; a whole number stays
/// above 0.
void multiply(const Constant& constant, double factor) {
  std::visit(
      [&](auto* number) {
        const auto value = static_cast<double>(*number);
        const bool growth = std::string(constant.name) == "refit";
        const double changed = growth ? 1 + (value - 1) * factor : value * factor;
        using Type = std::remove_pointer_t<decltype(number)>;
        if constexpr (std::is_integral_v<Type>) {
          *number = static_cast<Type>(std::max(changed, 1.0));
        } else {
          *number = changed;
        }
      },
      constant.number);
}

std::string text_of(const Constant& constant) {
  char text[32];
  std::visit(
      [&](auto* number) { std::snprintf(text, sizeof text, "%g", static_cast<double>(*number)); },
      constant.number);
  return text;
}

/// A problem of a suite in a repeat, what the best fixed points cost, and what regret is divided
/// by.
struct Task {
  std::size_t suite;
  std::size_t problem;
  std::uint64_t repeat;
  double least = 0;
  double unit = 0;
};

class Bench {
 public:
  Bench(const std::string& folder, std::uint64_t rounds, std::uint64_t repeats,
        std::uint64_t seed) {
    for (const char* name : {"regret", "hard", "world"}) {
      Experiment suite = experiment::read_experiment(folder + "/" + name + ".toml");
      suite.rounds = std::min(suite.rounds, rounds);
      suite.seed = seed;
      for (std::size_t p = 0; p < suite.problems.size(); ++p) {
        if (!is_modelled(suite, p)) continue;
        for (std::uint64_t r = 0; r < repeats; ++r) tasks_.push_back({suites_.size(), p, r});
      }
      suites_.push_back(std::move(suite));
      names_.emplace_back(name);
    }
    in_parallel([&](std::size_t k) { look_back(tasks_[k]); });
    // Where losses swing, one who stays may have less than no regret.
    std::erase_if(tasks_, [](const Task& task) { return !(task.unit > 0); });
  }

  [[nodiscard]] const std::vector<std::string>& suites() const { return names_; }

  /// The logarithm of relative regret of each task, at least that of 0.01; NaN of a run that fails.
  [[nodiscard]] std::vector<double> play() {
    std::vector<double> regrets(tasks_.size());
    in_parallel([&](std::size_t k) {
      const Task& task = tasks_[k];
      try {
        const double lost = loss_of(task, "posterior") - task.least;
        regrets[k] = std::log(std::max(lost / task.unit, 0.01));
      } catch (const Error&) {  // some constants cannot have just any value
        regrets[k] = std::numeric_limits<double>::quiet_NaN();
      }
    });
    return regrets;
  }

  /// "+3 ± 2": by how many per cent regrets over a suite are larger than others; or how many runs
  /// fail.
  [[nodiscard]] std::string difference(std::size_t suite, const std::vector<double>& changed,
                                       const std::vector<double>& before) const {
    int failed = 0;
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (tasks_[k].suite != suite) continue;
      const double off = changed[k] - before[k];
      if (std::isnan(off)) {
        ++failed;
        continue;
      }
      count += 1;
      sum += off;
      squares += off * off;
    }
    if (failed > 0) return std::to_string(failed) + " fail";
    const double mean = sum / count;
    const double error = std::sqrt((squares / count - mean * mean) / count);
    char text[64];
    std::snprintf(text, sizeof text, "%+.1f ± %.1f", 100 * (std::exp(mean) - 1), 100 * error);
    return text;
  }

  /// The geometric mean of a suite.
  [[nodiscard]] double mean(std::size_t suite, const std::vector<double>& regrets) const {
    double count = 0;
    double sum = 0;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (tasks_[k].suite != suite) continue;
      count += 1;
      sum += regrets[k];
    }
    return std::exp(sum / count);
  }

 private:
  /// Whether posterior has its model there, and a round takes less than a millisecond.
  static bool is_modelled(const Experiment& suite, std::size_t p) {
    constexpr std::size_t most = 64;
    const auto problem = experiment::build_problem(suite, Catalogue::standard(), p, 0);
    return problem->set().hull_dimension() <= most;
  }

  void look_back(Task& task) const {
    const Experiment& suite = suites_[task.suite];
    const auto problem =
        experiment::build_problem(suite, Catalogue::standard(), task.problem, task.repeat);
    const std::atomic<bool> stop = false;
    experiment::Hindsight hindsight(*problem, stop);
    const std::uint64_t rounds = experiment::run_length(suite, task.problem, *problem);
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      problem->draw(t);
      hindsight.add();
      task.unit += problem->value(problem->set().centre());
    }
    task.least = hindsight.best();
    const auto normalise = suite.problems[task.problem].normalise;
    task.unit = normalise ? *normalise * static_cast<double>(rounds) : task.unit - task.least;
  }

  [[nodiscard]] double loss_of(const Task& task, const std::string& learner) const {
    const Experiment& suite = suites_[task.suite];
    const auto problem =
        experiment::build_problem(suite, Catalogue::standard(), task.problem, task.repeat);
    experiment::Player player({learner, learner}, Catalogue::standard(), *problem, suite,
                              task.problem, task.repeat);
    experiment::Arrivals arrivals(suite, task.problem, task.repeat);
    const std::uint64_t rounds = experiment::run_length(suite, task.problem, *problem);
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      problem->draw(t);
      player.ask(*problem);
      player.look(*problem);
      player.account(*problem);
      for (const std::uint64_t round : arrivals.in_round(t)) player.tell(round);
    }
    return player.total();
  }

  void in_parallel(const std::function<void(std::size_t)>& work) const {
    std::atomic<std::size_t> next = 0;
    const auto all = [&] {
      for (std::size_t k = next++; k < tasks_.size(); k = next++) work(k);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(all);
    all();
    for (std::thread& thread : threads) thread.join();
  }

  std::vector<Experiment> suites_;
  std::vector<std::string> names_;
  std::vector<Task> tasks_;
};

void run(Bench& bench, const std::vector<std::string>& wanted) {
  const std::vector<double> before = bench.play();
  std::printf("As it is: ");
  for (std::size_t s = 0; s < bench.suites().size(); ++s) {
    std::printf("%s %.3f%s", bench.suites()[s].c_str(), bench.mean(s, before),
                s + 1 < bench.suites().size() ? ", " : "\n\n| constant | value |");
  }
  for (const char* by : {"halved", "doubled"}) {
    for (const std::string& suite : bench.suites()) std::printf(" %s: %s |", by, suite.c_str());
  }
  std::printf("\n|---|---|");
  for (std::size_t k = 0; k < 2 * bench.suites().size(); ++k) std::printf("---|");
  std::printf("\n");
  for (const Constant& constant : constants) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), constant.name) == wanted.end()) {
      continue;
    }
    std::printf("| `%s` | %s |", constant.name, text_of(constant).c_str());
    for (const double factor : {0.5, 2.0}) {
      const auto as_it_is =
          std::visit([](auto* number) { return static_cast<double>(*number); }, constant.number);
      multiply(constant, factor);
      const std::vector<double> changed = bench.play();
      std::visit(
          [&](auto* number) {
            *number = static_cast<std::remove_pointer_t<decltype(number)>>(as_it_is);
          },
          constant.number);
      for (std::size_t s = 0; s < bench.suites().size(); ++s) {
        std::printf(" %s |", bench.difference(s, changed, before).c_str());
      }
      std::fflush(stdout);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_constants SUITES [ROUNDS] [REPEATS] [SEED] [CONSTANT...]\n");
    return 2;
  }
  const auto number = [&](int k, std::uint64_t otherwise) {
    return argc > k ? std::strtoull(argv[k], nullptr, 10) : otherwise;
  };
  keyhole::bench::Bench bench(argv[1], number(2, 4096), number(3, 2), number(4, 1));
  keyhole::bench::run(bench, {argv + std::min(argc, 5), argv + argc});
}
