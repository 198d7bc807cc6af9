// The commands in the blocks ```console of the pages print what stands below them. The blocks of a
// page are one session, in an empty folder that has the examples. KEYHOLE_RECORD=1 writes the pages
// again.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "catalogue.h"
#include "folder.h"
#include "replayed.h"

namespace keyhole::tests {
namespace {

/// The page with every command of its blocks run again.
std::string page_replayed(const std::string& page, const std::string& folder) {
  const std::string begin = "```console\n";
  const std::string end = "```\n";
  std::string text;
  std::size_t at = 0;
  for (std::size_t found = 0; (found = page.find(begin, at)) != std::string::npos;) {
    const std::size_t first = found + begin.size();
    const std::size_t last = page.find(end, first);
    text += page.substr(at, first - at) + replayed(page.substr(first, last - first), folder);
    at = last;
  }
  return text + page.substr(at);
}

TEST(Pages, CommandsPrintWhatStandsBelowThem) {
  find_program();
  for (const std::string name :
       {"docs/studies.md", "docs/past.md", "docs/decades.md", "docs/tutorials/first_hour.md",
        "docs/tutorials/latency.md", "README.md"}) {
    const Folder folder;
    std::filesystem::create_directory_symlink(std::string(KEYHOLE_SOURCE_DIR) + "/examples",
                                              folder.path("examples"));
    const std::string path = std::string(KEYHOLE_SOURCE_DIR) + "/" + name;
    const std::string page = bytes(path).value();
    ASSERT_NE(page.find("```console\n$ "), std::string::npos) << name;
    const std::string now = page_replayed(page, folder.path(""));
    if (std::getenv("KEYHOLE_RECORD") != nullptr) {
      write_bytes(path, now);
      continue;
    }
    EXPECT_EQ(now, page) << path;
  }
}

/// What is found in the first hour, next to the best of all levels.
TEST(AllLevels, AreAtMostOnePercentBetter) {
  if (test_scale() < 1) GTEST_SKIP() << "minutes of zstd";
  find_program();
  const Folder folder;
  const std::string source = KEYHOLE_SOURCE_DIR;
  const std::string examples = "'" + source + "'/examples/compression/";
  const std::string levels =
      transcript_of(examples + "log.sh >log; " + examples + "levels.sh zstd", folder.path(""));
  const std::string page = bytes(source + "/docs/tutorials/first_hour.md").value();
  EXPECT_NE(page.find("```text\n" + levels + "```\n"), std::string::npos) << levels;
  const std::string first = levels.substr(0, levels.find('\n'));
  const double best = std::stod(first.substr(first.rfind(' ')));
  for (const std::string seed : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    const std::string cost = transcript_of(
        "keyhole study create s" + seed + " --space=" + examples + "zstd.toml --seed=" + seed +
            " && keyhole study drive s" + seed + " --rounds=300 --durability=process -- " +
            examples + "zstd.sh >/dev/null && export $(keyhole study recommend s" + seed +
            " | sed 's/^/KEYHOLE_/; s/  */=/') && " + examples + "zstd.sh",
        folder.path(""));
    EXPECT_LE(std::stod(cost), 1.01 * best) << "with the seed " << seed << ": " << cost;
  }
}

TEST(Pages, TheSpaceFileIsRead) {
  find_program();
  const Folder folder;
  const std::string page = bytes(std::string(KEYHOLE_SOURCE_DIR) + "/docs/spaces.md").value();
  const std::size_t first = page.find("```toml\n") + 8;
  write_bytes(folder.path("space.toml"), page.substr(first, page.find("```", first) - first));
  EXPECT_EQ(transcript_of("keyhole study create s --space=space.toml", folder.path("")), "");
  EXPECT_EQ(
      transcript_of("keyhole study recommend s | sed 's/ .*//'", folder.path("")),
      "timeout\ncpu\nmemory\nbatch\nbuffer\nblock\npage\neffort\ncodec\ndirect\npool.a\npool.b\n"
      "region\n");
}

}  // namespace
}  // namespace keyhole::tests
