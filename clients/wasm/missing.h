// What the C++ library of Debian's Emscripten (LLVM 13) lacks of C++20, and its libc of Linux. Each
// file of the library is compiled with this before its first line.

#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace keyhole::missing {

inline std::to_chars_result put(char* begin, char* end, std::string_view text) {
  if (end - begin < static_cast<std::ptrdiff_t>(text.size()))
    return {end, std::errc::value_too_large};
  return {std::copy(text.begin(), text.end(), begin), std::errc()};
}

inline std::to_chars_result printed(char* begin, char* end, const char* format, int precision,
                                    double value) {
  std::array<char, 512> text{};
  const int size = std::snprintf(text.data(), text.size(), format, precision, value);
  if (size >= static_cast<int>(text.size())) return {end, std::errc::value_too_large};
  return put(begin, end, {text.data(), static_cast<std::size_t>(size)});
}

// Adds one to the last digit of d.ddde+x.
inline void count_up(char* text, int digits) {
  for (int at = digits == 0 ? 0 : digits + 1; at >= 0; at -= at == 2 ? 2 : 1) {
    if (text[at] != '9') {
      ++text[at];
      return;
    }
    text[at] = '0';
  }
  text[0] = '1';
  char* const exponent = std::strchr(text, 'e') + 1;
  std::snprintf(exponent, 6, "%+03d", std::atoi(exponent) + 1);
}

// Scientific text with the fewest digits that read back to the same double. At a power of two the
// doubles below are closer than those above, so the shortest may be the decimal above the nearest.
inline int fewest_digits(double value, std::array<char, 64>& text) {
  const std::size_t sign = value < 0 ? 1 : 0;
  for (int digits = 0;; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*e", digits, value);
    if (digits == 17 || std::strtod(text.data(), nullptr) == value) return digits;
    std::array<char, 64> above = text;
    count_up(above.data() + sign, digits);
    if (std::strtod(above.data(), nullptr) == value) {
      text = above;
      return digits;
    }
  }
}

// The fewest digits that read back to the same double, as a fixed number or with an exponent,
// whichever is shorter.
inline std::to_chars_result shortest(char* begin, char* end, double value) {
  std::array<char, 64> text{};
  if (!(value - value == 0)) {
    std::snprintf(text.data(), text.size(), "%f", value);
    return put(begin, end, text.data());
  }
  const int digits = fewest_digits(value, text);
  const std::string_view with_exponent = text.data();
  const int exponent = std::atoi(text.data() + with_exponent.find('e') + 1);
  const std::size_t sign = with_exponent.front() == '-' ? 1 : 0;
  const int fixed_size = exponent >= digits ? exponent + 1
                         : exponent >= 0    ? digits + 2
                                            : digits + 2 - exponent;
  if (static_cast<std::size_t>(fixed_size) + sign > with_exponent.size()) {
    return put(begin, end, with_exponent);
  }
  if (exponent >= digits) return printed(begin, end, "%.*f", 0, value);
  std::string fixed(with_exponent.substr(0, sign));
  std::string all(1, with_exponent[sign]);
  if (digits > 0) all += with_exponent.substr(sign + 2, static_cast<std::size_t>(digits));
  if (exponent < 0) all.insert(0, static_cast<std::size_t>(-exponent), '0');
  return put(begin, end,
             fixed + all.insert(static_cast<std::size_t>(std::max(exponent, 0)) + 1, "."));
}

}  // namespace keyhole::missing

namespace std {

template <class To, class From>
[[nodiscard]] constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class Array>
[[nodiscard]] unique_ptr<Array> make_unique_for_overwrite(size_t size) {
  return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}

inline to_chars_result to_chars(char* begin, char* end, double value) {
  return keyhole::missing::shortest(begin, end, value);
}
inline to_chars_result to_chars(char* begin, char* end, double value, chars_format format,
                                int precision) {
  const char* const wanted = format == chars_format::fixed ? "%.*f" : "%.*g";
  return keyhole::missing::printed(begin, end, wanted, precision, value);
}

namespace ranges {

template <class Range, class Out>
void copy(const Range& range, Out out) {
  std::copy(range.begin(), range.end(), out);
}
template <class Range>
void sort(Range&& range) {
  std::sort(range.begin(), range.end());
}
template <class Range, class Test>
[[nodiscard]] bool all_of(const Range& range, Test test) {
  return std::all_of(range.begin(), range.end(), test);
}
template <class Range, class Test>
[[nodiscard]] auto find_if(const Range& range, Test test) {
  return std::find_if(range.begin(), range.end(), test);
}
template <class Range, class Other>
void swap_ranges(Range&& range, Other&& other) {
  std::swap_ranges(range.begin(), range.end(), other.begin());
}

}  // namespace ranges
}  // namespace std

// Linux has it; here files are in memory.
struct statx {
  unsigned stx_dev_major, stx_dev_minor, stx_mode;
  unsigned long long stx_ino, stx_size;
};
constexpr unsigned STATX_TYPE = 1;
constexpr unsigned STATX_INO = 2;
constexpr unsigned STATX_SIZE = 4;
inline int statx(int /*folder*/, const char* path, int /*flags*/, unsigned /*wanted*/,
                 struct statx* found) {
  struct stat status = {};
  if (stat(path, &status) != 0) return -1;
  *found = {0, static_cast<unsigned>(status.st_dev), status.st_mode,
            static_cast<unsigned long long>(status.st_ino),
            static_cast<unsigned long long>(status.st_size)};
  return 0;
}
