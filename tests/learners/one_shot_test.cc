// One-shot Frank-Wolfe: by hand, with late gradients, its bound and its options.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "keyhole/gradient_algorithms.h"
#include "keyhole/gradient_learner.h"
#include "keyhole/sets.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

TEST(OneShot, ByHandWithAGradientThatNeverCame) {
  // On [-1, 1], x_1 = 0; nothing told of play 1: x_2 = 0. g_2 = 1, the first received, d = rho_1 =
  // 2 / 4^(2/3): x_3 = -1/5 with eta_2 = 1/5. g_3 = -0.4, d = (1 - rho_2) rho_1 - 0.4 rho_2 =
  // -0.02: x_4 = 5/6 x_3 + 1/6. (By the plays' numbers d would be positive.) Then two steps more
  // with the same d.
  GradientLearner learner(one_shot(box(-1, 1, 1)));
  EXPECT_EQ(learner.ask().point[0], 0);
  EXPECT_EQ(learner.ask().point[0], 0);
  EXPECT_EQ(learner.summary().oracle_calls, 0u);
  learner.tell(2, Vector{1});
  EXPECT_DOUBLE_EQ(learner.ask().point[0], -0.2);
  learner.tell(3, Vector{-0.4});
  const double x_4 = -0.2 * 5 / 6 + 1.0 / 6;
  EXPECT_NEAR(learner.ask().point[0], x_4, 1e-15);
  EXPECT_NEAR(learner.ask().point[0], x_4 * 6 / 7 + 1.0 / 7, 1e-15);
  EXPECT_NEAR(learner.ask().point[0], (x_4 * 6 + 1) / 7 * 7 / 8 + 1.0 / 8, 1e-15);
  EXPECT_EQ(learner.summary().oracle_calls, 4u);
}

TEST(OneShot, PlaysItsStartUntilAGradientComes) {
  const Vector start = {0.5, 0.25, 0.25};
  GradientLearner learner(one_shot(simplex(3), {.start = start}));
  for (const Play& play : learner.ask(20)) EXPECT_EQ(play.point, start);
  learner.tell(7, Vector(3, 1.0));  // zero within the hull
  EXPECT_EQ(learner.ask().point, start);
  learner.tell(8, Vector{1, 0, 0});
  EXPECT_LT(learner.ask().point[0], 0.5);
}

TEST(OneShot, ItsRegretIsBelowTheBoundWhereThatSaysSomething) {
  // f_t(x) = c_t . x on [-1, 1]^2, c_t = (1, 1) / sqrt 2 + z_t / 2 with z_t standard normal. The
  // sum of F(x_t) - min F, mean of 20 runs; four standard errors more are below the bound, and the
  // bound is below the regret of staying at the centre (1.41 a round).
  const std::uint64_t T = 16384;
  const SetPtr set = box(-1, 1, 2);
  const double root = std::sqrt(0.5);
  const auto make = [&] {
    return one_shot(
        set,
        {.loss_bound = 2 * root, .gradient_deviation = root, .smoothness = 0, .start_gradient = 1});
  };
  const RegretBound bound = make()->regret_bound(T);
  ASSERT_TRUE(bound.holds);
  ASSERT_LT(bound.value, 2 * root * static_cast<double>(T));
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    GradientLearner learner(make());
    Vector x(2);
    double regret = 0;
    for (std::uint64_t t = 1; t <= T; ++t) {
      const PlayId id = learner.ask(x);
      regret += root * (x[0] + x[1]) + 2 * root;
      learner.tell(id, Vector{root + 0.5 * random.normal(), root + 0.5 * random.normal()});
    }
    sum += regret / 20;
    squares += regret * regret / 20;
  }
  const double error = std::sqrt((squares - sum * sum) / 19);
  EXPECT_GT(sum - 4 * error, 0);
  EXPECT_LT(sum + 4 * error, bound.value);
}

TEST(OneShot, BoundByHand) {
  // D = 2, M = 1, L = 2; Q = max(4^(2/3) 25, 4 * 9 + 3/2 * 16 = 60), that is 63, and with twice the
  // deviation 4 * 36 + 24 = 168.
  const auto bound = [](double deviation) {
    return one_shot(ball(3), {.loss_bound = 1,
                              .gradient_deviation = deviation,
                              .smoothness = 2,
                              .start_gradient = 5})
        ->regret_bound(8);
  };
  const double logarithms = 4 * std::log(9.0) + 4.0 / 3 * 2 * 4 * std::log(11.0) * std::log(11.0);
  EXPECT_TRUE(bound(3).holds);
  EXPECT_NEAR(bound(3).value, logarithms + 6 * 5 * std::cbrt(4.0) * 2 * 4, 1e-10);
  EXPECT_NEAR(bound(6).value, logarithms + 6 * std::sqrt(168.0) * 2 * 4, 1e-10);
  const RegretBound none =
      one_shot(ball(3), {.loss_bound = 1, .gradient_deviation = 1, .start_gradient = 1})
          ->regret_bound(8);
  EXPECT_FALSE(none.holds);
  EXPECT_EQ(none.note,
            "no bound: loss_bound (M), gradient_deviation, smoothness (L) and start_gradient were "
            "not all given");
}

TEST(OneShot, OptionsAreChecked) {
  const SetPtr set = ball(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message<InvalidArgument>([&] { (void)one_shot(set, {.smoothness = -1}); }),
            "the smoothness of one_shot must be from 0 to 1e+50, not -1");
  EXPECT_THROW((void)one_shot(set, {.loss_bound = nan}), InvalidArgument);
  EXPECT_THROW((void)one_shot(set, {.gradient_deviation = 1e51}), InvalidArgument);
  EXPECT_THROW((void)one_shot(set, {.start_gradient = nan}), InvalidArgument);
  EXPECT_THROW((void)one_shot(set, {.start = {1, 1}}), InvalidArgument);
  EXPECT_THROW((void)one_shot(nullptr), InvalidArgument);
  EXPECT_EQ(one_shot(set, {.loss_bound = 1})->spec(), "one_shot()");
  EXPECT_EQ(one_shot(set, {.start = {0, 0.5}})->spec(), "one_shot(start=[0, 0.5])");
}

}  // namespace
}  // namespace keyhole::tests
