// The budget, by numbers worked out by hand.

#include "learners/posterior/budget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

/// A model on a segment of half-width 1, about its middle, whose mean is (level, slope, curvature).
struct Segment {
  Segment(double level, double slope, double curvature)
      : nu(set->exploration()), frame(set, *nu, set->centre()), model(frame) {
    model.begin(1, 1);
    const std::vector<double> mean = {level, slope, curvature};
    for (std::size_t i = 0; i < 3; ++i) {  // all but certain
      std::vector<double> phi(3, 0.0);
      phi[i] = 1;
      model.posterior().learn(phi, 1e15, mean[i]);
    }
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// A play at z.
  void play(double z) { model.note(std::vector<double>{1, z, z * z}); }

  SetPtr set = box(-1, 1, 1);
  std::unique_ptr<Exploration> nu;
  algorithms::Frame frame;
  algorithms::Model model;
};

constexpr double near = 1e-9;

TEST(Budget, IsTheCautionOfAllRoundsLessWhatWasSpent) {
  Segment on(100, 2, 3);  // losses 100 + 2 z + 3 z^2
  algorithms::Budget budget(0.1, 1);
  on.play(0.5);               // costs 1 + 0.75
  on.play(0.2);               // costs 0.4 + 0.12
  budget.count(on.model, 4);  // noise of deviation 2
  EXPECT_NEAR(budget.slack(), 2 * (0.1 * std::sqrt(3.0) * 2) - 2.27, near);
}

TEST(Budget, HalfOfTheExpectedGainMayBeSpent) {
  Segment on(0, 2, 3);
  algorithms::Budget budget(0.1, 1);
  budget.expect(5);
  EXPECT_EQ(budget.expected(), 5);
  for (int k = 0; k < 4; ++k) on.play(0.5);
  budget.count(on.model, 1);
  EXPECT_NEAR(budget.slack(), 4 * (2.5 + 0.1 * std::sqrt(3.0)) - 7, near);
}

TEST(Budget, WhatIsNotReliableIsNotEarned) {
  Segment on(0, -2, 3);  // before a refit nothing is reliable
  ASSERT_EQ(on.model.reliable_share(), 0);
  algorithms::Budget budget(0.1, 1);
  on.play(0.5);  // earns 1, costs 0.75
  budget.count(on.model, 1);
  EXPECT_NEAR(budget.slack(), 0.1 * std::sqrt(3.0) - 0.75, near);
}

TEST(Budget, WhatIsReliableIsEarned) {
  Segment on(0, -2, 3);
  on.model.refit(1, 1000, 0, std::vector<double>{0});
  const double share = on.model.reliable_share();
  ASSERT_GT(share, 0.9);
  const std::span<const double> mean = on.model.posterior().mean();
  algorithms::Budget budget(0.1, 1);
  on.play(0.5);
  budget.count(on.model, 1);
  EXPECT_NEAR(budget.slack(), 0.1 * std::sqrt(3.0) - share * mean[1] * 0.5 - mean[2] * 0.25, near);
}

TEST(Budget, OnePlayMayAlwaysCostTheCautionOfARound) {
  Segment on(0, 2, 3);
  algorithms::Budget budget(0.2, 1);
  const double a_round = 0.2 * std::sqrt(3.0);
  on.play(1);  // costs 5
  budget.count(on.model, 1);
  EXPECT_NEAR(budget.a_play(1), a_round, near);
  EXPECT_NEAR(budget.a_play(10), a_round, near);
  budget.expect(20);
  budget.count(on.model, 1);  // 10 + a_round - 5
  EXPECT_NEAR(budget.a_play(1), 5 + a_round, near);
  EXPECT_NEAR(budget.a_play(4), (5 + a_round) / 4, near);
  EXPECT_NEAR(budget.a_play(1000), a_round, near);
}

TEST(Budget, AllowsMoreUntilItIsOverdrawnByARound) {
  Segment on(0, 1, 0);
  const double a_round = std::sqrt(3.0);
  for (const double cost : {1.9 * a_round, 2.1 * a_round}) {
    algorithms::Budget budget(1, 1);
    on.play(cost);  // slack a_round - cost
    budget.count(on.model, 1);
    EXPECT_EQ(budget.allows_more(), cost < 2 * a_round);
  }
}

TEST(Budget, BeginsWithNoPlays) {
  Segment on(0, 2, 3);
  algorithms::Budget budget(0.1, 1);
  on.play(1);
  budget.expect(3);
  budget.count(on.model, 1);
  budget.begin();
  on.model.begin(1, 1);
  EXPECT_EQ(budget.slack(), 0);
  EXPECT_EQ(budget.expected(), 0);
  budget.count(on.model, 1);
  EXPECT_EQ(budget.slack(), 0);
}

TEST(Budget, GoesOnFromItsState) {
  Segment on(0, 2, 3);
  algorithms::Budget budget(0.1, 1);
  on.play(0.3);
  budget.expect(3);
  budget.count(on.model, 1);
  Archive writer;
  budget.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  algorithms::Budget loaded(0.1, 1);
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_EQ(loaded.slack(), budget.slack());
  EXPECT_EQ(loaded.a_play(1000), budget.a_play(1000));
  EXPECT_EQ(loaded.expected(), 3);
  on.play(0.7);
  for (algorithms::Budget* one : {&budget, &loaded}) one->count(on.model, 1);
  EXPECT_EQ(loaded.slack(), budget.slack());
}

TEST(Budget, CautionFallsAfterTenPlaysADimension) {
  Segment on(0, 0, 0);
  algorithms::Budget budget(0.1, 1);
  const double whole = 0.1 * std::sqrt(3.0);
  double sum = 0;  // of what each round may cost
  for (int t = 1; t <= 3000; ++t) {
    on.play(0);
    budget.count(on.model, 1);
    const double a_round = t <= 30 ? whole : whole * std::sqrt(30.0 / t);
    sum += a_round;
    ASSERT_NEAR(budget.a_play(1e9), a_round, near) << t;
    ASSERT_NEAR(budget.slack(), sum, 0.5 * whole) << t;
  }
}

TEST(Budget, BoldPlaysHaveThreeTimesTheCaution) {
  for (const int bold : {10, 100}) {
    Segment on(0, 0, 0);
    algorithms::Budget budget(0.1, 1);
    const double whole = 0.1 * std::sqrt(3.0);
    double sum = 0;
    for (int t = 1; t <= 1000; ++t) {
      on.play(0);
      budget.count(on.model, 1, bold);
      const double a_round = whole * std::min(1.0, std::sqrt(30.0 / t));
      sum += a_round * (t <= bold ? 3 : 1);
      ASSERT_NEAR(budget.a_play(1e9), a_round * (t < bold ? 3 : 1), near) << t;
      ASSERT_NEAR(budget.slack(), sum, 1.5 * whole) << t;
    }
  }
}

TEST(Budget, AModelThatFitsBadlyDoesNotAllowItselfMore) {
  Segment on(0, 0, 0);
  algorithms::Budget budget(0.1, 1);
  const double whole = 0.1 * std::sqrt(3.0);
  for (int t = 1; t <= 10; ++t) {
    on.play(0);
    budget.count(on.model, 1);
  }
  for (int t = 11; t <= 20; ++t) {
    on.play(0);
    budget.count(on.model, 100);
  }
  // The variance has grown from 1 by (1 + 1/11) ... (1 + 1/20) = 21 / 11.
  EXPECT_NEAR(budget.slack(), 20 * whole * std::sqrt(21.0 / 11), near);
  on.play(0);
  budget.count(on.model, 1);  // and it falls at once
  EXPECT_NEAR(budget.slack(), 21 * whole, near);
}

}  // namespace
}  // namespace keyhole::tests
