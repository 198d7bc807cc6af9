#include "experiment/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace keyhole::tests {
namespace {

TEST(Interrupts, WhatWasSentIsSeenByEveryThreadAtOnce) {
  for (int k = 0; k < 500; ++k) {
    const int signal = k % 2 == 0 ? SIGINT : SIGTERM;
    const experiment::Interrupts interrupts;
    ASSERT_FALSE(interrupts.seen());
    std::vector<int> seen(2);
    std::thread sender([&] {
      ::kill(::getpid(), signal);
      seen[0] = interrupts.seen() ? 1 : 0;
      std::thread([&] { seen[1] = interrupts.seen() ? 1 : 0; }).join();
    });
    sender.join();
    ASSERT_EQ(seen, std::vector<int>(2, 1)) << k;
    ASSERT_TRUE(interrupts.seen()) << k;
  }
}

TEST(Interrupts, OneOfEachKindDoesNotEndTheProcess) {
  const experiment::Interrupts interrupts;
  ::kill(::getpid(), SIGINT);
  ::kill(::getpid(), SIGTERM);
  EXPECT_TRUE(interrupts.seen());
}

TEST(Interrupts, TheSecondOfAKindHasItsUsualEffect) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          const experiment::Interrupts interrupts;
          while (true) {  // two that are sent at once are one
            ::kill(::getpid(), signal);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        },
        ::testing::KilledBySignal(signal), "");
  }
}

TEST(Interrupts, AreLeftAsTheyWere) {
  { const experiment::Interrupts interrupts; }
  EXPECT_EXIT(::kill(::getpid(), SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace keyhole::tests
