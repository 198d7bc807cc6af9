// keyhole: parses, calls, prints. Exit code 0 if all went well, 1 on failure, 2 on wrong usage.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "keyhole/version.h"

namespace keyhole::cli {

int version(const Arguments& /*arguments*/) {
  std::cout << "keyhole " << keyhole::version << " (trace revision " << trace_revision << ")\n";
  return 0;
}

namespace {

int wrong_usage(const std::string& message, const std::string& command = "") {
  std::cerr << "keyhole: " << message << "\nTry 'keyhole " << command
            << (command.empty() ? "" : " ") << "--help'.\n";
  return 2;
}

const CommandInfo* find(const std::string& name) {
  const auto& table = command_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const CommandInfo& command) { return command.name == name; });
  return found == table.end() ? nullptr : &*found;
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return wrong_usage("a command is missing");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    std::cout << help();
    return 0;
  }
  if (first == "--version") return version({});
  const CommandInfo* command = find(first);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const CommandInfo& known : command_table()) names.push_back(known.name);
    return wrong_usage("there is no command '" + first + "'" + base::suggestion(first, names));
  }
  try {
    const auto parsed = parse(*command, {arguments.begin() + 1, arguments.end()});
    if (!parsed) {  // help was asked for
      std::cout << help(*command);
      return 0;
    }
    return command->run(*parsed);
  } catch (const UsageError& error) {
    return wrong_usage(error.what(), command->name);
  }
}

}  // namespace
}  // namespace keyhole::cli

int main(int argc, char** argv) {
  int code = 1;
  try {
    code = keyhole::cli::dispatch({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "keyhole: " << error.what() << "\n";
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "keyhole: the output could not be written\n";
    return 1;
  }
  return code;
}
