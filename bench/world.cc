// What a world that moves costs the default learner, as Markdown: levels that move, late values,
// targets that move, what stands still and looks as if it moved, rare losses. Regret is over that
// of staying at the start.
//
//   bench_world [SEED] [PART...] [LEARNER]    runs of posterior, or of another learner, of seeds
//                                             SEED, SEED + 1, ... (1 unless given); of the parts
//                                             levels, late, targets, still, rare, first, or of
//                                             those named
//
// Runs are shared among the processors.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "budget.h"
#include "experiment/measures/worst_window.h"
#include "keyhole/hindsight.h"
#include "keyhole/keyhole.h"
#include "keyhole/spec.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

using MakeProblem = std::function<std::unique_ptr<Problem>(std::uint64_t seed)>;

MakeProblem of(const std::string& spec) {
  return [spec](std::uint64_t seed) {
    return make_problem(spec, {.seed = {.seed = seed, .stream = 1}});
  };
}

/// A row of a table.
struct Case {
  std::string name;
  MakeProblem make;
  std::uint64_t rounds = 32768;
  std::size_t late = 0;
  std::size_t batch = 1;
  std::uint64_t differing = 1;  // rounds whose losses are not the same
};

/// What a run gave. Regrets are over those of the start in the same rounds.
struct Run {
  Vector lost;                                               // in rounds 1 to t, t = 0, 1, ...
  Vector stays;                                              // the same at the start
  double window = -std::numeric_limits<double>::infinity();  // the worst of 2,000 rounds
  double recommended = 0;                                    // the point after the last round
  double restarts = 0;

  /// Of the rounds after `first` up to `last`.
  [[nodiscard]] double relative(std::size_t first, std::size_t last) const {
    return (lost[last] - lost[first]) / (stays[last] - stays[first]);
  }
};

/// The least loss of a problem that stands still; those that move here have 0 in every round.
double least_loss(Problem& problem, std::uint64_t rounds) {
  if (problem.segment() != std::numeric_limits<std::uint64_t>::max()) return 0;
  const auto total = problem.total();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    total->add();
  }
  const double count = static_cast<double>(rounds);
  return best_fixed_point(problem.set(), *total, {.tolerance = 1e-6 * count}).value / count;
}

Run play(const Case& row, const std::string& spec, std::uint64_t seed) {
  const auto problem = row.make(seed);
  const double least = least_loss(*problem, row.differing);
  Learner learner =
      make_learner(spec, problem->shared_set(), {.seed = seed, .window = row.rounds + 1});
  const Vector& start = problem->set().centre();
  Vector y(start.size());
  std::deque<std::pair<PlayId, double>> waiting;
  Run run;
  run.lost.push_back(0);
  run.stays.push_back(0);
  experiment::WorstWindow window;
  for (std::uint64_t t = 1; t <= row.rounds; ++t) {
    problem->draw(t);
    const PlayId id = learner.ask(y);
    const double loss = problem->value(y);
    const double stay = problem->value(start);
    run.lost.push_back(run.lost.back() + loss - least);
    run.stays.push_back(run.stays.back() + stay - least);
    window.add(loss - stay);
    waiting.emplace_back(id, problem->told(y, loss));
    if (waiting.size() < row.late + row.batch) continue;
    for (std::size_t k = 0; k < row.batch; ++k) {
      learner.tell(waiting.front().first, waiting.front().second);
      waiting.pop_front();
    }
  }
  if (const auto worst = window.mean()) {
    run.window = 1 + *worst / (run.stays.back() / static_cast<double>(row.rounds));
  }
  learner.recommend(y);
  run.recommended = (problem->value(y) - least) / (problem->value(start) - least);
  run.restarts = static_cast<double>(learner.status().restarts);
  return run;
}

/// The runs of a row, by the seeds.
std::vector<Run> runs_of(const Case& row, const std::string& spec, std::uint64_t first,
                         std::size_t count) {
  std::vector<Run> runs(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < count; k = next++) runs[k] = play(row, spec, first + k);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return runs;
}

/// What a table asks of a run.
struct Column {
  const char* name;
  std::function<double(const Run&, const Case&)> of;
  bool largest = false;  // of the runs, rather than their mean
  bool summed = false;
};

