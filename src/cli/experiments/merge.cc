#include "base/disk.h"
#include "cli/colour.h"
#include "cli/commands.h"
#include "cli/experiments/print_report.h"
#include "experiment/config.h"
#include "experiment/gather.h"

namespace keyhole::cli {

int merge(const Arguments& arguments, const Program& program) {
  const std::vector<std::string> directories(arguments.words.begin() + 1, arguments.words.end());
  experiment::RunOptions options;
  options.out = arguments.word(0);
  options.stage = experiment::Stage::results;
  options.catalogue = program.catalogue;
  const std::string file = directories.front() + "/experiment.toml";
  const auto text = base::read_file(file);
  if (!text) {
    throw InputError(directories.front() + ": there is no experiment (experiment.toml is missing)");
  }
  const experiment::Experiment study =
      experiment::parse_experiment(*text, file, arguments.get("--data", ""), program.catalogue);
  for (const std::string& warning : gather(study, options, directories)) {
    warn(program, warning);
  }
  return print_report(experiment::run(study, options), options, arguments, program);
}

}  // namespace keyhole::cli
