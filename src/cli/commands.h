// The commands of a program: one table, from which parsing, help, manual page and completion are
// made, and one function each.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/catalogue.h"

namespace keyhole::report {
struct Report;
}

namespace keyhole::cli {

/// An option of a command.
struct OptionInfo {
  std::string name;  // with its dashes: --out
  // What stands for its value, DIR; with dots, NAME=VALUE..., if it may be given more than once;
  // empty for a flag.
  std::string value;
  std::string meaning;                    // in a line
  std::vector<std::string> choices = {};  // the values there are, if they are few
};

/// What the user wrote after a command.
struct Arguments {
  std::vector<std::string> words = {};              // in order, those that are no options
  std::vector<std::string> rest = {};               // after "--", if the command takes any
  std::map<std::string, std::string> options = {};  // by name, those given; "true" for a flag
  std::map<std::string, std::vector<std::string>> lists = {};  // those that may be given often

  /// A word by its place from 0 on; empty if there is none.
  [[nodiscard]] std::string word(std::size_t place) const {
    return place < words.size() ? words[place] : "";
  }
  [[nodiscard]] bool has(const std::string& option) const { return options.contains(option); }
  /// The value of an option, or else the default.
  [[nodiscard]] std::string get(const std::string& option, const std::string& otherwise) const {
    const auto found = options.find(option);
    return found == options.end() ? otherwise : found->second;
  }
  /// The values of an option that may be given more than once.
  [[nodiscard]] std::vector<std::string> all(const std::string& option) const {
    const auto found = lists.find(option);
    return found == lists.end() ? std::vector<std::string>() : found->second;
  }
};

/// How a command ends that was interrupted (Ctrl-C), as shells have it: 128 + SIGINT.
inline constexpr int interrupted_code = 130;

struct Program;

/// A command, or several under one name.
struct CommandInfo {
  std::string name;
  // What stands for its words, NAME PLAY [LOSS]: in [brackets] if not required;
  // with dots, DIR..., if there may be more at the end; "-- COMMAND..." at
  // the end if what follows "--" is its own.
  std::string argument;
  std::string summary;  // in a line
  std::vector<OptionInfo> options;
  // Prints to stdout and stderr, returns the exit code; null if there are commands under it.
  int (*run)(const Arguments& arguments, const Program& program);
  std::vector<CommandInfo> commands = {};
};

/// A program: what it calls itself, its commands, in the order of the help, and what its texts can
/// name.
struct Program {
  std::string name;
  std::vector<CommandInfo> commands;
  const Catalogue& catalogue;
};

/// The commands of every program.
[[nodiscard]] std::vector<CommandInfo> standard_commands();

/// Does what the arguments of main() say; returns the exit code.
int run_program(int count, char** words, const Program& program);

int run(const Arguments& arguments, const Program& program);
int bench(const Arguments& arguments, const Program& program);
int merge(const Arguments& arguments, const Program& program);
int slurm(const Arguments& arguments, const Program& program);
int list(const Arguments& arguments, const Program& program);
int check(const Arguments& arguments, const Program& program);
int report(const Arguments& arguments, const Program& program);
int completion(const Arguments& arguments, const Program& program);
int version(const Arguments& arguments, const Program& program);

/// Writes report.html and the figures into a directory, atomically; talks to stderr. Returns the
/// files.
std::vector<std::string> write_report(const report::Report& report, const std::string& directory,
                                      const Program& program);

/// The help of the program, and of a command that is called by these words.
[[nodiscard]] std::string help(const Program& program);
[[nodiscard]] std::string help(const CommandInfo& command, const std::string& called);

}  // namespace keyhole::cli
