// Codes and their words: those of earlier versions stay, and new ones come at the end.

#include "base/error_code.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace keyhole::tests {
namespace {

const std::vector<std::pair<std::uint16_t, std::string>>& codes() {
  static const std::vector<std::pair<std::uint16_t, std::string>> list = {
      {0, "other"},
      {1, "invalid_argument"},
      {2, "horizon_used_up"},
      {3, "unknown_play"},
      {4, "unusable_feedback"},
      {5, "contradiction"},
      {6, "damaged_state"},
      {7, "newer_state"},
      {8, "foreign_state"},
      {9, "other_digits"},
      {10, "failed_learner"},
      {11, "unreadable_input"},
      {12, "unreadable_spec"},
      {13, "unknown_study"},
      {14, "other_description"},
      {15, "needs_renewal"},
      {16, "damaged_log"},
      {17, "newer_log"},
      {18, "replaced"},
      {19, "disk"},
      {20, "database"},
      {21, "busy"},
  };
  return list;
}

TEST(ErrorCode, KeepsItsNumberAndItsWord) {
  for (const auto& [number, word] : codes()) {
    EXPECT_EQ(error_word(ErrorCode{number}), word);
    EXPECT_EQ(base::error_code_of(word), ErrorCode{number});
  }
}

TEST(ErrorCode, IsInThisListWithAWordOfItsOwn) {
  std::set<std::string> words;
  for (std::size_t k = 0; k < codes().size(); ++k) {
    EXPECT_EQ(codes()[k].first, k);
    EXPECT_TRUE(words.insert(codes()[k].second).second) << codes()[k].second;
  }
  const auto next = static_cast<std::uint16_t>(codes().size());
  EXPECT_EQ(error_word(ErrorCode{next}), "other") << "add the new code to this list";
}

TEST(ErrorCode, IsOtherForWhatIsNotKnown) {
  EXPECT_EQ(error_word(ErrorCode{65535}), "other");
  EXPECT_EQ(base::error_code_of("quota"), ErrorCode::other);
  EXPECT_EQ(base::error_code_of(""), ErrorCode::other);
}

}  // namespace
}  // namespace keyhole::tests
