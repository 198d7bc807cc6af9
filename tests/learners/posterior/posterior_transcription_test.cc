// posterior against its transcription: the same plays.
//
// Their distance grows with t: a rounding in a loss or in the mean of the coefficients moves the
// next sample, whose loss moves the mean, and where a sample is least at a kink of the set (a
// vertex of conditional gradients that is taken or not) it is magnified. The tolerance begins at
// 1e-10 and doubles every 30 rounds; 1e-6 is reached after 400. Once the model with all curvatures
// is fitted it is a hundred times that: one of its coefficients is a sum of others, so that a share
// of 1e-8 of them is all that the prior alone decides.

#include "posterior_transcription.h"

#include <gtest/gtest.h>

#include <optional>

namespace keyhole::tests {
namespace {

/// A target in units of the exploration that jumps to the other side, and noise.
double jumping(std::uint64_t t, const Set& set, const Exploration& nu, const Vector& y,
               std::uint64_t jump) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double side = (t <= jump ? 0.7 : -0.7) * (i % 2 == 0 ? 1 : -1);
    const double away = (y[i] - set.centre()[i]) / std::sqrt(nu.variance()[i]) - side;
    sum += away * away;
  }
  return 3 + sum + 0.1 * std::sin(static_cast<double>(t * t % 1013));
}

/// A loss that ties coordinates together, and noise.
double tied(std::uint64_t t, const Set& set, const Exploration& nu, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    const double here = (y[i] - set.centre()[i]) / std::sqrt(nu.variance()[i]);
    const double before = (y[i - 1] - set.centre()[i - 1]) / std::sqrt(nu.variance()[i - 1]);
    sum += 4 * (here - before) * (here - before) + 0.2 * (here - 0.8) * (here - 0.8);
  }
  return sum + 0.1 * std::sin(static_cast<double>(t * t % 1013));
}

/// When the loss of play t comes: promptly, or after up to 6 rounds and some never.
std::optional<std::uint64_t> comes(std::uint64_t t, bool late) {
  if (!late) return t;
  if (t % 7 == 3) return {};
  return t + t * t % 6;
}

/// As a share of the outer radius.
double tolerance(std::uint64_t t, const plainly::Posterior& plain) {
  const double growing = 1e-10 * std::exp2(static_cast<double>(t) / 30);
  return std::min(plain.all_was_fitted() ? 100 * growing : growing, 1e-6);
}

/// The restarts, after so many rounds of the same plays.
std::uint64_t restarts_of_the_same_plays(const SetPtr& set, std::uint64_t rounds,
                                         std::uint64_t jump, bool late) {
  constexpr std::uint64_t seed = 17;
  auto made = posterior(set);
  const PosteriorAlgorithm& algorithm = *made;
  Learner learner(std::move(made), {.seed = seed});
  plainly::Posterior plain(set, seed);
  const auto nu = set->exploration();
  std::vector<std::vector<std::pair<PlayId, double>>> due(rounds + 10);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    if (t > 1) {
      std::sort(due[t - 1].begin(), due[t - 1].end());
      for (const auto& [id, number] : due[t - 1]) plain.learn(id, number);
    }
    const Vector y = plain.play(t);
    const double moved = distance(y, play.point) / set->outer_radius();
    EXPECT_LE(moved, tolerance(t, plain)) << set->spec() << " at " << t << (late ? ", late" : "");
    if (!(moved <= tolerance(t, plain))) break;
    const double loss = jumping(t, *set, *nu, y, jump);
    if (const auto when = comes(t, late)) due[*when].push_back({t, loss});
    for (const auto& [id, number] : due[t]) learner.tell(id, number);
  }
  EXPECT_EQ(plain.restarts(), algorithm.status().restarts) << set->spec();
  return plain.restarts();
}

