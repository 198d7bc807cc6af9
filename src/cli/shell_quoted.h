#pragma once

#include <string>

namespace keyhole::cli {

/// A text in single quotes, as one word of a POSIX shell.
[[nodiscard]] inline std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace keyhole::cli
