#include "base/quoted.h"
#include "cli/commands.h"
#include "cli/experiments/experiment_file.h"
#include "cli/experiments/own_program.h"
#include "cli/experiments/print_report.h"
#include "cli/parse.h"
#include "experiment/interrupt.h"

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
    learners.push_back(
        {word.substr(0, end), "program(" + base::quoted(word.substr(end + 1)) + ")"});
  }
  return learners;
}

}  // namespace

int bench(const Arguments& arguments, const Program& program) {
  const std::vector<experiment::Named> learners = programs(arguments);
  if (learners.empty()) throw UsageError("--with is missing: the program to compare");
  Catalogue catalogue = program.catalogue;
  catalogue.add(program_entry(experiment::stop_on_interrupt()));
  const Program with_programs = {program.name, program.commands, catalogue};
  Arguments relative = arguments;
  relative.options["--relative"] = "true";
  const experiment::Experiment read =
      experiment::with_learners(read_experiment(relative, with_programs), learners, catalogue);
  return play(read, run_options(relative), relative, with_programs);
}

}  // namespace keyhole::cli