/// With losses that come at once or late, and a change.
void expect_the_same(const SetPtr& set) {
  EXPECT_EQ(restarts_of_the_same_plays(set, 400, 400, false), 0U) << set->spec();
  EXPECT_EQ(restarts_of_the_same_plays(set, 400, 400, true), 0U) << set->spec();
  EXPECT_GE(restarts_of_the_same_plays(set, 400, 150, false), 1U) << set->spec();
  restarts_of_the_same_plays(set, 400, 150, true);
}

/// Taught so many points before the first play, and one every 5 rounds from then on.
void expect_the_same_of_taught(const SetPtr& set, std::uint64_t before) {
  constexpr std::uint64_t seed = 18;
  auto made = posterior(set);
  const PosteriorAlgorithm& algorithm = *made;
  Learner learner(std::move(made), {.seed = seed});
  plainly::Posterior plain(set, seed);
  const auto nu = set->exploration();
  const auto oracle = set->oracle();
  Random random(seed);
  const auto teach = [&](std::uint64_t k) {
    Vector x(set->dimension());
    oracle->minimise(random.normals(x.size())).write_to(x);
    const double share = random.uniform(0, 1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * (set->centre()[i] - x[i]);
    oracle->settle(x);
    const double loss = jumping(k, *set, *nu, x, 1000);
    learner.learn(x, loss);
    plain.teach(x, loss);
  };
  for (std::uint64_t k = 1; k <= before; ++k) teach(k);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const Play play = learner.ask();
    const Vector y = plain.play(t);
    ASSERT_LE(distance(y, play.point), tolerance(t, plain) * set->outer_radius())
        << set->spec() << " at " << t << ", " << before << " taught";
    const double loss = jumping(t, *set, *nu, y, 200);
    learner.tell(play.id, loss);
    if (t % 5 == 0) teach(t);  // it is learned before what was told
    plain.learn(t, loss);
  }
  EXPECT_EQ(plain.restarts(), algorithm.status().restarts) << set->spec();
}

TEST(PosteriorTranscription, OnABall) { expect_the_same(ball(4, 2)); }

TEST(PosteriorTranscription, OnABox) {
  expect_the_same(box(Vector{-1, 0, 2, -0.25}, Vector{1, 3, 2.5, 0}));
}

TEST(PosteriorTranscription, OnASimplex) { expect_the_same(simplex(5, 2)); }

TEST(PosteriorTranscription, OnAStretchedBox) {
  const SetPtr set = affine_image(box(-1, 1, 3), {5, 1, 0, 2, 2, 0.5, 1, 0.5, 0.25}, {0, 1, 2});
  EXPECT_TRUE(plainly::Posterior(set, 1).has_two_curvatures());
  expect_the_same(set);
}

TEST(PosteriorTranscription, OfTaughtPoints) {
  for (const std::uint64_t before : {0, 10, 16, 60}) {
    expect_the_same_of_taught(box(Vector{-1, 0, 2, -0.25}, Vector{1, 3, 2.5, 0}), before);
    expect_the_same_of_taught(simplex(5, 2), before);
  }
}

TEST(PosteriorTranscription, WithAllCurvatures) {
  constexpr std::uint64_t seed = 20;
  const SetPtr set = box(Vector{-1, 0, 2}, Vector{1, 3, 2.5});
  const auto nu = set->exploration();
  auto made = posterior(set);
  const PosteriorAlgorithm& algorithm = *made;
  Learner learner(std::move(made), {.seed = seed});
  plainly::Posterior plain(set, seed);
  for (std::uint64_t t = 1; t <= 500; ++t) {
    const Play play = learner.ask();
    const Vector y = plain.play(t);
    ASSERT_LE(distance(y, play.point), tolerance(t, plain) * set->outer_radius()) << t;
    const double loss = tied(t, *set, *nu, y);
    plain.learn(t, loss);
    learner.tell(play.id, loss);
  }
  EXPECT_EQ(plain.changes_of_model(), 1);
  EXPECT_TRUE(algorithm.status().tied);
}

}  // namespace
}  // namespace keyhole::tests
