#include "base/joined.h"
#include "cli/completion/candidates.h"

namespace keyhole::cli {
namespace {

/// A text in single quotes, which end at a quote but for \' in fish.
std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// The candidates as the list that fish makes of a text: words, and commands in brackets.
std::string fish_list_of(const Candidates& candidates, const Program& program) {
  std::vector<std::string> parts = candidates.words;
  if (candidates.studies) parts.push_back("(" + names_of_studies(program) + ")");
  if (candidates.files && !candidates.ending.empty()) {
    parts.push_back("(__fish_complete_suffix " + candidates.ending + ")");
  }
  if (candidates.directories) parts.emplace_back("(__fish_complete_directories)");
  return base::joined(parts, " ");
}

/// The options that say what is offered: -F all files.
std::string fish_offers(const Candidates& candidates, const Program& program) {
  if (candidates.files && candidates.ending.empty()) return " -F";
  const std::string list = fish_list_of(candidates, program);
  return list.empty() ? "" : " -a " + fish_quoted(list);
}

/// What an option says of its value: -x is one without files.
std::string fish_value(const OptionInfo& option, const Program& program) {
  if (option.value.empty()) return "";
  const std::string offered = fish_offers(candidates_of(option), program);
  return offered == " -F" ? " -r -F" : " -x" + offered;
}

/// What is offered after the commands that lead there, "study create".
std::string fish_lines(const std::vector<CommandInfo>& commands, const std::string& before,
                       const Program& program) {
  const std::string begin = "complete -c " + program.name + " -n ";
  const std::string helper = "__" + program.name;
  std::string text;
  for (const CommandInfo& command : commands) {
    const std::string path = before + " " + command.name;
    text += begin + fish_quoted(helper + "_is" + before) + " -a " + command.name + " -d " +
            fish_quoted(command.summary) + "\n";
    const std::string here = begin + fish_quoted(helper + "_at" + path);
    for (const OptionInfo& option : command.options) {
      text += here + " -l " + bare_name(option) + " -d " + fish_quoted(option.meaning) +
              fish_value(option, program) + "\n";
    }
    const std::string words = fish_offers(candidates_of(command, program), program);
    if (command.commands.empty() && !words.empty()) text += here + words + "\n";
    text += fish_lines(command.commands, path, program);
  }
  return text;
}

}  // namespace

std::string fish_completion(const Program& program) {
  const std::string& name = program.name;
  return "# Completion of " + name + " for fish, printed by '" + name +
         " completion fish'.\n"
         "# Whether the words after the program begin with these.\n"
         "function __" +
         name +
         "_at\n"
         "    set -l words (commandline -opc)\n"
         "    set -e words[1]\n"
         "    set -l count (count $argv)\n"
         "    test $count -eq 0; and return 0\n"
         "    test (count $words) -ge $count; and test \"$words[1..$count]\" = \"$argv\"\n"
         "end\n"
         "# Whether they are these.\n"
         "function __" +
         name +
         "_is\n"
         "    __" +
         name + "_at $argv; and test (count (commandline -opc)) -eq (math (count $argv) + 1)\n" +
         "end\n"
         "complete -c " +
         name + " -f\ncomplete -c " + name + " -l help -d 'print the help'\n" +
         fish_lines(program.commands, "", program);
}

}  // namespace keyhole::cli
