#pragma once

#include <optional>
#include <string>
#include <vector>

namespace keyhole::cli {

/// How a command ended.
struct Ended {
  /// The last lines that it printed and that are not blank.
  std::vector<std::string> lines;
  /// Its exit code; 128 and the number of the signal that ended it.
  int code = 0;
  /// Whether it was killed because it took too long.
  bool late = false;
};

/// Runs a command: a program and its words, with variables NAME=VALUE added to the environment (or
/// taken out of it by NAME alone), a text for its standard input, and the standard error of this
/// process. Waits until it has ended and has closed its output. After so many seconds, if any, it
/// is killed, with what it has started in its process group. Throws Error if it cannot be started.
/// Thread-safe.
[[nodiscard]] Ended run_command(const std::vector<std::string>& command,
                                const std::vector<std::string>& variables, const std::string& input,
                                std::optional<double> seconds);

}  // namespace keyhole::cli
