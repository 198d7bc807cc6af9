// Losses that count more or less than once: what is refused and how, that states have the counts,
// that only their ratios matter, and what they are worth.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Algorithms = std::vector<std::function<std::unique_ptr<Algorithm>()>>;

Algorithms that_use_counts(const SetPtr& set) {
  return {[set] { return posterior(set); }, [set] { return linear_thompson(set); },
          [set] { return watchful(posterior(set)); }};
}

double loss_at(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double away = x[i] - (i % 2 == 0 ? 0.2 : 0.7);
    sum += away * away;
  }
  return sum;
}

TEST(Count, WhoCannotUseItSaysSo) {
  const SetPtr set = ball(3);
  Learner learner(parameter_free(set));
  const Play play = learner.ask();
  const State before = learner.state();
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(play.id, 1, 500); }),
            "the count of the loss of play 1 cannot be used by " + parameter_free(set)->spec() +
                ": tell the loss without it; posterior and linear_thompson use counts, in up to "
                "512 dimensions");
  EXPECT_EQ(learner.state(), before);
  EXPECT_EQ(learner.tell(play.id, 1, 1), Receipt::fresh);
  for (const LearnerFamily& family : learner_families()) {
    Learner one(family.make(set, 100));
    const PlayId id = one.ask().id;
    if (one.can_learn()) {
      EXPECT_EQ(one.tell(id, 1, 0.5), Receipt::fresh) << family.name;
    } else {
      EXPECT_THROW(one.tell(id, 1, 0.5), FeedbackError) << family.name;
    }
  }
}

TEST(Count, RefusesWhatIsNoneAndContradictions) {
  Learner learner(box(0, 1, 2));
  const Play play = learner.ask();
  const State before = learner.state();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double count : {0.0, -1.0, nan, infinite, 1e-13, 1e13}) {
    EXPECT_THROW(learner.tell(play.id, 1, count), FeedbackError) << count;
    EXPECT_THROW(learner.learn(play.point, 1, count), FeedbackError) << count;
  }
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(play.id, 1, 0); }),
            "the count of the loss of play 1 must be a number from 1e-12 to 1e12, not 0");
  EXPECT_EQ(message<FeedbackError>([&] { learner.learn(play.point, 1, 0); }),
            "the count of a loss that is taught must be a number from 1e-12 to 1e12, not 0");
  EXPECT_EQ(learner.state(), before);
  EXPECT_EQ(learner.tell(play.id, 1, 5), Receipt::fresh);
  EXPECT_EQ(learner.tell(play.id, 1, 5), Receipt::repeated);
  const State told = learner.state();
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(play.id, 1, 6); }),
            "the count of the loss of play 1 was told as 5 before and as 6 now: the first stands");
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(play.id, 2, 5); }),
            "play 1 was told 1 before and 2 now: the first stands");
  EXPECT_THROW(learner.tell(play.id, 1), FeedbackError);
  EXPECT_EQ(learner.state(), told);
}

TEST(Count, OfAnErrorAndOfAnAge) {
  EXPECT_EQ(count_of_error(0.5), 4);
  EXPECT_NEAR(count_of_error(0.02), 2500, 1e-9);
  EXPECT_EQ(count_of_error(1e6), 1e-12);
  EXPECT_EQ(count_of_error(1e-6), 1e12);
  EXPECT_EQ(message<FeedbackError>([] { (void)count_of_error(0); }),
            "the error of a loss must be a number from 1e-6 to 1e6, not 0");
  EXPECT_EQ(count_of_age(0, 30), 1);
  EXPECT_EQ(count_of_age(60, 30), 0.25);
  EXPECT_EQ(count_of_age(1e9, 1), 1e-12);
  EXPECT_THROW((void)count_of_age(1, 0), InvalidArgument);
  EXPECT_THROW((void)count_of_age(-1, 1), InvalidArgument);
}

/// Saved at every moment, also while counts wait to be learned from, and continued by a learner
/// that has none, or has others.
TEST(Count, IsInTheState) {
  const SetPtr set = box(0, 1, 3);
  for (const auto& algorithm : that_use_counts(set)) {
    const LearnerOptions options{.seed = 6, .window = 32};
    Learner whole(algorithm(), options);
    Learner used(algorithm(), options);
    Random random(3);
    for (int t = 1; t <= 80; ++t) {
      const State state = whole.state();
      Learner fresh(algorithm(), options);
      fresh.restore(state);
      used.restore(state);
      ASSERT_EQ(fresh.state(), state);
      ASSERT_EQ(used.state(), state);
      const Play play = whole.ask();
      ASSERT_EQ(fresh.ask().point, play.point) << whole.spec() << " at " << t;
      ASSERT_EQ(used.ask().point, play.point) << whole.spec() << " at " << t;
      const double count = t % 3 == 0 ? 1 : std::exp(2 * random.normal());
      const double loss = loss_at(play.point) + 0.1 * random.normal();
      for (Learner* learner : {&whole, &fresh, &used}) {
        if (t % 5 != 0) learner->tell(play.id, loss, t < 4 ? 1 : count);
        if (t > 10 && t % 5 == 1) learner->tell(play.id - 6, 1, 2);
      }
      ASSERT_EQ(fresh.state(), whole.state());
      ASSERT_EQ(used.state(), whole.state());
    }
    Learner plain(algorithm(), options);
    const State without = plain.state();
    used.restore(without);
    EXPECT_EQ(used.state(), without);
  }
}

