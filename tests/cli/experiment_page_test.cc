// The experiment of the tutorial prints the tutorial's table, but for the times. KEYHOLE_RECORD=1
// writes the table again.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace keyhole::tests {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What stands between ```language and ``` for the first time after `from`.
std::string block(const std::string& text, const std::string& language, std::size_t from = 0) {
  const std::string begin = "```" + language + "\n";
  const std::size_t first = text.find(begin, from) + begin.size();
  return text.substr(first, text.find("```", first) - first);
}

/// The lines as lists of columns, without the column of times.
std::vector<std::vector<std::string>> columns(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(text);
  std::size_t times = 0;
  for (std::string line; std::getline(in, line);) {
    const std::regex gap("  +");
    std::vector<std::string> row(std::sregex_token_iterator(line.begin(), line.end(), gap, -1), {});
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == "bound") times = i + 1;  // seconds per round
    }
    if (times > 0 && times < row.size()) row.erase(row.begin() + static_cast<long>(times));
    lines.push_back(row);
  }
  return lines;
}

TEST(Tutorials, TheExperimentPrintsItsTable) {
  const fs::path path = fs::path(KEYHOLE_SOURCE_DIR) / "docs/tutorials/experiment.md";
  std::string page = text_of(path);
  const std::size_t at = page.find("```toml");
  ASSERT_NE(at, std::string::npos);
  const fs::path folder =
      fs::temp_directory_path() / ("keyhole-readme-" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "study.toml") << block(page, "toml", at);
  const std::string command = "cd '" + folder.string() + "' && '" + KEYHOLE_PROGRAM +
                              "' run --quiet study.toml > table.txt";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string table = text_of(folder / "table.txt");
  fs::remove_all(folder);
  const std::string written = block(page, "text", at);
  if (std::getenv("KEYHOLE_RECORD") != nullptr) {
    std::ofstream(path) << page.replace(page.find(written), written.size(), table);
    return;
  }
  const auto printed = columns(table);
  EXPECT_GT(printed.size(), 8U);
  EXPECT_EQ(printed, columns(written));
}

}  // namespace
}  // namespace keyhole::tests
