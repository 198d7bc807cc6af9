#include "base/toml_text.h"

#include <gtest/gtest.h>

#include <string>

namespace keyhole::tests {
namespace {

/// The line of the fault; 0 for none.
std::uint32_t fault_line(std::string_view text) {
  const auto fault = base::toml_fault(text);
  return fault ? fault->line : 0;
}

TEST(TomlText, HasLettersBeyondAsciiInQuotesAndComments) {
  EXPECT_EQ(fault_line("\xEF\xBB\xBF"
                       "a = \"é\" # é\n'é' = 1\n\"é\\\"é\" = 1\n"),
            0U);
  EXPECT_EQ(fault_line("a = \"\"\"é\né\"\"\"\"\"\n[\"é\"]"), 0U);
  EXPECT_EQ(fault_line("a = '''é\\\n é'''"), 0U);
  EXPECT_EQ(fault_line("a = 1\nlﺺearners = 2\n"), 2U);
  EXPECT_EQ(fault_line("a = \"\" é"), 1U);
  EXPECT_EQ(fault_line("a = 0x\"é\""), 1U);
  EXPECT_EQ(fault_line("a = '\\' é"), 1U);
  EXPECT_EQ(fault_line("a = \"é\né = 1"), 2U);
  EXPECT_EQ(fault_line("a = \"\"\"b\\\n \n é\"\"\""), 3U);
}

}  // namespace
}  // namespace keyhole::tests
