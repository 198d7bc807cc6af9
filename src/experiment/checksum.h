#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace keyhole::experiment {

/// The hash of a text.
[[nodiscard]] inline std::uint64_t checksum(std::string_view text) {
  return base::fnv1a(std::as_bytes(std::span(text.data(), text.size())));
}

/// A line of text, and a line with its checksum.
[[nodiscard]] inline std::string sealed(const std::string& line) {
  return line + "\n" + base::hash_text(checksum(line)) + "\n";
}

/// The line that was sealed; nothing if the text is not what sealed() wrote.
[[nodiscard]] inline std::optional<std::string> unsealed(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  if (text != sealed(line)) return {};
  return line;
}

}  // namespace keyhole::experiment
