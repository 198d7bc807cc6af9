#include <iostream>

#include "cli/parse.h"
#include "cli/space_file.h"
#include "cli/study.h"
#include "experiment/terminal.h"
#include "studies/json/study_json.h"

namespace keyhole::cli {
namespace {

StudyDescription description_of(const Arguments& arguments) {
  if (arguments.has("--space") == arguments.has("--set")) {
    throw UsageError("a study needs either --space=FILE.toml or --set=SPEC");
  }
  StudyDescription description{.on = arguments.get("--set", "")};
  if (arguments.has("--space")) {
    SpaceFile file = read_space_file(arguments.get("--space", ""));
    description.on = std::move(file.space);
    description.start = std::move(file.start);
  }
  description.learner = arguments.get("--learner", description.learner);
  LearnerOptions& options = description.options;
  options.seed = whole_number("--seed", arguments.get("--seed", "0"), 0, UINT64_MAX);
  options.window = whole_number(
      "--window", arguments.get("--window", std::to_string(options.window)), 1, UINT64_MAX);
  options.maximize = arguments.has("--maximize");
  description.facts = studies::read_facts(arguments.get("--facts", "points"));
  if (arguments.has("--max-step")) {
    options.max_step = positive_number("--max-step", arguments.get("--max-step", ""));
  }
  return description;
}

}  // namespace

int study_create(const Arguments& arguments, const Program& program) {
  const StudyDescription description = description_of(arguments);
  const experiment::Notice notice("making the set and the learner ...");
  (void)new_store(arguments, program).create(arguments.word(0), description);
  return 0;
}

}  // namespace keyhole::cli
