#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

namespace keyhole::math {
namespace {

std::uint64_t hash_of(std::string_view text) { return base::fnv1a(std::as_bytes(std::span(text))); }

// From the test suite of Fowler, Noll and Vo.
TEST(Hash, GivesTheKnownAnswers) {
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hash_of("b"), 0xaf63df4c8601f1a5U);
  EXPECT_EQ(hash_of("foo"), 0xdcb27518fed9d577U);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8U);
}

TEST(Hash, IsAConstantExpression) {
  constexpr std::array<std::byte, 1> a = {std::byte{'a'}};
  static_assert(base::fnv1a(a) == 0xaf63dc4c8601ec8cU);
}

TEST(Hash, EverySingleByteChangeShows) {
  std::array<std::byte, 300> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>((i * i + 7 * i) % 251);
  std::set<std::uint64_t> seen = {base::fnv1a(bytes)};
  for (std::byte& byte : bytes) {
    const std::byte before = byte;
    for (unsigned flip = 1; flip < 256; ++flip) {
      byte = before ^ static_cast<std::byte>(flip);
      seen.insert(base::fnv1a(bytes));
    }
    byte = before;
  }
  // More than the law asks for: no two of the changed buffers collide either.
  EXPECT_EQ(seen.size(), 1 + 300 * 255U);
}

TEST(Hash, HasSixteenDigits) {
  EXPECT_EQ(base::hash_text(0x0123456789abcdef), "0123456789abcdef");
  EXPECT_EQ(base::hash_text(0), "0000000000000000");
}

TEST(Hash, LengthAndOrderCount) {
  constexpr std::array<std::byte, 3> zeros = {};
  EXPECT_NE(base::fnv1a(std::span(zeros).first(1)), base::fnv1a(std::span(zeros).first(2)));
  EXPECT_NE(hash_of("ab"), hash_of("ba"));
}

}  // namespace
}  // namespace keyhole::math
