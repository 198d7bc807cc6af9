// The reach that is asked for is kept where little is known, and where two lives play in turns.

#include <gtest/gtest.h>

#include <utility>

#include "keyhole/keyhole.h"
#include "learners/posterior/status.h"
#include "random.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// Plays on a target that jumps to the other side after half of the rounds.
struct Played {
  int beyond = 0;     // how many go beyond the reach
  int comparing = 0;  // how many are made while two lives play in turns
};

Played played(const SetPtr& set, double reach, double noise, std::uint64_t rounds) {
  auto made = posterior(set, {.reach = reach});
  const auto& algorithm = dynamic_cast<const PosteriorAlgorithm&>(*made);
  Learner learner(std::move(made), {.seed = 3});
  Random random(3);
  Vector before = learner.recommend();
  Vector now = before;
  Played found;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    found.comparing += algorithm.status().comparing ? 1 : 0;
    if (const Vector next = learner.recommend(); next != now) before = std::exchange(now, next);
    // It is c + reach (k - c) for a point k of the set, and c what was recommended when the sample
    // was drawn.
    const auto within = [&](const Vector& c) {
      const Vector k = combine(1 - 1 / reach, c, 1 / reach, play.point);
      return set->contains(combine(1 - 1e-9, k, 1e-9, set->centre()));  // but for rounding
    };
    found.beyond += within(now) || within(before) ? 0 : 1;
    double loss = noise * random.normal();
    for (std::size_t i = 0; i < play.point.size(); ++i) {
      const double away = play.point[i] - set->centre()[i] - (2 * t <= rounds ? 0.5 : -0.5);
      loss += away * away;
    }
    learner.tell(play.id, loss);
  }
  return found;
}

TEST(Reach, IsKeptToWhileNothingIsReliable) {
  for (const SetPtr& set : {ball(4), box(-1, 3, 4), simplex(5)}) {
    EXPECT_EQ(played(set, 0.1, 5, 1500).beyond, 0) << set->spec();
  }
}

TEST(Reach, IsKeptToInAContest) {
  for (const SetPtr& set : {ball(4), box(-1, 3, 4)}) {
    const Played found = played(set, 0.1, 0.03, 1500);
    EXPECT_EQ(found.beyond, 0) << set->spec();
    EXPECT_GT(found.comparing, 5) << set->spec();
  }
}

}  // namespace
}  // namespace keyhole::tests
