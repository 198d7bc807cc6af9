// What anchored promises: points between those of the anchors, in the set, the bound of the learner
// inside on a convex loss of its points, and plays that follow the context.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contexts.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

const double root_3 = std::sqrt(3.0);

SetPtr power(const SetPtr& set, std::size_t anchors) {
  return product(std::vector<SetPtr>(anchors, set));
}

/// Recommends those points.
class FixedPoints final : public Algorithm {
 public:
  FixedPoints(SetPtr set, Vector points) : Algorithm(std::move(set)), points_(std::move(points)) {}

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override { recommend(y); }
  bool absorb(PlayId /*s*/, double /*loss*/, Randomness& /*random*/) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(points_.begin(), points_.end(), x.begin());
  }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override { return {}; }
  [[nodiscard]] std::string spec() const override { return "fixed()"; }

 private:
  Vector points_;
};

TEST(Anchored, PlaysBetweenThePointsOfTheAnchors) {
  const SetPtr set = box(0, 1, 2);
  Learner learner(
      anchored(set, std::make_unique<FixedPoints>(power(set, 3), Vector{0, 1, 0.5, 0, 1, 0})));
  const auto at = [&](double u) {
    const Vector x = learner.recommend(Context{u});
    EXPECT_EQ(learner.ask(Context{u}).point, x);
    return x;
  };
  const auto expect = [](const Vector& x, double first, double second) {
    EXPECT_NEAR(x[0], first, 1e-12);
    EXPECT_NEAR(x[1], second, 1e-12);
  };
  expect(at(-root_3), 0, 1);
  expect(at(0), 0.5, 0);
  expect(at(root_3), 1, 0);
  expect(at(-root_3 / 2), 0.25, 0.5);
  expect(at(root_3 / 4), 0.625, 0);
  expect(at(-100), 0, 1);
  expect(at(100), 1, 0);
  expect(at(not_known), 0.5, 0);
  expect(learner.recommend(), 0.5, 0);
}

TEST(Anchored, PlaysInTheSetAndResumesAtEveryRound) {
  for (const SetPtr& set : {box(0, 1, 3), simplex(4), psd_trace_ball(2)}) {
    for (const bool pairs : {false, true}) {
      const auto make = [&] {
        const SetPtr all = power(set, 3);
        return anchored(set, pairs ? anytime(two_point(all, {.gradient_bound = 1}))
                                   : std::unique_ptr<Algorithm>(posterior(all)));
      };
      Random random(1);
      const LearnerOptions options{.seed = 5, .window = 64};
      Learner whole(make(), options);
      Learner resumed(make(), options);
      Vector y(set->dimension());
      Vector y_resumed(y);
      for (PlayId t = 1; t <= 150; ++t) {
        const State state = whole.state();
        Learner fresh(make(), options);
        fresh.restore(State::from_bytes(state.bytes()));
        ASSERT_EQ(resumed.state(), state) << whole.spec() << " at " << t;
        resumed = std::move(fresh);
        const Context context = {random.uniform() < 0.1 ? not_known : 2 * random.normal()};
        ASSERT_EQ(whole.ask(context, y), resumed.ask(context, y_resumed));
        ASSERT_EQ(y, y_resumed) << whole.spec() << " at " << t;
        ASSERT_TRUE(set->contains(y)) << whole.spec() << " at " << t;
        ASSERT_TRUE(set->contains(whole.recommend(context)));
        const double loss = y[0] + 0.1 * random.normal();
        for (Learner* learner : {&whole, &resumed}) {
          if (t % 5 != 0) learner->tell(t, loss);
          if (t > 7 && (t - 7) % 5 == 0) learner->tell(t - 7, 0.3);
        }
      }
    }
  }
}

/// How far the point of a service over its load is from the best, as a loss: settings that must
/// follow the load, at -1 to 1 times their range.
double service_loss(double u, const Vector& x) {
  const double load = 0.5 + u / (2 * root_3);
  const double first = x[0] - (0.1 + 0.8 * load);
  const double second = x[1] - 0.9 * load;
  return first * first + second * second;
}

TEST(Anchored, FollowsTheContextWithinItsBound) {
  // Loads of days, a round a minute, or in any order.
  constexpr int rounds = 20000;
  const SetPtr set = box(0, 1, 2);
  const SetPtr all = power(set, 2);
  const BbcgOptions constants = {.loss_bound = 2, .gradient_bound = 3, .horizon = rounds};
  const auto regret = [&](std::unique_ptr<Algorithm> algorithm, bool days) {
    Random random(2);
    const bool takes = algorithm->contexts() == 1;
    Learner learner(std::move(algorithm), {.seed = 3});
    Vector x(2);
    double sum = 0;
    for (PlayId t = 1; t <= rounds; ++t) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(t) / 1440;
      const double u = root_3 * (days ? std::sin(angle) : random.uniform(-1, 1));
      takes ? learner.ask(Context{u}, x) : learner.ask(x);
      sum += service_loss(u, x);  // the best two anchors have none
      learner.tell(t, service_loss(u, x) + 0.05 * random.normal());
    }
    return sum;
  };
  const auto bounded = anchored(set, bbcg(all, constants));
  const RegretBound bound = bounded->regret_bound(rounds);
  EXPECT_TRUE(bound.holds);
  EXPECT_EQ(bound.value, bbcg(all, constants)->regret_bound(rounds).value);
  EXPECT_NE(bound.note.find("the best points of the anchors"), std::string::npos);
  EXPECT_LT(regret(anchored(set, bbcg(all, constants)), true), bound.value);
  EXPECT_LT(regret(anchored(set, parameter_free(all)), true),
            0.25 * regret(parameter_free(set), true));
  EXPECT_LT(regret(anchored(set, posterior(all)), false), 0.1 * regret(posterior(set), false));
}

TEST(Anchored, SaysWhatIsWrong) {
  const SetPtr set = box(0, 1, 2);
  const auto error = [&](std::unique_ptr<Algorithm> algorithm) {
    return message<InvalidArgument>([&] { (void)anchored(set, std::move(algorithm)); });
  };
  EXPECT_EQ(error(nullptr), "anchored needs an algorithm");
  const std::string needs = "anchored on " + set->spec() +
                            " needs an algorithm on a product of two such sets or more, not on ";
  EXPECT_EQ(error(stay(set)), needs + set->spec());
  EXPECT_EQ(error(stay(ball(4))), needs + ball(4)->spec());
  EXPECT_NE(error(posterior(power(set, 2), {.contexts = {"number"}})).find("takes no contexts"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
