#include <algorithm>

#include "base/quoted.h"
#include "cli/commands.h"
#include "cli/experiments/experiment_file.h"
#include "cli/experiments/own_program.h"
#include "cli/experiments/print_report.h"
#include "cli/parse.h"

namespace keyhole::cli {
namespace {

/// The learners that the words of --with are: NAME=COMMAND.
std::vector<experiment::Named> programs(const Arguments& arguments) {
  std::vector<experiment::Named> learners;
  for (const std::string& word : arguments.all("--with")) {
    const std::size_t end = word.find('=');
    if (end == 0 || end == std::string::npos || end + 1 == word.size()) {
      throw UsageError("--with must be a name and a command, 'mine=python3 mine.py', not '" + word +
                       "'");
    }
    const std::string name = word.substr(0, end);
    if (std::ranges::any_of(learners, [&](const auto& other) { return other.name == name; })) {
      throw UsageError("two programs of --with are called '" + name + "'");
    }
    learners.push_back({name, "program(" + base::quoted(word.substr(end + 1)) + ")"});
  }
  return learners;
}

}  // namespace

int bench(const Arguments& arguments, const Program& program) {
  const std::vector<experiment::Named> learners = programs(arguments);
  if (learners.empty()) throw UsageError("--with is missing: the program to compare");
  ProgramWatch watch;
  Catalogue catalogue = program.catalogue;
  catalogue.add(program_entry(watch));
  const Program with_programs = {program.name, program.commands, catalogue};
  Arguments relative = arguments;
  relative.options["--relative"] = "true";
  const experiment::Experiment read =
      experiment::with_learners(read_experiment(relative, with_programs), learners, catalogue);
  experiment::RunOptions options = run_options(relative);
  options.given_up = &watch.is_over;
  const int code = play(read, options, relative, with_programs);
  if (code != 0 || !watch.said_more) return code;
  throw Error(
      "a program printed more lines than it was asked for, so its points may be the answers "
      "to other lines: the first line is not to be answered. Run it again with another --out");
}

}  // namespace keyhole::cli
