#include "experiment/terminal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "wait.h"

namespace keyhole::tests {
namespace {

TEST(Notice, SaysWhatTakesLongAndTakesItBack) {
  std::string screen;
  std::atomic<int> writes = 0;
  {
    const experiment::Notice notice("making the set", 0.001, [&](const std::string& text) {
      screen += text;
      ++writes;
    });
    EXPECT_TRUE(comes_true([&] { return writes == 1; }));
  }
  EXPECT_EQ(screen, "\rmaking the set\x1b[K\r\x1b[K");
}

TEST(Notice, SaysNothingOfWhatIsQuickAndDoesNotHoldItUp) {
  std::string screen;
  const auto begin = std::chrono::steady_clock::now();
  {
    const experiment::Notice notice("making the set", 600,
                                    [&](const std::string& text) { screen += text; });
  }
  EXPECT_EQ(screen, "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace keyhole::tests
