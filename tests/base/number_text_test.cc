#include "base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace keyhole::math {
namespace {

std::uint64_t bits_read_back(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(error, std::errc()) << text;
  EXPECT_EQ(end, text.data() + text.size()) << text;
  return std::bit_cast<std::uint64_t>(value);
}

TEST(NumberText, IsShortAndPlain) {
  EXPECT_EQ(base::number_text(0.0), "0");
  EXPECT_EQ(base::number_text(-0.0), "-0");
  EXPECT_EQ(base::number_text(1.0), "1");
  EXPECT_EQ(base::number_text(-3.0), "-3");
  EXPECT_EQ(base::number_text(18.0), "18");
  EXPECT_EQ(base::number_text(100000.0), "100000");
  EXPECT_EQ(base::number_text(1e15), "1000000000000000");
  EXPECT_EQ(base::number_text(0x1p53), "9007199254740992");
  EXPECT_EQ(base::number_text(-0x1p53), "-9007199254740992");
  EXPECT_EQ(base::number_text(1e22), "1e+22");
  EXPECT_EQ(base::number_text(0.1), "0.1");
  EXPECT_EQ(base::number_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(base::number_text(-2.5), "-2.5");
  EXPECT_EQ(base::number_text(1e-7), "1e-07");
  EXPECT_EQ(base::number_text(5e-324), "5e-324");
  EXPECT_EQ(base::number_text(-2.2250738585072014e-308), "-2.2250738585072014e-308");
  EXPECT_EQ(base::number_text(1.7976931348623157e308), "1.7976931348623157e+308");
}

TEST(NumberText, NamesWhatIsNoNumber) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(base::number_text(infinity), "inf");
  EXPECT_EQ(base::number_text(-infinity), "-inf");
  EXPECT_EQ(base::number_text(not_a_number), "nan");
  EXPECT_EQ(base::number_text(-not_a_number), "nan");
}

TEST(NumberText, ReadsBackToTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    const double value = std::bit_cast<double>(bits);
    if (value != value) continue;
    ASSERT_EQ(bits_read_back(base::number_text(value)), bits) << value;
    // Whole numbers and short decimals, of which random bits give none.
    const double whole = static_cast<double>(static_cast<std::int64_t>(bits) >> (bits % 60));
    ASSERT_EQ(bits_read_back(base::number_text(whole)), std::bit_cast<std::uint64_t>(whole))
        << whole;
    const double decimal = static_cast<double>(bits % 100000) / 1000.0;
    ASSERT_EQ(bits_read_back(base::number_text(decimal)), std::bit_cast<std::uint64_t>(decimal))
        << decimal;
    ASSERT_LE(base::number_text(decimal).size(), 6U) << decimal;
  }
}

TEST(NumberText, IgnoresTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // not installed here
    EXPECT_EQ(base::number_text(1234567.25), "1234567.25") << name;
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace
}  // namespace keyhole::math
