// docs/posterior.md has the table of the constants that the code uses.

#include "learners/parameter_free/constants.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "learners/posterior/constants.h"

namespace keyhole::tests {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(std::string(KEYHOLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The matches of a pattern, written by a format: $1 is its first group.
std::vector<std::string> matches(const std::string& text, const std::string& pattern,
                                 const std::string& format) {
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) {
    all.push_back(i->format(format));
  }
  return all;
}

TEST(PosteriorConstants, AreTheTableOfTheirPage) {
  const std::string header = contents_of("src/learners/posterior/constants.h");
  const std::string page = contents_of("docs/posterior.md");
  const std::vector<std::string> in_code = matches(
      header, "  /// (.*)\n  static constexpr [^ ]+ (\\w+) = ([^;]+);", "| `$2` | $3 | $1 |");
  const std::size_t begin = page.find("\n| constant | value | what it does |\n");
  ASSERT_NE(begin, std::string::npos) << "docs/posterior.md has no table of constants";
  const std::string table = page.substr(begin, page.find("\n\n", begin) - begin);
  EXPECT_EQ(in_code, matches(table, "\\| `\\w+` \\| [^ ]+ \\| [^|]* \\|", "$&"));
  EXPECT_EQ(in_code.size(), matches(header, "static constexpr", "$&").size())
      << "every constant has one line that says what it does";
}

TEST(PosteriorConstants, TheFirstPlaysGoAsFarAsFirstReachSays) {
  EXPECT_EQ(algorithms::PosteriorConstants::most_first_reach,
            algorithms::ParameterFreeConstants::first_reach);
}

}  // namespace
}  // namespace keyhole::tests
