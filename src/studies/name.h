#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/number_text.h"

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

/// A study that is deleted and can be brought back until a time, in seconds since 1970.
struct KeptName {
  std::string name;
  std::uint64_t until = 0;
};

/// What its place calls it, before a point and what makes it one of a kind:
/// ".kept.1790000000.name". A name of a study does not begin with a point.
[[nodiscard]] inline std::string text_of(const KeptName& kept) {
  return ".kept." + std::to_string(kept.until) + "." + kept.name;
}

/// What such a text with a point and a number behind it is of; nothing if it is none.
[[nodiscard]] inline std::optional<KeptName> read_kept(std::string_view text) {
  constexpr std::string_view begin = ".kept.";
  if (!text.starts_with(begin)) return {};
  text.remove_prefix(begin.size());
  const std::size_t point = text.find('.');
  const std::size_t last = text.rfind('.');
  const auto until = base::read_whole_number(std::string(text.substr(0, point)));
  if (!until || last <= point) return {};
  return KeptName{std::string(text.substr(point + 1, last - point - 1)), *until};
}

}  // namespace keyhole::studies
