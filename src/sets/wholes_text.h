// Lists of whole numbers in specs.

#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace keyhole::sets {

/// "[0, 2, 1]".
[[nodiscard]] inline std::string wholes_text(std::span<const std::size_t> values) {
  std::string text = "[";
  for (const std::size_t value : values) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(value);
  }
  return text + "]";
}

}  // namespace keyhole::sets
