// What watchful promises: plays as written down in another way, a fresh start soon after the best
// point has moved and hardly ever otherwise, nothing for the unit of the losses.

#include "learners/wrappers/watchful.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A learner and a look at its algorithm.
struct Watched {
  explicit Watched(const SetPtr& set, const LearnerOptions& options = {})
      : Watched(watchful(parameter_free(set)), options) {}

  const WatchfulAlgorithm* algorithm;
  Learner learner;

 private:
  Watched(std::unique_ptr<Algorithm> made, const LearnerOptions& options)
      : algorithm(dynamic_cast<const WatchfulAlgorithm*>(made.get())),
        learner(std::move(made), options) {}
};

/// The losses of two sides by the play, and what watchful makes of them: from the whole history,
/// once more for every play.
struct Transcript {
  std::vector<std::pair<bool, double>> plays = {};  // whether at the centre, and the loss
  double spent = 0;                                 // in doubts of earlier starts, for nothing
  double losses = 0;                                // before the latest start

  struct Outcome {
    double probing = 0.125;
    bool anew = false;
    double spent = 0;
  };

  [[nodiscard]] Outcome look() const {
    std::vector<double> own;    // all losses of the learner
    std::vector<double> calm;   // those that its level is made of
    std::vector<double> worth;  // what plays at the centre showed in calm
    std::map<bool, std::vector<double>> sides;
    double rise = 0;
    double most_worth = 0;
    bool doubt = false;
    double least_variance = 0;
    double spent_here = spent;
    double seen = losses;
    const auto average = [](const std::vector<double>& numbers, const auto& rate) {
      double mean = 0;
      double variance = 0;
      double j = 0;
      for (const double number : numbers) {
        const double share = rate(++j);
        const double away = number - mean;
        mean += share * away;
        variance += share * (away * away - variance);
      }
      return std::pair(mean, variance);
    };
    const auto floor_rate = [](double least) {
      return [=](double j) { return std::max(least, 1 / j); };
    };
    const auto level_rate = [](double j) { return std::max(1 / j, 1 / (20 + 0.2 * j)); };
    for (const auto& [centre, loss] : plays) {
      ++seen;
      if (!centre) own.push_back(loss);
      if (doubt) {
        sides[centre].push_back(loss);
        if (sides[true].size() < 4 || sides[false].size() < 4) continue;
        double difference = 0;
        double squared_error = 0;
        for (const bool side : {true, false}) {
          const auto& numbers = sides[side];
          const auto n = static_cast<double>(numbers.size());
          double mean = 0;
          for (const double number : numbers) mean += number / n;
          double variance = 0;
          for (const double number : numbers) variance += (number - mean) * (number - mean) / n;
          difference += side ? mean : -mean;
          squared_error += std::max(variance, least_variance) / n;
        }
        const double error = 3 * std::sqrt(squared_error);
        if (difference + error < most_worth / 2) return {0.125, true, spent_here};
        if (difference - error > most_worth / 2 || sides[true].size() >= 64) {
          doubt = false;
          spent_here += static_cast<double>(sides[true].size());
        }
      } else if (centre) {
        if (own.empty()) continue;
        worth.push_back(loss - average(own, floor_rate(0.05)).first);
        if (worth.size() < 8) continue;
        const auto [mean, variance] = average(worth, floor_rate(0.1));
        const double error = std::sqrt(variance / 19);
        most_worth = std::max(most_worth, mean - error);
        if (most_worth > 0 && mean + 3 * error < most_worth / 2) return {0.125, true, spent_here};
      } else {
        if (calm.size() > 30) {
          const auto [mean, variance] = average(calm, level_rate);
          const double deviation = std::sqrt(variance);
          rise = std::max(0.0, rise + std::clamp((loss - mean) / deviation, -3.0, 3.0) - 0.5);
          if (rise > 12) {
            if (spent_here <= 2 * std::sqrt(seen)) {
              doubt = true;
              least_variance = variance;
              sides.clear();
            }
            rise = 0;
            calm.clear();
            continue;
          }
          calm.push_back(std::clamp(loss, mean - 8 * deviation, mean + 8 * deviation));
        } else {
          calm.push_back(loss);
        }
      }
    }
    double power = 1;
    while (2 * power <= static_cast<double>(own.size())) power *= 2;
    return {doubt ? 0.5 : 0.125 / std::sqrt(power), false, spent_here};
  }
};

