#include "cli/reproduce.h"

#include <iostream>

#include "base/disk.h"
#include "cli/colour.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "experiment/interrupt.h"
#include "reproduction/claims_text.h"
#include "reproduction/reproduce.h"

namespace keyhole::cli {
namespace {

/// The command that was given, but for what does not matter.
std::string command_of(const Arguments& arguments) {
  std::string command = "keyhole reproduce";
  for (const auto& [option, value] : arguments.options) {
    command += " " + option + (value == "true" ? "" : "=" + value);
  }
  return command;
}

/// The colours of the verdicts.
Marks verdict_marks() {
  using reproduction::Verdict;
  return {{text_of(Verdict::reproduced), Colour::green},
          {text_of(Verdict::only_published), Colour::yellow},
          {text_of(Verdict::only_proven), Colour::yellow},
          {text_of(Verdict::undecided), Colour::yellow},
          {text_of(Verdict::not_comparable), Colour::yellow},
          {text_of(Verdict::not_reproduced), Colour::red}};
}

int reproduce(const Arguments& arguments, const Program& program) {
  constexpr std::uint64_t most = 1'000'000;
  const bool quiet = arguments.has("--quiet");
  reproduction::Options options;
  options.wishes.repeats = whole_number("--repeats", arguments.get("--repeats", "50"), 1, most);
  options.wishes.quick = arguments.has("--quick");
  options.wishes.prices = arguments.get("--prices", "");
  options.out = arguments.get(
      "--out", options.wishes.quick ? "reproduction.quick.results" : "reproduction.results");
  const std::string setting = arguments.get("--setting", "both");
  if (setting == "published") options.settings = {reproduction::Setting::published};
  if (setting == "proven") options.settings = {reproduction::Setting::proven};
  const auto progress = experiment::progress_on_stderr(quiet);
  options.progress = progress.get();
  options.stop = &experiment::stop_on_interrupt();
  if (!quiet) {
    options.announce = [](const reproduction::Run& run) { std::cerr << run.name << "\n"; };
  }
  const reproduction::Reproduction result = reproduction::reproduce(options);
  if (!result.complete) {
    std::cerr << program.name << ": interrupted; the same command goes on from here ("
              << options.out << ")\n";
    return interrupted_code;
  }
  for (const reproduction::Outcome& outcome : result.outcomes) {
    for (const std::string& warning : outcome.problem().warnings) {
      warn(program, outcome.run.name + ": " + warning);
    }
  }
  base::Disk disk;
  base::write_file(disk, options.out + "/claims.csv", reproduction::claims_csv(result.claims));
  write_report(reproduction::report_of(result, options, command_of(arguments)), options.out,
               program);
  std::cout << marked(reproduction::claims_table(result.claims), verdict_marks());
  std::cout << "The report is " << options.out << "/report.html; its figures are in " << options.out
            << "/figures (SVG, PNG, PDF).\n";
  return 0;
}

}  // namespace

CommandInfo reproduce_command() {
  return {
      "reproduce",
      "",
      "the paper's evaluation: three experiments, its claims, a report",
      {{"--repeats", "N", "how often each run is repeated (default: 50)"},
       {"--quick", "", "5 repeats and short runs, in reproduction.quick.results"},
       {"--prices", "FILE", "closing prices (default: a synthetic market)"},
       {"--setting", "SETTING", "which constants (default: both)", {"published", "proven", "both"}},
       {"--out", "DIR", "where the results go (default: reproduction.results)"},
       {"--quiet", "", "no progress on stderr"}},
      reproduce};
}

}  // namespace keyhole::cli
