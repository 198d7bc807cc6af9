// Every command of the program's help has a manual page, and every page a command.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace keyhole::tests {
namespace {

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  return pclose(pipe) == 0 ? text : "";
}

/// The pages that the commands in a help should have, those under them included.
void add_pages(const std::string& words, const std::string& page, std::set<std::string>& pages) {
  const std::string help = output_of(std::string("'") + KEYHOLE_PROGRAM + "'" + words + " --help");
  ASSERT_FALSE(help.empty()) << words;
  pages.insert(page);
  const std::size_t begin = help.find("Commands:\n");
  if (begin == std::string::npos) return;
  const std::string list = help.substr(begin, help.find("\n\n", begin) - begin);
  const std::regex line("\n  ([a-z]+)");
  for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at) {
    const std::string name = (*at)[1];
    if (name == "completion" || name == "version") continue;  // their help says all
    add_pages(words + " " + name, page + "-" + name, pages);
  }
}

TEST(Manual, HasAPageForEachCommand) {
  std::set<std::string> expected;
  add_pages("", "keyhole", expected);
  std::ifstream file(std::string(KEYHOLE_SOURCE_DIR) + "/cmake/manual.cmake");
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const std::regex page("keyhole_page\\((keyhole[a-z-]*) ");
  std::set<std::string> found;
  for (std::sregex_iterator at(source.begin(), source.end(), page), end; at != end; ++at) {
    found.insert((*at)[1]);
  }
  EXPECT_GT(found.size(), 10U);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace keyhole::tests
