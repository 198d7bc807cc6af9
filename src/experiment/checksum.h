#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "math/hash.h"

namespace keyhole::experiment {

/// The hash of a text.
[[nodiscard]] inline std::uint64_t checksum(std::string_view text) {
  return math::fnv1a(std::as_bytes(std::span(text.data(), text.size())));
}

/// Its 16 hexadecimal digits.
[[nodiscard]] inline std::string checksum_text(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace keyhole::experiment
