#include "experiment/run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "experiment/directory.h"
#include "experiment/merge.h"
#include "experiment/player.h"
#include "experiment/timing.h"
#include "experiment/trial.h"
#include "experiment/unit.h"

namespace keyhole::experiment {
namespace {

struct Unit {
  std::size_t problem = 0;
  std::uint64_t repeat = 0;
};

/// Runs units in several threads, the first units first.
class Pool {
 public:
  Pool(const Experiment& experiment, const RunOptions& options, const Trial& trial,
       Directory& directory, const std::vector<Unit>& units)
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
    const std::size_t threads =
        std::min<std::size_t>(options_.threads == 0 ? cores : options_.threads, units_.size());
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

  [[nodiscard]] std::uint64_t finished() const { return finished_; }
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

  void work() {
    std::size_t k = 0;
    try {
      while (!watch_.stop && (k = next_++) < units_.size()) {
        const auto [problem, repeat] = units_[k];
        directory_.write_part(
            run_unit(experiment_, options_.catalogue, problem, repeat, watch_, trial_));
        ++finished_;
      }
    } catch (const Stopped&) {
    } catch (...) {
      watch_.stop = true;
      const std::scoped_lock lock(mutex_);
      if (k < failed_) {
        failed_ = k;
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
  const std::vector<Unit>& units_;
  UnitWatch watch_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::uint64_t> finished_ = 0;
  std::mutex mutex_;
  std::condition_variable idle_;
  // Guarded by the mutex.
  std::size_t working_ = 0;
  std::size_t failed_ = std::numeric_limits<std::size_t>::max();
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
  if (const auto text = base::read_file(directory.file("trial.json"))) {
    if (auto known = Trial::read(*text, experiment)) return known;
  }
  std::optional<Trial> trial = Trial::run(experiment, options.catalogue, stop_of(options));
  if (trial) directory.write("trial.json", trial->text(experiment));
  return trial;
}

/// Whether those play in a part who should.
bool agrees(const Part& part, const Trial& trial) {
  for (std::size_t k = 0; k < part.players.size(); ++k) {
    if (part.players[k].played == trial.left_out(part.problem, k).has_value()) return false;
  }
  return true;
}

/// Measures the times that are not known yet, one after the other; false if it was stopped.
bool measure_times(const Experiment& experiment, const RunOptions& options,
                   ExperimentSummary& summary) {
  for (std::size_t p = 0; p < summary.problems.size(); ++p) {
    auto& learners = summary.problems[p].learners;
    for (std::size_t k = 0; k < learners.size(); ++k) {
      if (learners[k].seconds_per_round) continue;
      const double seconds = seconds_per_round(experiment, options.catalogue, p, k,
                                               options.timing_seconds, stop_of(options));
      if (stopped(options)) return false;
      learners[k].seconds_per_round = seconds;
    }
  }
  return true;
}

/// The units that have no part yet; and how far that is, in rounds.
std::vector<Unit> missing_units(const Experiment& experiment, const Catalogue& catalogue,
                                const Trial& trial, Directory& directory, Advance& advance) {
  std::vector<Unit> units;
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    const std::size_t before = units.size();
    std::uint64_t rounds = experiment.rounds;
    for (std::uint64_t repeat = 0; repeat < experiment.repeats; ++repeat) {
      if (const auto part = directory.read_part(p, repeat); part && agrees(*part, trial)) {
        rounds = part->rounds;
      } else {
        units.push_back({p, repeat});
      }
    }
    const std::uint64_t found = experiment.repeats - (units.size() - before);
    if (found == 0) rounds = run_length(experiment, p, *build_problem(experiment, catalogue, p, 0));
    advance.total += rounds * experiment.repeats;
    advance.earlier += rounds * found;
  }
  advance.done = advance.earlier;
  return units;
}

/// Runs what is missing, merges and measures; `advance` says how far it has come.
RunReport run_in(Directory& directory, const Experiment& experiment, const RunOptions& options,
                 Advance& advance) {
  RunReport report{.units = experiment.problems.size() * experiment.repeats};
  const std::optional<Trial> trial = trial_of(experiment, options, directory);
  if (!trial) return report;
  const std::vector<Unit> units =
      missing_units(experiment, options.catalogue, *trial, directory, advance);
  Pool pool(experiment, options, *trial, directory, units);
  pool.run([&] {
    advance.done = advance.earlier + pool.rounds();
    if (options.progress != nullptr) options.progress->update(advance);
  });
  report.computed = pool.finished();
  if (report.computed < units.size()) return report;

  Merged merged = merge(experiment, *trial, directory);
  directory.write("curves.csv", merged.curves);
  report.summary = std::move(merged.summary);
  if (const auto earlier = base::read_file(directory.file("summary.json"))) {
    take_times(*earlier, report.summary);
  }
  if (options.timing_seconds > 0) {
    if (options.progress != nullptr) options.progress->timing();
    if (!measure_times(experiment, options, report.summary)) return report;
  }
  directory.write("summary.json", summary_json(report.summary));
  report.complete = true;
  return report;
}

}  // namespace

RunReport run(const Experiment& experiment, const RunOptions& options) {
  base::Disk usual;
  Directory directory(options.out, experiment, options.disk != nullptr ? *options.disk : usual);
  Advance advance;
  const auto end = [&](Ending ending) {
    if (options.progress != nullptr) options.progress->end(advance, ending);
  };
  RunReport report;
  try {
    report = run_in(directory, experiment, options, advance);
  } catch (...) {
    end(Ending::failed);
    throw;
  }
  end(report.complete ? Ending::complete : Ending::interrupted);
  report.warnings = directory.warnings();
  if (!report.complete) return report;
  for (const ProblemSummary& problem : report.summary.problems) {
    for (const std::string& warning : problem.warnings) {
      report.warnings.push_back("problem '" + problem.named.name + "': " + warning);
    }
  }
  return report;
}

}  // namespace keyhole::experiment
