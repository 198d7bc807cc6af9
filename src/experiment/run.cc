#include "experiment/run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "experiment/directory.h"
#include "experiment/merge.h"
#include "experiment/player.h"
#include "experiment/times.h"
#include "experiment/timing.h"
#include "experiment/trial.h"
#include "experiment/unit.h"

namespace keyhole::experiment {
namespace {

/// Does numbered work in several threads, the first numbers first: those of a list, or those that
/// options.next hands out.
class Pool {
 public:
  using Work = std::function<void(std::uint64_t number)>;

  /// The work throws Stopped if watch.stop is set meanwhile.
  Pool(const RunOptions& options, const std::vector<std::uint64_t>& numbers, UnitWatch& watch,
       Work work)
      : options_(options), numbers_(numbers), watch_(watch), work_(std::move(work)) {}

  /// Returns when all is done or the run was stopped; calls `tick` several times a second. Throws
  /// what the work has thrown; of several, for the first number.
  template <class Tick>
  void run(std::size_t threads, Tick tick) {
    if (!options_.next) threads = std::min(threads, numbers_.size());
    exhausted_ = threads == 0;
    working_ = threads;
    if (is_told_to_stop()) give_up();
    {
      std::vector<std::jthread> workers;
      try {
        for (std::size_t k = 0; k < threads; ++k) workers.emplace_back([this] { work(); });
        wait(tick);
      } catch (...) {  // no thread to be had, or the sink has thrown
        give_up();
        throw;
      }
    }
    if (error_) std::rethrow_exception(error_);
  }

  /// Whether all that was taken is done, and there is none left.
  [[nodiscard]] bool is_complete() const { return exhausted_ && !interrupted_; }
  /// One more than the largest number that was taken.
  [[nodiscard]] std::uint64_t reached() const { return reached_; }

 private:
  [[nodiscard]] bool is_told_to_stop() const {
    return options_.stop != nullptr && options_.stop->load();
  }

  void give_up() {
    watch_.stop = true;
    if (options_.given_up != nullptr) *options_.given_up = true;
  }

  template <class Tick>
  void wait(Tick tick) {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      idle_.wait_for(lock, std::chrono::milliseconds(50));
      lock.unlock();
      if (is_told_to_stop()) give_up();
      tick();
      lock.lock();
    }
  }

  /// The next number; none if all are taken.
  std::optional<std::uint64_t> take() {
    std::optional<std::uint64_t> number;
    if (options_.next) {
      number = options_.next();
    } else if (const std::size_t k = next_++; k < numbers_.size()) {
      number = numbers_[k];
    }
    const std::scoped_lock lock(mutex_);
    if (number) {
      reached_ = std::max(reached_.load(), *number + 1);
    } else {
      exhausted_ = true;
    }
    return number;
  }

