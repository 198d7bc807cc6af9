// Terminals, clocks and waiting.

#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

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

}  // namespace keyhole::experiment
