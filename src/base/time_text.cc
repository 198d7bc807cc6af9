#include "base/time_text.h"

#include <array>
#include <cstdio>

namespace keyhole::base {

std::string time_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss of_day(time - day);
  std::array<char, 32> text = {};
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(of_day.hours().count()), static_cast<int>(of_day.minutes().count()),
      static_cast<int>(of_day.seconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace keyhole::base
