// What parameter_free promises: its plays do not depend on the unit of the losses, few oracle calls
// with a certificate, unbiased gradients, feedback that comes late or never, losses that say
// nothing.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "keyhole/algorithms.h"
#include "learners/parameter_free/status.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// A learner and a look at its algorithm.
struct Watched {
  explicit Watched(const SetPtr& set, const LearnerOptions& options = {},
                   const ParameterFreeOptions& own = {})
      : Watched(parameter_free(set, own), options) {}

  const ParameterFreeAlgorithm* algorithm;
  Learner learner;

 private:
  Watched(std::unique_ptr<Algorithm> made, const LearnerOptions& options)
      : algorithm(dynamic_cast<const ParameterFreeAlgorithm*>(made.get())),
        learner(std::move(made), options) {}
};

/// A loss that pulls to a corner, with noise that is a pure function of the round.
double pull(std::uint64_t t, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * (i % 3 == 0 ? -1 : 0.25);
  return sum + 0.1 * std::sin(static_cast<double>(t * t % 1009));
}

std::vector<SetPtr> some_sets() {
  Random random(5);
  return {ball(5, 2),
          simplex(6),
          box(-1, 3, 4),
          l1_ball(5),
          nuclear_ball(3, 4, 2),
          random_polytope(5, 0, random)};
}

TEST(ParameterFree, TheUnitOfTheLossesDoesNotMatter) {
  for (const SetPtr& set : some_sets()) {
    Learner plain(parameter_free(set));
    Learner large(parameter_free(set));
    Learner small(parameter_free(set));
    for (std::uint64_t t = 1; t <= scaled_count(5000); ++t) {
      const Play play = plain.ask();
      ASSERT_EQ(play.point, large.ask().point) << set->spec() << " at " << t;
      ASSERT_EQ(play.point, small.ask().point) << set->spec() << " at " << t;
      const double loss = pull(t, play.point);
      plain.tell(play.id, loss);
      large.tell(play.id, 0x1p20 * loss);
      small.tell(play.id, 0x1p-20 * loss);
    }
  }
}

TEST(ParameterFree, LeadersCarryACertificateAndCostFewCalls) {
  std::uint64_t certified = 0;
  for (const SetPtr& set : some_sets()) {
    auto [algorithm, learner] = Watched(set);
    std::uint64_t calls = 0;
    for (std::uint64_t t = 1; t <= scaled_count(5000); ++t) {
      const Play play = learner.ask();
      const std::uint64_t before = calls;
      calls = algorithm->oracle_calls();
      ASSERT_LE(calls - before, 50u) << set->spec() << " at " << t;
      const ParameterFreeStatus status = algorithm->status();
      if (calls - before < 50) {
        ASSERT_LE(status.leader_gap, status.leader_tolerance) << set->spec() << " at " << t;
      }
      if (calls > before && status.leader_gap > 0) ++certified;
      learner.tell(play.id, pull(t, play.point));
    }
    EXPECT_GE(calls, algorithm->status().blocks) << set->spec();
  }
  EXPECT_GT(certified, 0u);  // leaders that had to be found
}

TEST(ParameterFree, AThousandTellsAtOnceCostNoMoreCalls) {
  auto [algorithm, learner] = Watched(simplex(6));
  for (int batch = 0; batch < 5; ++batch) {
    std::vector<Play> plays;
    for (int k = 0; k < 1000; ++k) {
      const std::uint64_t before = algorithm->oracle_calls();
      plays.push_back(learner.ask());
      ASSERT_LE(algorithm->oracle_calls() - before, 50u);
    }
    for (const Play& play : plays) learner.tell(play.id, pull(play.id, play.point));
  }
  // They end one block, however short it was meant to be; asks without tells end none.
  EXPECT_EQ(algorithm->status().blocks, 4u);
}

TEST(ParameterFree, ConstantLossesSayNothing) {
  for (const SetPtr& set : some_sets()) {
    const Vector& p = set->centre();
    for (const double loss : {0.0, 1.0, -1e9, 1e50}) {
      auto [algorithm, learner] = Watched(set);
      Vector x(p.size());
      for (int t = 0; t < 1000; ++t) {
        const Play play = learner.ask();
        for (const double coordinate : play.point) ASSERT_TRUE(std::isfinite(coordinate));
        learner.tell(play.id, loss);
      }
      learner.recommend(x);
      EXPECT_LE(distance(x, p), 1e-12 * set->outer_radius()) << set->spec() << loss;
      EXPECT_TRUE(std::isfinite(algorithm->status().reach));
      EXPECT_TRUE(std::isfinite(algorithm->status().exploring));
    }
  }
}

TEST(ParameterFree, LearnsAfterALongTimeOfZeros) {
  const SetPtr set = ball(3);
  auto [algorithm, learner] = Watched(set);
  Vector x(3);
  for (std::uint64_t t = 1; t <= 12000; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, t <= 2000 ? 0 : play.point[0] + 0.1 * std::sin(static_cast<double>(t)));
    if (t == 2000) {
      learner.recommend(x);
      EXPECT_EQ(x, Vector(3, 0.0));
    }
  }
  learner.recommend(x);
  EXPECT_LT(x[0], -0.9);
  EXPECT_TRUE(std::isfinite(algorithm->status().reach));
}

