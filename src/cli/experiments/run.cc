#include "experiment/run.h"

#include <iostream>
#include <utility>

#include "cli/colour.h"
#include "cli/commands.h"
#include "cli/experiments/experiment_file.h"
#include "cli/experiments/print_report.h"
#include "cli/experiments/watch.h"
#include "cli/parse.h"
#include "experiment/interrupt.h"
#include "experiment/table.h"

namespace keyhole::cli {
namespace {

/// The options of which at most one makes sense.
void refuse_contradictions(const Arguments& arguments) {
  std::string given;
  for (const char* option : {"--slice", "--trial", "--merge", "--watch", "--print-config"}) {
    if (!arguments.has(option)) continue;
    if (!given.empty()) throw UsageError(given + " and " + option + " exclude each other");
    given = option;
  }
}

void set_stage(const Arguments& arguments, experiment::RunOptions& options) {
  using experiment::Stage;
  if (arguments.has("--trial")) options.stage = Stage::prepare;
  if (arguments.has("--merge")) options.stage = Stage::results;
  if (!arguments.has("--slice")) return;
  options.stage = Stage::units;
  try {
    options.slice = experiment::read_slice(arguments.get("--slice", ""));
  } catch (const InvalidArgument& error) {
    throw UsageError(std::string("--slice: ") + error.what());
  }
}

}  // namespace

experiment::RunOptions run_options(const Arguments& arguments) {
  constexpr std::uint64_t most_threads = 4096;
  experiment::RunOptions options;
  options.out = results_directory(arguments);
  if (arguments.has("--threads")) {
    options.threads = static_cast<unsigned>(
        whole_number("--threads", arguments.get("--threads", ""), 1, most_threads));
  }
  return options;
}

int print_report(const experiment::RunReport& report, const experiment::RunOptions& options,
                 const Arguments& arguments, const Program& program) {
  const bool quiet = arguments.has("--quiet");
  if (report.extended && !quiet) {
    std::cerr << program.name << ": the experiment in " << options.out << " was extended\n";
  }
  for (const std::string& warning : report.warnings) {
    warn(program, warning);
  }
  if (!report.complete) {
    std::cerr << program.name << ": interrupted; the same command goes on from here ("
              << options.out << ")\n";
    return interrupted_code;
  }
  if (options.stage == experiment::Stage::prepare) {
    if (!quiet) std::cerr << options.out << " is ready.\n";
    return 0;
  }
  if (options.stage == experiment::Stage::units) {
    if (!quiet) {
      std::cerr << "Slice " << experiment::slice_text(options.slice)
                << " is done: " << report.computed << " of its " << report.units
                << " runs now. When all are, '" << program.name << " run FILE.toml"
                << (arguments.has("--quick") ? " --quick" : "") << " --merge' makes the results.\n";
    }
    return 0;
  }
  const experiment::Format format = experiment::format_of(arguments.get("--format", "table"));
  std::cout << experiment::formatted(report.summary, format, arguments.has("--relative"));
  if (!quiet) std::cerr << "Results are in " << options.out << ".\n";
  return 0;
}

int play(const experiment::Experiment& experiment, experiment::RunOptions options,
         const Arguments& arguments, const Program& program) {
  for (const std::string& warning : warnings_of_names(arguments)) warn(program, warning);
  const auto progress = experiment::progress_on_stderr(arguments.has("--quiet"));
  options.progress = progress.get();
  options.stop = &experiment::stop_on_interrupt();
  options.catalogue = program.catalogue;
  return print_report(experiment::run(experiment, options), options, arguments, program);
}

int run(const Arguments& arguments, const Program& program) {
  refuse_contradictions(arguments);
  experiment::RunOptions options = run_options(arguments);
  set_stage(arguments, options);
  const experiment::Experiment read = read_experiment(arguments, program);
  if (arguments.has("--print-config")) {
    std::cout << experiment::print_config(read);
    return 0;
  }
  if (arguments.has("--watch")) return watch(read, options.out) ? 0 : 1;
  return play(read, options, arguments, program);
}

}  // namespace keyhole::cli
