// max_step: consecutive plays stay within it, and the algorithm does not notice.

#include "learners/learner/pace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(MaxStep, ConsecutivePlaysStayWithinItAndInTheSet) {
  Random random(61);
  for (const SetFamily& sets : set_families()) {
    const SetPtr set = sets.draw(std::max<std::size_t>(sets.smallest_dimension, 6), random);
    const double D = set->diameter();
    const double max_step = random.uniform(0.02, 0.5) * D;
    for_each_learner([&](const std::string& name, const auto& make) {
      if (!plays_on(name, *set)) return;
      const std::uint64_t rounds = 200;
      if (make(set, rounds, {}).contexts() > 0) return;
      auto learner = make(set, rounds, {.seed = 3, .max_step = max_step});
      Vector y(set->dimension());
      Vector before;
      for (std::uint64_t t = 1; t <= rounds; ++t) {
        const PlayId id = learner.ask(y);
        ASSERT_EQ(id, t);
        ASSERT_TRUE(set->contains(y)) << name << " on " << set->spec() << " at " << t;
        if (t > 1) {
          ASSERT_LE(distance(before, y), max_step + 1e-9 * D) << name << " on " << set->spec();
        }
        before = y;
        tell(learner, id, y.front() / D);
      }
    });
  }
}

/// Answers with the number of the play; plays 0 and 1 by turns, and notes what it is told.
class Jumping final : public Algorithm {
 public:
  explicit Jumping(std::vector<std::pair<PlayId, double>>& told)
      : Algorithm(box(0, 1, 1)), told_(&told) {}
  void play(PlayId t, Randomness& /*u*/, std::span<double> y) override {
    EXPECT_EQ(t, ++plays_);
    y[0] = t % 2 == 0 ? 1 : 0;
  }
  bool absorb(PlayId s, double loss, Randomness& /*u*/) override {
    told_->emplace_back(s, loss);
    return true;
  }
  void advance() override { EXPECT_EQ(++steps_, plays_); }
  void recommend(std::span<double> x) const override { x[0] = 0; }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {1, true, "none"};
  }
  [[nodiscard]] std::string spec() const override { return "jumping()"; }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return 4; }

 private:
  std::vector<std::pair<PlayId, double>>* told_;
  std::uint64_t plays_ = 0;
  std::uint64_t steps_ = 0;
};

TEST(MaxStep, TheAlgorithmSeesItsOwnPlaysOnly) {
  std::vector<std::pair<PlayId, double>> told;
  Learner learner(std::make_unique<Jumping>(told), {.max_step = 0.375});
  Vector points;
  for (int t = 1; t <= 10; ++t) {
    const Play play = learner.ask();
    points.push_back(play.point[0]);
    learner.tell(play.id, 10.0 * t);
  }
  EXPECT_EQ(points, (Vector{0, 0.375, 0.75, 1, 0.625, 0.25, 0, 0.375, 0.75, 1}));
  // The four plays are the rounds' 1, 4, 7 and 10; the last tell would be learned from at an ask.
  EXPECT_EQ(told, (std::vector<std::pair<PlayId, double>>{{1, 10}, {2, 40}, {3, 70}}));
  EXPECT_EQ(learner.summary().average, 55);
  EXPECT_EQ(learner.summary().late, 0u);
  EXPECT_FALSE(learner.regret_bound().holds);
  EXPECT_THROW((void)learner.ask(), InvalidArgument);  // the four rounds are used up
}

TEST(MaxStep, ALimitAsLargeAsTheSetChangesNothing) {
  Learner free(ball(5), {.seed = 4});
  Learner limited(ball(5), {.seed = 4, .max_step = 2.0});
  for (int t = 0; t < 500; ++t) {
    const Play a = free.ask();
    const Play b = limited.ask();
    ASSERT_EQ(a.point, b.point);
    free.tell(a.id, a.point[0]);
    limited.tell(b.id, b.point[0]);
  }
}

TEST(MaxStep, FeedbackMayBeLateForPlaysOnTheWay) {
  // A window shorter than the way: what was told is learned from before it is forgotten.
  std::vector<std::pair<PlayId, double>> told;
  Learner learner(std::make_unique<Jumping>(told), {.window = 2, .max_step = 0.125});
  for (int t = 1; t <= 12; ++t) {
    const PlayId id = learner.ask().id;
    if (id > 1) learner.tell(id - 1, 10.0 * static_cast<double>(id - 1));
  }
  EXPECT_EQ(told, (std::vector<std::pair<PlayId, double>>{{1, 10}, {2, 90}}));
  EXPECT_EQ(learner.summary().told, 11u);
}

TEST(MaxStep, IsRefusedUnlessPositive) {
  EXPECT_EQ(message<InvalidArgument>([] { Learner(ball(2), {.max_step = 0.0}); }),
            "max_step must be a number from 1e-50 to 1e50, not 0");
  EXPECT_THROW(Learner(ball(2), {.max_step = -1.0}), InvalidArgument);
}

TEST(MaxStep, IsRefusedWithContextsAndWithLimits) {
  const auto refusal = [](const PosteriorOptions& own, const LearnerOptions& options) {
    return message<InvalidArgument>([&] { Learner(posterior(box(0, 1, 2), own), options); });
  };
  for (const LearnerOptions& options :
       {LearnerOptions{.max_step = 0.1}, LearnerOptions{.max_steps = {0.1, 0.1}}}) {
    EXPECT_EQ(refusal({.contexts = {"number"}}, options),
              "max_step takes no contexts: a play on the way was wanted in another one");
    EXPECT_EQ(refusal({.limits = {{.most = 1}}}, options),
              "max_step takes no limits: plays on the way are not kept within them");
  }
}

TEST(MaxSteps, EachCoordinateStaysWithinItsOwnAndTheNormWithinBoth) {
  const SetPtr set = box(std::vector<double>{0, 0, 0}, std::vector<double>{1, 10, 100});
  const Vector most = {0.05, 1, 3};
  for_each_learner([&](const std::string& name, const auto& make) {
    if (make(set, 400, {}).contexts() > 0) return;
    auto learner = make(set, 400, {.seed = 2, .max_step = 2.5, .max_steps = most});
    Vector before;
    bool limited = false;
    for (int t = 0; t < 200; ++t) {
      const Play play = learner.ask();
      ASSERT_TRUE(set->contains(play.point)) << name;
      if (!before.empty()) {
        ASSERT_LE(distance(before, play.point), 2.5 + 1e-9) << name;
        for (std::size_t i = 0; i < most.size(); ++i) {
          ASSERT_LE(std::abs(play.point[i] - before[i]), most[i] + 1e-9) << name;
          limited = limited || std::abs(play.point[i] - before[i]) > most[i] - 1e-9;
        }
      }
      before = play.point;
      tell(learner, play.id, std::sin(t) + play.point[0]);
    }
    if (name == "random_vertex" || name.starts_with("parameter_free")) {
      EXPECT_TRUE(limited) << name;
    }
  });
}

TEST(MaxSteps, AreRefusedUnlessPositiveAndOneForEachCoordinate) {
  EXPECT_EQ(message<InvalidArgument>([] { Learner(ball(2), {.max_steps = {1}}); }),
            "max_steps must have one number for each of the 2 coordinates, not 1");
  EXPECT_EQ(message<InvalidArgument>([] {
              Learner(ball(2), {.max_steps = {1, 0}});
            }),
            "a number of max_steps must be a number from 1e-50 to 1e50, not 0");
}

}  // namespace
}  // namespace keyhole::tests
