// The baselines: linear_thompson, spsa and cma_es find what they are made to find, do not depend on
// the unit of the losses, and go on when losses come late or never.

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>

#include "catalogue.h"
#include "keyhole/algorithms.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Coordinates = std::vector<double>;
using MakeBaseline = std::function<std::unique_ptr<Algorithm>(const SetPtr&)>;

struct NamedBaseline {
  std::string name;
  MakeBaseline make;
};

std::vector<NamedBaseline> all_baselines() {
  return {{"linear_thompson", [](const SetPtr& set) { return linear_thompson(set); }},
          {"spsa", [](const SetPtr& set) { return spsa(set); }},
          {"cma_es", [](const SetPtr& set) { return cma_es(set); }}};
}

/// The regret of so many rounds of <c, y> with noise on a set, next to its best vertex.
double linear_regret(std::unique_ptr<Algorithm> algorithm, const Coordinates& c, double noise,
                     std::uint64_t rounds, std::uint64_t seed) {
  const auto oracle = algorithm->shared_set()->oracle();
  const double least = oracle->minimise(c).dot(c);
  Learner learner(std::move(algorithm), {.seed = seed});
  Random random(seed + 1);
  double regret = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    double value = 0;
    for (std::size_t i = 0; i < c.size(); ++i) value += c[i] * play.point[i];
    regret += value - least;
    learner.tell(play.id, value + noise * random.normal());
  }
  return regret;
}

Coordinates random_slopes(std::size_t n, Random& random) {
  Coordinates c(n);
  for (double& slope : c) slope = random.normal();
  return c;
}

TEST(LinearThompson, FindsTheBestVertexUnderNoise) {
  // 4096 rounds, noise of three slopes: three seeds on each set, the regret together at most half
  // of the default's, and at most a tenth of the centre's.
  const std::uint64_t rounds = 4096;
  Random random(11);
  for (const SetPtr& set : {simplex(10), box(-1, 1, 6)}) {
    double of_thompson = 0;
    double of_default = 0;
    double of_centre = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Coordinates c = random_slopes(set->dimension(), random);
      of_thompson += linear_regret(linear_thompson(set), c, 3, rounds, seed);
      of_default += linear_regret(parameter_free(set), c, 3, rounds, seed);
      of_centre += linear_regret(stay(set), c, 3, rounds, seed);
    }
    EXPECT_LE(of_thompson, 0.5 * of_default) << set->spec();
    EXPECT_LE(of_thompson, 0.1 * of_centre) << set->spec();
  }
}

TEST(LinearThompson, RecommendsTheBestVertex) {
  const SetPtr set = simplex(5);
  const Coordinates c = {0.3, 0.1, -0.4, 0.2, 0.5};
  Learner learner(linear_thompson(set), {.seed = 4});
  EXPECT_EQ(learner.recommend(), set->centre());
  Random random(5);
  for (int t = 0; t < 1000; ++t) {
    const Play play = learner.ask();
    double value = 1000;
    for (std::size_t i = 0; i < 5; ++i) value += c[i] * play.point[i];
    learner.tell(play.id, value + 0.3 * random.normal());
  }
  EXPECT_EQ(learner.recommend(), (Coordinates{0, 0, 1, 0, 0}));
}

TEST(LinearThompson, MakesOneLinearMinimisationARound) {
  Learner learner(linear_thompson(box(0, 1, 4)), {.seed = 1});
  Random random(2);
  for (int t = 0; t < 2000; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, play.point[0] + random.normal());
  }
  // None in the first 16 rounds; one a round then, and one for every tenth more of the losses.
  const std::uint64_t calls = learner.status().oracle_calls;
  EXPECT_GE(calls, 2000u - 16);
  EXPECT_LE(calls, 2000u - 16 + 70);
}

TEST(LinearThompson, AThousandTellsAtOnceCostNoMoreCalls) {
  Learner learner(linear_thompson(box(0, 1, 4)), {.seed = 1});
  for (int batch = 0; batch < 3; ++batch) {
    std::vector<Play> plays;
    for (int k = 0; k < 1000; ++k) {
      const std::uint64_t before = learner.status().oracle_calls;
      plays.push_back(learner.ask());
      ASSERT_LE(learner.status().oracle_calls - before, 2u) << batch << " " << k;
    }
    for (const Play& play : plays) learner.tell(play.id, play.point[0]);
  }
  (void)learner.ask();
  EXPECT_EQ(learner.recommend()[0], 0);
}

