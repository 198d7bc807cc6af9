// That teams share work out, and outlive threads that cannot be started and parts that throw.

#include "math/team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace keyhole::tests {
namespace {

using math::Team;

/// Starts threads and counts them; `fail` is called in place of the k-th, and of all after it.
class Threads {
 public:
  Threads(int k, std::function<void()> fail) : left_(k - 1), fail_(std::move(fail)) {}

  std::thread operator()(std::function<void()> task) {
    if (left_-- <= 0) fail_();
    ++started_;
    return std::thread([this, task = std::move(task)] {
      task();
      ++ended_;
    });
  }

  [[nodiscard]] int started() const { return started_; }
  [[nodiscard]] int ended() const { return ended_; }

 private:
  int left_;
  std::function<void()> fail_;
  int started_ = 0;
  std::atomic<int> ended_ = 0;
};

void expect_every_part_once(Team& team, std::size_t parts) {
  std::vector<std::atomic<int>> done(parts);
  team.run(parts, [&](std::size_t part) { ++done[part]; });
  EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& k) { return k == 1; }));
}

TEST(Team, EveryPartIsDoneOnce) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    Team team(threads);
    for (std::size_t parts = 0; parts < 40; ++parts) expect_every_part_once(team, parts);
  }
}

TEST(Team, GoesOnWithTheThreadsThatItGets) {
  constexpr int most = 7;
  const auto no_more = [] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  };
  for (int k = 1; k <= most; ++k) {
    Threads threads(k, no_more);
    {
      Team team(1 + most, std::ref(threads));
      for (const std::size_t parts : {0u, 1u, 2u, 40u}) expect_every_part_once(team, parts);
    }
    EXPECT_EQ(threads.started(), k - 1);
    EXPECT_EQ(threads.ended(), k - 1);
  }
}

TEST(Team, EndsItsThreadsWhenOtherThingsFail) {
  constexpr int most = 7;
  for (int k = 1; k <= most; ++k) {
    Threads threads(k, [] { throw std::bad_alloc(); });
    EXPECT_THROW(Team(1 + most, std::ref(threads)), std::bad_alloc);
    EXPECT_EQ(threads.started(), k - 1);
    EXPECT_EQ(threads.ended(), k - 1);
  }
}

TEST(Team, ThrowsWhatAPartThrows) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    Team team(threads);
    for (std::size_t part = 0; part < 20; ++part) {
      const auto fail = [&](std::size_t k) {
        if (k == part) throw std::runtime_error("no");
      };
      EXPECT_THROW(team.run(20, fail), std::runtime_error);
      expect_every_part_once(team, 20);
    }
    EXPECT_THROW(team.run(20, [](std::size_t) { throw std::runtime_error("no"); }),
                 std::runtime_error);
    expect_every_part_once(team, 20);
  }
}

}  // namespace
}  // namespace keyhole::tests
