#include "cli/commands.h"
#include "cli/padded.h"

namespace keyhole::cli {
namespace {

std::string line(const std::string& left, const std::string& right) {
  return "  " + padded(left, 16) + right + "\n";
}

std::string option_line(const OptionInfo& option) {
  std::string value = option.value;
  if (!option.choices.empty()) {
    value.clear();
    for (const std::string& choice : option.choices) value += (value.empty() ? "" : "|") + choice;
  }
  const std::string left = option.name + (value.empty() ? "" : "=" + value);
  return "  " + padded(left, 26) + option.meaning + "\n";
}

}  // namespace

std::string help(const Program& program) {
  std::string text =
      "Usage: " + program.name +
      " COMMAND [OPTION]...\n"
      "Bandit convex optimisation with a linear minimisation oracle: each round choose\n"
      "a point of a convex set, see one number, and do nearly as well as the best fixed\n"
      "point in hindsight.\n"
      "\n"
      "Commands:\n";
  for (const CommandInfo& command : program.commands) {
    text += line(command.name + (command.argument.empty() ? "" : " " + command.argument),
                 command.summary);
  }
  return text +
         "\n"
         "Options:\n" +
         option_line({"--help", "", "print this; after a command, its own options"}) +
         option_line({"--version", "", "print the version"}) +
         "\n"
         "Data goes to stdout, talk to stderr; nothing is coloured. Exit status: 0 if all\n"
         "went well, 1 on failure, 2 on wrong usage.\n";
}

std::string help(const CommandInfo& command, const Program& program) {
  std::string text = "Usage: " + program.name + " " + command.name +
                     (command.argument.empty() ? "" : " " + command.argument) +
                     (command.options.empty() ? "" : " [OPTION]...") + "\n" + command.summary +
                     "\n\nOptions:\n";
  for (const OptionInfo& option : command.options) text += option_line(option);
  return text + option_line({"--help", "", "print this"});
}

}  // namespace keyhole::cli
