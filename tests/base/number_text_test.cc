#include "base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace keyhole::base {
namespace {

std::uint64_t bits_read_back(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(error, std::errc()) << text;
  EXPECT_EQ(end, text.data() + text.size()) << text;
  return std::bit_cast<std::uint64_t>(value);
}

TEST(NumberText, IsShortAndPlain) {
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(-3.0), "-3");
  EXPECT_EQ(number_text(18.0), "18");
  EXPECT_EQ(number_text(100000.0), "100000");
  EXPECT_EQ(number_text(1e15), "1000000000000000");
  EXPECT_EQ(number_text(0x1p53), "9007199254740992");
  EXPECT_EQ(number_text(-0x1p53), "-9007199254740992");
  EXPECT_EQ(number_text(1e22), "1e+22");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(number_text(-2.5), "-2.5");
  EXPECT_EQ(number_text(1e-7), "1e-07");
  EXPECT_EQ(number_text(5e-324), "5e-324");
  EXPECT_EQ(number_text(-2.2250738585072014e-308), "-2.2250738585072014e-308");
  EXPECT_EQ(number_text(1.7976931348623157e308), "1.7976931348623157e+308");
}

TEST(NumberText, NamesWhatIsNoNumber) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(number_text(infinity), "inf");
  EXPECT_EQ(number_text(-infinity), "-inf");
  EXPECT_EQ(number_text(not_a_number), "nan");
  EXPECT_EQ(number_text(-not_a_number), "nan");
}

TEST(NumberText, ReadsBackToTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    const double value = std::bit_cast<double>(bits);
    if (value != value) continue;
    ASSERT_EQ(bits_read_back(number_text(value)), bits) << value;
    // Whole numbers and short decimals, of which random bits give none.
    const double whole = static_cast<double>(static_cast<std::int64_t>(bits) >> (bits % 60));
    ASSERT_EQ(bits_read_back(number_text(whole)), std::bit_cast<std::uint64_t>(whole)) << whole;
    const double decimal = static_cast<double>(bits % 100000) / 1000.0;
    ASSERT_EQ(bits_read_back(number_text(decimal)), std::bit_cast<std::uint64_t>(decimal))
        << decimal;
    ASSERT_LE(number_text(decimal).size(), 6U) << decimal;
  }
}

TEST(NumberText, IgnoresTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // not installed here
    EXPECT_EQ(number_text(1234567.25), "1234567.25") << name;
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(NumberText, HasSoManyDigitsOrDecimals) {
  EXPECT_EQ(digits_text(1.0 / 3, 3), "0.333");
  EXPECT_EQ(digits_text(123456, 3), "1.23e+05");
  EXPECT_EQ(digits_text(0.5, 6), "0.5");
  EXPECT_EQ(decimals_text(0.5, 2), "0.50");
  EXPECT_EQ(decimals_text(std::numeric_limits<double>::lowest(), 3).size(), 314U);
  EXPECT_EQ(rounded(2.0 / 3, 4), 0.6667);
  EXPECT_EQ(rounded(1.7976931348623157e308, 2), 1.7976931348623157e308);  // 1.8e308 is no double
}

/// The number and its length as std::from_chars reads it.
std::optional<LeadingNumber> by_from_chars(std::string_view text) {
  LeadingNumber number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error == std::errc::invalid_argument) return {};
  number.length = static_cast<std::size_t>(end - text.data());
  number.in_range = error == std::errc();
  return number;
}

void expect_same_reading(std::string_view text) {
  const auto expected = by_from_chars(text);
  for (const auto& read : {leading_number(text), leading_number_by_strtod(text)}) {
    ASSERT_EQ(read.has_value(), expected.has_value()) << text;
    if (!read) continue;
    ASSERT_EQ(read->length, expected->length) << text;
    ASSERT_EQ(read->in_range, expected->in_range) << text;
    if (std::isnan(expected->value)) {
      ASSERT_TRUE(std::isnan(read->value)) << text;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(read->value),
                std::bit_cast<std::uint64_t>(expected->value))
          << text;
    }
  }
}

