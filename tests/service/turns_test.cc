// Whose turn it is: the tests say when a thread is free, and what happens while work runs.

#include "service/turns.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

#include "wait.h"

namespace keyhole::tests {
namespace {

using service::Turns;

/// Threads that run when the test says so.
class Threads {
 public:
  service::Lane lane(std::size_t threads, std::size_t spare = 0) {
    return {[this](auto work) { handed.push_back(std::move(work)); }, threads, spare};
  }
  /// Runs what was handed to the first thread that has something to do, and what it does then.
  void run_one() {
    const auto work = std::move(handed.front());
    handed.pop_front();
    work();
  }
  void run_all() {
    while (!handed.empty()) run_one();
  }

  std::deque<std::function<void()>> handed;
};

class TurnsTest : public ::testing::Test {
 protected:
  /// Work that says that it is done.
  void add(Turns& turns, const std::string& tenant, const std::string& study,
           bool takes_turns = true) {
    turns.add(
        {tenant, study}, [this, tenant, study] { done_.push_back(tenant + study); }, takes_turns);
  }
  /// Work that takes a while, waiting.
  static void add_waiting(Turns& turns, const std::string& study) {
    turns.add({"", study}, [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
  }

  Threads threads_;
  Threads long_threads_;
  std::vector<std::string> done_;
};

using Names = std::vector<std::string>;
constexpr Turns::Options tenants = {.has_tenants = true};
/// Of work that waits for more than 2 ms.
constexpr Turns::Options quick = {.time = std::chrono::milliseconds(2)};

TEST_F(TurnsTest, StudiesOfATenantTakeTurnsAndTenantsDo) {
  Turns turns({threads_.lane(1)}, tenants);
  for (int k = 0; k < 3; ++k) {
    add(turns, "a", "1");
    add(turns, "a", "2");
  }
  add(turns, "b", "1");
  add(turns, "c", "1");
  EXPECT_EQ(threads_.handed.size(), 1U);
  threads_.run_all();
  EXPECT_EQ(done_, (Names{"a1", "b1", "c1", "a2", "a1", "a2", "a1", "a2"}));
  EXPECT_EQ(turns.size(), 0U);
}

/// However many studies there are, none waits for another.
TEST_F(TurnsTest, WorkWaitsForThatOfItsStudyAlone) {
  constexpr std::size_t many = 1000;
  Turns turns({threads_.lane(2 * many)}, {});
  for (std::size_t k = 0; k < many; ++k) add(turns, "", std::to_string(k));
  EXPECT_EQ(threads_.handed.size(), many);
  for (std::size_t k = 0; k < many; ++k) add(turns, "", std::to_string(k));
  EXPECT_EQ(threads_.handed.size(), many);
  EXPECT_EQ(turns.size(), many);
  add(turns, "", "0", false);  // which takes no turns
  EXPECT_EQ(threads_.handed.size(), many + 1);
  threads_.run_all();
  EXPECT_EQ(done_.size(), 2 * many + 1);
  EXPECT_EQ(turns.size(), 0U);
}

TEST_F(TurnsTest, ATenantLeavesAThreadToOthers) {
  Turns turns({threads_.lane(4)}, tenants);
  for (int k = 0; k < 9; ++k) add(turns, "a", std::to_string(k));
  EXPECT_EQ(threads_.handed.size(), 3U);
  add(turns, "b", "1");
  EXPECT_EQ(threads_.handed.size(), 4U);
  threads_.run_all();
  EXPECT_EQ(done_.size(), 10U);
}

TEST_F(TurnsTest, ALoneTenantHasAllThreads) {
  Turns turns({threads_.lane(4)}, {});
  for (int k = 0; k < 9; ++k) add(turns, "", std::to_string(k));
  EXPECT_EQ(threads_.handed.size(), 4U);
  threads_.run_all();
  EXPECT_EQ(done_.size(), 9U);
}

/// Whoever waits for a lock uses no processor, and is long all the same.
TEST_F(TurnsTest, AStudyThatTakesLongHasOtherThreadsForAWhile) {
  Turns turns({threads_.lane(1), long_threads_.lane(1)}, quick);
  add_waiting(turns, "slow");
  add(turns, "", "slow");  // it was there before anybody knew
  add(turns, "", "quick");
  threads_.run_all();
  EXPECT_EQ(done_, Names{"quick"});
  EXPECT_EQ(long_threads_.handed.size(), 1U);
  long_threads_.run_all();
  EXPECT_EQ(done_, (Names{"quick", "slow"}));
  // Short work shows that it takes long no more.
  EXPECT_TRUE(comes_true([&] {
    add(turns, "", "slow");
    if (!threads_.handed.empty()) return true;
    long_threads_.run_all();
    return false;
  }));
  threads_.run_all();
}

/// A second in which the machine was at other things is no reason to go to the others for long.
TEST_F(TurnsTest, AStudyThatWaitedOnceIsSoonAsOthersAre) {
  Turns turns({threads_.lane(1), long_threads_.lane(1)},
              {.processor = std::chrono::seconds(1), .time = std::chrono::milliseconds(50)});
  turns.add({"", "a"}, [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
  threads_.run_all();
  int steps = 0;
  for (; threads_.handed.empty() && steps < 100; ++steps) {
    long_threads_.run_all();
    add(turns, "", "a");
  }
  EXPECT_GE(steps, 11);  // 15/16 to that power is a half
  EXPECT_LT(steps, 100);
  threads_.run_all();
  EXPECT_EQ(turns.size(), 0U);
}

TEST_F(TurnsTest, AStudyThatIsBusyForLongHasOtherThreads) {
  Turns turns({threads_.lane(1), long_threads_.lane(1)},
              {.processor = std::chrono::microseconds(1), .time = std::chrono::hours(1)});
  turns.add({"", "wide"}, [] {
    const auto end = Turns::Clock::now() + std::chrono::milliseconds(2);
    while (Turns::Clock::now() < end) {
    }
  });
  threads_.run_all();
  add(turns, "", "wide");
  EXPECT_EQ(long_threads_.handed.size(), 1U);
  long_threads_.run_all();
}

/// As many studies as there are threads wait for locks: a spare thread comes in the place of each,
/// and no more than there are.
TEST_F(TurnsTest, WhatWaitsGivesItsPlaceToOthers) {
  Turns turns({threads_.lane(2, 2), long_threads_.lane(1)}, quick);
  turns.add({"", "held"}, [&] {
    turns.add({"", "held too"}, [&] {
      add(turns, "", "stranger");
      EXPECT_TRUE(threads_.handed.empty());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      turns.look();
      ASSERT_EQ(threads_.handed.size(), 1U);
      threads_.run_one();
      EXPECT_EQ(done_, Names{"stranger"});
      // Both spare threads are lent, and these two wait as well.
      turns.add({"", "third"}, [&] {
        turns.add({"", "fourth"}, [&] {
          add(turns, "", "last");
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          turns.look();
          EXPECT_TRUE(threads_.handed.empty());
        });
        threads_.run_one();
      });
      threads_.run_one();
    });
    threads_.run_one();
  });
  threads_.run_all();
  EXPECT_EQ(done_, (Names{"stranger", "last"}));
  // All is given back.
  for (int k = 0; k < 5; ++k) add(turns, "", std::to_string(k));
  EXPECT_EQ(threads_.handed.size(), 2U);
  threads_.run_all();
}

/// The spare threads are shared as the others are.
TEST_F(TurnsTest, ATenantThatWaitsLeavesASpareThreadToOthers) {
  Turns turns({threads_.lane(2, 2)}, {.has_tenants = true, .time = std::chrono::milliseconds(2)});
  std::size_t runs = 0;
  bool is_over = false;
  // Each waits while the next one runs, if there is a thread for it.
  std::function<void()> hold = [&] {
    if (is_over) return;
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    turns.add({"a", std::to_string(runs)}, hold);
    turns.look();
    if (!threads_.handed.empty()) return threads_.run_one();
    add(turns, "b", "1");
    EXPECT_EQ(threads_.handed.size(), 1U);
    threads_.run_one();
    is_over = true;
  };
  turns.add({"a", "0"}, hold);
  threads_.run_all();
  EXPECT_EQ(runs, 2U);  // with one place lent and one of those that are not
  EXPECT_EQ(done_, Names{"b1"});
}

/// Real threads, of which each takes what is next: nothing is lost, and no study is at work twice.
TEST_F(TurnsTest, RunsEverythingOnce) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  const auto lane = [&](std::size_t count) {
    return service::Lane{[&](auto work) {
                           const std::lock_guard lock(mutex);
                           threads.emplace_back(std::move(work));
                         },
                         count, 2};
  };
  constexpr int studies = 7;
  constexpr int rounds = 300;
  std::array<std::atomic<int>, studies> at_work = {};
  std::array<std::atomic<int>, studies> done = {};
  std::atomic<int> clashes = 0;
  {
    Turns turns({lane(3), lane(1)},
                {.has_tenants = true, .processor = std::chrono::microseconds(9)});
    for (int k = 0; k < studies * rounds; ++k) {
      const auto study = static_cast<std::size_t>(k % studies);
      turns.add({std::to_string(study % 2), std::to_string(study)}, [&, study] {
        if (++at_work[study] > 1) ++clashes;
        --at_work[study];
        ++done[study];
      });
      if (k % 100 == 0) turns.look();
    }
    for (std::size_t k = 0; k < studies; ++k) {
      while (done[k] < rounds) std::this_thread::yield();
    }
    while (true) {
      std::vector<std::thread> ended;
      {
        const std::lock_guard lock(mutex);
        ended.swap(threads);
      }
      if (ended.empty()) break;
      for (std::thread& thread : ended) thread.join();
    }
  }
  EXPECT_EQ(clashes, 0);
}

}  // namespace
}  // namespace keyhole::tests
