// Parses, calls, prints. Exit code 0 if all went well, 1 on failure, 2 on wrong usage.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "keyhole/experiment.h"
#include "keyhole/version.h"

namespace keyhole::cli {

int version(const Arguments& /*arguments*/, const Program& /*program*/) {
  std::cout << "keyhole " << keyhole::version << " (trace revision " << trace_revision << ")\n";
  return 0;
}

namespace {

int wrong_usage(const Program& program, const std::string& message,
                const std::string& command = "") {
  std::cerr << program.name << ": " << message << "\nTry '" << program.name << " " << command
            << (command.empty() ? "" : " ") << "--help'.\n";
  return 2;
}

const CommandInfo* find(const std::string& name, const Program& program) {
  const auto& table = program.commands;
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const CommandInfo& command) { return command.name == name; });
  return found == table.end() ? nullptr : &*found;
}

int dispatch(const std::vector<std::string>& arguments, const Program& program) {
  if (arguments.empty()) return wrong_usage(program, "a command is missing");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    std::cout << help(program);
    return 0;
  }
  if (first == "--version") return version({}, program);
  const CommandInfo* command = find(first, program);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const CommandInfo& known : program.commands) names.push_back(known.name);
    return wrong_usage(program,
                       "there is no command '" + first + "'" + base::suggestion(first, names));
  }
  try {
    const auto parsed = parse(*command, {arguments.begin() + 1, arguments.end()}, program);
    if (!parsed) {  // help was asked for
      std::cout << help(*command, program);
      return 0;
    }
    return command->run(*parsed, program);
  } catch (const UsageError& error) {
    return wrong_usage(program, error.what(), command->name);
  }
}

}  // namespace

int run_program(int count, char** words, const Program& program) {
  int code = 1;
  try {
    code = dispatch({words + std::min(count, 1), words + count}, program);
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << "\n";
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << program.name << ": the output could not be written\n";
    return 1;
  }
  return code;
}

}  // namespace keyhole::cli

namespace keyhole {

int run_main(int argc, char** argv, const Catalogue& catalogue) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  return cli::run_program(argc, argv,
                          {name.empty() ? "keyhole" : name, cli::standard_commands(), catalogue});
}

}  // namespace keyhole
