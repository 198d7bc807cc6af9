#pragma once

#include <string>
#include <vector>

namespace keyhole::base {

/// "a, b, c".
inline std::string joined(const std::vector<std::string>& words, const char* between = ", ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

}  // namespace keyhole::base
