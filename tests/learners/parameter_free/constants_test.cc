// docs/parameter_free.md has the table of the constants that the code uses.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace keyhole::tests {
namespace {

struct Row {
  std::string name;
  std::string value;
  std::string meaning;

  bool operator==(const Row&) const = default;
};

/// For messages of failed expectations.
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name << " = " << row.value << ": " << row.meaning;
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(KEYHOLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The matches of a pattern whose groups are, by these numbers, name, value and meaning.
std::vector<Row> rows(const std::string& text, const std::string& pattern, int name, int value,
                      int meaning) {
  const std::regex expression(pattern);
  std::vector<Row> all;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) {
    all.push_back({i->str(name), i->str(value), i->str(meaning)});
  }
  return all;
}

TEST(ParameterFreeConstants, AreTheTableOfTheirPage) {
  const std::string header = text_of("src/learners/parameter_free/constants.h");
  const std::string page = text_of("docs/parameter_free.md");
  const std::vector<Row> in_code =
      rows(header, "  /// (.*)\n  static constexpr [^ ]+ (\\w+) = ([^;]+);", 2, 3, 1);
  const std::size_t begin = page.find("## The constants");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin) - begin);
  EXPECT_EQ(in_code, rows(section, "\\| `(\\w+)` \\| ([^ ]+) \\| ([^|]*) \\|", 1, 2, 3));

  const std::regex declaration("static constexpr");
  const auto declared = std::distance(
      std::sregex_iterator(header.begin(), header.end(), declaration), std::sregex_iterator());
  EXPECT_EQ(in_code.size(), static_cast<std::size_t>(declared))
      << "every constant has one line that says what it does";
}

}  // namespace
}  // namespace keyhole::tests
