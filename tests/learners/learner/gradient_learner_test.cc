// Gradient learners: the order of events, late, repeated, missing and bad gradients, options.

#include "keyhole/gradient_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>

#include "catalogue.h"
#include "numbers.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

// Which feedback a learner takes is in its type.
static_assert(!std::constructible_from<Learner, std::unique_ptr<GradientAlgorithm>>);
static_assert(!std::constructible_from<GradientLearner, std::unique_ptr<Algorithm>>);
static_assert(!std::constructible_from<GradientLearner, std::unique_ptr<HorizonAlgorithm>>);
template <class AnyLearner, class Told>
concept TakesTold = requires(AnyLearner& learner, Told told) {
  learner.tell(1, told);
};
static_assert(TakesTold<Learner, double> && !TakesTold<Learner, std::span<const double>>);
static_assert(TakesTold<GradientLearner, std::span<const double>> &&
              !TakesTold<GradientLearner, double>);

GradientLearner descent(GradientLearnerOptions options = {}) {
  return GradientLearner(ogd(simplex(4), {.gradient_bound = 1}), options);
}

GradientLearner doubling_ocg(GradientLearnerOptions options = {}) {
  return GradientLearner(anytime(ocg(simplex(4), {.gradient_bound = 1})), options);
}

TEST(GradientLearner, AnyOrderOfTellsBetweenTwoAsksGivesTheSameBytes) {
  Random random(4);
  for (const GradientLearnerFamily& family : gradient_learner_families()) {
    GradientLearner sorted(family.make(simplex(4), 300), {.seed = 1});
    GradientLearner shuffled(family.make(simplex(4), 300), {.seed = 1});
    std::vector<PlayId> waiting;
    for (int batch = 0; batch < 30; ++batch) {
      const std::size_t asks = random.integer(1, 8);
      for (const Play& play : sorted.ask(asks)) waiting.push_back(play.id);
      (void)shuffled.ask(asks);
      std::vector<PlayId> now;
      std::vector<PlayId> later;
      for (const PlayId id : waiting) (random.uniform() < 0.7 ? now : later).push_back(id);
      for (const PlayId id : now) tell(sorted, id, 0.5);
      for (std::size_t k = now.size(); k > 1; --k) {
        std::swap(now[k - 1], now[random.integer(0, k - 1)]);
      }
      for (const PlayId id : now) tell(shuffled, id, 0.5);
      waiting = later;
      ASSERT_EQ(sorted.state(), shuffled.state()) << family.name;
    }
  }
}

TEST(GradientLearner, AnOgdStepIsMadeAtTheNextAskAndAnOcgStepOneLater) {
  // OGD moves play t + 1 by g_t, and so do the optimized constants of OCG; the sum of the classic
  // step t ends with g_{t-1}: play t + 2 moves first.
  const auto first_difference = [](GradientLearner one, GradientLearner other) {
    const Vector up = {1, -1, 0, 0};
    const Vector down = {-1, 1, 0, 0};
    (void)one.ask();
    (void)other.ask();
    one.tell(1, up);
    other.tell(1, down);
    for (int after = 1; after < 10; ++after) {
      if (one.ask().point != other.ask().point) return after;
    }
    return 0;
  };
  EXPECT_EQ(first_difference(descent(), descent()), 1);
  const auto long_ocg = [](OcgConstants constants) {
    return GradientLearner(
        ocg(simplex(4), {.gradient_bound = 1, .horizon = 10, .constants = constants}));
  };
  const auto difference_of_ocg = [&](OcgConstants constants) {
    return first_difference(long_ocg(constants), long_ocg(constants));
  };
  EXPECT_EQ(difference_of_ocg(OcgConstants::classic), 2);
  EXPECT_EQ(difference_of_ocg(OcgConstants::optimized), 1);
}

