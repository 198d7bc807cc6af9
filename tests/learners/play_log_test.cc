// The sizes of old plays: what is kept, for how long, and states that are not sound.

#include "learners/play_log.h"

#include <gtest/gtest.h>

#include <map>

#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Sizes = algorithms::PlayLog::Sizes;

std::vector<std::byte> bytes_of(algorithms::PlayLog log) {
  Archive archive;
  log.state(archive);
  return std::move(archive).take();
}

algorithms::PlayLog read(const std::vector<std::byte>& bytes) {
  algorithms::PlayLog log;
  Archive archive(bytes);
  log.state(archive);
  EXPECT_EQ(archive.left(), 0u);
  return log;
}

/// A log of as many runs of plays, and what it should know: the first play of each run.
struct Example {
  algorithms::PlayLog log;
  std::map<PlayId, Sizes> runs;
  PlayId latest = 0;
};

Example example(std::size_t runs) {
  Random random(1);
  Example made;
  for (std::size_t k = 0; k < runs; ++k) {
    const Sizes sizes{random.uniform(), random.uniform(), static_cast<double>(k)};
    made.runs[made.latest + 1] = sizes;
    const PlayId plays = random.integer(1, 9);
    for (PlayId j = 0; j < plays; ++j) made.log.note(++made.latest, sizes);
  }
  return made;
}

/// Every play's sizes are those of its run if that is among the latest 1024, else null.
void expect_known(const algorithms::PlayLog& log, const Example& of) {
  std::size_t run = 0;
  for (auto it = of.runs.begin(); it != of.runs.end(); ++it, ++run) {
    const auto next = std::next(it);
    const PlayId end = next == of.runs.end() ? of.latest + 1 : next->first;
    for (PlayId t = it->first; t < end; ++t) {
      const Sizes* const sizes = log.of(t);
      if (run + 1024 < of.runs.size()) {
        ASSERT_EQ(sizes, nullptr) << t;
      } else {
        ASSERT_NE(sizes, nullptr) << t;
        ASSERT_EQ(*sizes, it->second) << t;
      }
    }
  }
}

TEST(PlayLog, KnowsTheSizesOfTheLatest1024Runs) {
  for (const std::size_t runs : {1U, 5U, 1023U, 1024U, 1025U, 3000U}) {
    const Example made = example(runs);
    expect_known(made.log, made);
  }
  EXPECT_EQ(algorithms::PlayLog().of(1), nullptr);
}

TEST(PlayLog, RunsOfTheSameSizesAreOneEntry) {
  algorithms::PlayLog log;
  for (PlayId t = 1; t <= 100000; ++t) log.note(t, {0.1, 0.9, 0.5});
  log.note(100001, {0.2, 0.9, 0.5});
  EXPECT_EQ(bytes_of(log).size(), 8u + 2 * 4 * 8);
  ASSERT_NE(log.of(1), nullptr);
  EXPECT_EQ(log.of(100000)->reach, 0.1);
  EXPECT_EQ(log.of(100001)->reach, 0.2);
}

TEST(PlayLog, GoesOnFromItsState) {
  for (const std::size_t runs : {0U, 3U, 1024U, 2500U}) {
    Example made = example(runs);
    algorithms::PlayLog loaded = read(bytes_of(made.log));
    EXPECT_EQ(bytes_of(loaded), bytes_of(made.log));
    expect_known(loaded, made);
    const Sizes last{2, 2, 2};
    loaded.note(made.latest + 1, last);
    made.log.note(made.latest + 1, last);
    EXPECT_EQ(bytes_of(loaded), bytes_of(made.log));
  }
}

TEST(PlayLog, UnsoundStatesAreRefused) {
  const std::vector<std::byte> sound = bytes_of(example(20).log);
  const auto forged = [&](std::uint64_t count) {
    std::vector<std::byte> bytes = sound;
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(count >> (8 * i));
    return bytes;
  };
  EXPECT_EQ(forged(20), sound);
  for (const std::uint64_t count :
       {std::uint64_t{21}, std::uint64_t{1025}, std::uint64_t{1} << 62U}) {
    EXPECT_NE(message<StateError>([&] { (void)read(forged(count)); }).find("truncated"),
              std::string::npos)
        << count;
  }
  EXPECT_EQ(message<StateError>([&] { (void)read(forged(~std::uint64_t{0})); }),
            "the state counts 18446744073709551615 changes of sizes: it is not sound");
}

}  // namespace
}  // namespace keyhole::tests