/// Runs a learner that is taught and told with these counts. Returns its plays.
std::vector<double> plays_with(double of_taught, double of_plays, int taught) {
  const SetPtr set = box(0, 1, 3);
  Learner learner(posterior(set), {.seed = 2});
  Random random(8);
  std::vector<double> plays;
  for (int k = 0; k < taught; ++k) {
    const std::vector<double> x = {random.uniform(), random.uniform(), random.uniform()};
    learner.learn(x, loss_at(x) + 0.2 * random.normal(), of_taught);
  }
  for (int t = 1; t <= 400; ++t) {
    const Play play = learner.ask();
    plays.insert(plays.end(), play.point.begin(), play.point.end());
    learner.tell(play.id, loss_at(play.point) + 0.2 * random.normal(), of_plays);
  }
  return plays;
}

TEST(Count, OnlyRatiosMatter) {
  for (const int taught : {0, 7, 40}) {
    const std::vector<double> plain = plays_with(1, 1, taught);
    EXPECT_EQ(plays_with(64, 64, taught), plain) << taught;
    EXPECT_EQ(plays_with(0.125, 0.125, taught), plain) << taught;
    EXPECT_EQ(plays_with(0.125, 1, taught), plays_with(1, 8, taught)) << taught;
    if (taught > 0) {
      EXPECT_NE(plays_with(0.125, 1, taught), plain);
    }
  }
}

/// Counts and losses of any size that is taken: plays stay in the set, states can be read.
TEST(Count, OfAnySizeLeaveTheLearnerSound) {
  const SetPtr set = simplex(4);
  for (const auto& algorithm : that_use_counts(set)) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Learner learner(algorithm(), {.seed = seed});
      Random random(seed);
      for (int t = 1; t <= 300; ++t) {
        const Play play = learner.ask();
        ASSERT_TRUE(set->contains(play.point)) << learner.spec() << " at " << t;
        const double count = std::pow(10.0, 24 * random.uniform() - 12);
        const double loss = t % 50 == 0 ? 1e50 * random.normal() / 10 : random.normal();
        learner.tell(play.id, loss, t % 2 == 0 ? count : 1);
        if (t % 7 == 0) learner.learn(play.point, random.normal(), 1 / count);
      }
      ASSERT_TRUE(set->contains(learner.recommend())) << learner.spec();
      Learner again(algorithm(), {.seed = seed});
      again.restore(learner.state());
      ASSERT_EQ(again.ask().point, learner.ask().point);
    }
  }
}

/// The regret on a quadratic in 5 dimensions over the centre's, with noise 0.5 / sqrt(count).
double regret(int run, bool told, const std::function<double(Random&)>& count_of) {
  constexpr int rounds = 2000;
  Random random(static_cast<std::uint64_t>(7000 + run));
  const SetPtr set = box(0, 1, 5);
  std::vector<double> target(5);
  for (double& value : target) value = random.uniform();
  const auto loss = [&](std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += (x[i] - target[i]) * (x[i] - target[i]);
    return sum;
  };
  Learner learner(posterior(set), {.seed = static_cast<std::uint64_t>(run)});
  double total = 0;
  for (int t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    const double count = count_of(random);
    total += loss(play.point);
    learner.tell(play.id, loss(play.point) + 0.5 / std::sqrt(count) * random.normal(),
                 told ? count : 1);
  }
  return total / rounds / loss(set->centre());
}

/// Counts are log-uniform from 0.1 to 10. Told, they are worth as much as losses that all have the
/// mean of the counts, up to a fifth; not told, they are worth far less.
TEST(Count, TellsWhatAMeanIsWorth) {
  constexpr int runs = 24;
  const auto log_uniform = [](Random& random) { return std::pow(100.0, random.uniform() - 0.5); };
  const auto alike = [](Random&) { return (10 - 0.1) / std::log(100.0); };
  double told = 0;
  double not_told = 0;
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    told += regret(run, true, log_uniform) / runs;
    not_told += regret(run, false, log_uniform) / runs;
    best += regret(run, false, alike) / runs;
  }
  RecordProperty("told", std::to_string(told));
  RecordProperty("not_told", std::to_string(not_told));
  RecordProperty("alike", std::to_string(best));
  EXPECT_LT(told, 1.2 * best);
  EXPECT_GT(not_told, 1.5 * told);
}

}  // namespace
}  // namespace keyhole::tests