  void work() {
    std::uint64_t number = 0;
    std::exception_ptr error;
    bool was_stopped = false;
    try {
      while (!watch_.stop) {
        const auto taken = take();
        if (!taken) break;
        number = *taken;
        work_(number);
      }
    } catch (const Stopped&) {
      was_stopped = true;
    } catch (...) {
      give_up();
      error = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    interrupted_ = interrupted_ || was_stopped;
    if (error && number < failed_) {
      failed_ = number;
      error_ = error;
    }
    --working_;
    idle_.notify_one();
  }

  const RunOptions& options_;
  const std::vector<std::uint64_t>& numbers_;
  UnitWatch& watch_;
  Work work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::uint64_t> reached_ = 0;
  std::mutex mutex_;
  std::condition_variable idle_;
  // Guarded by the mutex.
  std::size_t working_ = 0;
  bool exhausted_ = false;
  bool interrupted_ = false;
  std::uint64_t failed_ = std::numeric_limits<std::uint64_t>::max();
  std::exception_ptr error_;
};

std::size_t threads_of(const RunOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

bool stopped(const RunOptions& options) { return options.stop != nullptr && options.stop->load(); }

const std::atomic<bool> never = false;

const std::atomic<bool>& stop_of(const RunOptions& options) {
  return options.stop != nullptr ? *options.stop : never;
}

Trial read_trial(const Experiment& experiment, const Directory& directory,
                 const std::string& name) {
  const auto text = base::read_file(directory.file(name));
  return text ? Trial::read(*text, experiment).value_or(Trial()) : Trial();
}

/// Who is too slow for what, as far as it is known.
Trial known_trial(const Experiment& experiment, const Directory& directory) {
  Trial known = read_trial(experiment, directory, "trial.json");
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    known.join(read_trial(experiment, directory, trial_name(p)));
  }
  return known;
}

/// Finds out who is too slow for the problems of which it is not known, or those of them that
/// options.next hands out; false if stopped.
bool try_players(const Experiment& experiment, const RunOptions& options, Directory& directory) {
  const Trial known = known_trial(experiment, directory);
  std::vector<std::uint64_t> problems;
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    if (!known.is_complete(experiment, p)) problems.push_back(p);
  }
  UnitWatch watch;
  Pool pool(options, problems, watch, [&](std::uint64_t problem) {
    if (known.is_complete(experiment, problem)) return;
    Trial tried = known.of_problem(problem);
    if (!tried.try_problem(experiment, options.catalogue, problem, watch.stop)) throw Stopped();
    directory.write_trial(problem, tried.text(experiment));
  });
  // One player after the other, where no other process helps: times are to be those of a round.
  pool.run(options.next ? threads_of(options) : 1, [&] {
    if (options.next && options.progress != nullptr) options.progress->update({});
  });
  return pool.is_complete();
}

/// Who is too slow for what: as was found when the experiment was begun, else found out now. None
/// if stopped.
std::optional<Trial> trial_of(const Experiment& experiment, const RunOptions& options,
                              Directory& directory) {
  if (!experiment.slowest) return Trial();
  const Trial known = read_trial(experiment, directory, "trial.json");
  if (known.is_complete(experiment)) return known;
  if (options.stage == Stage::units || options.stage == Stage::results) {
    throw RunError(directory.file("trial.json") +
                   ": it is missing, damaged or not of all learners, and the experiment has "
                   "'slowest': find out once who is too slow (--trial), before the slices");
  }
  if (!try_players(experiment, options, directory)) return {};
  Trial trial = known_trial(experiment, directory);
  directory.write("trial.json", trial.text(experiment));
  directory.remove_trials();
  return trial;
}

/// Computes what is missing of a unit; whether anything was.
bool compute(const Experiment& experiment, const RunOptions& options, const Trial& trial,
             std::uint64_t unit, Directory& directory, UnitWatch& watch) {
  const auto [problem, repeat] = unit_of(experiment, unit);
  const std::optional<Part> known = directory.read_part(problem, repeat);
  if (known && is_complete(*known, trial)) return false;
  directory.write_part(run_unit(experiment, options.catalogue, problem, repeat, watch, trial,
                                known ? &*known : nullptr));
  return true;
}

/// Measures the times of a problem that are not known yet, one after the other, and keeps them;
/// false if it was stopped.
bool measure_times(const Experiment& experiment, const RunOptions& options, const Trial& trial,
                   std::size_t problem, Directory& directory) {
  const std::uint64_t key = problem_hash(experiment, problem);
  const std::string name = times_name(problem);
  Times times = read_times(base::read_file(directory.file(name)).value_or(""), key);
  for (std::size_t k = 0; k < experiment.players.size(); ++k) {
    const std::string& spec = experiment.players[k].spec;
    if (trial.left_out(problem, k) || times.contains(spec)) continue;
    const double seconds = seconds_per_round(experiment, options.catalogue, problem, k,
                                             options.timing_seconds, stop_of(options));
    if (stopped(options)) return false;
    times[spec] = {seconds, base::host_name()};
  }
  directory.write(name, times_text(times, key));
  return true;
}

/// How many rounds a run of a problem has, as a part of it says or as the problem does.
std::uint64_t rounds_of(const Experiment& experiment, const Catalogue& catalogue,
                        std::size_t problem) {
  return run_length(experiment, problem, *build_problem(experiment, catalogue, problem, 0));
}

/// The units of the slice that have no complete part yet; and how far that is, in rounds.
std::vector<std::uint64_t> missing_units(const Experiment& experiment, const RunOptions& options,
                                         const Trial& trial, Directory& directory,
                                         RunReport& report, Advance& advance) {
  const std::size_t problems = experiment.problems.size();
  std::vector<std::uint64_t> units;
  std::vector<std::uint64_t> found(problems);
  std::vector<std::uint64_t> all(problems);
  std::vector<std::uint64_t> rounds(problems);
  for (std::uint64_t unit = 0; unit < unit_count(experiment); ++unit) {
    if (slice_of(unit, options.slice.count) != options.slice.number) continue;
    const auto [problem, repeat] = unit_of(experiment, unit);
    ++all[problem];
    ++report.units;
    if (const auto part = directory.read_part(problem, repeat); part && is_complete(*part, trial)) {
      ++found[problem];
      rounds[problem] = part->rounds;
    } else {
      units.push_back(unit);
    }
  }
  for (std::size_t p = 0; p < problems; ++p) {
    if (all[p] > 0 && found[p] == 0) rounds[p] = rounds_of(experiment, options.catalogue, p);
    advance.total += rounds[p] * all[p];
    advance.earlier += rounds[p] * found[p];
  }
  advance.done = advance.earlier;
  return units;
}

/// Throws if units are missing: says which, and in which slices they are.
void require_all(const Experiment& experiment, const std::vector<std::uint64_t>& missing,
                 Directory& directory) {
  constexpr std::size_t most_named = 5;
  if (missing.empty()) return;
  std::string count = base::read_file(directory.file("slices")).value_or("");
  if (count.ends_with("\n")) count.pop_back();
  const auto slices = base::read_whole_number(count);
  std::vector<std::string> names;
  std::set<std::uint64_t> holders;
  for (const std::uint64_t unit : missing) {
    const auto [problem, repeat] = unit_of(experiment, unit);
    std::string name =
        "problem '" + experiment.problems[problem].name + "', repeat " + std::to_string(repeat);
    if (slices) {
      const Slice slice{slice_of(unit, *slices), *slices};
      holders.insert(slice.number);
      name += " (slice " + slice_text(slice) + ")";
    }
    if (names.size() < most_named) names.push_back(std::move(name));
  }
  std::string text = directory.file("parts") + ": " + std::to_string(missing.size()) + " of " +
                     std::to_string(unit_count(experiment)) +
                     " parts are missing: " + base::joined(names, "; ");
  if (missing.size() > most_named) {
    text += "; and " + std::to_string(missing.size() - most_named) + " more";
  }
  std::vector<std::string> again;
  for (const std::uint64_t number : holders) {
    if (again.size() < most_named) again.push_back(slice_text({number, *slices}));
  }
  if (holders.size() > most_named) {
    again.push_back(std::to_string(holders.size() - most_named) + " more");
  }
  throw RunError(text + (slices ? ". Run these slices again: " + base::joined(again)
                                : ". Run the experiment without --merge, or in slices"));
}

/// Merges the parts and writes the results; false if it was stopped.
bool write_results(const Experiment& experiment, const RunOptions& options, const Trial& trial,
                   Directory& directory, ExperimentSummary& summary) {
  Merged merged = merge(experiment, trial, directory);
  directory.write("curves.csv", merged.curves);
  summary = std::move(merged.summary);
  const bool measures = options.stage == Stage::everything && options.timing_seconds > 0;
  if (measures && options.progress != nullptr) options.progress->timing();
  for (std::size_t p = 0; p < summary.problems.size(); ++p) {
    if (measures && !measure_times(experiment, options, trial, p, directory)) return false;
    const auto text = base::read_file(directory.file(times_name(p)));
    take_times(read_times(text.value_or(""), problem_hash(experiment, p)), summary.problems[p]);
  }
  directory.write("summary.json", summary_json(summary));
  return true;
}

/// Computes units, or takes what others leave; false if it was stopped. `rounds` has those of each
/// problem where others take units too.
bool compute_units(const Experiment& experiment, const RunOptions& options, const Trial& trial,
                   const std::vector<std::uint64_t>& units,
                   const std::vector<std::uint64_t>& rounds, Directory& directory,
                   RunReport& report, Advance& advance) {
  UnitWatch watch;
  std::atomic<std::uint64_t> computed = 0;
  const std::uint64_t count = unit_count(experiment);
  Pool pool(options, units, watch, [&](std::uint64_t number) {
    if (number < count) {
      if (compute(experiment, options, trial, number, directory, watch)) ++computed;
    } else if (options.timing_seconds > 0 &&
               !measure_times(experiment, options, trial, number - count, directory)) {
      throw Stopped();
    }
  });
  pool.run(threads_of(options), [&] {
    if (options.progress == nullptr) return;
    if (rounds.empty()) {
      advance.done = advance.earlier + watch.rounds;
    } else {  // all processes take units in order
      const std::uint64_t reached = std::min(pool.reached(), count);
      advance.done = 0;
      for (std::size_t p = 0; p < rounds.size(); ++p) {
        advance.done += rounds[p] * (reached / rounds.size() + (p < reached % rounds.size()));
      }
    }
    options.progress->update(advance);
  });
  if (rounds.empty()) advance.done = advance.earlier + watch.rounds;
  report.computed = computed;
  return pool.is_complete();
}

/// Does what the stage says; `advance` says how far it has come.
RunReport run_in(Directory& directory, const Experiment& experiment, const RunOptions& options,
                 Advance& advance) {
  RunReport report;
  if (options.stage == Stage::trial) {
    report.complete = !experiment.slowest || try_players(experiment, options, directory);
    return report;
  }
  const std::optional<Trial> trial = trial_of(experiment, options, directory);
  if (!trial) return report;
  if (options.stage == Stage::prepare) {
    report.complete = true;
    return report;
  }
  std::vector<std::uint64_t> units;
  std::vector<std::uint64_t> rounds;
  if (!options.next) {
    units = missing_units(experiment, options, *trial, directory, report, advance);
  } else if (options.progress != nullptr) {
    for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
      rounds.push_back(rounds_of(experiment, options.catalogue, p));
      advance.total += rounds.back() * experiment.repeats;
    }
  }
  if (options.stage == Stage::results) {
    require_all(experiment, units, directory);
    report.complete = write_results(experiment, options, *trial, directory, report.summary);
    return report;
  }
  if (options.stage == Stage::units && options.slice.count > 1) {
    directory.write("slices", std::to_string(options.slice.count) + "\n");
  }
  if (!compute_units(experiment, options, *trial, units, rounds, directory, report, advance)) {
    return report;
  }
  if (options.stage == Stage::everything) {
    report.complete = write_results(experiment, options, *trial, directory, report.summary);
    return report;
  }
  const bool measures = options.timing_seconds > 0 && !options.next;
  for (std::size_t p = 0; p < experiment.problems.size() && measures; ++p) {
    const bool is_ours = slice_of(p, options.slice.count) == options.slice.number;
    if (is_ours && !measure_times(experiment, options, *trial, p, directory)) return report;
  }
  report.complete = true;
  return report;
}

}  // namespace

