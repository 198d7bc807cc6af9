// Completion for bash, made from the table of the commands and the table of the specs:
// source <(keyhole completion).

#include <iostream>

#include "cli/commands.h"
#include "keyhole/spec.h"

namespace keyhole::cli {
namespace {

std::string options_of(const CommandInfo& command) {
  std::string words = "--help";
  for (const OptionInfo& option : command.options) words += " " + option.name;
  return words;
}

/// What can follow an option that takes a value.
std::string cases_of_values(const Program& program) {
  std::string cases;
  std::string seen = " ";
  for (const CommandInfo& command : program.commands) {
    for (const OptionInfo& option : command.options) {
      if (option.value.empty() || seen.find(" " + option.name + " ") != std::string::npos) continue;
      seen += option.name + " ";
      std::string reply = "COMPREPLY=()";
      if (!option.choices.empty()) {
        reply = "COMPREPLY=($(compgen -W '";
        for (const std::string& choice : option.choices) reply += choice + " ";
        reply.back() = '\'';
        reply += " -- \"$word\"))";
      } else if (option.value == "DIR") {
        reply = "COMPREPLY=($(compgen -d -- \"$word\"))";
      }
      cases += "    " + option.name + ") " + reply + "; return ;;\n";
    }
  }
  return cases;
}

/// What can be the argument of a command.
std::string argument_words(const CommandInfo& command, const Catalogue& catalogue) {
  if (command.argument == "FILE.toml") {
    return R"($(compgen -f -X '!*.toml' -- "$word"; compgen -d -- "$word"))";
  }
  std::string words;
  for (const SpecEntry& entry : catalogue.entries()) {
    if (command.argument == "SPEC" && entry.kind() != SpecKind::set) continue;
    words += entry.name + " ";
  }
  if (command.argument == "[NAME]") words += "sets learners problems";
  return command.argument.empty() ? "" : "$(compgen -W '" + words + "' -- \"$word\")";
}

}  // namespace

int completion(const Arguments& /*arguments*/, const Program& program) {
  std::string names;
  std::string cases;
  for (const CommandInfo& command : program.commands) {
    names += command.name + " ";
    cases += "    " + command.name + ")\n      COMPREPLY=($(compgen -W '" + options_of(command) +
             "' -- \"$word\")";
    const std::string argument = argument_words(command, program.catalogue);
    cases += (argument.empty() ? "" : " " + argument) + ") ;;\n";
  }
  const std::string& name = program.name;
  std::cout << "# Completion of " << name << " for bash, printed by '" << name << " completion'.\n_"
            << name
            << "() {\n"
               "  local word=${COMP_WORDS[COMP_CWORD]}\n"
               "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
               "    COMPREPLY=($(compgen -W '"
            << names
            << "--help --version' -- \"$word\"))\n"
               "    return\n"
               "  fi\n"
               "  case ${COMP_WORDS[COMP_CWORD - 1]} in\n"
            << cases_of_values(program)
            << "  esac\n"
               "  case ${COMP_WORDS[1]} in\n"
            << cases
            << "  esac\n"
               "}\n"
               "complete -o filenames -F _"
            << name << " " << name << "\n";
  return 0;
}

}  // namespace keyhole::cli