Column relative(const char* name, double first, double last) {
  return {name, [=](const Run& run, const Case& row) {
            const double rounds = static_cast<double>(row.rounds);
            return run.relative(static_cast<std::size_t>(first * rounds),
                                static_cast<std::size_t>(last * rounds));
          }};
}

Column at(const char* name, std::uint64_t t) {
  return {name, [=](const Run& run, const Case&) { return run.relative(0, t); }};
}

Column worst_of(const char* name, const Column& column) { return {name, column.of, true}; }

Column restarts() {
  return {"restarts in all", [](const Run& run, const Case&) { return run.restarts; }, false, true};
}

Column worst_window() {
  return {"worst window of a run", [](const Run& run, const Case&) { return run.window; }, true};
}

/// Prints a table; its last row has what the columns come to over the others.
void print(const std::string& title, const std::vector<Case>& rows,
           const std::vector<Column>& columns, const std::string& spec, std::uint64_t first,
           std::size_t count) {
  std::printf("\n%s, %zu runs each\n\n| |", title.c_str(), count);
  for (const Column& column : columns) std::printf(" %s |", column.name);
  std::printf("\n|---|");
  for (std::size_t k = 0; k < columns.size(); ++k) std::printf("---|");
  std::printf("\n");
  Vector over_rows(columns.size(), 0.0);
  for (const Case& row : rows) {
    const std::vector<Run> runs = runs_of(row, spec, first, count);
    std::printf("| %s |", row.name.c_str());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Column& column = columns[k];
      double value = column.largest ? -std::numeric_limits<double>::infinity() : 0;
      for (const Run& run : runs) {
        const double one = column.of(run, row);
        value = column.largest ? std::max(value, one) : value + one;
      }
      if (!column.largest && !column.summed) value /= static_cast<double>(count);
      std::printf(column.summed ? " %.0f |" : " %.3f |", value);
      over_rows[k] = column.summed ? over_rows[k] + value : std::max(over_rows[k], value);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("| all: largest, or sum |");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::printf(columns[k].summed ? " %.0f |" : " %.3f |", over_rows[k]);
  }
  std::printf("\n");
}

/// 1/2 |x - c|^2 on [-1, 1]^6, c_i = +-0.5. With noise 0.3, its start lies 2.5 deviations above the
/// best, as in a mean of squares with noise 0.1.
std::string bowl(const std::string& keys, double times = 1) {
  return "observed(separable(box(-1, 1, 6), power=2, inner=0.5, corners=true), noise=" +
         std::to_string(0.3 * times) + keys + ")";
}

std::string level(const char* kind, double size, std::uint64_t period) {
  return std::string(", level=") + kind + ", size=" + std::to_string(size) +
         ", period=" + std::to_string(period);
}

void print_levels(const std::string& spec, std::uint64_t first) {
  for (const double times : {1.0, 5.0}) {
    std::vector<Case> rows;
    const auto add = [&](const char* name, const std::string& keys) {
      rows.push_back({name, of(bowl(keys, times)), 20000});
    };
    add("level stands", "");
    add("falls by 10 deviations in 20,000 rounds", level("trend", -10, 20000));
    add("falls by 100", level("trend", -100, 20000));
    add("rises by 10", level("trend", 10, 20000));
    add("rises by 100", level("trend", 100, 20000));
    add("season of 288, 3 deviations", level("season", 3, 288));
    add("season of 1440, 10 deviations", level("season", 10, 1440));
    print("Levels, noise times " + std::to_string(static_cast<int>(times)), rows,
          {relative("rounds 10,001 to 20,000", 0.5, 1), worst_of("worst run", relative("", 0.5, 1)),
           restarts()},
          spec, first, 20);
  }
  std::vector<Case> rows;
  for (const double size : {-1000., -100., -10., 10., 100., 1000.}) {
    rows.push_back({"trend of " + std::to_string(static_cast<int>(size)),
                    of(bowl(level("trend", size, 32768)))});
  }
  for (const double size : {2., 10., 50.}) {
    rows.push_back({"jumps of " + std::to_string(static_cast<int>(size)) + " every 1,000",
                    of(bowl(level("jumps", size, 1000)))});
  }
  rows.push_back({"walk of 10 in 1,000", of(bowl(level("walk", 10, 1000)))});
  for (const std::uint64_t period : {24U, 288U, 1440U, 10080U}) {
    for (const double size : {3., 10., 50.}) {
      rows.push_back(
          {"season of " + std::to_string(period) + ", " + std::to_string(static_cast<int>(size)),
           of(bowl(level("season", size, period)))});
    }
  }
  print("Levels over 32,768 rounds", rows,
        {relative("first half", 0, 0.5), relative("second half", 0.5, 1),
         worst_of("worst run", relative("", 0.5, 1)), restarts()},
        spec, first, 8);
}

