#include "base/sha256.h"

#include <gtest/gtest.h>

namespace keyhole::math {
namespace {

// The examples that NIST publishes with FIPS 180-4, and those of its validation program for short
// messages.
TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(base::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(base::sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(base::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(base::sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                         "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(base::sha256("\xd3"),
            "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(base::sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TakesEveryLength) {
  // Around the block of 64 bytes, where the padding changes its shape, no two agree.
  std::string last;
  for (std::size_t size = 50; size < 140; ++size) {
    const std::string digest = base::sha256(std::string(size, 'x'));
    EXPECT_EQ(digest.size(), 64U);
    EXPECT_NE(digest, last);
    last = digest;
  }
  EXPECT_NE(base::sha256(std::string(1, '\0')), base::sha256(""));
}

}  // namespace
}  // namespace keyhole::math