TEST(GradientLearner, OptimizedOcgByHand) {
  // On [-1, 1] for T = 12: D = 2, G = 1, eta = (1/4)^(3/4) = 0.35, sigma = 1/2. x_1 = 0; g_1 = 1,
  // d_1 = 0.35: x_2 = -1/2. Nothing told of play 2, d_2 = 0.35 - 1/2: x_3 = 1/4. g_3 = -1 and the
  // late g_2 = -1, d_3 = 0.35 (1 - 1 - 1) + 1/4 < 0, which it is not without both: x_4 = 5/8.
  GradientLearner learner(ocg(
      box(-1, 1, 1), {.gradient_bound = 1, .horizon = 12, .constants = OcgConstants::optimized}));
  EXPECT_EQ(learner.ask().point[0], 0);
  learner.tell(1, Vector{1});
  EXPECT_EQ(learner.ask().point[0], -0.5);
  EXPECT_EQ(learner.ask().point[0], 0.25);
  learner.tell(3, Vector{-1});
  learner.tell(2, Vector{-1});
  EXPECT_EQ(learner.ask().point[0], 0.625);
  // With two rounds to play sigma is 1.
  GradientLearner two(ocg(
      box(-1, 1, 1), {.gradient_bound = 1, .horizon = 2, .constants = OcgConstants::optimized}));
  (void)two.ask();
  two.tell(1, Vector{0.5});
  EXPECT_EQ(two.ask().point[0], -1);
}

TEST(GradientLearner, OgdByHand) {
  // On [-4, 4]: D = 8, G = 2, eta_t = 4 / sqrt t. x_1 = 0; g_1 = 0.5: x_2 = -2; nothing told of
  // play 2; g_3 = -2, of x_3 = -2: x_4 = -2 + 8 / sqrt 3; late g_2 = 2 makes x_5 = x_4 - 8 /
  // sqrt 2.
  const double first = 0.5;
  const double second = 2;
  const double third = -2;
  GradientLearner learner(ogd(box(-4, 4, 1), {.gradient_bound = 2}));
  EXPECT_EQ(learner.ask().point[0], 0);
  learner.tell(1, {&first, 1});
  EXPECT_EQ(learner.ask().point[0], -2);
  EXPECT_EQ(learner.ask().point[0], -2);
  learner.tell(3, {&third, 1});
  EXPECT_DOUBLE_EQ(learner.ask().point[0], -2 + 8 / std::sqrt(3.0));
  learner.tell(2, {&second, 1});
  EXPECT_DOUBLE_EQ(learner.ask().point[0], -2 + 8 / std::sqrt(3.0) - 8 / std::sqrt(2.0));
}

TEST(GradientLearner, DuplicatesAreIgnoredAndContradictionsRefused) {
  GradientLearner learner = descent();
  (void)learner.ask();
  const Vector g = {0.5, 0, 0, 0};
  learner.tell(1, g);
  learner.tell(1, g);
  EXPECT_EQ(learner.summary().duplicates, 1u);
  const State before = learner.state();
  EXPECT_EQ(message<FeedbackError>([&] {
              learner.tell(1, Vector{0, 0.5, 0, 0});
            }),
            "play 1 was told another gradient before: the first stands");
  EXPECT_EQ(learner.state(), before);
  // Also after it has been learned from; and the same but for a part across the hull is the same.
  (void)learner.ask(3);
  learner.tell(1, g);
  learner.tell(1, Vector{1.5, 1, 1, 1});
  EXPECT_THROW(learner.tell(1, Vector(4, 0.0)), FeedbackError);
  EXPECT_EQ(learner.summary().duplicates, 3u);
  EXPECT_EQ(learner.summary().told, 1u);
}

TEST(GradientLearner, BadFeedbackIsRefusedAndLosesNothing) {
  GradientLearner learner = descent();
  const Vector zero(4);
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(1, zero); }),
            "play 1 was never asked for; the latest is 0");
  (void)learner.ask(2);
  const State before = learner.state();
  EXPECT_EQ(message<InvalidArgument>([&] { learner.tell(2, Vector(3)); }),
            "a gradient on simplex(4) has 4 coordinates, not 3");
  EXPECT_EQ(message<FeedbackError>([&] {
              learner.tell(2, Vector{0, 0, nan, 0});
            }),
            "the gradient of play 2 must have coordinates of magnitude up to 1e50, not nan; leave "
            "a play untold if its gradient is unknown");
  for (const double bad : {infinity, -infinity, 1e51}) {
    EXPECT_THROW(learner.tell(2, Vector{0, 0, 0, bad}), FeedbackError);
  }
  EXPECT_THROW(learner.tell(0, zero), FeedbackError);
  EXPECT_THROW(learner.tell(3, zero), FeedbackError);
  EXPECT_EQ(learner.state(), before);
}