TEST(Watchful, PlaysAsWrittenDownInAnotherWay) {
  const SetPtr set = ball(3);
  const auto problem = tracking(set, {.noise = 0.05, .flip = 500}, {3});
  Learner learner(watchful(parameter_free(set)), {.seed = 9});
  // The same with a fresh algorithm for every start, and the history looked at again.
  Randomness random(set, 9, 0);
  Randomness& u = random.sub_stream("inner");
  auto inner = parameter_free(set);
  Transcript transcript;
  double probing = 0.125;
  bool at_centre = false;
  int starts = 0;
  std::vector<double> expected(3);
  double loss = 0;
  for (PlayId t = 1; t <= 1600; ++t) {
    if (t > 1) {
      if (!at_centre) {
        inner->advance();
        ASSERT_TRUE(inner->absorb(t - 1, loss, u));
      }
      transcript.plays.emplace_back(at_centre, loss);
      const Transcript::Outcome outcome = transcript.look();
      probing = outcome.probing;
      if (outcome.anew) {
        const double seen = transcript.losses + static_cast<double>(transcript.plays.size());
        transcript = {.spent = outcome.spent, .losses = seen};
        inner = parameter_free(set);
        ++starts;
      }
    }
    if (t % 2 == 1) {
      std::array<std::uint64_t, 2> words{};
      random.words(t, words);
      at_centre = static_cast<double>(words[0] >> 11U) * 0x1p-53 < probing;
    }
    if (at_centre) {
      expected = set->centre();
    } else {
      inner->play(t, u, expected);
    }
    const Play play = learner.ask();
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_NEAR(play.point[i], expected[i], 1e-12) << t;
    }
    problem->draw(t);
    loss = problem->value(play.point);
    learner.tell(play.id, loss);
  }
  EXPECT_GE(starts, 2);
}

/// Regret against the best point of each segment, over that of the centre.
double relative_regret(Problem& problem, Learner& learner, std::uint64_t rounds) {
  const Set& set = problem.set();
  const std::vector<double>& centre = set.centre();
  double loss = 0;
  double of_centre = 0;
  double best = 0;
  auto total = problem.total();
  std::vector<double> point(set.dimension());
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    total->add();
    const PlayId id = learner.ask(point);
    loss += problem.value(point);
    of_centre += problem.value(centre);
    learner.tell(id, problem.value(point));
    if (t % problem.segment() == 0 || t == rounds) {
      best += best_fixed_point(set, *total, {.tolerance = 0.1}).value;
      total = problem.total();
    }
  }
  return (loss - best) / (of_centre - best);
}

// Four flips. Measured over 8 seeds: 0.183 +- 0.005 (standard error) and 0.54 +- 0.02; of single
// seeds the largest and the least are far from the bounds here.
TEST(Watchful, HasLessThanHalfOfTheDefaultsRegretWhereTheBestPointFlips) {
  double sum = 0;
  double sum_of_default = 0;
  const std::vector<std::uint64_t> seeds = {11, 12, 13, 14};
  for (const std::uint64_t seed : seeds) {
    const SetPtr set = ball(10);
    const auto problem = tracking(set, {.noise = 0.1, .flip = 16384}, {seed});
    Watched watched(set, {.seed = seed});
    sum += relative_regret(*problem, watched.learner, 5 * 16384);
    EXPECT_GE(watched.algorithm->status().restarts, 4u);
    EXPECT_LE(watched.algorithm->status().restarts, 6u);
    Learner plain(parameter_free(set), {.seed = seed});
    sum_of_default += relative_regret(*problem, plain, 5 * 16384);
  }
  EXPECT_LT(sum, 0.5 * sum_of_default);
  EXPECT_LT(sum / static_cast<double>(seeds.size()), 0.25);
}

TEST(Watchful, FollowsLinearCostsThatFlip) {
  const SetPtr set = simplex(20);
  const auto problem = linear(set, {.mean = -0.5, .flip = 8192}, {21});
  Watched watched(set, {.seed = 21});
  EXPECT_LT(relative_regret(*problem, watched.learner, 4 * 8192), 0.35);
  EXPECT_EQ(watched.algorithm->status().restarts, 3u);
  EXPECT_GT(watched.algorithm->status().worth, 0.2);
}

TEST(Watchful, IsNotFooledWhenAllLossesRiseAtOnce) {
  const SetPtr set = ball(5);
  const auto problem = tracking(set, {.noise = 0.1}, {5});
  Watched watched(set, {.seed = 5});
  std::vector<double> point(5);
  for (std::uint64_t t = 1; t <= 20000; ++t) {
    problem->draw(t);
    const PlayId id = watched.learner.ask(point);
    watched.learner.tell(id, problem->value(point) + 3 * static_cast<double>(t / 4000));
  }
  EXPECT_GE(watched.algorithm->status().doubts, 4u);
  EXPECT_EQ(watched.algorithm->status().restarts, 0u);
}

TEST(Watchful, NoticesThroughLateAndMissingFeedback) {
  const SetPtr set = ball(5);
  const auto problem = tracking(set, {.noise = 0.1, .flip = 8000}, {6});
  Watched watched(set, {.seed = 6});
  std::vector<double> point(5);
  std::vector<double> losses = {0};
  Random random(6);
  for (std::uint64_t t = 1; t <= 10000; ++t) {
    problem->draw(t);
    (void)watched.learner.ask(point);
    losses.push_back(problem->value(point));
    // Each comes 200 rounds late, and three of ten never.
    if (t > 200 && random.uniform() > 0.3) watched.learner.tell(t - 200, losses[t - 200]);
  }
  EXPECT_EQ(watched.algorithm->status().restarts, 1u);
  EXPECT_GT(watched.learner.summary().late, 50u);  // those of before the restart
}

