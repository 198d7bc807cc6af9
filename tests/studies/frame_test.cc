// The frames of a log: read back, and nothing that was cut or changed is taken for one.

#include "studies/format/frame.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/study.h"
#include "random.h"
#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/events.h"
#include "studies/journals/log_reader.h"

namespace keyhole::tests {
namespace {

using studies::Event;
using studies::Mark;

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

TEST(Seals, HaveTheKnownValues) {
  // Worked out by another program: (h xor word) * 0x9E3779B97F4A7C15, upper half xor lower half.
  EXPECT_EQ(studies::sealed(studies::first_seal, ""), 0xe18485764ba03644U);
  EXPECT_EQ(studies::sealed(studies::first_seal, "123456789"), 0x685bcd08134c8b6bU);
  EXPECT_EQ(studies::sealed(1, std::string(8, '\xFF')), 0xda387172c9c38d83U);
  EXPECT_EQ(studies::witness_of(std::vector<double>{1, 0, -0.5}), 0x85dabf6aU);
}

TEST(Seals, EveryChangedBitChangesThem) {
  const std::string bytes = "a frame of some length, with a tail";
  const std::uint64_t seal = studies::sealed(5, bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_NE(studies::sealed(5, changed), seal);
    }
  }
  EXPECT_NE(studies::sealed(4, bytes), seal);
  EXPECT_NE(studies::sealed(5, bytes + std::string(1, '\0')), seal);
  EXPECT_NE(studies::sealed(5, bytes.substr(0, bytes.size() - 1)), seal);
}

/// A step with some of everything.
studies::Step random_step(Random& random, std::uint64_t asked, std::string& facts) {
  studies::Step step{.asks = random.integer(0, 3)};
  for (std::uint64_t i = random.integer(0, 4); i > 0; --i) {
    studies::Tell tell{.play = 1 + random.integer(0, asked - 1), .loss = random.normal()};
    if (random.uniform() < 0.3) tell.weight = 2.5;
    if (random.uniform() < 0.3) tell.metrics = {{0, random.normal()}, {300, 1}};
    if (random.uniform() < 0.3) tell.notes = {{"build", random.normal()}, {"p98", 1}};
    step.tells.push_back(std::move(tell));
  }
  if (step.asks > 0 && random.uniform() < 0.5) step.worker = "worker " + std::to_string(asked);
  if (random.uniform() < 0.3) step.context = {random.normal(), 0};
  step.kept = random.uniform() < 0.5 ? studies::Kept::point : studies::Kept::witness;
  for (std::size_t k = 0; k < step.asks * (step.kept == studies::Kept::point ? 24 : 4); ++k) {
    facts += static_cast<char>(random.integer(0, 255));
  }
  step.facts = facts;
  return step;
}

TEST(Events, StepsReadBack) {
  Random random(3);
  Event read;
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t asked = 1 + random.integer(0, 100000);
    std::string facts;
    const studies::Step step = random_step(random, asked, facts);
    const std::string content = studies::event_content(step, asked);
    ASSERT_TRUE(studies::read_event(content, asked, read));
    const auto& back = std::get<studies::Step>(read);
    EXPECT_EQ(studies::event_content(back, asked), content);
    EXPECT_EQ(back.asks, step.asks);
    EXPECT_EQ(back.worker, step.worker);
    EXPECT_EQ(back.context, step.context);
    EXPECT_EQ(back.facts, step.facts);
    ASSERT_EQ(back.tells.size(), step.tells.size());
    for (std::size_t i = 0; i < step.tells.size(); ++i) {
      EXPECT_EQ(back.tells[i].play, step.tells[i].play);
      EXPECT_EQ(back.tells[i].loss, step.tells[i].loss);
      EXPECT_EQ(back.tells[i].weight, step.tells[i].weight);
      EXPECT_EQ(back.tells[i].metrics, step.tells[i].metrics);
      EXPECT_EQ(back.tells[i].notes, step.tells[i].notes);
    }
    EXPECT_TRUE(studies::is_event(content));
    for (std::size_t cut = 0; cut < content.size(); ++cut) {
      // Fewer bytes can be those of shorter points.
      const bool is_one = studies::read_event(content.substr(0, cut), asked, read);
      EXPECT_TRUE(!is_one || step.kept == studies::Kept::point) << cut;
    }
    EXPECT_FALSE(studies::read_event(content + "x", asked, read));
  }
}

