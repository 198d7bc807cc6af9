#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#if __has_include(<xlocale.h>)
#include <xlocale.h>  // macOS has uselocale there
#endif

namespace keyhole::base {
namespace {

std::string text_of(double value, std::chars_format format, int precision) {
  std::array<char, 400> text;  // a fixed number can have 309 digits before the point
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr};
}

// By std::from_chars where it reads doubles. A template, so that the other branch is not compiled.
template <class Double>
std::optional<LeadingNumber> leading(std::string_view text) {
  const char* const end = text.data() + text.size();
  if constexpr (requires(Double value) { std::from_chars(end, end, value); }) {
    Double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::invalid_argument) return {};
    return LeadingNumber{value, static_cast<std::size_t>(stop - text.data()), error == std::errc()};
  } else {
    return leading_number_by_strtod(text);
  }
}

}  // namespace

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

std::string digits_text(double value, int digits) {
  return text_of(value, std::chars_format::general, digits);
}

std::string decimals_text(double value, int decimals) {
  return text_of(value, std::chars_format::fixed, decimals);
}

double rounded(double value, int digits) {
  return read_number(digits_text(value, digits)).value_or(value);
}

std::string whole_list_text(std::span<const double> values) {
  std::string text = "[";
  for (const double value : values) {
    if (text.size() > 1) text += ", ";
    text += number_text(value);
  }
  return text + "]";
}

std::optional<LeadingNumber> leading_number(std::string_view text) { return leading<double>(text); }

std::optional<LeadingNumber> leading_number_by_strtod(std::string_view text) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  if (text.starts_with('+')) return {};
  // Without spaces and x: strtod would pass over spaces, and take 0x1 for a number.
  const std::string start(text.substr(0, text.find_first_not_of("+-.0123456789AEFINTYaefinty")));
  const locale_t before = uselocale(plain);
  char* stop = nullptr;
  const double value = std::strtod(start.c_str(), &stop);
  uselocale(before);
  const std::string_view number(start.c_str(), static_cast<std::size_t>(stop - start.c_str()));
  if (number.empty()) return {};
  const bool is_word = number.find_first_of("Nn") != std::string_view::npos;  // inf or nan
  const bool is_zero = number.find_first_of("123456789") >= number.find_first_of("Ee");
  if (is_word || (std::isfinite(value) && (value != 0 || is_zero))) {
    return LeadingNumber{value, number.size()};
  }
  return LeadingNumber{0, number.size(), false};
}

std::optional<double> read_number(std::string_view text) {
  const std::optional<LeadingNumber> number = leading_number(text);
  if (!number || number->length != text.size() || !number->in_range) return {};
  return number->value;
}

std::optional<std::uint64_t> read_whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return {};
  return value;
}

}  // namespace keyhole::base