TEST(Watchful, GoesOnFromAStateInDoubtAndAfterAFreshStart) {
  const SetPtr set = simplex(5);
  const auto problem = linear(set, {.flip = 600}, {7});
  Watched watched(set, {.seed = 7});
  Watched follower(set, {.seed = 7});
  std::vector<double> point(5);
  std::vector<double> same(5);
  for (std::uint64_t t = 1; t <= 3000; ++t) {
    if (t % 7 == 0) {  // the follower is always a copy, made a few rounds ago
      follower.learner.restore(watched.learner.state());
      ASSERT_EQ(follower.learner.state(), watched.learner.state());
    }
    problem->draw(t);
    const PlayId id = watched.learner.ask(point);
    ASSERT_EQ(follower.learner.ask(same), id);
    ASSERT_EQ(point, same);
    watched.learner.tell(id, problem->value(point));
    follower.learner.tell(id, problem->value(point));
  }
  EXPECT_GE(watched.algorithm->status().restarts, 3u);
  EXPECT_EQ(follower.algorithm->status().doubts, watched.algorithm->status().doubts);
}

TEST(Watchful, TheUnitOfTheLossesDoesNotMatter) {
  const SetPtr set = box(-1, 3, 4);
  const auto problem = tracking(set, {.noise = 0.1, .flip = 700}, {8});
  Watched plain(set);
  Watched large(set);
  for (std::uint64_t t = 1; t <= 3000; ++t) {
    problem->draw(t);
    const Play play = plain.learner.ask();
    ASSERT_EQ(play.point, large.learner.ask().point) << t;
    plain.learner.tell(play.id, problem->value(play.point));
    large.learner.tell(play.id, 0x1p20 * problem->value(play.point));
  }
  EXPECT_GE(plain.algorithm->status().restarts, 1u);
}

TEST(Watchful, CountsTheOracleCallsOfAllStarts) {
  const SetPtr set = ball(10);
  const auto problem = tracking(set, {.noise = 0.1, .flip = 2000}, {9});
  Watched watched(set);
  std::uint64_t calls = 0;
  for (std::uint64_t t = 1; t <= 8000; ++t) {
    problem->draw(t);
    const Play play = watched.learner.ask();
    watched.learner.tell(play.id, problem->value(play.point));
    ASSERT_GE(watched.algorithm->oracle_calls(), calls);
    calls = watched.algorithm->oracle_calls();
  }
  EXPECT_GE(watched.algorithm->status().restarts, 2u);
}

TEST(Watchful, RefusesAnAlgorithmForSoManyRoundsOnly) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)watchful(nullptr); }),
            "watchful needs an algorithm to watch");
  EXPECT_EQ(message<InvalidArgument>(
                [] { (void)watchful(projection_free(ball(2), {.loss_bound = 1, .horizon = 9})); }),
            "watchful needs an algorithm that plays any number of rounds, and "
            "projection_free(loss_bound=1, c=0.5, horizon=9) plays 9: wrap it in anytime()");
  const AlgorithmContext context{.set = ball(2), .loss_bound = 1, .gradient_bound = 1};
  EXPECT_EQ(message<SpecError>([&] { (void)make_algorithm("watchful(ogd)", context); }),
            "watchful(ogd): learner at column 10 is told gradients, and must be told losses");
  EXPECT_EQ(watchful(parameter_free(ball(2)))->spec(), "watchful(parameter_free())");
  EXPECT_FALSE(watchful(parameter_free(ball(2)))->regret_bound(9).holds);
}

// Both used to draw the same words: the inner one never played at the centre by itself.
TEST(Watchful, NestedOnesDrawIndependently) {
  const SetPtr set = ball(2);
  Learner once(watchful(random_vertex(set)), {.seed = 4});
  Learner twice(watchful(watchful(random_vertex(set))), {.seed = 4});
  std::uint64_t centres_once = 0;
  std::uint64_t centres_twice = 0;
  // Equal losses: no doubt is raised, and a play at the centre has the chance 1 / (8 sqrt k), k the
  // losses of the one inside rounded down to a power of two. The sums over 4,000 plays are about 21
  // and 41; standard deviations below 10, as plays come in pairs.
  for (int t = 1; t <= 4000; ++t) {
    for (auto* const learner : {&once, &twice}) {
      const Play play = learner->ask();
      const bool at_centre = play.point == set->centre();
      (learner == &once ? centres_once : centres_twice) += at_centre ? 1 : 0;
      learner->tell(play.id, 1);
    }
  }
  EXPECT_GT(centres_once, 0u);
  EXPECT_GT(centres_twice, centres_once);
}

}  // namespace
}  // namespace keyhole::tests
