#include "experiment/run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

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

/// Runs units in several threads, the first units first.
class Pool {
 public:
  /// The units are those of the list, by their numbers, or those that options.next hands out.
  Pool(const Experiment& experiment, const RunOptions& options, const Trial& trial,
       Directory& directory, const std::vector<std::uint64_t>& units)
      : experiment_(experiment),
        options_(options),
        trial_(trial),
        directory_(directory),
        units_(units) {}

  /// Returns when all units are done or the run was stopped; calls `tick` several times a second.
  /// Throws RunError if a unit has failed; of several, for the first.
  template <class Tick>
  void run(Tick tick) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    std::size_t threads = options_.threads == 0 ? cores : options_.threads;
    if (!options_.next) threads = std::min(threads, units_.size());
    working_ = threads;
    {
      std::vector<std::jthread> workers;
      try {
        for (std::size_t k = 0; k < threads; ++k) workers.emplace_back([this] { work(); });
        wait(tick);
      } catch (...) {  // no thread to be had, or the sink has thrown
        watch_.stop = true;
        throw;
      }
    }
    if (error_) std::rethrow_exception(error_);
  }

  /// How many units were computed.
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  /// Whether there is none left.
  [[nodiscard]] bool is_exhausted() const { return exhausted_; }
  /// One more than the largest number of a unit that was taken.
  [[nodiscard]] std::uint64_t reached() const { return reached_; }
  /// The problems whose first repeat was taken.
  [[nodiscard]] const std::set<std::size_t>& first_repeats() const { return first_repeats_; }
  [[nodiscard]] std::uint64_t rounds() const { return watch_.rounds; }
  [[nodiscard]] UnitWatch& watch() { return watch_; }

 private:
  template <class Tick>
  void wait(Tick tick) {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      idle_.wait_for(lock, std::chrono::milliseconds(50));
      lock.unlock();
      if (options_.stop != nullptr && options_.stop->load()) watch_.stop = true;
      tick();
      lock.lock();
    }
  }

  /// The next unit; none if all are taken.
  std::optional<std::uint64_t> take() {
    std::optional<std::uint64_t> unit;
    if (options_.next) {
      unit = options_.next();
    } else if (const std::size_t k = next_++; k < units_.size()) {
      unit = units_[k];
    }
    const std::scoped_lock lock(mutex_);
    if (!unit) {
      exhausted_ = true;
      return unit;
    }
    reached_ = std::max(reached_.load(), *unit + 1);
    const auto [problem, repeat] = unit_of(experiment_, *unit);
    if (repeat == 0) first_repeats_.insert(problem);
    return unit;
  }

  /// Computes what is missing of a unit.
  void compute(std::uint64_t unit) {
    const auto [problem, repeat] = unit_of(experiment_, unit);
    const std::optional<Part> known = directory_.read_part(problem, repeat);
    if (known && is_complete(*known, trial_)) return;
    directory_.write_part(run_unit(experiment_, options_.catalogue, problem, repeat, watch_, trial_,
                                   known ? &*known : nullptr));
    ++finished_;
  }

  void work() {
    std::uint64_t unit = 0;
    try {
      while (!watch_.stop) {
        const auto taken = take();
        if (!taken) break;
        unit = *taken;
        compute(unit);
      }
    } catch (const Stopped&) {
    } catch (...) {
      watch_.stop = true;
      const std::scoped_lock lock(mutex_);
      if (unit < failed_) {
        failed_ = unit;
        error_ = std::current_exception();
      }
    }
    const std::scoped_lock lock(mutex_);
    --working_;
    idle_.notify_one();
  }

  const Experiment& experiment_;
  const RunOptions& options_;
  const Trial& trial_;
  Directory& directory_;
  const std::vector<std::uint64_t>& units_;
  UnitWatch watch_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::uint64_t> finished_ = 0;
  std::atomic<std::uint64_t> reached_ = 0;
  std::mutex mutex_;
  std::condition_variable idle_;
  // Guarded by the mutex.
  std::size_t working_ = 0;
  bool exhausted_ = false;
  std::set<std::size_t> first_repeats_;
  std::uint64_t failed_ = std::numeric_limits<std::uint64_t>::max();
  std::exception_ptr error_;
};

bool stopped(const RunOptions& options) { return options.stop != nullptr && options.stop->load(); }

const std::atomic<bool> never = false;

const std::atomic<bool>& stop_of(const RunOptions& options) {
  return options.stop != nullptr ? *options.stop : never;
}

/// Who is too slow for what: as was found when the experiment was begun, else found out now. None
/// if stopped.
std::optional<Trial> trial_of(const Experiment& experiment, const RunOptions& options,
                              Directory& directory) {
  if (!experiment.slowest) return Trial();
  Trial known;
  if (const auto text = base::read_file(directory.file("trial.json"))) {
    known = Trial::read(*text, experiment).value_or(Trial());
  }
  if (known.is_complete(experiment)) return known;
  if (options.stage == Stage::units || options.stage == Stage::results) {
    throw RunError(directory.file("trial.json") +
                   ": it is missing, damaged or not of all learners, and the experiment has "
                   "'slowest': find out once who is too slow (--trial), before the slices");
  }
  std::optional<Trial> trial =
      Trial::run(experiment, options.catalogue, stop_of(options), std::move(known));
  if (trial) directory.write("trial.json", trial->text(experiment));
  return trial;
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

/// Does what the stage says; `advance` says how far it has come.
RunReport run_in(Directory& directory, const Experiment& experiment, const RunOptions& options,
                 Advance& advance) {
  RunReport report;
  const std::optional<Trial> trial = trial_of(experiment, options, directory);
  if (!trial) return report;
  if (options.stage == Stage::prepare) {
    report.complete = true;
    return report;
  }
  std::vector<std::uint64_t> units;
  std::vector<std::uint64_t> rounds;  // of each problem, where others take units too
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
  Pool pool(experiment, options, *trial, directory, units);
  pool.run([&] {
    if (options.progress == nullptr) return;
    if (rounds.empty()) {
      advance.done = advance.earlier + pool.rounds();
    } else {  // all processes take units in order
      const std::uint64_t reached = pool.reached();
      advance.done = 0;
      for (std::size_t p = 0; p < rounds.size(); ++p) {
        advance.done += rounds[p] * (reached / rounds.size() + (p < reached % rounds.size()));
      }
    }
    options.progress->update(advance);
  });
  if (rounds.empty()) advance.done = advance.earlier + pool.rounds();
  report.computed = pool.finished();
  if (!(options.next ? pool.is_exhausted() : report.computed == units.size())) return report;
  if (options.stage == Stage::everything) {
    report.complete = write_results(experiment, options, *trial, directory, report.summary);
    return report;
  }
  for (std::size_t p = 0; p < experiment.problems.size() && options.timing_seconds > 0; ++p) {
    const bool is_ours = options.next ? pool.first_repeats().contains(p)
                                      : slice_of(p, options.slice.count) == options.slice.number;
    if (is_ours && !measure_times(experiment, options, *trial, p, directory)) return report;
  }
  report.complete = true;
  return report;
}

}  // namespace

RunReport run(const Experiment& experiment, const RunOptions& options) {
  base::Disk usual;
  Directory directory(options.out, experiment, options.disk != nullptr ? *options.disk : usual,
                      options.catalogue,
                      options.stage == Stage::units ? Hold::together : Hold::alone);
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
