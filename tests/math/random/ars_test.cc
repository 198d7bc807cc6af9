#include "math/random/ars.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "math/random/ars_kernels.h"

namespace keyhole::math {
namespace {

using Words4 = std::array<std::uint32_t, 4>;

struct Vector {
  int rounds;
  Words4 counter;
  Words4 key;
  Words4 block;
};

// Ten rounds: the ars4x32 lines of kat_vectors in Random123 1.14.0. Seven rounds: that file has
// none, these are the output of that release's ars4x32_R(7, ...) itself.
constexpr std::array<Vector, 8> known_answers = {{
    {10, {0, 0, 0, 0}, {0, 0, 0, 0}, {0x8d73ee19, 0x506401ef, 0x13c2dbe4, 0x0cbe9c0d}},
    {10,
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89},
     {0xa516e7d6, 0x8357ad74, 0x5b59b3ec, 0x8763fff3}},
    {10,
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff, 0, 0},
     {0xbb3743b1, 0x9f635551, 0xecbc87fc, 0xa19478a9}},
    {7, {0, 0, 0, 0}, {0, 0, 0, 0}, {0xdacf61ff, 0xc45798f3, 0x113c7eeb, 0x101e27f3}},
    {7,
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89},
     {0xd1df87af, 0xf67d43ba, 0x4f66afdb, 0x393dcb2d}},
    {7,
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff, 0, 0},
     {0x5e39c131, 0xd1121a9c, 0xba0a9803, 0x9372482d}},
    {7, {1, 2, 3, 4}, {5, 6, 7, 8}, {0x55f62793, 0x798d5696, 0x032e8f5b, 0x74b29c4d}},
    {7,
     {0xfffffffe, 0xffffffff, 7, 0},
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xb6324255, 0x77a13371, 0x99ef544b, 0x489d876f}},
}};

std::uint64_t low(const Words4& w) { return w[0] | (std::uint64_t{w[1]} << 32); }
std::uint64_t high(const Words4& w) { return w[2] | (std::uint64_t{w[3]} << 32); }

void expect_known_answers(ArsKernel kernel) {
  for (const Vector& vector : known_answers) {
    std::array<std::uint64_t, 22> keys;
    ars_key_schedule(low(vector.key), high(vector.key), vector.rounds, keys.data());
    // Alone, and at every place of a batch: the counter must count, and batches must not mix.
    for (std::size_t blocks = 1; blocks <= 20; ++blocks) {
      const std::size_t place = blocks - 1;
      std::vector<std::uint64_t> words(2 * blocks);
      kernel(keys.data(), vector.rounds, high(vector.counter), low(vector.counter) - place,
             words.data(), blocks);
      EXPECT_EQ(words[2 * place], low(vector.block)) << vector.rounds << " rounds, place " << place;
      EXPECT_EQ(words[2 * place + 1], high(vector.block))
          << vector.rounds << " rounds, place " << place;
    }
  }
}

TEST(Ars, PortableKernelGivesTheKnownAnswers) { expect_known_answers(&ars_portable); }

TEST(Ars, HardwareKernelGivesTheKnownAnswers) {
  if (!ars_hardware_available())
    GTEST_SKIP() << "no AES instructions in this build or on this processor";
  expect_known_answers(ars_hardware);
}

TEST(Ars, ClassGivesTheKnownAnswers) {
  for (const Vector& vector : known_answers) {
    if (vector.rounds != ars_rounds) continue;
    std::array<std::uint64_t, 2> words;
    Ars(low(vector.key), high(vector.key)).words(high(vector.counter), low(vector.counter), words);
    EXPECT_EQ(words[0], low(vector.block));
    EXPECT_EQ(words[1], high(vector.block));
  }
}

TEST(Ars, KernelsAgreeOnRandomKeysAndCounters) {
  if (!ars_hardware_available())
    GTEST_SKIP() << "no AES instructions in this build or on this processor";
  std::mt19937_64 random(1);
  std::size_t compared = 0;
  while (compared < 100000) {
    const std::size_t blocks = 1 + random() % 40;
    std::array<std::uint64_t, 16> keys;
    ars_key_schedule(random(), random(), ars_rounds, keys.data());
    const std::uint64_t id = random();
    const std::uint64_t first = random() % 4 == 0 ? 0 - random() % 40 : random();
    std::vector<std::uint64_t> portable(2 * blocks);
    std::vector<std::uint64_t> hardware(2 * blocks);
    ars_portable(keys.data(), ars_rounds, id, first, portable.data(), blocks);
    ars_hardware(keys.data(), ars_rounds, id, first, hardware.data(), blocks);
    ASSERT_EQ(portable, hardware);
    compared += blocks;
  }
}

TEST(Ars, WordsDoNotDependOnTheirGrouping) {
  const Ars generator(17, 3);
  std::vector<std::uint64_t> whole(400);
  generator.words(9, 1000, whole);
  for (std::size_t chunk = 2; chunk <= 60; chunk += 2) {
    std::vector<std::uint64_t> parts(whole.size());
    for (std::size_t start = 0; start < parts.size(); start += chunk) {
      const std::size_t count = std::min(chunk, parts.size() - start);
      generator.words(9, 1000 + start / 2, std::span(parts).subspan(start, count));
    }
    EXPECT_EQ(parts, whole) << "chunk " << chunk;
  }
}

TEST(Ars, WritesNothingElse) {
  std::array<std::uint64_t, 4> words = {1, 2, 3, 4};
  const Ars generator(0, 0);
  generator.words(0, 0, {});
  EXPECT_EQ(words, (std::array<std::uint64_t, 4>{1, 2, 3, 4}));
  generator.words(0, 0, std::span(words).first(2));
  EXPECT_EQ(words[2], 3U);
  EXPECT_EQ(words[3], 4U);
}

TEST(Ars, SeedsStreamsIdsAndCountersAllGiveOtherWords) {
  constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  const std::array<std::uint64_t, 7> values = {
      0, 1, 2, std::uint64_t{1} << 32, std::uint64_t{1} << 63, max - 1, max};
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : values) {
    for (const std::uint64_t stream : values) {
      for (const std::uint64_t id : values) {
        for (const std::uint64_t first : values) {
          std::array<std::uint64_t, 2> words;
          Ars(seed, stream).words(id, first, words);
          seen.insert(words[0]);
          seen.insert(words[1]);
        }
      }
    }
  }
  // 4802 random 64-bit words are all different but for a chance of 6e-13.
  EXPECT_EQ(seen.size(), 2 * 7 * 7 * 7 * 7U);
}

}  // namespace
}  // namespace keyhole::math
