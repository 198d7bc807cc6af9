#include "experiment/progress.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "experiment/interrupt.h"
#include "instances.h"

namespace keyhole::tests {
namespace {

using experiment::Advance;
using experiment::bar_text;
using experiment::Ending;
using experiment::line_text;

TEST(Progress, Texts) {
  EXPECT_EQ(line_text({0, 0, 100}, 0), "0 %");
  EXPECT_EQ(line_text({0, 0, 100}, 0.9), "0 %");
  EXPECT_EQ(line_text({0, 0, 100}, 1), "0 %, making sets and learners");
  EXPECT_EQ(line_text({30, 30, 100}, 5), "30 %, making sets and learners");
  EXPECT_EQ(line_text({50, 0, 100}, 10), "50 %, 5.00 rounds/s, 10 s left");
  // Of 600, 300 were there before: 100 in 2 s are 50 a second, and 200 are left.
  EXPECT_EQ(line_text({400, 300, 600}, 2), "66 %, 50.0 rounds/s, 4 s left");
  EXPECT_EQ(line_text({1'200'000, 0, 157'200'000}, 1), "0 %, 1.20 M rounds/s, 2 min 10 s left");
  EXPECT_EQ(line_text({1, 0, 7263}, 1), "0 %, 1.00 rounds/s, 2 h 1 min left");
  EXPECT_EQ(line_text({1, 0, 200'001}, 1), "0 %, 1.00 rounds/s, 2 d 7 h left");
  EXPECT_EQ(line_text({99'999, 0, 100'000}, 100), "99 %, 1.00 k rounds/s, 1 s left");
  EXPECT_EQ(line_text({100, 0, 100}, 10), "100 %, 10.0 rounds/s");
  EXPECT_EQ(line_text({100, 100, 100}, 10), "100 %");
  EXPECT_EQ(bar_text({50, 0, 100}, 10, 80),
            "[####################....................]   50 %   5.00 rounds/s   10 s left");
}

TEST(Progress, FitsAnyWidth) {
  for (std::size_t width = 0; width < 120; ++width) {
    EXPECT_LE(bar_text({1'200'000, 0, 157'200'000}, 1, width).size(), width > 0 ? width - 1 : 0)
        << width;
  }
}

struct Screen {
  std::string text;
  double now = 0;
  experiment::ProgressSurroundings surroundings() {
    return {[this](const std::string& more) { text += more; }, [this] { return now; },
            [] { return std::size_t{60}; }};
  }
};

TEST(Progress, TheBarIsDrawnAtMostTenTimesASecond) {
  Screen screen;
  const auto sink = experiment::terminal_bar(screen.surroundings());
  for (int k = 0; k < 1000; ++k) {
    screen.now = k / 500.0;
    sink->update({static_cast<std::uint64_t>(k), 0, 1000});
  }
  const auto frames = std::count(screen.text.begin(), screen.text.end(), '\r');
  EXPECT_GE(frames, 15);
  EXPECT_LE(frames, 20);
  screen.text.clear();
  sink->timing();
  sink->end({1000, 0, 1000}, Ending::complete);
  EXPECT_EQ(screen.text,
            "\rmeasuring times\x1b[K\r[##################################]   100 %   501 "
            "rounds/s\x1b[K\n");
  screen.text.clear();
  sink->end({500, 0, 1000}, Ending::interrupted);
  EXPECT_EQ(screen.text.find("interrupted"), std::string::npos);  // the program says it, once
}

TEST(Progress, PlainLinesAreFew) {
  Screen screen;
  const auto sink = experiment::plain_lines(screen.surroundings());
  for (int k = 0; k <= 250; ++k) {
    screen.now = k * 0.6;
    sink->update({static_cast<std::uint64_t>(k), 0, 1000});
  }
  sink->timing();
  sink->end({1000, 0, 1000}, Ending::complete);
  EXPECT_EQ(screen.text,
            "10 %, 1.67 rounds/s, 9 min 0 s left\n20 %, 1.67 rounds/s, 8 min 0 s left\n"
            "100 %, 6.67 rounds/s\n");
  screen.text.clear();
  screen.now += 25;
  sink->end({500, 0, 1000}, Ending::interrupted);
  EXPECT_EQ(screen.text, "50 %, 20.0 rounds/s, 25 s left\n");
  screen.text.clear();
  screen.now += 25;
  sink->end({500, 0, 1000}, Ending::failed);
  EXPECT_EQ(screen.text, "50 %, 20.0 rounds/s, 25 s left\n");
}

TEST(Progress, EachRunOfSeveralHasAClockOfItsOwn) {
  Screen screen;
  for (const auto make : {experiment::plain_lines, experiment::terminal_bar}) {
    const auto sink = make(screen.surroundings());
    for (const double rate : {50.0, 20.0}) {
      screen.text.clear();
      screen.now += 1000 / rate;
      sink->end({1000, 0, 1000}, Ending::complete);
      EXPECT_NE(screen.text.find(std::to_string(static_cast<int>(rate)) + ".0 rounds/s"),
                std::string::npos)
          << screen.text;
    }
  }
}

TEST(Progress, NoneIfQuiet) {
  EXPECT_EQ(experiment::progress_on_stderr(true), nullptr);
  EXPECT_NE(experiment::progress_on_stderr(false), nullptr);
}

TEST(Interrupt, RaisesAFlagOnceAndThenHasItsUsualEffect) {
  const std::atomic<bool>& stop = experiment::stop_on_interrupt();
  EXPECT_FALSE(stop);
  ::raise(SIGINT);
  EXPECT_TRUE(stop);
  struct sigaction action = {};
  ASSERT_EQ(::sigaction(SIGINT, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
  EXPECT_FALSE(experiment::stop_on_interrupt());  // again
  ::raise(SIGTERM);
  EXPECT_TRUE(stop);
  ::signal(SIGINT, SIG_DFL);
}

TEST(Progress, ARunTellsHowFarItIs) {
  const Folder folder;
  Screen screen;
  const auto sink = experiment::plain_lines(screen.surroundings());
  auto options = quick(folder.path("out"));
  options.progress = sink.get();
  (void)experiment::run(small_experiment(100, 2), options);
  EXPECT_EQ(screen.text, "100 %\n");
}

}  // namespace
}  // namespace keyhole::tests
