// The frames of a log: read back, and nothing that was cut or changed is taken for one.

#include "studies/format/frame.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/study.h"
#include "random.h"
#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/step.h"
#include "studies/journals/log_reader.h"

namespace keyhole::tests {
namespace {

using studies::Fault;
using studies::Frame;

TEST(Crc32c, HasTheKnownValues) {
  // Of RFC 3720, B.4.
  EXPECT_EQ(studies::crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(studies::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(studies::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(studies::crc32c("56789", studies::crc32c("1234")), studies::crc32c("123456789"));
}

TEST(Bytes, NumbersReadBack) {
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{127}, std::uint64_t{128},
        std::uint64_t{16384}, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    std::string bytes;
    studies::put_number(bytes, number);
    studies::Taker taker(bytes);
    EXPECT_EQ(taker.number(), number);
    EXPECT_TRUE(taker.rest().empty());
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      EXPECT_FALSE(studies::Taker(std::string_view(bytes).substr(0, cut)).number());
    }
  }
  EXPECT_FALSE(studies::Taker(std::string("\x80\x00", 2)).number());  // not the shortest
  EXPECT_FALSE(studies::Taker(std::string(10, '\xFF') + "\x7F").number());
}

TEST(Steps, ReadBack) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    studies::Step step{.asks = random.integer(0, 3)};
    const std::uint64_t asked = 1 + random.integer(0, 100000);
    for (std::uint64_t i = random.integer(0, 4); i > 0; --i) {
      step.tells.push_back({1 + random.integer(0, asked - 1), random.normal()});
    }
    if (step.asks > 0 && random.uniform() < 0.5) step.worker = "worker " + std::to_string(k);
    const std::string content = studies::step_content(step, asked);
    studies::Step read{.tells = {{5, 5}}, .asks = 5, .worker = "before"};
    ASSERT_TRUE(studies::read_step(content, asked, read));
    EXPECT_EQ(read.asks, step.asks);
    EXPECT_EQ(read.worker, step.worker);
    ASSERT_EQ(read.tells.size(), step.tells.size());
    for (std::size_t i = 0; i < step.tells.size(); ++i) {
      EXPECT_EQ(read.tells[i].play, step.tells[i].play);
      EXPECT_EQ(read.tells[i].loss, step.tells[i].loss);
    }
    for (std::size_t cut = 0; cut < content.size(); ++cut) {
      EXPECT_FALSE(studies::read_step(content.substr(0, cut), asked, read)) << cut;
    }
    EXPECT_FALSE(studies::read_step(content + "x", asked, read));
  }
}

TEST(Steps, TakeAtMostTwentyBytes) {
  const std::string content = studies::step_content({.tells = {{999, 0.1}}, .asks = 1}, 1000);
  EXPECT_LE(studies::frame_bytes(1U << 30U, (1U << 30U) - 300, content).size(), 20U);
}

/// A log of frames that say their number, each synced before the next but for the last `open` ones.
struct Log {
  explicit Log(int frames, int open) {
    for (int k = 0; k < frames; ++k) {
      starts.push_back(bytes.size());
      bytes += studies::frame_bytes(bytes.size(), hardened, "frame " + std::to_string(k));
      if (k < frames - open) hardened = bytes.size();
    }
  }
  std::string bytes;
  std::uint64_t hardened = 0;
  std::vector<std::size_t> starts;
};

/// The contents of a log; nothing if it is refused as damaged.
std::optional<std::vector<std::string>> contents(const std::string& bytes) {
  std::vector<std::string> all;
  try {
    studies::read_frames(bytes, 0, "the log", [&](std::string_view content, std::uint64_t) {
      all.emplace_back(content);
    });
  } catch (const StudyError&) {
    return {};
  }
  return all;
}

TEST(Frames, ReadBack) {
  const Log log(100, 3);
  const auto all = contents(log.bytes);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 100U);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ((*all)[k], "frame " + std::to_string(k));
}

TEST(Frames, ACutAtAnyByteLosesWhatIsBehindIt) {
  const Log log(60, 5);
  for (std::size_t cut = 0; cut <= log.bytes.size(); ++cut) {
    const auto all = contents(log.bytes.substr(0, cut));
    ASSERT_TRUE(all) << cut;
    std::size_t whole = 0;
    while (whole < 60 && (whole == 59 ? log.bytes.size() : log.starts[whole + 1]) <= cut) ++whole;
    EXPECT_EQ(all->size(), whole) << cut;
  }
}

TEST(Frames, AChangedBitIsNoticed) {
  const Log log(60, 5);
  for (std::size_t i = 0; i < log.bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = log.bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const auto all = contents(changed);
      // The last frame that was synced has no witness: those behind it may be lost with it.
      std::size_t frame = 0;
      while (frame + 1 < 60 && log.starts[frame + 1] <= i) ++frame;
      if (frame < 54) {
        EXPECT_FALSE(all) << i;
      } else if (all) {
        EXPECT_EQ(all->size(), frame) << i;
      }
    }
  }
}

TEST(Frames, OfTenThousandNoneIsReadWrong) {
  // A log that is cut at any byte, or has any byte changed. Reading goes from frame to frame and
  // remembers nothing, so it can begin a few frames before the place.
  const Log log(static_cast<int>(scaled_count(10000)), 5);
  const std::string& sound = log.bytes;
  const auto contents_from = [](std::string_view bytes, std::uint64_t position) {
    std::vector<std::string> all;
    studies::read_frames(bytes, position, "the log", [&](std::string_view content, std::uint64_t) {
      all.emplace_back(content);
    });
    return all;
  };
  std::size_t refused = 0;
  for (std::size_t frame = 0; frame < log.starts.size(); ++frame) {
    const std::size_t first = frame < 2 ? 0 : frame - 2;
    const std::size_t from = log.starts[first];
    const std::size_t end = frame + 1 < log.starts.size() ? log.starts[frame + 1] : sound.size();
    const auto expect_those_before = [&](const std::vector<std::string>& all) {
      ASSERT_EQ(all.size(), frame - first);
      for (std::size_t k = 0; k < all.size(); ++k) {
        ASSERT_EQ(all[k], "frame " + std::to_string(first + k));
      }
    };
    for (std::size_t i = log.starts[frame]; i < end; ++i) {
      expect_those_before(contents_from(std::string_view(sound).substr(from, i - from), from));
      std::string changed = sound.substr(from, 400);
      changed[i - from] = static_cast<char>(changed[i - from] ^ (1 + i % 255));
      try {
        expect_those_before(contents_from(changed, from));
        ASSERT_GE(frame + 6, log.starts.size()) << i;  // the last that were synced
      } catch (const StudyError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, sound.size() - 200);
}

TEST(Frames, WhatAPowerCutLosesIsCutOffWhateverTheOrder) {
  // Blocks of what was not synced are lost at random; what was synced must be read.
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const int open = static_cast<int>(random.integer(1, 30));
    Log log(60, open);
    const std::size_t block = random.integer(1, 64);
    for (std::size_t at = log.hardened; at < log.bytes.size(); at += block) {
      if (random.uniform() < 0.5) continue;
      for (std::size_t i = at; i < std::min(at + block, log.bytes.size()); ++i) log.bytes[i] = 0;
    }
    if (random.uniform() < 0.5) log.bytes.resize(random.integer(log.hardened, log.bytes.size()));
    const auto all = contents(log.bytes);
    ASSERT_TRUE(all) << k;
    EXPECT_GE(all->size(), static_cast<std::size_t>(60 - open));
    for (std::size_t i = 0; i < all->size(); ++i) {
      EXPECT_EQ((*all)[i], "frame " + std::to_string(i));
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