TEST(LinearThompson, RefusesManyDimensions) {
  EXPECT_NE(
      message<InvalidArgument>([] { (void)linear_thompson(box(0, 1, 513)); }).find("up to 512"),
      std::string::npos);
}

/// How far from the target the learner recommends, after so many rounds of
/// ||y - target||^2 + noise.
double distance_after(std::unique_ptr<Algorithm> algorithm, const Coordinates& target, double noise,
                      std::uint64_t rounds, std::uint64_t seed) {
  Learner learner(std::move(algorithm), {.seed = seed});
  Random random(seed + 1);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    double value = 7;
    for (std::size_t i = 0; i < target.size(); ++i) {
      value += (play.point[i] - target[i]) * (play.point[i] - target[i]);
    }
    learner.tell(play.id, value + noise * random.normal());
  }
  const Coordinates x = learner.recommend();
  double squared = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squared += (x[i] - target[i]) * (x[i] - target[i]);
  return std::sqrt(squared);
}

TEST(Baselines, ApproachTheOptimumOfAQuadratic) {
  // The target is 0.6 from the centre; inside, and where the ball ends. Mean of four seeds.
  const SetPtr set = ball(5);
  const SetPtr half = ball(5, 0.5);
  const Coordinates target = {0.36, 0, -0.48, 0, 0};
  for (const auto& [name, make] : all_baselines()) {
    if (name == "linear_thompson") continue;
    double inside = 0;
    double noisy = 0;
    double outside = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      inside += distance_after(make(set), target, 0, 3000, seed) / 4;
      noisy += distance_after(make(set), target, 0.03, 3000, seed) / 4;
      outside += distance_after(make(half), target, 0, 3000, seed) / 4;
    }
    EXPECT_LE(inside, 0.02) << name;
    EXPECT_LE(noisy, 0.15) << name;
    EXPECT_NEAR(outside, 0.1, 0.02) << name;
  }
}

TEST(Baselines, BeginAtTheStart) {
  const SetPtr set = simplex(3);
  const Coordinates start = {0.5, 0.25, 0.25};
  EXPECT_EQ(Learner(linear_thompson(set, {.start = start})).recommend(), start);
  EXPECT_EQ(Learner(spsa(set, {.start = start})).recommend(), start);
  EXPECT_EQ(Learner(cma_es(set, {.start = start})).recommend(), start);
  EXPECT_THROW((void)cma_es(set, {.start = {1, 1, 1}}), InvalidArgument);
}

TEST(Baselines, DoNotDependOnTheUnitOfTheLosses) {
  for (const auto& [name, make] : all_baselines()) {
    for (const SetPtr& set : {image(solid_simplex(3), 6, -1), simplex(4)}) {
      const auto scaled = [&](std::uint64_t seed, double /*scale*/) {
        return Learner(make(set), {.seed = seed});
      };
      const auto report = keyhole::testing::check_learner(
          [&](std::uint64_t seed) { return scaled(seed, 1); }, {.rounds = 100, .scaled = scaled});
      EXPECT_TRUE(report.ok()) << name << "\n" << report.text();
    }
  }
}

TEST(Baselines, SayWhyTheyHaveNoBound) {
  for (const auto& [name, make] : all_baselines()) {
    const RegretBound bound = make(ball(2))->regret_bound(100);
    EXPECT_TRUE(std::isnan(bound.value) && !bound.holds) << name;
    EXPECT_TRUE(bound.note.starts_with("no bound")) << name;
  }
}

TEST(Baselines, AreRefusedWhereTheyCannotProject) {
  const SetPtr set = minkowski_sum({box(0, 1, 2), ball(2)});
  ASSERT_FALSE(set->can_project());
  EXPECT_NO_THROW((void)linear_thompson(set));
  EXPECT_NE(message<InvalidArgument>([&] {
              (void)spsa(set);
            }).find("spsa projects, and " + set->spec() + " cannot"),
            std::string::npos);
  EXPECT_NE(message<InvalidArgument>([&] {
              (void)cma_es(set);
            }).find("cma_es projects, and " + set->spec() + " cannot"),
            std::string::npos);
}

