#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace keyhole::cli {

/// The text of a column of that width, which ends with two spaces even if it is wider.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

}  // namespace keyhole::cli
