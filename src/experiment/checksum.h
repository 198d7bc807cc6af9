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

/// Its 16 hexadecimal digits.
[[nodiscard]] inline std::string checksum_text(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

/// A line of text, and a line with its checksum.
[[nodiscard]] inline std::string sealed(const std::string& line) {
  return line + "\n" + checksum_text(checksum(line)) + "\n";
}

/// The line that was sealed; nothing if the text is not what sealed() wrote.
[[nodiscard]] inline std::optional<std::string> unsealed(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  if (text != sealed(line)) return {};
  return line;
}

}  // namespace keyhole::experiment