/// The mean of y[0] over the last quarter of so many rounds, where y[0] with noise is the loss: it
/// comes `delay` rounds late, and each is missing with that probability. At the centre it is 0.
double last_mean(std::unique_ptr<Algorithm> algorithm, std::uint64_t delay, double missing,
                 std::uint64_t rounds) {
  Learner learner(std::move(algorithm), {.seed = 3});
  Random random(4);
  std::deque<std::pair<PlayId, double>> waiting;
  double sum = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    EXPECT_TRUE(learner.set().contains(play.point));
    if (4 * t > 3 * rounds) sum += play.point[0];
    waiting.emplace_back(play.id, play.point[0] + 0.1 * random.normal());
    if (waiting.size() <= delay) continue;
    if (random.uniform() >= missing) learner.tell(waiting.front().first, waiting.front().second);
    waiting.pop_front();
  }
  return 4 * sum / static_cast<double>(rounds);
}

TEST(Baselines, LearnFromLossesThatComeLateOrNever) {
  // The best point is at -1.
  for (const auto& [name, make] : all_baselines()) {
    const SetPtr set = ball(4);
    EXPECT_LE(last_mean(make(set), 0, 0, 4000), -0.8) << name;
    EXPECT_LE(last_mean(make(set), 50, 0, 4000), -0.8) << name;
    EXPECT_LE(last_mean(make(set), 0, 0.5, 4000), -0.8) << name;
    EXPECT_LE(last_mean(make(set), 50, 0.5, 4000), -0.7) << name;
  }
}

TEST(LinearThompson, CountsAsLateWhatIsOlderThan1024Plays) {
  Learner learner(linear_thompson(ball(2)), {.window = 4096});
  (void)learner.ask(1025);
  EXPECT_EQ(learner.tell(1, 0.5), Receipt::late);
  EXPECT_EQ(learner.tell(2, 0.5), Receipt::fresh);
  (void)learner.ask();  // 2 is learned from, and leaves
  EXPECT_EQ(learner.tell(3, 0.5), Receipt::fresh);
  EXPECT_EQ(learner.summary().late, 1u);
  // Losses are seen to come a thousand plays late: a point is played four times from here on.
  (void)learner.ask(2);
  EXPECT_EQ(learner.tell(4, 0.5), Receipt::fresh);
  (void)learner.ask(100);
  EXPECT_EQ(learner.tell(5, 0.5), Receipt::late);
}

TEST(LinearThompson, LearnsFromLossesThatAreThousandsOfPlaysLate) {
  EXPECT_LE(last_mean(linear_thompson(ball(4)), 3000, 0, 20000), -0.8);
}

TEST(Spsa, DropsPairsThatHaveLeft) {
  Learner learner(spsa(simplex(3), {.pending_pairs = 2}));
  (void)learner.ask(8);
  EXPECT_EQ(learner.tell(3, 0.5), Receipt::late);
  EXPECT_EQ(learner.tell(5, 0.5), Receipt::fresh);
  (void)learner.ask();
  EXPECT_EQ(learner.summary().late, 1u);
}

TEST(Spsa, MakesNoStepOfHalfAPair) {
  Learner learner(spsa(ball(3)), {.seed = 2});
  for (int t = 0; t < 200; ++t) {
    const Play play = learner.ask();
    if (play.id % 2 == 1) learner.tell(play.id, play.point[0]);
  }
  EXPECT_EQ(learner.recommend(), (Coordinates{0, 0, 0}));
}

TEST(CmaEs, GoesOnWithFewerLossesAfterTwiceThePopulation) {
  // Of ball(5), whose population is 8. Four losses are not enough before 16 plays are made.
  const auto told_first = [](std::uint64_t losses, std::uint64_t plays) {
    Learner learner(cma_es(ball(5)), {.seed = 6});
    for (std::uint64_t t = 1; t <= plays; ++t) {
      const Play play = learner.ask();
      if (t <= losses) learner.tell(play.id, play.point[0]);
    }
    return learner.recommend();
  };
  const Coordinates centre(5);
  EXPECT_NE(told_first(8, 9), centre);
  EXPECT_EQ(told_first(7, 16), centre);
  EXPECT_NE(told_first(7, 17), centre);
  EXPECT_NE(told_first(4, 17), centre);
  EXPECT_EQ(told_first(3, 100), centre);
}

TEST(CmaEs, CountsAsLateWhatIsOfAnEarlierGeneration) {
  Learner learner(cma_es(ball(5)), {.seed = 6});
  (void)learner.ask(10);
  for (PlayId id = 3; id <= 10; ++id) learner.tell(id, static_cast<double>(id));
  (void)learner.ask();
  EXPECT_EQ(learner.tell(1, 0.5), Receipt::late);
  EXPECT_EQ(learner.tell(11, 0.5), Receipt::fresh);
}

}  // namespace
}  // namespace keyhole::tests