TEST(Events, OthersReadBack) {
  Event read;
  const auto content_of = [&](const Event& event) {
    const std::string content = studies::event_content(event, 7);
    EXPECT_TRUE(studies::read_event(content, 7, read));
    EXPECT_EQ(studies::event_content(read, 7), content);
    EXPECT_FALSE(studies::read_event(content + "x", 7, read));
    for (std::size_t cut = 0; cut < content.size(); ++cut) {
      EXPECT_FALSE(studies::read_event(content.substr(0, cut), 7, read)) << cut;
    }
    return content;
  };
  EXPECT_EQ(content_of(studies::Switch{false}), std::string("\4\0", 2));
  (void)content_of(studies::Era{"{}", "state"});
  (void)content_of(studies::Era{"{}", "state", StudyChange{7, 300, 2}});
  (void)content_of(studies::Coin{0.25, {1, 2}});
  const auto kind_of = [&](const studies::Past& past) {
    const std::string content = content_of(past);
    EXPECT_TRUE(studies::read_event(content, 7, read));
    const auto& back = std::get<studies::Past>(read);
    EXPECT_EQ(back.id, past.id);
    EXPECT_EQ(back.projected, past.projected);
    EXPECT_EQ(back.skipped, past.skipped);
    EXPECT_EQ(back.losses.size(), past.losses.size());
    for (std::size_t k = 0; k < past.losses.size(); ++k) {
      EXPECT_EQ(back.losses[k].point, past.losses[k].point);
      EXPECT_EQ(back.losses[k].context, past.losses[k].context);
      EXPECT_EQ(back.losses[k].metrics, past.losses[k].metrics);
    }
    return static_cast<int>(content[0]);
  };
  using Loss = studies::Past::Loss;
  const Loss plain = {0.5, 1, {1, 2}};
  const Loss in_context = {-1, 3, {0, 0}, {0.5}};
  const Loss measured = {.point = {1, 1}, .context = {2}, .metrics = {{0, 0.5}, {300, -1}}};
  EXPECT_EQ(kind_of({{plain, {-1, 3, {0, 0}}}}), 6);
  EXPECT_EQ(kind_of({{plain, in_context}}), 9);
  EXPECT_EQ(kind_of({{plain, in_context}, "import", 1, 300}), 11);
  EXPECT_EQ(kind_of({{}, "import", 0, 2}), 11);
  EXPECT_EQ(kind_of({{plain, measured}}), 12);
  EXPECT_EQ(kind_of({{plain, measured}, "import", 1, 300}), 12);
  EXPECT_EQ(studies::seal_in(content_of(studies::Sealed{77})), 77U);
  EXPECT_FALSE(studies::read_event("\x9", 7, read));
}

TEST(Events, AStepOfOneTellAndOneAskTakesFewBytes) {
  const std::string point(80, 'x');
  const auto size = [&](studies::Kept kept, std::string_view facts) {
    const std::string content = studies::event_content(
        studies::Step{
            .tells = {{.play = 999, .loss = 0.1}}, .asks = 1, .kept = kept, .facts = facts},
        1000);
    Mark mark{.position = 1U << 30U};
    return studies::frame_bytes(mark, mark.position - 300, content).size();
  };
  EXPECT_LE(size(studies::Kept::witness, point.substr(0, 4)), 28U);
  EXPECT_LE(size(studies::Kept::point, point), 108U);
}

/// A log of frames that say their number, each synced before the next but for the last `open` ones.
struct Log {
  explicit Log(int frames, int open, Mark begin = {}) : mark(begin) {
    for (int k = 0; k < frames; ++k) {
      marks.push_back(mark);
      bytes += studies::frame_bytes(mark, hardened, content(k));
      if (k < frames - open) hardened = mark.position;
    }
  }
  static std::string content(std::size_t k) {
    return studies::event_content(
        studies::Step{.tells = {{.play = 1, .loss = static_cast<double>(k)}}}, 1);
  }
  Mark mark;
  std::string bytes;
  std::uint64_t hardened = 0;
  std::vector<Mark> marks;
};

