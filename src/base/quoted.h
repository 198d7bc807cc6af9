// Texts between quotes, as specs, TOML and C++ write them.

#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace keyhole::base {

/// Escapes between quotes: the letter after the backslash, and what it stands for.
inline constexpr std::array<std::pair<char, char>, 5> escapes = {
    {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'t', '\t'}, {'r', '\r'}}};

/// A text between quotes.
[[nodiscard]] inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto* const escape = std::find_if(escapes.begin(), escapes.end(),
                                            [c](const auto& pair) { return pair.second == c; });
    if (escape == escapes.end()) {
      result.push_back(c);
    } else {
      result += {'\\', escape->first};
    }
  }
  return result + "\"";
}

}  // namespace keyhole::base
