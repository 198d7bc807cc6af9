// The commands of the program: one table, from which parsing, help, manual page and completion are
// made, and one function each.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::report {
struct Report;
}

namespace keyhole::cli {

/// An option of a command.
struct OptionInfo {
  std::string name;                       // with its dashes: --out
  std::string value;                      // what stands for its value, DIR; empty for a flag
  std::string meaning;                    // in a line
  std::vector<std::string> choices = {};  // the values there are, if they are few
};

/// What the user wrote after a command.
struct Arguments {
  std::string argument;                        // empty if there is none
  std::map<std::string, std::string> options;  // by name, those given; "true" for a flag

  [[nodiscard]] bool has(const std::string& option) const { return options.contains(option); }
  /// The value of an option, or else the default.
  [[nodiscard]] std::string get(const std::string& option, const std::string& otherwise) const {
    const auto found = options.find(option);
    return found == options.end() ? otherwise : found->second;
  }
};

/// A command.
struct CommandInfo {
  std::string name;
  std::string argument;  // what stands for its argument, FILE.toml; in [brackets] if not required
  std::string summary;   // in a line
  std::vector<OptionInfo> options;
  int (*run)(const Arguments&);  // prints to stdout and stderr, returns the exit code
};

/// All of them, in the order of the help.
[[nodiscard]] const std::vector<CommandInfo>& command_table();

int run(const Arguments& arguments);
int list(const Arguments& arguments);
int check(const Arguments& arguments);
int report(const Arguments& arguments);
int reproduce(const Arguments& arguments);
int completion(const Arguments& arguments);
int version(const Arguments& arguments);

/// Writes report.html and the figures into a directory, atomically; talks to stderr. Returns the
/// files.
std::vector<std::string> write_report(const report::Report& report, const std::string& directory);

/// The help of the program, of at most 24 lines, and of one command.
[[nodiscard]] std::string help();
[[nodiscard]] std::string help(const CommandInfo& command);

}  // namespace keyhole::cli