/// The contents of the bytes behind a mark.
std::vector<std::string> contents_from(std::string_view bytes, const Mark& mark) {
  std::vector<std::string> all;
  studies::read_frames(bytes, mark, "the log",
                       [&](std::string_view content, const Mark&) { all.emplace_back(content); });
  return all;
}

/// The contents of a log; nothing if it is refused as damaged.
std::optional<std::vector<std::string>> contents(std::string_view bytes) {
  try {
    return contents_from(bytes, {});
  } catch (const StudyError& error) {
    EXPECT_EQ(error.code(), ErrorCode::damaged_log);
    return {};
  }
}

/// Both formats.
class Frames : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static Log log(int frames, int open) {
    return Log(frames, open, GetParam() ? Mark() : studies::first_mark_of_format_1());
  }
};

INSTANTIATE_TEST_SUITE_P(All, Frames, testing::Values(true, false),
                         [](const auto& info) { return info.param ? "Format2" : "Format1"; });

TEST_P(Frames, ReadBack) {
  const auto all = contents(log(100, 3).bytes);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 100U);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ((*all)[k], Log::content(k));
}

TEST_P(Frames, ACutAtAnyByteLosesWhatIsBehindIt) {
  const Log log = Frames::log(60, 5);
  for (std::size_t cut = 0; cut <= log.bytes.size(); ++cut) {
    const auto all = contents(std::string_view(log.bytes).substr(0, cut));
    ASSERT_TRUE(all) << cut;
    std::size_t whole = 0;
    while (whole < 60 && (whole == 59 ? log.mark : log.marks[whole + 1]).position <= cut) ++whole;
    EXPECT_EQ(all->size(), whole) << cut;
  }
}

TEST_P(Frames, AChangedBitIsNoticed) {
  const Log log = Frames::log(60, 5);
  for (std::size_t i = 0; i < log.bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = log.bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const auto all = contents(changed);
      // The last frame that was synced has no witness: those behind it may be lost with it.
      std::size_t frame = 0;
      while (frame + 1 < 60 && log.marks[frame + 1].position <= i) ++frame;
      if (frame < 54) {
        EXPECT_FALSE(all) << i;
      } else if (all) {
        EXPECT_EQ(all->size(), frame) << i;
      }
    }
  }
}

TEST_P(Frames, OfTenThousandNoneIsReadWrong) {
  // A log that is cut at any byte, or has any byte changed. Reading goes from frame to frame and
  // remembers a mark, so it can begin a few frames before the place.
  const Log log = Frames::log(static_cast<int>(scaled_count(10000)), 5);
  const std::string& sound = log.bytes;
  std::size_t refused = 0;
  for (std::size_t frame = 0; frame < log.marks.size(); ++frame) {
    const std::size_t first = frame < 2 ? 0 : frame - 2;
    const Mark from = log.marks[first];
    const std::size_t end =
        (frame + 1 < log.marks.size() ? log.marks[frame + 1] : log.mark).position;
    const auto expect_those_before = [&](const std::vector<std::string>& all) {
      ASSERT_EQ(all.size(), frame - first);
      for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], Log::content(first + k));
    };
    for (std::size_t i = log.marks[frame].position; i < end; ++i) {
      expect_those_before(
          contents_from(std::string_view(sound).substr(from.position, i - from.position), from));
      std::string changed = sound.substr(from.position, 400);
      char& byte = changed[i - from.position];
      byte = static_cast<char>(byte ^ (1 + i % 255));
      try {
        expect_those_before(contents_from(changed, from));
        ASSERT_GE(frame + 6, log.marks.size()) << i;  // the last that were synced
      } catch (const StudyError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, sound.size() - 200);
}