RunReport run(const Experiment& experiment, const RunOptions& options) {
  base::Disk usual;
  const bool is_shared = options.stage == Stage::trial || options.stage == Stage::units;
  Directory directory(options.out, experiment, options.disk != nullptr ? *options.disk : usual,
                      options.catalogue, is_shared ? Hold::together : Hold::alone);
  Advance advance;
  const auto end = [&](Ending ending) {
    const bool is_begun = advance.total > 0;  // else there is nothing to say
    if (options.progress != nullptr && is_begun) options.progress->end(advance, ending);
  };
  RunReport report;
  try {
    report = run_in(directory, experiment, options, advance);
  } catch (...) {
    end(Ending::failed);
    throw;
  }
  end(report.complete ? Ending::complete : Ending::interrupted);
  report.extended = directory.extended();
  report.warnings = directory.warnings();
  if (!report.complete) return report;
  if (const std::string hosts = several_hosts(report.summary); !hosts.empty()) {
    report.warnings.push_back("times were measured on several machines, and differ between them: " +
                              hosts);
  }
  for (const ProblemSummary& problem : report.summary.problems) {
    for (const std::string& warning : problem.warnings) {
      report.warnings.push_back("problem '" + problem.named.name + "': " + warning);
    }
  }
  return report;
}

}  // namespace keyhole::experiment
