#include "experiment/run.h"

#include <filesystem>
#include <iostream>
#include <utility>

#include "cli/commands.h"
#include "cli/parse.h"
#include "experiment/config.h"
#include "experiment/interrupt.h"
#include "experiment/table.h"

namespace keyhole::cli {
namespace {

/// study.toml gives study.results in the current folder, or study.quick.results.
std::string default_directory(const std::string& file, bool quick) {
  return std::filesystem::path(file).stem().string() + (quick ? ".quick.results" : ".results");
}

}  // namespace

int run(const Arguments& arguments, const Program& program) {
  constexpr std::uint64_t most_threads = 4096;
  experiment::RunOptions options;
  const bool quick = arguments.has("--quick");
  options.out = arguments.get("--out", default_directory(arguments.word(0), quick));
  if (arguments.has("--threads")) {
    options.threads = static_cast<unsigned>(
        whole_number("--threads", arguments.get("--threads", ""), 1, most_threads));
  }
  const experiment::Format format = experiment::format_of(arguments.get("--format", "table"));
  experiment::Experiment study = experiment::read_experiment(arguments.word(0), program.catalogue);
  if (quick) study = experiment::quick_look(std::move(study));
  if (arguments.has("--print-config")) {
    std::cout << experiment::print_config(study);
    return 0;
  }
  const auto progress = experiment::progress_on_stderr(arguments.has("--quiet"));
  options.progress = progress.get();
  options.stop = &experiment::stop_on_interrupt();
  options.catalogue = program.catalogue;
  const experiment::RunReport report = experiment::run(study, options);
  for (const std::string& warning : report.warnings) {
    std::cerr << program.name << ": warning: " << warning << "\n";
  }
  if (!report.complete) {
    std::cerr << program.name << ": interrupted; the same command goes on from here ("
              << options.out << ")\n";
    return interrupted_code;
  }
  std::cout << experiment::formatted(report.summary, format, arguments.has("--relative"));
  if (!arguments.has("--quiet")) std::cerr << "Results are in " << options.out << ".\n";
  return 0;
}

}  // namespace keyhole::cli
