#pragma once

#include <algorithm>
#include <string_view>

namespace keyhole::studies {

/// Whether a text can be the name of a study: up to 100 letters, digits, '-', '_' and '.', of which
/// the first is a letter, a digit or '_'.
[[nodiscard]] inline bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

}  // namespace keyhole::studies
