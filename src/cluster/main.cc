// keyhole-mpi: an experiment on all ranks of an MPI job. Each rank takes the next problem to find
// out who is too slow for it, then the next unit, then the next problem to measure times; rank 0
// makes the directory, merges and prints. Killed, it goes on when it is started again.

#include <iostream>
#include <optional>
#include <utility>

#include "cli/colour.h"
#include "cli/commands.h"
#include "cli/experiments/experiment_file.h"
#include "cli/experiments/print_report.h"
#include "cli/parse.h"
#include "cluster/ranks.h"
#include "experiment/interrupt.h"
#include "experiment/run.h"

namespace keyhole::cluster {
namespace {

Ranks* all_ranks = nullptr;  // for the command, which is a plain function

/// For rank 0: shows progress, if that is wanted, and lets other ranks reach the counter meanwhile.
class Attentive final : public experiment::ProgressSink {
 public:
  Attentive(Ranks& ranks, std::unique_ptr<experiment::ProgressSink> shown)
      : ranks_(ranks), shown_(std::move(shown)) {}
  void update(const experiment::Advance& advance) override {
    ranks_.progress();
    if (shown_) shown_->update(advance);
  }
  void timing() override {}
  void end(const experiment::Advance& advance, experiment::Ending ending) override {
    if (shown_) shown_->end(advance, ending);
  }

 private:
  Ranks& ranks_;
  std::unique_ptr<experiment::ProgressSink> shown_;
};

/// Does a step that may throw; the others learn whether it went well everywhere.
template <class Step>
bool everywhere(Ranks& ranks, const cli::Program& program, Step step) {
  bool here = false;
  try {
    here = step();
  } catch (const std::exception& error) {
    cli::complain(program, error.what());
    ranks.stop_all();
  }
  return ranks.all(here);
}

int run(const cli::Arguments& arguments, const cli::Program& program) {
  Ranks& ranks = *all_ranks;
  constexpr std::uint64_t most_threads = 4096;
  experiment::Experiment read;
  experiment::RunOptions options;
  options.threads = 1;
  options.stop = &experiment::stop_on_interrupt();
  options.catalogue = program.catalogue;
  experiment::RunReport report;
  using experiment::Stage;
  const auto run_stage = [&](Stage stage) {
    options.stage = stage;
    report = experiment::run(read, options);
    return report.complete;
  };
  const bool begun = everywhere(ranks, program, [&] {
    options.out = cli::results_directory(arguments);
    if (arguments.has("--threads")) {
      options.threads = static_cast<unsigned>(
          cli::whole_number("--threads", arguments.get("--threads", ""), 1, most_threads));
    }
    read = cli::read_experiment(arguments, program);
    if (ranks.is_first()) {
      for (const std::string& warning : cli::warnings_of_names(arguments)) {
        cli::warn(program, warning);
      }
    }
    options.next = [] { return std::nullopt; };
    return !ranks.is_first() || run_stage(Stage::trial);  // makes or extends the directory
  });
  if (!begun) return 1;
  const bool extended = report.extended;
  Attentive silent(ranks, nullptr);
  Attentive progress(ranks, experiment::progress_on_stderr(arguments.has("--quiet")));
  const bool tried = everywhere(ranks, program, [&] {
    if (ranks.is_first()) options.progress = &silent;
    options.next = [&] { return ranks.next(read.problems.size()); };
    return run_stage(Stage::trial);
  });
  const bool prepared = tried && everywhere(ranks, program, [&] {
                          if (!ranks.is_first()) return true;
                          ranks.restart();
                          options.progress = nullptr;
                          options.next = {};
                          return run_stage(Stage::prepare);
                        });
  const bool computed = prepared && everywhere(ranks, program, [&] {
                          if (ranks.is_first()) options.progress = &progress;
                          const auto last = experiment::unit_count(read) + read.problems.size();
                          options.next = [&, last] { return ranks.next(last); };
                          return run_stage(Stage::units);
                        });
  options.progress = nullptr;
  options.next = {};
  if (!ranks.is_first()) return computed ? 0 : 1;
  if (!computed) {
    std::cerr << program.name << ": not all is done; the same command goes on from here ("
              << options.out << ")\n";
    return 1;
  }
  if (!run_stage(Stage::results)) return 1;
  report.extended = extended;
  return cli::print_report(report, options, arguments, program);
}

}  // namespace
}  // namespace keyhole::cluster

int main(int count, char** words) {
  using keyhole::cli::CommandInfo;
  const CommandInfo run = {
      "run",
      "FILE.toml",
      "play problems x learners x repeats on all ranks of an MPI job",
      {{"--out", "DIR", "where the results go, or go on (default: FILE.results)"},
       {"--threads", "N", "how many threads a rank (default: 1)"},
       {"--quick", "", "at most 4096 rounds and 2 repeats, in FILE.quick.results"},
       {"--relative", "", "show regret divided by that of staying at the centre"},
       {"--quiet", "", "no progress on stderr"},
       {"--format",
        "FORMAT",
        "how the data is printed (default: table)",
        {"table", "json", "csv"}}},
      keyhole::cluster::run};
  try {
    keyhole::cluster::Ranks ranks(&count, &words);
    keyhole::cluster::all_ranks = &ranks;
    return keyhole::cli::run_program(count, words,
                                     {"keyhole-mpi", {run}, keyhole::Catalogue::standard()});
  } catch (const std::exception& error) {
    std::cerr << "keyhole-mpi: " << error.what() << "\n";
    return 1;
  }
}