TEST(GradientLearner, CountsExpiredAndLateGradientsAndThoseAboveTheBound) {
  GradientLearner learner = doubling_ocg({.window = 3});
  const Vector g = {1, 0, 0, 0};
  (void)learner.ask(4);  // epochs: play 1; 2 and 3; 4 to 7
  learner.tell(1, g);    // plays 2, 3 and 4 are in the window
  learner.tell(3, g);
  learner.tell(4, Vector{7, 7, 7, 7});  // zero within the hull
  EXPECT_EQ(learner.summary().expired, 1u);
  EXPECT_EQ(learner.summary().told, 2u);
  EXPECT_EQ(learner.summary().pending, 1u);
  EXPECT_EQ(learner.summary().above_bound, 0u);
  (void)learner.ask();
  EXPECT_EQ(learner.summary().late, 1u);
  learner.tell(5, Vector{2, 0, 0, 0});  // of norm sqrt 3 within the hull
  EXPECT_EQ(learner.summary().above_bound, 1u);
  EXPECT_TRUE(std::isnan(learner.summary().average));
}

TEST(GradientLearner, MaximizeFlipsTheSignAtTheDoor) {
  GradientLearner losses = doubling_ocg();
  GradientLearner gains = doubling_ocg({.maximize = true});
  for (int t = 0; t < 100; ++t) {
    const Play a = losses.ask();
    const Play b = gains.ask();
    ASSERT_EQ(a.point, b.point);
    losses.tell(a.id, Vector{a.point[0], -0.5, 0, 0});
    gains.tell(b.id, Vector{-a.point[0], 0.5, 0, 0});
  }
  EXPECT_THROW(gains.restore(losses.state()), StateError);
}

TEST(GradientLearner, TheSeedShapesNoiseOnly) {
  for (const GradientLearnerFamily& family : gradient_learner_families()) {
    GradientLearner one(family.make(ball(3), 50), {.seed = 1});
    GradientLearner other(family.make(ball(3), 50), {.seed = 2});
    bool same = true;
    for (int t = 1; t <= 50; ++t) {
      same = same && one.ask().point == other.ask().point;
      tell(one, one.asked(), 0.5);
      tell(other, other.asked(), 0.5);
    }
    EXPECT_NE(same, family.random) << family.name;
  }
}

TEST(GradientLearner, WithoutNoiseStochasticOcgIsOcg) {
  GradientLearner plain(ocg(box(-1, 1, 3), {.gradient_bound = 2, .horizon = 200}));
  GradientLearner silent(stochastic_ocg(
      box(-1, 1, 3), {.gradient_bound = 2, .standard_deviation = 0, .horizon = 200}));
  for (int t = 1; t <= 200; ++t) {
    ASSERT_EQ(plain.ask().point, silent.ask().point) << t;
    tell(plain, plain.asked(), std::sin(t));
    tell(silent, silent.asked(), std::sin(t));
  }
}

TEST(GradientLearner, AStartAtAVertexIsPlayedFirst) {
  const Vector vertex = {0, 1, 0};
  GradientLearner descending(ogd(simplex(3), {.gradient_bound = 1, .start = vertex}));
  GradientLearner conditional(anytime(ocg(simplex(3), {.gradient_bound = 1, .start = vertex})));
  EXPECT_EQ(descending.ask().point, vertex);
  EXPECT_EQ(conditional.ask().point, vertex);
}

