#include "cli/completion/candidates.h"

#include "keyhole/spec.h"

namespace keyhole::cli {

Candidates candidates_of(const OptionInfo& option) {
  if (option.value == "DIR") return {.directories = true};
  if (option.value == "FILE") return {.files = true};
  if (option.value == "FILE.toml") return {.ending = ".toml", .files = true};
  return {.words = option.choices};
}

Candidates candidates_of(const CommandInfo& command, const Program& program) {
  const std::string first = command.argument.substr(0, command.argument.find(' '));
  if (first == "FILE.toml") return {.ending = ".toml", .files = true};
  if (first == "OUT") return {.directories = true};
  if (first == "NAME") return {.studies = true};
  if (first == "DIR|NAME") return {.directories = true, .studies = true};
  if (first == "[SHELL]") return {.words = {"bash", "zsh", "fish"}};
  Candidates names;
  for (const SpecEntry& entry : program.catalogue.entries()) {
    if (first != "[NAME]" && (first != "SPEC" || entry.kind() != SpecKind::set)) continue;
    names.words.push_back(entry.name);
  }
  if (first == "[NAME]") {
    names.words.insert(names.words.end(), {"sets", "learners", "problems"});
  }
  return names;
}

std::string names_of_studies(const Program& program) {
  return program.name + " study list 2> /dev/null | cut -d ' ' -f 1";
}

std::string bare_name(const OptionInfo& option) { return option.name.substr(2); }

}  // namespace keyhole::cli
