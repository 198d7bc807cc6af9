// Which plays form a pair, as the plays say it: the two plays of a pair lie opposite each other
// about the iterate, which does not move while nothing is told.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

std::unique_ptr<HorizonAlgorithm> pairs_on_a_ball(std::optional<std::uint64_t> horizon = {}) {
  return two_point(ball(3), {.gradient_bound = 1,
                             .horizon = horizon,
                             .step = TwoPointStep::gradient_descent,
                             .delta = 0.25});
}

/// Whether two points lie opposite each other about the centre 0 of the ball, away from it.
bool opposite(const Vector& a, const Vector& b) {
  double sum = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] + b[i]);
    size += std::abs(a[i]);
  }
  return sum <= 1e-12 && size > 1e-3;
}

/// The plays that say the same pair, by the number that they say.
std::map<PlayId, std::vector<Play>> by_pair(const std::vector<Play>& plays) {
  std::map<PlayId, std::vector<Play>> pairs;
  for (const Play& play : plays) {
    if (play.pair != 0) pairs[play.pair].push_back(play);
  }
  return pairs;
}

void expect_pairs(const std::vector<Play>& plays) {
  for (const auto& [first, pair] : by_pair(plays)) {
    EXPECT_EQ(pair.front().id, first);
    ASSERT_LE(pair.size(), 2U);
    if (pair.size() == 2) {
      EXPECT_TRUE(opposite(pair[0].point, pair[1].point)) << first;
    }
  }
}

std::vector<PlayId> pairs_of(const std::vector<Play>& plays) {
  std::vector<PlayId> pairs;
  for (const Play& play : plays) pairs.push_back(play.pair);
  return pairs;
}

using Ids = std::vector<PlayId>;

TEST(Pairs, OfAHorizonAreAnOddPlayAndTheNext) {
  Learner learner(pairs_on_a_ball(6));
  const std::vector<Play> plays = learner.ask(6);
  EXPECT_EQ(pairs_of(plays), (Ids{1, 1, 3, 3, 5, 5}));
  expect_pairs(plays);
}

TEST(Pairs, OfAnytimeBeginWithEvenPlays) {
  Learner learner(anytime(pairs_on_a_ball()));
  std::vector<Play> plays;
  for (int t = 0; t < 9; ++t) plays.push_back(learner.ask());
  EXPECT_EQ(pairs_of(plays), (Ids{1, 2, 2, 4, 4, 6, 6, 8, 8}));
  expect_pairs(plays);
  // It is asked for later too, as long as the epoch lasts, and by a learner that goes on.
  EXPECT_EQ(learner.pair_of(9), 8U);
  EXPECT_EQ(learner.pair_of(3), 0U);
  Learner other(anytime(pairs_on_a_ball()));
  other.restore(learner.state());
  EXPECT_EQ(other.pair_of(9), 8U);
  EXPECT_EQ(other.ask().pair, 10U);
}

TEST(Pairs, AreOfTheAlgorithmsOwnPlays) {
  Learner paced(anytime(pairs_on_a_ball()), {.max_step = 0.2});
  std::vector<Play> plays;
  for (int t = 0; t < 60; ++t) plays.push_back(paced.ask());
  std::size_t whole = 0;
  for (const auto& [first, pair] : by_pair(plays)) whole += pair.size() == 2 ? 1 : 0;
  EXPECT_GT(whole, 5U);
  EXPECT_GT(std::count_if(plays.begin(), plays.end(), [](const Play& p) { return p.pair == 0; }),
            20);
  expect_pairs(plays);

  Learner pausing(pairs_on_a_ball(6));
  plays = {pausing.ask()};
  pausing.explore(false);
  for (int t = 0; t < 3; ++t) plays.push_back(pausing.ask());
  pausing.explore(true);
  for (int t = 0; t < 3; ++t) plays.push_back(pausing.ask());
  EXPECT_EQ(pairs_of(plays), (Ids{1, 0, 0, 0, 1, 6, 6}));
  expect_pairs(plays);
}

TEST(Pairs, OfSpsaAndOfOthers) {
  Learner learner(spsa(ball(3)));
  EXPECT_EQ(pairs_of(learner.ask(4)), (Ids{1, 1, 3, 3}));
  Learner plain(ball(3));
  EXPECT_EQ(pairs_of(plain.ask(3)), (Ids{0, 0, 0}));
  EXPECT_THROW((void)plain.pair_of(4), FeedbackError);
  EXPECT_THROW((void)plain.pair_of(0), FeedbackError);
}

TEST(Pairs, ThatLeaveTheWindowAreNotKnown) {
  Learner learner(pairs_on_a_ball(8), {.window = 3});
  (void)learner.ask(5);
  EXPECT_EQ(learner.pair_of(5), 5U);
  EXPECT_EQ(learner.pair_of(4), 3U);
  EXPECT_EQ(learner.pair_of(2), 0U);
}

}  // namespace
}  // namespace keyhole::tests