TEST(GradientLearner, OptionsAreChecked) {
  const SetPtr set = ball(3);
  EXPECT_EQ(message<InvalidArgument>([&] { (void)ogd(set, {}); }),
            "ogd needs gradient_bound: G, the largest norm of a gradient");
  EXPECT_THROW((void)ocg(set, {}), InvalidArgument);
  EXPECT_THROW((void)ocg(set, {.gradient_bound = -1}), InvalidArgument);
  EXPECT_THROW((void)ocg(set, {.gradient_bound = 1, .horizon = 0}), InvalidArgument);
  EXPECT_THROW((void)ocg(set, {.gradient_bound = 1, .eta = nan}), InvalidArgument);
  EXPECT_THROW((void)ocg(set, {.gradient_bound = 1, .start = {1, 1, 1}}), InvalidArgument);
  EXPECT_THROW((void)ocg(nullptr, {.gradient_bound = 1}), InvalidArgument);
  EXPECT_THROW((void)stochastic_ocg(nullptr, {.gradient_bound = 1}), InvalidArgument);
  for (const double bad : {-1.0, nan, infinity}) {
    EXPECT_THROW((void)stochastic_ocg(set, {.gradient_bound = 1, .standard_deviation = bad}),
                 InvalidArgument);
  }
  EXPECT_THROW((void)anytime(std::unique_ptr<HorizonGradientAlgorithm>()), InvalidArgument);
  EXPECT_THROW(GradientLearner(nullptr), InvalidArgument);
  EXPECT_THROW(descent({.window = 0}), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([&] { descent({.window = std::uint64_t{1} << 31}); }),
            "the window must be from 1 to 1073741824 plays, not 2147483648");
  GradientLearner two_rounds(ocg(set, {.gradient_bound = 1, .horizon = 2}));
  (void)two_rounds.ask(2);
  EXPECT_THROW((void)two_rounds.ask(), InvalidArgument);
}

TEST(GradientLearner, SpecsAreCanonical) {
  EXPECT_EQ(doubling_ocg({.seed = 7}).spec(),
            "gradient_learner(anytime(ocg(gradient_bound=1)), seed=7, stream=0, window=64)");
  EXPECT_EQ(ogd(ball(2), {.gradient_bound = 3, .start = {0, 0.5}})->spec(),
            "ogd(gradient_bound=3, start=[0, 0.5])");
  EXPECT_EQ(ocg(ball(2), {.gradient_bound = 3, .horizon = 9, .eta = 0.5})->spec(),
            "ocg(gradient_bound=3, eta=0.5, horizon=9)");
  EXPECT_EQ(
      anytime(ocg(ball(2), {.gradient_bound = 3, .constants = OcgConstants::optimized}))->spec(),
      "anytime(ocg(gradient_bound=3, constants=optimized))");
  EXPECT_EQ(stochastic_ocg(simplex(3), {.gradient_bound = 3})->spec(),
            "stochastic_ocg(gradient_bound=3, standard_deviation=2)");
}

TEST(GradientLearner, RefusesStatesOfOtherLearners) {
  GradientLearner learner = descent();
  GradientLearner other = doubling_ocg();
  EXPECT_THROW(learner.restore(other.state()), StateError);
  Learner bandit(anytime(projection_free(simplex(4), {.loss_bound = 1})));
  EXPECT_THROW(learner.restore(bandit.state()), StateError);
  EXPECT_THROW(bandit.restore(learner.state()), StateError);
}

/// A set that cannot project.
TEST(GradientLearner, OgdRefusesSetsThatCannotProject) {
  class NoProjection final : public Set {
   public:
    NoProjection() : Set(1, 1, {{0.0}, 1, 1, 2}) {}
    [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override { return ball(1)->oracle(); }
    [[nodiscard]] bool contains(std::span<const double> x) const override {
      return ball(1)->contains(x);
    }
    [[nodiscard]] std::string spec() const override { return "own(1)"; }
  };
  const auto set = std::make_shared<NoProjection>();
  EXPECT_EQ(message<InvalidArgument>([&] { (void)ogd(set, {.gradient_bound = 1}); }),
            "ogd projects, and own(1) cannot: use ocg");
  EXPECT_NO_THROW((void)ocg(set, {.gradient_bound = 1}));
}

}  // namespace
}  // namespace keyhole::tests
