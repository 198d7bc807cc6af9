// The log of samples: which run a play is of, what is forgotten, what a state holds.

#include "learners/posterior/sample_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace keyhole::tests {
namespace {

using algorithms::SampleLog;

/// Begins a run of some plays at a point, all of which wait for losses.
void add_run(SampleLog& log, PlayId first, std::uint64_t plays, double point) {
  log.add(first, {.reach = point});
  log.latest().plays = log.latest().waiting = plays;
  std::fill(log.latest_point().begin(), log.latest_point().end(), point);
}

std::vector<std::byte> bytes_of_log(SampleLog& log) {
  Archive writer;
  log.state(writer);
  return std::move(writer).take();
}

TEST(SampleLog, FindsTheRunOfAPlay) {
  SampleLog log(2);
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(log.knows(1));
  add_run(log, 1, 3, 10);
  add_run(log, 4, 1, 20);
  add_run(log, 5, 2, 30);
  EXPECT_FALSE(log.empty());
  const std::vector<double> expected = {10, 10, 10, 20, 30, 30};
  for (PlayId t = 1; t <= 6; ++t) {
    ASSERT_TRUE(log.knows(t)) << t;
    const SampleLog::Entry* const run = log.of(t);
    ASSERT_NE(run, nullptr) << t;
    EXPECT_EQ(run->sizes.reach, expected[t - 1]) << t;
    EXPECT_EQ(log.point_of(*run)[1], expected[t - 1]) << t;
  }
  for (const PlayId t : {0U, 7U, 100U}) {
    EXPECT_FALSE(log.knows(t)) << t;
    EXPECT_EQ(log.of(t), nullptr) << t;
  }
}

TEST(SampleLog, ARunBeginsWithThePointOfTheOneBefore) {
  SampleLog log(3);
  add_run(log, 1, 1, 7);
  log.add(2, {});
  EXPECT_EQ(log.latest_point()[2], 7);
  EXPECT_EQ(log.latest().first, 2U);
  EXPECT_EQ(log.latest().plays, 0U);
  EXPECT_EQ(log.latest().waiting, 0U);
}

TEST(SampleLog, PlaysBetweenRunsAreNotOfEither) {
  SampleLog log(1);
  add_run(log, 1, 2, 1);
  add_run(log, 10, 2, 2);  // plays 3 to 9 were not made by the algorithm
  EXPECT_FALSE(log.knows(3));
  EXPECT_FALSE(log.knows(9));
  EXPECT_TRUE(log.knows(10));
}

TEST(SampleLog, ForgetsWhatIsOlderThan1024Runs) {
  SampleLog log(1);
  for (PlayId k = 0; k < 3000; ++k) {
    add_run(log, 2 * k + 1, 2, static_cast<double>(k));
    const PlayId oldest = k < 1024 ? 0 : k - 1023;
    ASSERT_TRUE(log.knows(2 * oldest + 1)) << k;
    ASSERT_EQ(log.of(2 * oldest + 2)->sizes.reach, static_cast<double>(oldest)) << k;
    if (oldest > 0) {
      ASSERT_FALSE(log.knows(2 * oldest)) << k;
    }
  }
}

/// A run of one play for each play up to t, which takes turns with the three before it; the point
/// of a run is its play.
SampleLog with_turns(PlayId t) {
  SampleLog log(1);
  for (PlayId k = 1; k <= t; ++k) {
    add_run(log, k, 1, static_cast<double>(k));
    log.latest().sizes.turns = static_cast<double>(std::min<PlayId>(3, k - 1));
  }
  return log;
}

TEST(SampleLog, PlaysTakeTurnsWithTheSamplesBefore) {
  SampleLog log = with_turns(10);
  const SampleLog::Entry& run = *log.of(7);
  for (const auto& [uniform, made_from] :
       {std::pair(0.0, 7), {0.24, 7}, {0.26, 6}, {0.51, 5}, {0.76, 4}, {0.999, 4}}) {
    EXPECT_EQ(log.point_of(log.turn(run, uniform))[0], made_from) << uniform;
  }
  EXPECT_EQ(log.point_of(log.turn(*log.of(1), 0.999))[0], 1);
}

TEST(SampleLog, ARunIsForgottenWithTheFirstThatItTakesTurnsWith) {
  SampleLog log = with_turns(1030);
  EXPECT_FALSE(log.knows(9));  // it may be made from 6, and 7 is the oldest
  for (PlayId t = 10; t <= 1030; ++t) {
    ASSERT_TRUE(log.knows(t)) << t;
    EXPECT_EQ(log.point_of(log.turn(*log.of(t), 0.999))[0], static_cast<double>(t - 3)) << t;
  }
}

TEST(SampleLog, AStateHoldsWhatTurnsAreTakenWith) {
  SampleLog log = with_turns(100);
  for (PlayId t = 1; t <= 100; ++t) log.of(t)->waiting = t == 50 ? 1 : 0;
  const std::vector<std::byte> bytes = bytes_of_log(log);
  SampleLog loaded(1);
  Archive reader(bytes);
  loaded.state(reader);
  for (const PlayId t : {50, 100}) {
    ASSERT_TRUE(loaded.knows(t)) << t;
    for (const double uniform : {0.0, 0.3, 0.6, 0.9}) {
      EXPECT_EQ(loaded.point_of(loaded.turn(*loaded.of(t), uniform))[0],
                log.point_of(log.turn(*log.of(t), uniform))[0])
          << t;
    }
  }
  EXPECT_FALSE(loaded.knows(46));
}

TEST(SampleLog, RunsAreAsLongAsLateLossesNeed) {
  SampleLog log(1);
  EXPECT_EQ(log.least_run(), 0);
  add_run(log, 1, 5000, 1);
  (void)log.of(2952);             // 2048 plays later
  EXPECT_EQ(log.least_run(), 8);  // then 1024 runs hold four times 2048 plays
}

TEST(SampleLog, AStateHoldsTheRunsThatWaitAndTheLatest) {
  SampleLog log(2);
  const std::size_t empty = bytes_of_log(log).size();
  add_run(log, 1, 1, 1);
  const std::size_t a_run = bytes_of_log(log).size() - empty;
  EXPECT_GT(a_run, 0U);
  for (PlayId t = 2; t <= 10; ++t) add_run(log, t, 1, 1);
  EXPECT_EQ(bytes_of_log(log).size(), empty + 10 * a_run);
  for (const PlayId t : {1U, 3U, 4U, 9U}) log.of(t)->waiting = 0;
  EXPECT_EQ(bytes_of_log(log).size(), empty + 6 * a_run);
  for (PlayId t = 1; t <= 10; ++t) log.of(t)->waiting = 0;
  EXPECT_EQ(bytes_of_log(log).size(), empty + a_run);
}

TEST(SampleLog, GoesOnFromItsState) {
  SampleLog log(2);
  for (PlayId t = 1; t <= 50; ++t) {
    add_run(log, 2 * t, 2, static_cast<double>(t));
    if (t % 3 != 0) log.latest().waiting = 0;
  }
  const std::vector<std::byte> bytes = bytes_of_log(log);
  SampleLog loaded(2);
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_EQ(bytes_of_log(loaded), bytes);
  for (PlayId t = 1; t <= 50; ++t) {
    ASSERT_EQ(loaded.knows(2 * t + 1), t % 3 == 0 || t == 50) << t;
    if (t % 3 != 0) continue;
    EXPECT_EQ(loaded.of(2 * t + 1)->sizes.reach, static_cast<double>(t));
    EXPECT_EQ(loaded.of(2 * t + 1)->waiting, 2U);
    EXPECT_EQ(loaded.point_of(*loaded.of(2 * t))[0], static_cast<double>(t));
  }
}

TEST(SampleLog, ForgetsARunWhetherOrNotThereWasAState) {
  SampleLog log(1);
  add_run(log, 1, 1, 1);
  for (PlayId t = 2; t <= 500; ++t) {
    add_run(log, t, 1, 2);
    log.latest().waiting = 0;
  }
  const std::vector<std::byte> bytes = bytes_of_log(log);
  SampleLog loaded(1);
  Archive reader(bytes);
  loaded.state(reader);
  for (PlayId t = 501; t <= 1100; ++t) {
    for (SampleLog* one : {&log, &loaded}) {
      add_run(*one, t, 1, 2);
      one->latest().waiting = 0;
      ASSERT_EQ(one->knows(1), t <= 1024) << t;
    }
  }
  EXPECT_EQ(bytes_of_log(loaded), bytes_of_log(log));
}

}  // namespace
}  // namespace keyhole::tests
