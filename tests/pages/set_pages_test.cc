// The pages of the sets are complete, and those under docs/sets are what the table says now.

#include "pages/set_pages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace keyhole::tests {
namespace {

using pages::File;

const std::vector<File>& made() {
  static const std::vector<File> files = pages::set_pages();
  return files;
}

TEST(SetPages, EverySetHasOne) {
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() != SpecKind::set) continue;
    EXPECT_EQ(pages::missing_of(entry, pages::page_text(entry.name)), "");
  }
}

TEST(SetPages, AnEmptyFieldIsMissed) {
  const SpecEntry entry{.name = "ball", .summary = "a ball", .build = SetBuilder()};
  pages::SetPage page{.use = "a vector",
                      .example = "ball(2)",
                      .oracle = "o",
                      .cost = "c",
                      .geometry = "g",
                      .exploration = "e",
                      .projection = "p"};
  EXPECT_EQ(pages::missing_of(entry, page), "");
  page.projection = "";
  EXPECT_EQ(pages::missing_of(entry, page),
            "ball has no projection in tools/pages/texts, but ball(2) projects");
  page.cost = "";
  EXPECT_EQ(pages::missing_of(entry, page), "ball has no cost in tools/pages/texts");
  EXPECT_EQ(pages::missing_of(entry, pages::page_text("nothing")),
            "ball has no use in tools/pages/texts");
}

TEST(SetPages, AreThoseOfTheDocumentation) {
  const std::filesystem::path folder = KEYHOLE_SOURCE_DIR "/docs/sets";
  std::set<std::string> names;
  for (const File& file : made()) {
    names.insert(file.name);
    std::ifstream stream(folder / file.name, std::ios::binary);
    ASSERT_TRUE(stream) << "docs/sets/" << file.name << " is missing: run `make pages`";
    std::stringstream committed;
    committed << stream.rdbuf();
    const bool is_picture = file.name.ends_with(".svg");
    EXPECT_EQ(pages::difference(committed.str(), file.text, is_picture), "")
        << "docs/sets/" << file.name << " is not current: run `make pages`";
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(names.count(entry.path().filename().string()), 1u)
        << entry.path() << " is of no set: run `make pages`";
  }
}

TEST(SetPages, AreSmall) {
  for (const File& file : made()) EXPECT_LT(file.text.size(), 30'000u) << file.name;
}

TEST(SetPages, TellWhatTheBuiltExampleIs) {
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.name != "simplex") continue;
    const std::string text = pages::page_of(entry, pages::page_text("simplex"))[0].text;
    for (const char* part :
         {"simplex(n, total=1)", "| `total` | number | the sum | 1 |", "keyhole check 'simplex(3)'",
          "| dimension of the hull | 2: flat |", "| p | (0.333333, 0.333333, 0.333333) |",
          "| r | 0.408248 |", "| R | 0.816497 |", "| D | 1.41421 |", "| projects | yes |",
          "| gauge | in closed form |", "| vertices | sparse, 1 entry of 3 |",
          "in the plane of its hull"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  }
}

TEST(SetPages, DifferencesBeyondRoundingAreSeen) {
  EXPECT_EQ(pages::difference("a 0.333333\n", "a 0.333334\n", false), "");
  EXPECT_NE(pages::difference("a 0.333\n", "a 0.334\n", false), "");
  EXPECT_NE(pages::difference("a\n", "b\n", false), "");
  EXPECT_NE(pages::difference("a\n", "a\nb\n", false), "");
  EXPECT_NE(pages::difference("a\n\n", "a\nb\n", false), "");
  EXPECT_NE(pages::difference("a 1\n", "a\n", false), "");
  EXPECT_EQ(pages::difference("M10 20l5-1z\n", "M11 20l5 1z\n", true), "");
  EXPECT_NE(pages::difference("M10 20l5-1z\n", "M13 20l5-1z\n", true), "");
  EXPECT_NE(pages::difference("M10 20l5-1z\n", "M10 20l5-1l1 1z\n", true), "");
}

}  // namespace
}  // namespace keyhole::tests
