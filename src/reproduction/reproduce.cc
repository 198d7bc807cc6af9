#include "reproduction/reproduce.h"

#include <filesystem>
#include <map>

#include "base/disk.h"
#include "experiment/config.h"
#include "experiment/merge.h"
#include "experiment/part.h"
#include "experiment/run.h"
#include "experiment/timing.h"
#include "reproduction/published_learners.h"

namespace keyhole::reproduction {
namespace {

/// The average losses of each player in each repeat, from the parts that the run has left.
std::map<std::string, std::vector<double>> average_losses(const experiment::Experiment& study,
                                                          const std::string& directory) {
  std::map<std::string, std::vector<double>> losses;
  for (std::uint64_t repeat = 0; repeat < study.repeats; ++repeat) {
    const std::string file = directory + "/parts/0-" + std::to_string(repeat) + ".json";
    const auto part = experiment::read_part(base::read_file(file).value_or(""));
    if (!part) throw experiment::RunError(file + " is missing or damaged");
    for (std::size_t player = 0; player < study.players.size(); ++player) {
      losses[study.players[player].name].push_back(part->players[player].average_loss.back());
    }
  }
  return losses;
}

/// The times of the passes, each relative to Proposed's in the same pass.
std::map<std::string, Spread> relative_times(const experiment::Experiment& study, bool quick,
                                             const std::atomic<bool>& stop) {
  const double seconds = quick ? 0.01 : 0.1;
  std::map<std::string, std::array<double, passes>> ratios;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::map<std::string, double> times;
    for (std::size_t player = 0; player < study.players.size(); ++player) {
      const std::string& name = study.players[player].name;
      if (name != "Proposed" && name != "FKM" && name != "StochOCG") continue;
      times[name] = experiment::seconds_per_round(study, catalogue(), 0, player, seconds, stop);
    }
    for (const auto& [name, time] : times) ratios[name][pass] = time / times.at("Proposed");
  }
  std::map<std::string, Spread> spreads;
  for (const auto& [name, times] : ratios) spreads[name] = spread_of(times);
  return spreads;
}

/// Runs an experiment in a directory of its own; how far it came.
experiment::RunReport run_one(const experiment::Experiment& study, const std::string& directory,
                              const Options& options, const std::atomic<bool>& stop) {
  return experiment::run(study, {.out = directory,
                                 .threads = options.threads,
                                 .progress = options.progress,
                                 .stop = &stop,
                                 .timing_seconds = 0,
                                 .catalogue = catalogue()});
}

/// Adds what the default learner came to, after the paper's learners and before the controls.
void add_default(const experiment::ExperimentSummary& summary, const std::string& directory,
                 Outcome& outcome) {
  const auto insert = [](auto& all, const auto& one) {
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(paper_learners().size()), one);
  };
  const report::ProblemCurves curves = report::read_curves(directory + "/curves.csv").front();
  insert(outcome.summary.problems.front().learners, summary.problems.front().learners.front());
  insert(outcome.curves.average_loss, curves.average_loss.front());
  insert(outcome.curves.average_regret, curves.average_regret.front());
  outcome.default_rounds = summary.problems.front().rounds;
  outcome.default_repeats = summary.repeats;
}

}  // namespace

Reproduction reproduce(const Options& options) {
  static const std::atomic<bool> never = false;
  const std::atomic<bool>& stop = options.stop == nullptr ? never : *options.stop;
  Reproduction result;
  for (const Setting setting : options.settings) {
    for (const Run& run : runs_of(setting, options.wishes)) {
      if (options.announce != nullptr) options.announce(run);
      std::filesystem::create_directories(options.out);
      const std::string directory = options.out + "/" + run.name;
      const experiment::Experiment study =
          experiment::parse_experiment(run.toml, run.name, "", catalogue());
      const experiment::RunReport report = run_one(study, directory, options, stop);
      if (!report.complete) return result;
      const std::string default_directory = directory + "-default";
      const experiment::RunReport by_default =
          run_one(experiment::parse_experiment(run.default_toml, run.name, "", catalogue()),
                  default_directory, options, stop);
      if (!by_default.complete) return result;
      Outcome outcome{run, report.summary, report::read_curves(directory + "/curves.csv").front()};
      add_default(by_default.summary, default_directory, outcome);
      outcome.average_losses = average_losses(study, directory);
      outcome.relative_time = relative_times(study, options.wishes.quick, stop);
      if (stop) return result;
      result.outcomes.push_back(std::move(outcome));
    }
  }
  result.claims = judge(result.outcomes);
  result.complete = true;
  return result;
}

}  // namespace keyhole::reproduction
