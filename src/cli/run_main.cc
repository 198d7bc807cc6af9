// Parses, calls, prints. Exit code 0 if all went well, 1 on failure, 2 on wrong usage, 130 if
// interrupted.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/colour.h"
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

int wrong_usage(const Program& program, const std::string& message, const std::string& called) {
  complain(program, message + "\nTry '" + called + " --help'.");
  return 2;
}

/// The command of that name. Throws UsageError.
const CommandInfo& find(const std::string& name, const std::vector<CommandInfo>& table) {
  std::vector<std::string> names;
  for (const CommandInfo& command : table) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  if (name.starts_with("-")) {
    const std::string option = name.substr(0, name.find('='));
    throw UsageError("'" + option +
                     "' is no option of the program, and options of a command follow it" +
                     base::suggestion(option, {"--help", "--version"}));
  }
  throw UsageError("there is no command '" + name + "'" + base::suggestion(name, names));
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help";
}

/// Does what the words after a command say, which is called by the words before them.
int run_command(const CommandInfo& command, const std::vector<std::string>& words,
                const std::string& called, const Program& program) {
  try {
    if (command.commands.empty()) {
      const auto parsed = parse(command, words, called);
      if (parsed) return command.run(*parsed, program);
    } else if (words.empty()) {
      throw UsageError("a command is missing");
    } else if (words.front() == "help" && words.size() > 1) {  // 'help run' is 'run --help'
      std::vector<std::string> asked(words.begin() + 1, words.end());
      asked.emplace_back("--help");
      return run_command(command, asked, called, program);
    } else if (!asks_for_help(words.front())) {
      const CommandInfo& next = find(words.front(), command.commands);
      return run_command(next, {words.begin() + 1, words.end()}, called + " " + next.name, program);
    }
  } catch (const UsageError& error) {
    return wrong_usage(program, error.what(), called);
  }
  std::cout << help(command, called);
  return 0;
}

int dispatch(const std::vector<std::string>& words, const Program& program) {
  if (!words.empty() && asks_for_help(words.front()) &&
      (words.front() != "help" || words.size() == 1)) {
    std::cout << help(program);
    return 0;
  }
  if (!words.empty() && words.front() == "--version") return version({}, program);
  return run_command({program.name, "", "", {}, nullptr, program.commands}, words, program.name,
                     program);
}

}  // namespace

int run_program(int count, char** words, const Program& program) {
  int code = 1;
  try {
    code = dispatch({words + std::min(count, 1), words + count}, program);
  } catch (const std::exception& error) {
    complain(program, error.what());
  }
  std::cout.flush();
  if (!std::cout) {
    complain(program, "the output could not be written");
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
