// What levelled promises: the algorithm inside is told losses less what their contexts say of them,
// known before the play; pairs stay pairs; the laws hold.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "contexts.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Plays the centre, in pairs if it is said so, and remembers what it is told.
class Listener final : public Algorithm {
 public:
  Listener(SetPtr set, std::map<PlayId, double>& told, bool pairs = false)
      : Algorithm(std::move(set)), told_(told), pairs_(pairs) {}

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override { recommend(y); }
  bool absorb(PlayId s, double loss, Randomness& /*random*/) override {
    told_[s] = loss;
    return true;
  }
  [[nodiscard]] PlayId pair_of(PlayId t) const override { return pairs_ ? t - (t + 1) % 2 : 0; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(p().begin(), p().end(), x.begin());
  }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override { return {}; }
  [[nodiscard]] std::string spec() const override { return "listener()"; }
  [[nodiscard]] double loss_bound() const noexcept override { return 6; }

 private:
  std::map<PlayId, double>& told_;
  bool pairs_;
};

/// What it is told of rounds with those losses, in contexts of one number.
std::map<PlayId, double> heard(const Vector& numbers, const Vector& losses, bool pairs = false) {
  std::map<PlayId, double> told;
  Learner learner(levelled(std::make_unique<Listener>(ball(2), told, pairs), {{"number"}}));
  Vector x(2);
  for (std::size_t t = 0; t < losses.size(); ++t) {
    learner.ask(Context{numbers[t]}, x);
    learner.tell(t + 1, losses[t]);
  }
  learner.ask(x);
  return told;
}

struct Rounds {
  Vector numbers;
  Vector losses;
};

/// Losses that rise with a number, with noise of 0.1.
Rounds rising(std::size_t count) {
  Random random(1);
  Rounds rounds;
  for (std::size_t t = 0; t < count; ++t) {
    const double u = random.normal();
    rounds.numbers.push_back(u);
    rounds.losses.push_back(5 + 2 * u + 0.5 * u * u + 0.1 * random.normal());
  }
  return rounds;
}

TEST(Levelled, TakesAwayWhatTheContextSays) {
  const auto [numbers, losses] = rising(1000);
  const auto told = heard(numbers, losses);
  double mean = 0;
  double squares = 0;
  for (PlayId s = 501; s <= 1000; ++s) mean += told.at(s) / 500;
  for (PlayId s = 501; s <= 1000; ++s) squares += (told.at(s) - mean) * (told.at(s) - mean) / 500;
  EXPECT_NEAR(mean, 5.5, 0.1) << "the mean stays";
  EXPECT_NEAR(std::sqrt(squares), 0.1, 0.02) << "and the noise";
}

TEST(Levelled, SubtractsWhatIsKnownBeforeThePlay) {
  auto [numbers, losses] = rising(60);
  const auto told = heard(numbers, losses);
  const Vector before = losses;
  losses[59] = -3;
  EXPECT_NEAR(heard(numbers, losses).at(60) - losses[59], told.at(60) - before[59], 1e-12);
  losses[20] = -3;
  EXPECT_GT(std::abs(heard(numbers, losses).at(60) - losses[59] - told.at(60) + before[59]), 1e-3)
      << "losses before matter";
}

TEST(Levelled, SubtractsTheSameFromBothPlaysOfAPair) {
  const auto [numbers, losses] = rising(60);
  const auto told = heard(numbers, losses, true);
  const auto single = heard(numbers, losses);
  for (std::size_t t = 1; t < 60; t += 2) {
    EXPECT_NEAR(told.at(t) - losses[t - 1], told.at(t + 1) - losses[t], 1e-12) << t;
  }
  EXPECT_GT(std::abs(single.at(59) - losses[58] - single.at(60) + losses[59]), 0.1);
}