void print_late(const std::string& spec, std::uint64_t first) {
  const MakeProblem still = of(bowl(""));
  print("Late values",
        {{"100 late", still, 32768, 100},
         {"1,000 late", still, 32768, 1000},
         {"3,000 late", still, 32768, 3000},
         {"batches of 1,000", still, 32768, 0, 1000},
         {"batches of 3,000", still, 32768, 0, 3000}},
        {relative("first 8,192 rounds", 0, 0.25), relative("next 8,192", 0.25, 0.5),
         relative("last 16,384", 0.5, 1), restarts()},
        spec, first, 8);
}

void print_targets(const std::string& spec, std::uint64_t first) {
  std::vector<Case> rows;
  for (const int power : {1, 2}) {
    for (const char* turn : {"4000", "16000", "64000", "256000"}) {
      rows.push_back(
          {std::string(power == 1 ? "kinks" : "squares") + ", a turn in " + turn,
           of("observed(separable(box(-1, 1, 5), power=" + std::to_string(power) +
              ", inner=0.8, turn=" + turn + "), noise=" + (power == 1 ? "0.5" : "0.25") + ")"),
           65536});
    }
  }
  print("Targets that move", rows, {relative("all rounds", 0, 1), worst_window(), restarts()}, spec,
        first, 10);
  const auto moving = [](const char* name, const char* problem, const char* noise) {
    return Case{name, of(std::string("observed(") + problem + ", noise=" + noise + ")"), 16384};
  };
  print(
      "No run runs away",
      {moving("stages of 300", "tracking(ball(5), distance=0.9, jitter=0, stage=300)", "0.1"),
       moving("stages of 1,000", "tracking(ball(10), distance=0.9, jitter=0, stage=1000)", "0.03"),
       moving("flips of 4,096", "tracking(ball(10), jitter=0, flip=4096)", "0.1"),
       moving("flips of 4,096, loud", "tracking(ball(10), jitter=0, flip=4096)", "0.3"),
       moving("a turn in 16,000", "separable(box(-1, 1, 5), power=2, inner=0.8, turn=16000)",
              "0.25")},
      {relative("all rounds", 0, 1), worst_window(), restarts()}, spec, first, 50);
}

void print_still(const std::string& spec, std::uint64_t first) {
  print("A budget over 300 channels",
        {{"log returns, 5 % noise",
          [](std::uint64_t seed) { return std::make_unique<Budget>(300, seed); }, 16384}},
        {relative("all rounds", 0, 1), worst_of("worst run", relative("", 0, 1)), restarts()}, spec,
        first, 20);
  const auto row = [](const char* name, const std::string& problem, const char* noise) {
    return Case{name, of("observed(" + problem + ", noise=" + noise + ")"), 65536};
  };
  print("Nothing moves",
        {row("kinks, 5 knobs", "separable(box(0, 1, 5))", "0.3"),
         row("maximum of 20 pieces", "max_affine(ball(10), drawn, pieces=20)", "0.1"),
         row("maximum of shares", "max_affine(simplex(5), growing)", "0.1"),
         row("kinks in a ball", "separable(ball(10), inner=0.3)", "0.1"),
         row("skewed", "separable(box(-1, 1, 6), power=2, inner=0.5)", "0.3, tails=lognormal"),
         row("skewed, kinks", "separable(box(0, 1, 5))", "1, tails=lognormal"),
         row("condition 1,000", "curved(box(0, 1, 10), rotated, condition=1000, distance=0.8)",
             "0.01"),
         row("condition 1,000, ball", "curved(ball(10), aligned, condition=1000)", "0.05")},
        {at("2^14", 16384), at("2^16", 65536), restarts()}, spec, first, 50);
  print("1,000 dimensions",
        {{"tracking(ball(1000)), jitter only", of("tracking(ball(1000))"), 16384, 0, 1, 16384}},
        {relative("all rounds", 0, 1), restarts()}, spec, first, 3);
}

