// Numbers as text and back, the same in every locale.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace keyhole::base {

// The shortest decimal text that reads back to the same double: 0.1, 1e-300, -0, inf, nan. Whole
// numbers up to 2^53 are written with their digits alone (3, 100000; not 3.0, 1e+05), as one would
// write a size. Thread-safe.
std::string number_text(double value);

// So many significant digits at most: 0.333, 1.23e+04.
std::string digits_text(double value, int digits);

// So many decimals, and no exponent: 0.50.
std::string decimals_text(double value, int decimals);

// What digits_text says.
double rounded(double value, int digits);

// "[0.25, 0.5, 0.25]".
std::string whole_list_text(std::span<const double> values);

// The same in the spec of a set: a single number where all are equal, if `shorten`, and the name of
// their content if the text would be too long (base/list_text.h).
std::string list_text(std::span<const double> values, bool shorten);

// Likewise "[[1, 0], [0, 1]]", of numbers row by row.
std::string matrix_text(std::span<const double> numbers, std::size_t columns);

// The number that a text begins with.
struct LeadingNumber {
  double value = 0;
  std::size_t length = 0;  // of its text
  bool in_range = true;  // false, and the value 0, if its double is infinite or zero and it is not
};

// Nothing if the text does not begin with a number. Numbers are decimal, as -12, .5, 1. or 2.5E-3,
// and inf, infinity and nan of any case: no space, no plus sign and no 0x before them.
std::optional<LeadingNumber> leading_number(std::string_view text);

// The same, and slower, for standard libraries whose std::from_chars reads no doubles. Of "nan(1)"
// it takes nan.
std::optional<LeadingNumber> leading_number_by_strtod(std::string_view text);

// Nothing unless the whole text is a number in range.
std::optional<double> read_number(std::string_view text);

// Nothing unless the whole text is digits in the base, of a number below 2^64.
std::optional<std::uint64_t> read_whole_number(std::string_view text, int base = 10);

}  // namespace keyhole::base
