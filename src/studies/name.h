#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
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

/// Seconds since 1970.
[[nodiscard]] inline std::uint64_t seconds_now() {
  return static_cast<std::uint64_t>(std::time(nullptr));
}

/// A study that is deleted and can be brought back until a time, in seconds since 1970.
struct KeptName {
  std::string name;
  std::uint64_t until = 0;
  // When, in milliseconds since 1970; 0 if an earlier version has done it.
  std::uint64_t deleted = 0;
};

/// What becomes of a study that is deleted now and kept for so many seconds.
[[nodiscard]] inline KeptName kept_from_now(const std::string& name, std::uint64_t seconds) {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const auto whole = static_cast<std::uint64_t>(now.tv_sec);
  return {name, whole + seconds, 1000 * whole + static_cast<std::uint64_t>(now.tv_nsec) / 1000000};
}

/// What its place calls it, before a point and what makes it one of a kind:
/// ".kept.1790000000.1789990000123.name". A name of a study does not begin with a point.
[[nodiscard]] inline std::string text_of(const KeptName& kept) {
  return ".kept." + std::to_string(kept.until) + "." + std::to_string(kept.deleted) + "." +
         kept.name;
}

/// What such a text with a point and a number behind it is of; nothing if it is none.
[[nodiscard]] inline std::optional<KeptName> read_kept(std::string_view text) {
  constexpr std::string_view begin = ".kept.";
  if (!text.starts_with(begin)) return {};
  text.remove_prefix(begin.size());
  const auto number_before_a_point = [&] {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto number = base::read_whole_number(std::string(text.substr(0, point)));
    if (number) text.remove_prefix(std::min(point + 1, text.size()));
    return number;
  };
  const auto until = number_before_a_point();
  const std::size_t last = text.rfind('.');
  if (!until || last == std::string_view::npos) return {};
  text = text.substr(0, last);
  const bool has_more = text.find('.') != std::string_view::npos;
  const auto deleted = has_more ? number_before_a_point() : std::nullopt;
  return KeptName{std::string(text), *until, deleted.value_or(0)};
}

}  // namespace keyhole::studies