TEST(Levelled, SubtractsNoMoreThanTheRangeOfTheLosses) {
  Random random(2);
  Vector numbers;
  Vector losses;
  for (int t = 0; t < 3000; ++t) {
    numbers.push_back(t % 100 == 0 ? random.uniform(-3, 3) : 1e-3 * random.normal());
    losses.push_back(random.uniform() < 0.5 ? -1 : 1);
  }
  for (const auto& [s, loss] : heard(numbers, losses)) ASSERT_LE(std::abs(loss), 3) << s;
  std::map<PlayId, double> told;
  EXPECT_EQ(levelled(std::make_unique<Listener>(ball(2), told), {{"number"}})->loss_bound(), 2);
}

TEST(Levelled, KnowsNeitherUnitNorZeroOfTheLosses) {
  const auto [numbers, losses] = rising(300);
  const auto told = heard(numbers, losses);
  for (const double scale : {1024.0, 0x1p-20}) {
    Vector scaled = losses;
    for (double& loss : scaled) loss *= scale;
    const auto other = heard(numbers, scaled);
    for (const auto& [s, loss] : told) ASSERT_EQ(other.at(s), scale * loss) << s;
  }
  Vector shifted = losses;
  for (double& loss : shifted) loss += 1e6;
  const auto other = heard(numbers, shifted);
  for (const auto& [s, loss] : told) ASSERT_NEAR(other.at(s), 1e6 + loss, 1e-6) << s;
}

TEST(Levelled, IsNotMisledByAWildLoss) {
  auto [numbers, losses] = rising(1000);
  losses[500] = 1e30;
  const auto told = heard(numbers, losses);
  double squares = 0;
  for (PlayId s = 801; s <= 1000; ++s) squares += (told.at(s) - 5.5) * (told.at(s) - 5.5) / 200;
  EXPECT_LT(std::sqrt(squares), 0.3);
}

TEST(Levelled, LearnsWithoutTheNoiseOfTheContext) {
  for (const bool known : {false, true}) {
    double cost = 0;
    Random random(3);
    auto inside = parameter_free(box(0, 1, 3));
    Learner learner(known ? levelled(std::move(inside), {{"number"}}) : std::move(inside),
                    {.seed = 1});
    Vector x(3);
    for (PlayId t = 1; t <= 4000; ++t) {
      const double u = random.normal();
      known ? learner.ask(Context{u}, x) : learner.ask(x);
      double loss = 0;
      for (const double value : x) loss += (value - 0.8) * (value - 0.8);
      cost += loss / 4000;
      learner.tell(t, loss + u + 0.1 * random.normal());
    }
    EXPECT_EQ(cost < 0.05, known) << cost;  // 0.27 at the centre
  }
}

TEST(Levelled, PlaysInTheSetAndResumesAtEveryRound) {
  const auto make = [](const SetPtr& set, std::size_t which) -> std::unique_ptr<Algorithm> {
    if (which == 0) return levelled(parameter_free(set), {every_kind});
    if (which == 1) return levelled(watchful(posterior(set)), {every_kind});
    return levelled(anytime(two_point(set, {.gradient_bound = 1})), {every_kind});
  };
  for (const SetPtr& set : {box(0, 1, 3), simplex(4)}) {
    for (const std::size_t which : {0U, 1U, 2U}) {
      Random random(4);
      const LearnerOptions options{.seed = 5, .window = 64};
      Learner whole(make(set, which), options);
      Learner resumed(make(set, which), options);
      Vector y(set->dimension());
      Vector y_resumed(y);
      for (PlayId t = 1; t <= 150; ++t) {
        const State state = whole.state();
        Learner fresh(make(set, which), options);
        fresh.restore(State::from_bytes(state.bytes()));
        ASSERT_EQ(fresh.state(), state);
        ASSERT_EQ(resumed.state(), state) << whole.spec() << " at " << t;
        resumed = std::move(fresh);
        const Context context = drawn_context(random);
        ASSERT_EQ(whole.ask(context, y), resumed.ask(context, y_resumed));
        ASSERT_EQ(y, y_resumed) << whole.spec() << " at " << t;
        ASSERT_TRUE(set->contains(y)) << whole.spec() << " at " << t;
        const double loss = y[0] + std::cos(static_cast<double>(t)) + 0.1 * random.normal();
        for (Learner* learner : {&whole, &resumed}) {
          if (t % 5 != 0) learner->tell(t, loss);
          if (t > 7 && (t - 7) % 5 == 0) learner->tell(t - 7, 0.3);
        }
      }
    }
  }
}

