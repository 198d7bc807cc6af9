// keyhole: the commands of every program with the built-ins, and the paper's evaluation.

#include <algorithm>

#include "cli/commands.h"
#include "cli/reproduce.h"

int main(int count, char** words) {
  using keyhole::cli::CommandInfo;
  std::vector<CommandInfo> commands = keyhole::cli::standard_commands();
  const auto after_report =
      std::find_if(commands.begin(), commands.end(),
                   [](const CommandInfo& command) { return command.name == "completion"; });
  commands.insert(after_report, keyhole::cli::reproduce_command());
  return keyhole::cli::run_program(count, words,
                                   {"keyhole", commands, keyhole::Catalogue::standard()});
}