TEST(ReadNumber, TheTwoWaysAgreeOnWhatIsANumber) {
  for (const char* text : {"",
                           " ",
                           " 1",
                           "1 ",
                           "+1",
                           "+-1",
                           "-+1",
                           "--1",
                           "-",
                           "+",
                           ".",
                           "-.",
                           "e5",
                           ".e5",
                           "-.e5",
                           "1.",
                           ".5",
                           "-.5",
                           "1..2",
                           "1.5.2",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e5",
                           "1E5",
                           "1e+5",
                           "1e-5x",
                           "1e5.5",
                           "1e5e5",
                           "1.e5",
                           "0x10",
                           "-0X1p3",
                           "1x",
                           "x1",
                           "1f",
                           "1d5",
                           "1,5",
                           "1,000.5",
                           "1_000",
                           "1'000",
                           "inf",
                           "-inf",
                           "+inf",
                           "Inf",
                           "INFINITY",
                           "infinit",
                           "infinityx",
                           "in",
                           "i",
                           "nan",
                           "-nan",
                           "NaN",
                           "nanx",
                           "na",
                           "nane5",
                           "-0",
                           "0",
                           "00",
                           "-00.00",
                           "007",
                           "0e5",
                           "0e999999999999999999999",
                           "-0.0e-999999999999999999999",
                           "1e999999999999999999999",
                           "1e-999999999999999999999",
                           "1e308",
                           "1e309",
                           "-1e309",
                           "1e309x",
                           "1e-400",
                           "-1e-400",
                           "4e-324",
                           "2e-324",
                           "3e-324",
                           "2.2250738585072011e-308",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "0.1",
                           "\t1",
                           "1\n",
                           "\xc3\xa9",
                           "1\xc3\xa9",
                           "\xd9\xa1"}) {
    expect_same_reading(text);
  }
  expect_same_reading(std::string_view("1\0002", 3));
  expect_same_reading(std::string(400, '9'));
  expect_same_reading("0." + std::string(400, '0') + "1");
  expect_same_reading("0." + std::string(300, '0') + "1e290");
}

TEST(ReadNumber, TheTwoWaysAgreeOnRandomTexts) {
  std::mt19937_64 random(2);
  const std::string_view letters = "0123456789000111.--+eEEinfaxNT ";
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (std::size_t left = random() % 12; left > 0; --left) {
      text += letters[random() % letters.size()];
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_reading(text));
    // More digits than a double has, so that rounding is hard.
    const std::string digits = std::to_string(random()) + "." + std::to_string(random()) + "e" +
                               std::to_string(static_cast<int>(random() % 700) - 350);
    ASSERT_NO_FATAL_FAILURE(expect_same_reading(digits));
    ASSERT_NO_FATAL_FAILURE(expect_same_reading(number_text(std::bit_cast<double>(random()))));
  }
}

TEST(ReadNumber, TakesWholeTextsInRangeOnly) {
  EXPECT_EQ(read_number("2.5e-3"), 0.0025);
  EXPECT_EQ(read_number("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* text : {"", "1 ", " 1", "+1", "1e400", "1e-400", "one", "0x1"}) {
    EXPECT_FALSE(read_number(text)) << text;
  }
}

TEST(ReadNumber, IgnoresTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // not installed here
    for (const char* text : {"1.5", "1,5", "1.234,5"}) expect_same_reading(text);
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(ReadWholeNumber, TakesDigitsOnly) {
  EXPECT_EQ(read_whole_number("0"), 0U);
  EXPECT_EQ(read_whole_number("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(read_whole_number("ffffffffffffffff", 16), ~std::uint64_t{0});
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x1", "1.0", "18446744073709551616", "f"}) {
    EXPECT_FALSE(read_whole_number(text)) << text;
  }
}

}  // namespace
}  // namespace keyhole::base