TEST(Levelled, CountsALossThatComesVeryLate) {
  for (const PlayId behind : {4095U, 4096U}) {
    std::map<PlayId, double> told;
    Learner learner(levelled(std::make_unique<Listener>(ball(2), told), {{"number"}}),
                    {.window = 8192});
    Vector x(2);
    for (PlayId t = 1; t <= 1 + behind; ++t) learner.ask(Context{1}, x);
    learner.tell(1, 0.5);
    learner.ask(x);
    EXPECT_EQ(told.size(), behind == 4095 ? 1U : 0U);
    EXPECT_EQ(learner.summary().late, behind == 4095 ? 0U : 1U);
  }
}

TEST(Levelled, LearnsFromPastLossesOfContexts) {
  Random random(6);
  Learner learner(levelled(posterior(box(0, 1, 2)), {{"number"}}), {.seed = 1});
  for (int k = 0; k < 400; ++k) {
    const double u = random.normal();
    const Vector x = {random.uniform(), random.uniform()};
    learner.learn(Context{u}, x, x[1] - x[0] + 3 * u + 0.05 * random.normal());
  }
  const Vector best = learner.recommend();
  EXPECT_NEAR(best[0], 1, 0.01);
  EXPECT_NEAR(best[1], 0, 0.01);
}

TEST(Levelled, HasTheBoundOfTheLearnerInside) {
  const SetPtr set = ball(3);
  const auto inside = fkm(set, {.loss_bound = 3, .gradient_bound = 1, .horizon = 1000});
  const RegretBound expected = inside->regret_bound(1000);
  const auto wrapped =
      levelled(fkm(set, {.loss_bound = 3, .gradient_bound = 1, .horizon = 1000}), {{"number"}});
  const RegretBound bound = wrapped->regret_bound(1000);
  EXPECT_TRUE(bound.holds);
  EXPECT_EQ(bound.value, expected.value);
  EXPECT_NE(bound.note.find("less what the context says"), std::string::npos);
  EXPECT_EQ(wrapped->rounds(), 1000U);
  EXPECT_EQ(wrapped->loss_bound(), 1);
  EXPECT_EQ(wrapped->spec(),
            "levelled(fkm(loss_bound=3, gradient_bound=1, horizon=1000), contexts=[\"number\"])");
}

TEST(Levelled, SubtractsNothingWithoutContexts) {
  std::map<PlayId, double> told;
  Learner learner(levelled(std::make_unique<Listener>(ball(2), told), {}));
  Vector x(2);
  for (PlayId t = 1; t <= 9; ++t) learner.tell(learner.ask(x), static_cast<double>(t));
  learner.ask(x);
  for (const auto& [s, loss] : told) EXPECT_EQ(loss, static_cast<double>(s));
  EXPECT_EQ(told.size(), 9U);
}

TEST(Levelled, SaysWhatIsWrong) {
  const SetPtr set = ball(3);
  const auto error = [&](std::unique_ptr<Algorithm> algorithm, const LevelledOptions& options) {
    return message<InvalidArgument>([&] { (void)levelled(std::move(algorithm), options); });
  };
  EXPECT_EQ(error(nullptr, {{"number"}}), "levelled needs an algorithm to tell losses to");
  EXPECT_EQ(error(posterior(set, {.contexts = {"number"}}), {{"number"}}),
            "levelled needs an algorithm that takes no contexts, and "
            "posterior(contexts=[\"number\"]) does");
  EXPECT_NE(error(stay(set), {{"digit"}}).find("a context is \"number\""), std::string::npos);
  EXPECT_EQ(error(stay(set), {{"choice(2000)"}}),
            "levelled takes contexts of up to 1023 numbers, and these have 2000");
}

}  // namespace
}  // namespace keyhole::tests
