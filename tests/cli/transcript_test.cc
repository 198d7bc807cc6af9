// Recorded transcripts: each file of transcripts/ holds commands, what they print and how they end.
//
//   $ keyhole frobnicate
//   keyhole: there is no command 'frobnicate'
//   [2]
//
// Standard output and error stand together as they appear; [n] is an exit code other than 0. The
// commands run in an empty folder, in order, and may leave files for those that follow. $SOURCE_DIR
// is the folder of the sources. Times and such are filtered by sed within the command.
// KEYHOLE_RECORD=1 writes the files again.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "replayed.h"

namespace keyhole::tests {
namespace {

namespace fs = std::filesystem;

const fs::path transcripts = fs::path(KEYHOLE_SOURCE_DIR) / "tests/cli/transcripts";

std::string read(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class Transcript : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcript, IsRepeated) {
  const fs::path file = transcripts / GetParam();
  const std::string recorded = read(file);
  ASSERT_NE(recorded.find("$ keyhole"), std::string::npos) << file;
  const fs::path folder =
      fs::temp_directory_path() / ("keyhole-transcript-" + GetParam() + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  find_program();
  ::setenv("SOURCE_DIR", KEYHOLE_SOURCE_DIR, 1);
  const std::string now = replayed(recorded, folder);
  fs::remove_all(folder);
  if (std::getenv("KEYHOLE_RECORD") != nullptr) {
    std::ofstream(file) << now;
    GTEST_SKIP() << "recorded " << file;
  }
  EXPECT_EQ(now, recorded);
}

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(transcripts)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Transcript, ::testing::ValuesIn(files()), test_name);

}  // namespace
}  // namespace keyhole::tests
