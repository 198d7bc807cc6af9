// Turns are taken in the order in which they were asked for.

#include "studies/study/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace keyhole::tests {
namespace {

TEST(Turns, NobodyGetsTwoWhileAnotherWaits) {
  constexpr std::size_t each = 50;
  studies::Turns turns;
  std::vector<std::size_t> order;  // guarded by the turn, as those that somebody has had
  std::array<std::size_t, 2> had = {};
  std::array<std::atomic<std::size_t>, 2> asked_for = {};
  const auto take = [&](std::size_t who) {
    const std::size_t other = 1 - who;
    for (std::size_t k = 0; k < each; ++k) {
      ++asked_for[who];
      const std::lock_guard turn(turns);
      order.push_back(who);
      ++had[who];
      // So that the other waits: it has said that it will, and then needs a moment.
      while (had[other] < each && asked_for[other] == had[other]) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  std::thread one(take, 0);
  std::thread two(take, 1);
  one.join();
  two.join();
  ASSERT_EQ(order.size(), 2 * each);
  std::size_t changes = 0;
  for (std::size_t k = 1; k < order.size(); ++k) changes += order[k] != order[k - 1] ? 1 : 0;
  EXPECT_GE(changes, each);  // 99 if both are always there; a std::mutex has a few
}

TEST(Turns, OneAtATime) {
  studies::Turns turns;
  int inside = 0;
  int most = 0;
  std::uint64_t count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 2000; ++k) {
        const std::lock_guard turn(turns);
        most = std::max(most, ++inside);
        ++count;
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(count, 16000U);
}

}  // namespace
}  // namespace keyhole::tests
