// Terminals, clocks and waiting.

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace keyhole::experiment {

/// The streams that can be a terminal.
enum class Stream { output = 1, error = 2 };

/// How large a terminal is; 0 for what it does not say.
struct TerminalSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
};

/// The size of the terminal that a stream is; nothing if it is none.
[[nodiscard]] std::optional<TerminalSize> terminal_size(Stream stream);

/// Seconds since any moment.
[[nodiscard]] double seconds_now();

/// Waits that many seconds, or until the flag is set. Returns whether it is not.
bool wait(double seconds, const std::atomic<bool>& flag);

/// Says that something takes long, after a while, and takes it back when that has ended: for what
/// cannot say how far it is, such as finding where a set explores.
class Notice {
 public:
  /// After a second, on the standard error stream, if that is a terminal; else never.
  explicit Notice(const std::string& text);
  /// After that many seconds. Only the thread of the notice writes, never two things at a time.
  Notice(std::string text, double seconds, std::function<void(const std::string& text)> write);
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;
  /// Ends it at once.
  ~Notice() = default;

 private:
  std::jthread thread_;
};

}  // namespace keyhole::experiment
