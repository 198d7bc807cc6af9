#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace keyhole::base {

std::string number_text(double value) {
  std::array<char, 32> text;  // the longest is -2.2250738585072014e-308, 24 characters
  char* const begin = text.data();
  char* const end = begin + text.size();
  constexpr double limit = 0x1p53;
  if (value >= -limit && value <= limit && value != 0.0) {  // zero keeps its sign below
    const std::int64_t whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return {begin, std::to_chars(begin, end, whole).ptr};
  }
  if (value != value) return "nan";  // whose sign bit differs between processors
  return {begin, std::to_chars(begin, end, value).ptr};
}

std::string list_text(std::span<const double> values, bool shorten) {
  if (shorten && std::all_of(values.begin(), values.end(),
                             [&](double value) { return value == values.front(); })) {
    return number_text(values.front());
  }
  std::string text = "[";
  for (const double value : values) {
    if (text.size() > 1) text += ", ";
    text += number_text(value);
  }
  return text + "]";
}

}  // namespace keyhole::base