/// A quadratic loss that stays the same, in strong noise: with restarts chance is taken for a
/// change in a third of such runs or more.
TEST(ParameterFree, KeepsWhatItHasLearned) {
  std::uint64_t without = 0;
  std::uint64_t with = 0;
  const Vector best = {.2, .8, .3, .7, .25, .6};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const ParameterFreeOptions& options :
         {ParameterFreeOptions{}, ParameterFreeOptions{.restarts = true}}) {
      auto made = parameter_free(box(0, 1, 6), options);
      const auto& algorithm = dynamic_cast<const ParameterFreeAlgorithm&>(*made);
      Learner learner(std::move(made), {.seed = seed});
      Random random(seed);
      for (int t = 1; t <= 16384; ++t) {
        const Play play = learner.ask();
        const Vector away = combine(1, play.point, -1, best);
        learner.tell(play.id, 10 + 5 * inner(away, away) + random.normal());
      }
      (options.restarts ? with : without) += algorithm.status().restarts;
    }
  }
  EXPECT_EQ(without, 0U);
  EXPECT_GT(with, 0U);
}

TEST(ParameterFree, FeedbackOlderThanTheLogIsLate) {
  Watched watched(ball(2), {.window = 1 << 21});
  Learner& learner = watched.learner;
  Vector y(2);
  const auto play = [&](std::uint64_t blocks) {
    while (watched.algorithm->status().blocks < blocks) {
      const PlayId id = learner.ask(y);
      if (id > 2) learner.tell(id, y[0] + 0.5 * y[1] * y[1]);
    }
  };
  play(900);
  learner.tell(2, 1);
  learner.ask(y);
  EXPECT_EQ(learner.summary().late, 0u);
  play(1200);
  learner.tell(1, 1);
  learner.ask(y);
  EXPECT_EQ(learner.summary().late, 1u);
  EXPECT_EQ(learner.summary().expired, 0u);
}

/// The field g of a state: the sum of the estimates of the current block.
Vector sum_of_estimates(Algorithm& algorithm) {
  Archive writer;
  algorithm.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Archive reader(bytes);
  std::uint64_t count = 0;
  double number = 0;
  for (int k = 0; k < 1 + 6; ++k) reader.field(count);
  for (int k = 0; k < 8; ++k) reader.field(number);
  Vector g(algorithm.set().dimension());
  for (int k = 0; k < 3; ++k) reader.field(g);  // x, z, g
  return g;
}

/// One long block, which only advance() would end, in 40 parts: the mean of g a play is the
/// gradient of a linear loss, within 4.5 standard errors of the parts' means in every coordinate
/// (a false alarm once in 10^4 coordinates, by Student's law), which are below a tenth of the
/// gradient.
void expect_unbiased(const SetPtr& set, ExploreAt explore_at) {
  Random random(8);
  Vector gradient = random.normals(set->dimension());
  set->flatten(gradient);
  const auto algorithm = parameter_free(set, {.explore_at = explore_at});
  Randomness u(set, 4, 1);
  Vector y(set->dimension());
  PlayId t = 0;
  const auto play = [&] {
    algorithm->play(++t, u, y);
    algorithm->absorb(t, inner(gradient, y) + 0.1 * random.normal(), u);
  };
  for (int k = 0; k < 300; ++k) {  // away from the centre, to sizes of its own
    if (k > 0) algorithm->advance();
    play();
  }
  const std::size_t parts = 40;
  const int plays = 5000;
  Vector before = sum_of_estimates(*algorithm);
  std::vector<Vector> means;
  for (std::size_t k = 0; k < parts; ++k) {
    for (int j = 0; j < plays; ++j) play();
    const Vector after = sum_of_estimates(*algorithm);
    means.push_back(combine(1.0 / plays, after, -1.0 / plays, before));
    before = after;
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double sum = 0;
    double squares = 0;
    for (const Vector& mean : means) {
      sum += mean[i];
      squares += mean[i] * mean[i];
    }
    const double mean = sum / parts;
    const double error = std::sqrt((squares / parts - mean * mean) / (parts - 1));
    EXPECT_NEAR(mean, gradient[i], 4.5 * error) << set->spec() << ", coordinate " << i;
    EXPECT_LT(error, 0.1 * std::sqrt(inner(gradient, gradient))) << "too large to tell";
  }
}

TEST(ParameterFree, EstimatesAreUnbiasedForLinearLosses) {
  expect_unbiased(ball(4, 2), ExploreAt::extreme_points);
  expect_unbiased(box(Vector{-1, 0, 2}, Vector{1, 3, 2.5}), ExploreAt::extreme_points);
  expect_unbiased(simplex(5, 2), ExploreAt::extreme_points);
  expect_unbiased(l1_ball(4), ExploreAt::extreme_points);
  expect_unbiased(box(Vector{-1, 0, 2}, Vector{1, 3, 2.5}), ExploreAt::inscribed_sphere);
  expect_unbiased(simplex(5, 2), ExploreAt::inscribed_sphere);
}

}  // namespace
}  // namespace keyhole::tests
