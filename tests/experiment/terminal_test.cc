#include "experiment/terminal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

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
    for (int k = 0; k < 2000 && writes == 0; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(writes, 1);
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