const Column recommended = {"recommended",
                            [](const Run& run, const Case&) { return run.recommended; }};

void print_rare(const std::string& spec, std::uint64_t first) {
  const std::string clicked = "observed(tracking(ball(5), distance=0.9, jitter=0, offset=1.6), ";
  const std::string hit = "observed(tracking(ball(5), distance=0.9, jitter=0), noise=0.1, ";
  std::vector<Case> clicks;
  std::vector<Case> disasters;
  for (const char* rate : {"0.01", "0.05", "0.3"}) {
    clicks.push_back({std::string("clicks of ") + rate,
                      of(clicked + "outcomes=clicks, rate=" + rate + ")"), 65536});
  }
  for (const char* rate : {"0.01", "0.02", "0.05"}) {
    disasters.push_back({std::string("disasters of ") + rate,
                         of(hit + "outcomes=disasters, rate=" + rate + ")"), 65536});
  }
  const Column largest = {"largest from 2^8 on", [](const Run& run, const Case&) {
                            double most = 0;
                            for (std::size_t t = 256; t < run.lost.size(); t *= 2) {
                              most = std::max(most, run.relative(0, t));
                            }
                            return most;
                          }};
  const std::vector<Column> columns = {at("2^10", 1024),  at("2^12", 4096),
                                       at("2^14", 16384), at("2^16", 65536),
                                       largest,           worst_of("worst run", largest),
                                       recommended,       restarts()};
  print("Clicks", clicks, columns, spec, first, 12);
  print("Rare large losses", disasters, columns, spec, first, 12);
}

void print_first(const std::string& spec, std::uint64_t first) {
  const auto row = [](const std::string& problem, const char* noise) {
    return Case{problem, of("observed(" + problem + ", noise=" + noise + ")"), 25};
  };
  print("What is recommended after 25 trials",
        {row("separable(box(0, 1, 5))", "0.3"),
         row("separable(box(-1, 1, 6), power=2, inner=0.5)", "0.3"),
         row("separable(box(0, 1, 10), power=2, inner=0.4)", "0.3"),
         row("separable(ball(10), inner=0.3)", "0.1"),
         row("max_affine(ball(10), drawn, pieces=20)", "0.1"),
         row("max_affine(simplex(5), growing)", "0.1"),
         row("curved(ball(10), aligned, condition=1000)", "0.05"),
         row("curved(box(0, 1, 10), rotated, condition=1000, distance=0.8)", "0.01"),
         row("tracking(ball(2), distance=0.9, jitter=0)", "0.1"),
         row("tracking(ball(50), jitter=0)", "0.3"),
         row("tracking(simplex(20), distance=0.5, jitter=0)", "0.001"),
         row("separable(product(box(0, 1, 3), ball(4), simplex(5)), power=2, inner=0.5)", "0.1")},
        {recommended, worst_of("worst run", recommended)}, spec, first, 200);
  const Column stays = {
      "still at the start",
      [](const Run& run, const Case&) { return run.recommended == 1 ? 1.0 : 0.0; }, false, true};
  print("Noise as large as the gain",
        {{"tracking(ball(4), distance=0.9, jitter=0)",
          of("observed(tracking(ball(4), distance=0.9, jitter=0), noise=0.405)"), 1000}},
        {relative("all rounds", 0, 1), recommended, stays}, spec, first, 200);
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  using namespace keyhole::bench;
  const std::pair<const char*, void (*)(const std::string&, std::uint64_t)> parts[] = {
      {"levels", print_levels}, {"late", print_late}, {"targets", print_targets},
      {"still", print_still},   {"rare", print_rare}, {"first", print_first}};
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
  const auto is_part = [&](const std::string& word) {
    return std::any_of(std::begin(parts), std::end(parts),
                       [&](const auto& part) { return word == part.first; });
  };
  std::string learner = "posterior";
  if (!words.empty() && !is_part(words.back())) {
    learner = words.back();
    words.pop_back();
  }
  for (const auto& [name, print_part] : parts) {
    if (words.empty() || std::find(words.begin(), words.end(), name) != words.end()) {
      print_part(learner, seed);
    }
  }
}