TEST_P(Frames, WhatAPowerCutLosesIsCutOffWhateverTheOrder) {
  // Sectors of what was not synced are lost at random; what was synced must be read.
  constexpr std::size_t sector = 512;
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const int open = static_cast<int>(random.integer(1, 300));
    Log log = Frames::log(400, open);
    for (std::size_t at = log.hardened; at < log.bytes.size();) {
      const std::size_t end = std::min((at / sector + 1) * sector, log.bytes.size());
      const bool is_lost = random.uniform() < 0.5;
      for (std::size_t i = at; is_lost && i < end; ++i) log.bytes[i] = 0;
      at = end;
    }
    if (random.uniform() < 0.5) log.bytes.resize(random.integer(log.hardened, log.bytes.size()));
    const auto all = contents(log.bytes);
    ASSERT_TRUE(all) << k;
    EXPECT_GE(all->size(), static_cast<std::size_t>(400 - open));
    for (std::size_t i = 0; i < all->size(); ++i) EXPECT_EQ((*all)[i], Log::content(i));
  }
}

TEST(Log, AChangedBitIsNoticedWhereNothingWasSynced) {
  // As with Durability::process: a later frame in the same sector is witness enough.
  const Log log(400, 400);
  std::size_t noticed = 0;
  std::size_t changes = 0;
  for (std::size_t i = 0; i + 600 < log.bytes.size(); ++i) {
    std::string changed = log.bytes;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    ++changes;
    noticed += contents(changed) ? 0 : 1;
  }
  EXPECT_EQ(noticed, changes);
}

TEST(Log, AnInsertedOrDeletedByteIsNoticed) {
  const Log log(60, 5);
  for (std::size_t i = 0; i < log.marks[50].position; ++i) {
    std::string changed = log.bytes;
    changed.insert(i, 1, static_cast<char>(i));
    EXPECT_FALSE(contents(changed)) << i;
    changed = log.bytes;
    changed.erase(i, 1);
    EXPECT_FALSE(contents(changed)) << i;
  }
}

TEST(Log, AMarkNamesOneHistory) {
  // Two logs whose first frames differ in one bit of a loss, and whose others are the same.
  Mark a;
  Mark b;
  (void)studies::frame_bytes(a, 0, Log::content(1));
  (void)studies::frame_bytes(b, 0, Log::content(2));
  EXPECT_EQ(a.position, b.position);
  for (int k = 0; k < 100; ++k) {
    EXPECT_NE(a.seal, b.seal);
    (void)studies::frame_bytes(a, 0, Log::content(3));
    (void)studies::frame_bytes(b, 0, Log::content(3));
  }
  EXPECT_NE(a, b);
}

TEST(Log, ALogOfFormat1GoesOnInFormat2) {
  Log log(20, 0, studies::first_mark_of_format_1());
  log.bytes += studies::frame_bytes(log.mark, log.mark.position,
                                    studies::event_content(studies::Sealed{log.mark.seal}, 0));
  EXPECT_TRUE(log.mark.is_sealed);
  studies::require_mark(std::string_view(log.bytes).substr(log.bytes.size() - 8), log.mark, "log");
  const std::size_t begin = log.mark.position;
  for (std::size_t k = 0; k < 20; ++k) {
    log.bytes += studies::frame_bytes(log.mark, log.mark.position, Log::content(k));
  }
  EXPECT_EQ(contents(log.bytes).value().size(), 41U);
  for (std::size_t i = 0; i + 60 < log.bytes.size(); ++i) {
    std::string changed = log.bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_FALSE(contents(changed)) << i << " " << begin;
  }
}

TEST(Log, AMegabyteOfAnythingBehindALogIsLookedAtQuickly) {
  Random random(6);
  const Log log(10, 0);
  for (int kind = 0; kind < 3; ++kind) {
    std::string torn(std::size_t{1} << 20U, '\0');
    for (char& c : torn) {
      c = static_cast<char>(kind == 0 ? random.integer(0, 255) : kind == 1 ? 0xFF : 5);
    }
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(contents(log.bytes + torn).value().size(), 10U);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(time.count(), 20) << kind;  // it was quadratic: minutes
  }
}

}  // namespace
}  // namespace keyhole::tests
