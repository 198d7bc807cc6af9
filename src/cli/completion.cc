// Completion for bash, made from the table of the commands and the table of the specs:
// source <(keyhole completion).

#include <iostream>
#include <set>

#include "cli/commands.h"
#include "keyhole/spec.h"

namespace keyhole::cli {
namespace {

std::string words_reply(const std::string& words) {
  return "COMPREPLY=($(compgen -W '" + words + "' -- \"$word\")";
}

std::string options_of(const CommandInfo& command) {
  std::string words = "--help";
  for (const OptionInfo& option : command.options) words += " " + option.name;
  return words;
}

/// What can follow an option that takes a value.
std::string value_reply(const OptionInfo& option) {
  if (option.value == "DIR") return "COMPREPLY=($(compgen -d -- \"$word\"))";
  if (option.value == "FILE") return "COMPREPLY=($(compgen -f -- \"$word\"))";
  if (option.value == "FILE.toml") return "COMPREPLY=($(compgen -f -X '!*.toml' -- \"$word\"))";
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
  return words.empty() ? "COMPREPLY=()" : words_reply(words) + ")";
}

/// The options of all commands that take a value, each once.
std::string cases_of_values(const std::vector<CommandInfo>& commands, std::set<std::string>& seen) {
  std::string cases;
  for (const CommandInfo& command : commands) {
    for (const OptionInfo& option : command.options) {
      if (option.value.empty() || !seen.insert(option.name).second) continue;
      cases += "    " + option.name + ") " + value_reply(option) + "; return ;;\n";
    }
    cases += cases_of_values(command.commands, seen);
  }
  return cases;
}

/// What can be the first word of a command.
std::string argument_words(const CommandInfo& command, const Program& program) {
  const std::string first = command.argument.substr(0, command.argument.find(' '));
  if (first.empty()) return "";
  if (first == "FILE.toml") {
    return R"($(compgen -f -X '!*.toml' -- "$word"; compgen -d -- "$word"))";
  }
  const std::string studies =
      "$(compgen -W \"$(" + program.name + " study list 2> /dev/null)\" -- \"$word\")";
  if (first == "NAME") return studies;
  if (first == "DIR|NAME") return studies + " $(compgen -d -- \"$word\")";
  std::string words;
  for (const SpecEntry& entry : program.catalogue.entries()) {
    if (first == "SPEC" && entry.kind() != SpecKind::set) continue;
    words += entry.name + " ";
  }
  if (first == "[NAME]") words += "sets learners problems";
  return "$(compgen -W '" + words + "' -- \"$word\")";
}

/// The case of the word at a place of the line, from 1 on.
std::string cases(const std::vector<CommandInfo>& commands, int place, const Program& program) {
  const std::string indent(static_cast<std::size_t>(place) * 2, ' ');
  const std::string at = std::to_string(place);
  std::string names;
  std::string text;
  for (const CommandInfo& command : commands) {
    names += command.name + " ";
    text += indent + "  " + command.name + ")\n";
    if (command.commands.empty()) {
      const std::string argument = argument_words(command, program);
      text += indent + "    " + words_reply(options_of(command)) +
              (argument.empty() ? "" : " " + argument) + ") ;;\n";
    } else {
      text += cases(command.commands, place + 1, program) + indent + "    ;;\n";
    }
  }
  return indent + "if [ \"$COMP_CWORD\" = " + at + " ]; then\n" + indent + "  " +
         words_reply(names + (place == 1 ? "--help --version" : "--help")) + ")\n" + indent +
         "  return\n" + indent + "fi\n" + indent + "case ${COMP_WORDS[" + at + "]} in\n" + text +
         indent + "esac\n";
}

}  // namespace

int completion(const Arguments& /*arguments*/, const Program& program) {
  const std::string& name = program.name;
  std::set<std::string> seen;
  std::cout << "# Completion of " << name << " for bash, printed by '" << name << " completion'.\n_"
            << name
            << "() {\n"
               "  local word=${COMP_WORDS[COMP_CWORD]}\n"
               "  case ${COMP_WORDS[COMP_CWORD - 1]} in\n"
            << cases_of_values(program.commands, seen) << "  esac\n"
            << cases(program.commands, 1, program)
            << "}\n"
               "complete -o filenames -F _"
            << name << " " << name << "\n";
  return 0;
}

}  // namespace keyhole::cli
