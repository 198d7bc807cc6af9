#include <algorithm>

#include "base/joined.h"
#include "cli/commands.h"
#include "cli/padded.h"

namespace keyhole::cli {
namespace {

std::string with_argument(const std::string& name, const CommandInfo& command) {
  return name + (command.argument.empty() ? "" : " " + command.argument);
}

/// A line each, their summaries below each other.
std::string command_lines(const std::vector<CommandInfo>& commands) {
  std::size_t width = 16;
  for (const CommandInfo& command : commands) {
    width = std::max(width, with_argument(command.name, command).size() + 2);
  }
  std::string text = "Commands:\n";
  for (const CommandInfo& command : commands) {
    text += "  " + padded(with_argument(command.name, command), width) + command.summary + "\n";
  }
  return text + "\n";
}

/// What stands before the meaning of an option: --format=table|json|csv.
std::string left_of(const OptionInfo& option) {
  const std::string value =
      option.choices.empty() ? option.value : base::joined(option.choices, "|");
  return option.name + (value.empty() ? "" : "=" + value);
}

std::string option_lines(const std::vector<OptionInfo>& options) {
  std::size_t width = 26;
  for (const OptionInfo& option : options) width = std::max(width, left_of(option).size() + 2);
  std::string text = "Options:\n";
  for (const OptionInfo& option : options) {
    text += "  " + padded(left_of(option), width) + option.meaning + "\n";
  }
  return text;
}

}  // namespace

std::string help(const Program& program) {
  return "Usage: " + program.name +
         " COMMAND [OPTION]...\n"
         "Bandit convex optimisation with a linear minimisation oracle: choose a point of a\n"
         "convex set, see one number, do nearly as well as the best fixed point in hindsight.\n"
         "\n" +
         command_lines(program.commands) +
         option_lines({{"--help", "", "print this; after a command, its own options ('help run')"},
                       {"--version", "", "print the version"}}) +
         "\n"
         "Results go to stdout, progress and warnings to stderr. Exit status: 0 if all\n"
         "went well, 1 on failure, 2 on wrong usage, 130 if interrupted.\n";
}

std::string help(const CommandInfo& command, const std::string& called) {
  const bool has_commands = !command.commands.empty();
  // What follows "--" comes last.
  const std::size_t rest = command.argument.find(" --");
  std::string usage = called;
  if (!command.argument.empty()) usage += " " + command.argument.substr(0, rest);
  if (has_commands || !command.options.empty()) usage += " [OPTION]...";
  if (rest != std::string::npos) usage += command.argument.substr(rest);
  std::string text = "Usage: " + usage + "\n" + command.summary + "\n\n";
  if (has_commands) text += command_lines(command.commands);
  std::vector<OptionInfo> options = command.options;
  options.push_back(
      {"--help", "", has_commands ? "print this; after a command, its own options" : "print this"});
  return text + option_lines(options);
}

}  // namespace keyhole::cli
