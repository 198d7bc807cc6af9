#include "report/text.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/number_text.h"

namespace keyhole::report {

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string readable(double value) {
  constexpr int digits = 4;
  const double size = std::abs(value);
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  if (value != 0 && (size < 1e-4 || size >= 1e7)) {  // infinity, too
    return {begin, std::to_chars(begin, end, value, std::chars_format::scientific, digits - 1).ptr};
  }
  if (size >= 1000) return base::decimals_text(value, 0);
  // Rounded to four digits, then as short as it is.
  value = base::rounded(value, digits);
  return {begin, std::to_chars(begin, end, value, std::chars_format::fixed).ptr};
}

}  // namespace keyhole::report
