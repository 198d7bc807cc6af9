#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Make = std::function<std::unique_ptr<Algorithm>()>;

/// A loss that every play hears.
double loss_of(PlayId t, std::span<const double> y) {
  return std::cos(static_cast<double>(t)) * y[0] + 0.3 * y[1] * y[1];
}

/// Plays as if each window had an algorithm of its own, made for it and thrown away after it.
void expect_windows(const Make& fresh, std::unique_ptr<Algorithm> restarted, std::uint64_t every) {
  const SetPtr set = restarted->shared_set();
  Randomness here(set, 3, 0);
  Randomness there(set, 3, 0);
  std::vector<double> y(set->dimension());
  std::vector<double> expected(set->dimension());
  std::uint64_t calls = 0;
  auto single = fresh();
  for (PlayId t = 1; t <= 5 * every / 2; ++t) {
    if (t > 1) restarted->advance();
    if (t > 1) {
      EXPECT_TRUE(restarted->absorb(t - 1, loss_of(t - 1, y), here));
    }
    restarted->play(t, here, y);
    const bool first = t % every == 1;
    if (t > 1) {
      single->advance();
      single->absorb(t - 1, loss_of(t - 1, expected), there);
    }
    if (first && t > 1) {
      calls += single->oracle_calls();
      single = fresh();
    }
    single->play(t, there, expected);
    ASSERT_EQ(y, expected) << restarted->spec() << ", play " << t;
    EXPECT_EQ(restarted->oracle_calls(), calls + single->oracle_calls());
  }
}

TEST(Restarting, IsAFreshAlgorithmInEachWindow) {
  const SetPtr set = simplex(4);
  expect_windows([&] { return parameter_free(set); }, restarting(parameter_free(set), 300), 300);
  const auto fkm_for = [&](std::uint64_t T) {
    return fkm(set, {.loss_bound = 1, .gradient_bound = 2, .horizon = T});
  };
  expect_windows([&] { return fkm_for(40); }, restarting(fkm_for(1), 40), 40);
  const auto doubling = [&] { return anytime(projection_free(set, {.loss_bound = 1})); };
  expect_windows(doubling, restarting(doubling(), 40), 40);
}

TEST(Restarting, CountsFeedbackAcrossWindowsAsLate) {
  Learner learner(restarting(parameter_free(ball(2)), 4));
  for (int k = 0; k < 6; ++k) (void)learner.ask();
  for (PlayId t = 3; t <= 6; ++t) learner.tell(t, 1);
  (void)learner.ask();
  EXPECT_EQ(learner.summary().late, 2u);
}

TEST(Restarting, RecommendsThePointOfTheWindowBeforeForHalfAWindow) {
  const std::uint64_t every = 64;
  const SetPtr set = ball(2);
  Learner learner(restarting(fkm(set, {.loss_bound = 2, .gradient_bound = 2}), every));
  std::vector<double> point(2);
  std::vector<double> held;
  for (PlayId t = 1; t <= every + every / 2; ++t) {
    const Play play = learner.ask();
    learner.recommend(point);
    if (t == 1) {
      EXPECT_EQ(point, (std::vector<double>{0, 0}));
    }
    if (t == 2) {
      EXPECT_NE(point, (std::vector<double>{0, 0}));
    }
    if (t == every + 1) held = point;
    if (t > every) {
      EXPECT_EQ(point == held, t < every + every / 2) << t;
    }
    learner.tell(play.id, loss_of(play.id, play.point));
  }
}

TEST(Restarting, BoundIsThatOfAWindowTimesTheWindowsBegun) {
  const SetPtr set = ball(3);
  const auto make = [&] { return fkm(set, {.loss_bound = 1, .gradient_bound = 1}); };
  const auto algorithm = restarting(make(), 100);
  const double window = make()->horizon_bound(100).value;
  for (const auto& [rounds, windows] :
       {std::pair{0u, 1}, {1u, 1}, {100u, 1}, {101u, 2}, {1000u, 10}}) {
    EXPECT_EQ(algorithm->regret_bound(rounds).value, windows * window);
  }
  EXPECT_TRUE(algorithm->regret_bound(1000).holds);
  EXPECT_EQ(algorithm->regret_bound(1000).note,
            "Zhao et al. 2020, Theorem 1, for each window, against the best point of each");
  EXPECT_EQ(algorithm->loss_bound(), 1);
  EXPECT_FALSE(restarting(parameter_free(set), 5)->regret_bound(10).holds);
  const auto gradients = restarting(ocg(set, {.gradient_bound = 2}), 10);
  EXPECT_EQ(gradients->regret_bound(15).value,
            2 * ocg(set, {.gradient_bound = 2})->horizon_bound(10).value);
  EXPECT_EQ(gradients->gradient_bound(), 2);
}

TEST(Restarting, RefusesWhatItCannotRestart) {
  const SetPtr set = ball(2);
  EXPECT_EQ(message<InvalidArgument>([&] { (void)restarting(parameter_free(set), 0); }),
            "restarting needs a window (every) of at least one round, not 0");
  EXPECT_EQ(message<InvalidArgument>([] { (void)restarting(std::unique_ptr<Algorithm>(), 5); }),
            "restarting needs an algorithm to restart");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)restarting(fed_constant(projection_free(set, {.loss_bound = 1, .horizon = 3})),
                               5);
            }),
            "restarting every 5 rounds needs an algorithm for as many; "
            "fed_constant(projection_free(loss_bound=1, c=0.5, horizon=3), value=0.5) plays 3");
  const AlgorithmContext context{.set = set, .loss_bound = 1, .gradient_bound = 1, .horizon = 9};
  const auto of = [&](const std::string& text) {
    return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                      make_algorithm(text, context));
  };
  EXPECT_EQ(of("restarting(parameter_free, every=16384)"),
            "restarting(parameter_free(), every=16384)");
  EXPECT_EQ(of("restarting(ocg, 7)"), "restarting(ocg(gradient_bound=1), every=7)");
  EXPECT_EQ(message<SpecError>([&] { (void)of("restarting(fkm(horizon=8), every=7)"); }),
            "restarting(fkm(horizon=8), every=7): learner at column 12 has a horizon, and "
            "restarting gives it every: leave it out");
}

}  // namespace
}  // namespace keyhole::tests
