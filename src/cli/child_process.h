#pragma once

#include <functional>
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

/// A command of the shell that answers lines of its standard input with lines of its output. Its
/// standard error is that of this process. Not thread-safe.
class Conversation {
 public:
  /// Starts it. Throws Error if it cannot be started.
  explicit Conversation(std::string command);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  /// Closes its input, and kills it if it has not ended within a second.
  ~Conversation();

  /// Called ten times a second while the command is waited for; what it throws ends the wait.
  using Pause = std::function<void()>;

  /// Sends a line. Throws Error if the command has ended or has closed its input.
  void say(std::string line, const Pause& pause);
  /// Its next line. Throws Error if it has ended or has closed its output, or if a line is longer
  /// than 64 MiB.
  [[nodiscard]] std::string hear(const Pause& pause);
  /// Whether it has printed something that was not heard yet.
  [[nodiscard]] bool has_spoken() const;
  /// Ends its input, and says whether it prints more before it ends, or within a second.
  [[nodiscard]] bool says_more();

 private:
  /// Waits until something is printed, which it takes, or until the input takes more, if that is
  /// wanted; whether it does.
  bool wait(bool wants_to_say, const Pause& pause);
  void close_input();
  [[noreturn]] void fail_as_it_ended();

  std::string command_;
  int input_ = -1;   // ours, to what it reads
  int output_ = -1;  // ours, of what it prints
  int child_ = 0;
  std::string heard_;  // of its output, behind the lines that were given
};

}  // namespace keyhole::cli
