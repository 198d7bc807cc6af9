// What can stand at a place of the command line, from the table of the commands and the catalogue.

#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace keyhole::cli {

/// What can stand at a place of the command line.
struct Candidates {
  /// These words.
  std::vector<std::string> words = {};
  /// Files that end so: "" for all, ".toml"; not if there is no `files`.
  std::string ending = {};
  bool files = false;
  bool directories = false;
  /// The names of the studies, which the program lists.
  bool studies = false;
};

/// What can be the value of an option.
[[nodiscard]] Candidates candidates_of(const OptionInfo& option);

/// What can be the words of a command.
[[nodiscard]] Candidates candidates_of(const CommandInfo& command, const Program& program);

/// The name of an option without its dashes.
[[nodiscard]] std::string bare_name(const OptionInfo& option);

/// What prints the names of the studies, for any shell.
[[nodiscard]] std::string names_of_studies(const Program& program);

/// The completion of the program for a shell.
[[nodiscard]] std::string bash_completion(const Program& program);
[[nodiscard]] std::string zsh_completion(const Program& program);
[[nodiscard]] std::string fish_completion(const Program& program);

}  // namespace keyhole::cli
