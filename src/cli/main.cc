// keyhole: the commands of every program with the built-ins, and the paper's evaluation.

#include <algorithm>

#include "cli/commands.h"
#include "cli/reproduce.h"
#ifdef KEYHOLE_WITH_SERVICE
#include "cli/serve.h"
#endif

int main(int count, char** words) {
  using keyhole::cli::CommandInfo;
  std::vector<CommandInfo> commands = keyhole::cli::standard_commands();
  const auto after_report =
      std::find_if(commands.begin(), commands.end(),
                   [](const CommandInfo& command) { return command.name == "completion"; });
#ifdef KEYHOLE_WITH_SERVICE
  const std::vector<CommandInfo> more = {keyhole::cli::serve_command(),
                                         keyhole::cli::token_command(),
                                         keyhole::cli::reproduce_command()};
#else
  const std::vector<CommandInfo> more = {keyhole::cli::reproduce_command()};
#endif
  commands.insert(after_report, more.begin(), more.end());
  return keyhole::cli::run_program(count, words,
                                   {"keyhole", commands, keyhole::Catalogue::standard()});
}
