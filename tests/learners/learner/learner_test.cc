// Ask, tell, recommend: the order of events, late, repeated, missing and bad feedback.

#include "keyhole/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "catalogue.h"
#include "numbers.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Learner simple(LearnerOptions options = {}) {
  return Learner(anytime(projection_free(simplex(4), {.loss_bound = 1})), options);
}

TEST(Learner, AnyOrderOfTellsBetweenTwoAsksGivesTheSameBytes) {
  Random random(4);
  for (const LearnerFamily& family : learner_families()) {
    const SetPtr set = simplex(4);
    Learner sorted(family.make(set, 300), {.seed = 1});
    Learner shuffled(family.make(set, 300), {.seed = 1});
    std::vector<PlayId> waiting;
    for (int batch = 0; batch < 30; ++batch) {
      const std::size_t asks = random.integer(1, 8);
      for (const Play& play : sorted.ask(asks)) waiting.push_back(play.id);
      (void)shuffled.ask(asks);
      // Most of what waits is told, in order to the one and in disorder to the other.
      std::vector<PlayId> now;
      std::vector<PlayId> later;
      for (const PlayId id : waiting) (random.uniform() < 0.7 ? now : later).push_back(id);
      const auto loss = [](PlayId id) { return std::sin(static_cast<double>(id)); };
      for (const PlayId id : now) sorted.tell(id, loss(id));
      for (std::size_t k = now.size(); k > 1; --k) {
        std::swap(now[k - 1], now[random.integer(0, k - 1)]);
      }
      for (const PlayId id : now) shuffled.tell(id, loss(id));
      waiting = later;
      ASSERT_EQ(sorted.state(), shuffled.state()) << family.name;
    }
    EXPECT_EQ(sorted.summary().pending, waiting.size());
  }
}

TEST(Learner, AsksWithoutTellsGoOn) {
  Learner one_by_one = simple({.seed = 2});
  Learner at_once = simple({.seed = 2});
  const std::vector<Play> plays = at_once.ask(50);
  for (const Play& play : plays) {
    const Play single = one_by_one.ask();
    EXPECT_EQ(single.id, play.id);
    EXPECT_EQ(single.point, play.point);
    EXPECT_TRUE(at_once.set().contains(play.point));
  }
  EXPECT_EQ(at_once.state(), one_by_one.state());
  EXPECT_EQ(at_once.summary().oracle_calls, 49u);  // one step for each ask after the first
  EXPECT_EQ(at_once.summary().pending, 50u);
}

TEST(Learner, ANewestGradientWaitsForTheNextStep) {
  // Algorithm 1 makes step t from g_1, ..., g_{t-1}: the loss of play t cannot move play t + 1, and
  // does move play t + 2. (The simplex has four vertices: by chance the move is none now and then.)
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Learner high = simple({.seed = seed});
    Learner low = simple({.seed = seed});
    const auto play_both = [&](double difference) {
      const Play a = high.ask();
      const Play b = low.ask();
      high.tell(a.id, 0.5 + difference);
      low.tell(b.id, 0.5 - difference);
      return a.point == b.point;
    };
    for (int t = 1; t < 256; ++t) play_both(0);
    EXPECT_TRUE(play_both(1e6));  // round 256, the first of an epoch
    EXPECT_TRUE(play_both(0));    // round 257: the step of round 256 knew no loss yet
    moved += play_both(0) ? 0 : 1;
  }
  EXPECT_GE(moved, 10);
}

TEST(Learner, DuplicatesAreIgnoredAndContradictionsRefused) {
  Learner learner = simple();
  const Play play = learner.ask();
  learner.tell(play.id, 0.25);
  const State told = learner.state();
  learner.tell(play.id, 0.25);
  EXPECT_EQ(learner.summary().duplicates, 1u);
  EXPECT_EQ(learner.summary().told, 1u);
  const State before = learner.state();
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(play.id, 0.5); }),
            "play 1 was told 0.25 before and 0.5 now: the first stands");
  EXPECT_EQ(learner.state(), before);
  EXPECT_NE(before, told);  // duplicates are counted
  // Also after it has been learned from.
  (void)learner.ask(3);
  learner.tell(play.id, 0.25);
  EXPECT_THROW(learner.tell(play.id, -0.25), FeedbackError);
  EXPECT_EQ(learner.summary().duplicates, 2u);
}

TEST(Learner, BadFeedbackIsRefusedAndLosesNothing) {
  Learner learner = simple();
  EXPECT_EQ(message<FeedbackError>([&] { learner.tell(1, 0.5); }),
            "play 1 was never asked for; the latest is 0");
  (void)learner.ask(2);
  const State before = learner.state();
  EXPECT_EQ(
      message<FeedbackError>([&] { learner.tell(2, nan); }),
      "the loss of play 2 must be a number of magnitude up to 1e50, not nan; leave a play untold "
      "if its loss is unknown");
  EXPECT_THROW(learner.tell(2, infinity), FeedbackError);
  EXPECT_THROW(learner.tell(2, -infinity), FeedbackError);
  EXPECT_THROW(learner.tell(2, 1e51), FeedbackError);
  EXPECT_THROW(learner.tell(0, 0.5), FeedbackError);
  EXPECT_THROW(learner.tell(3, 0.5), FeedbackError);
  EXPECT_THROW(learner.tell(std::numeric_limits<PlayId>::max(), 0.5), FeedbackError);
  EXPECT_EQ(learner.state(), before);
}

TEST(Learner, PlaysExpireWithTheWindow) {
  Learner learner = simple({.window = 3});
  (void)learner.ask(5);
  learner.tell(2, 0.5);  // plays 3, 4 and 5 are in the window
  EXPECT_EQ(learner.summary().expired, 1u);
  EXPECT_EQ(learner.summary().told, 0u);
  EXPECT_EQ(learner.summary().pending, 3u);
  learner.tell(3, 0.5);
  EXPECT_EQ(learner.summary().expired, 1u);
  EXPECT_EQ(learner.summary().told, 1u);
  EXPECT_EQ(learner.summary().pending, 2u);
}

TEST(Learner, APlayThatIsNotToldBeforeItsExpiryIsMissing) {
  Learner learner = simple({.window = 6, .expiry = 3});
  (void)learner.ask(2);
  learner.tell(1, 0.5);
  (void)learner.ask(4);  // plays 4, 5 and 6 are waited for, 1 to 6 are known
  Summary summary = learner.summary();
  EXPECT_EQ(summary.told, 1u);
  EXPECT_EQ(summary.pending, 3u);
  EXPECT_EQ(summary.oldest_pending, 2u);
  EXPECT_EQ(summary.missing, 2u);
  learner.tell(2, 0.25);  // too late
  learner.tell(1, 0.5);   // told before, which is still known
  EXPECT_THROW(learner.tell(1, 0.75), FeedbackError);
  learner.tell(4, 0.25);
  summary = learner.summary();
  EXPECT_EQ(summary.told, 2u);
  EXPECT_EQ(summary.expired, 1u);
  EXPECT_EQ(summary.duplicates, 1u);
  EXPECT_EQ(summary.pending, 2u);
  EXPECT_EQ(summary.oldest_pending, 1u);
  EXPECT_EQ(summary.missing, 2u);
  EXPECT_EQ(summary.average, (0.5 + 0.25) / 2);
  EXPECT_EQ(message<InvalidArgument>([] { (void)simple({.window = 6, .expiry = 7}); }),
            "the expiry must be from 1 to the 6 plays of the window, not 7");
  EXPECT_THROW((void)simple({.expiry = 0}), InvalidArgument);
}

TEST(Learner, TheExpiryIsTheWindowIfNotGiven) {
  Learner learner = simple({.window = 3});
  EXPECT_EQ(learner.summary().oldest_pending, 0u);
  (void)learner.ask(5);
  EXPECT_EQ(learner.summary().missing, 2u);
  EXPECT_EQ(learner.summary().oldest_pending, 2u);
}

TEST(Learner, FeedbackAcrossAnEpochIsCountedAsLate) {
  Learner learner = simple();
  (void)learner.ask(4);  // epochs: play 1; 2 and 3; 4 to 7
  learner.tell(3, 0.5);
  learner.tell(4, 0.5);
  EXPECT_EQ(learner.summary().late, 0u);  // not yet known
  (void)learner.ask();
  EXPECT_EQ(learner.summary().late, 1u);
  EXPECT_EQ(learner.summary().told, 2u);
}

TEST(Learner, LossesAboveTheBoundAreCounted) {
  Learner learner = simple();
  const std::vector<Play> plays = learner.ask(3);
  learner.tell(1, 1.0);
  learner.tell(2, -1.5);
  learner.tell(3, 1e40);
  EXPECT_EQ(learner.summary().above_bound, 2u);
  EXPECT_TRUE(learner.set().contains(learner.ask().point));
}

TEST(Learner, MaximizeFlipsTheSignAtTheDoor) {
  Learner losses = simple({.seed = 3});
  Learner gains = simple({.seed = 3, .maximize = true});
  for (int t = 0; t < 300; ++t) {
    const Play a = losses.ask();
    const Play b = gains.ask();
    ASSERT_EQ(a.point, b.point);
    const double loss = a.point[0] - 0.5 * a.point[1];
    losses.tell(a.id, loss);
    gains.tell(b.id, -loss);
  }
  EXPECT_EQ(gains.summary().average, -losses.summary().average);
  EXPECT_THROW(gains.restore(losses.state()), StateError);
  (void)gains.ask();
  gains.tell(301, 2);
  EXPECT_EQ(message<FeedbackError>([&] { gains.tell(301, 3); }),
            "play 301 was told 2 before and 3 now: the first stands");
}

TEST(Learner, TheAverageIsOfWhatWasTold) {
  Learner learner = simple();
  EXPECT_TRUE(std::isnan(learner.summary().average));
  (void)learner.ask(3);
  learner.tell(3, 0.25);
  learner.tell(1, 0.5);
  EXPECT_DOUBLE_EQ(learner.summary().average, 0.375);
  (void)learner.ask();
  EXPECT_DOUBLE_EQ(learner.summary().average, 0.375);
}

TEST(Learner, TheHorizonEnds) {
  Learner learner(projection_free(ball(2), {.loss_bound = 1, .horizon = 3}));
  EXPECT_THROW((void)learner.ask(4), InvalidArgument);
  EXPECT_EQ(learner.asked(), 0u);
  (void)learner.ask(3);
  const State before = learner.state();
  EXPECT_EQ(
      message<InvalidArgument>([&] { (void)learner.ask(); }),
      "the horizon of 3 rounds is used up: give a longer one, or wrap the algorithm in anytime()");
  EXPECT_EQ(learner.state(), before);
  learner.tell(3, 0.5);
  EXPECT_EQ(learner.summary().told, 1u);
}

TEST(Learner, SpansOfTheWrongSizeAreRefused) {
  Learner learner = simple();
  Vector three(3);
  EXPECT_EQ(message<InvalidArgument>([&] { (void)learner.ask(three); }),
            "a play on simplex(4) has 4 coordinates, not 3");
  EXPECT_THROW(learner.recommend(three), InvalidArgument);
  EXPECT_EQ(learner.asked(), 0u);
}

TEST(Learner, EverySeedAndStreamIsItsOwn) {
  std::vector<Vector> firsts;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63, most}) {
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{1}, most}) {
      Learner learner = simple({.seed = seed, .stream = stream});
      firsts.push_back(learner.ask().point);
      EXPECT_EQ(firsts.back(), simple({.seed = seed, .stream = stream}).ask().point);
    }
  }
  std::sort(firsts.begin(), firsts.end());
  EXPECT_EQ(std::adjacent_find(firsts.begin(), firsts.end()), firsts.end());
}

TEST(Learner, OptionsAreChecked) {
  const SetPtr set = ball(3);
  EXPECT_EQ(message<InvalidArgument>([&] { (void)projection_free(set, {}); }),
            "projection_free needs loss_bound: M, the largest magnitude of a loss");
  EXPECT_EQ(
      message<InvalidArgument>([&] { (void)projection_free(set, {.loss_bound = 1, .c = 1.5}); }),
      "delta = 1.5 at the horizon 1 is larger than the inner radius 1 of the set: plays would "
      "leave "
      "it; choose a smaller one");
  EXPECT_NO_THROW((void)projection_free(set, {.loss_bound = 1, .horizon = 32, .c = 1.5}));
  EXPECT_THROW((void)anytime(projection_free(set, {.loss_bound = 1, .horizon = 32, .c = 1.5})),
               InvalidArgument);
  EXPECT_THROW((void)projection_free(nullptr, {.loss_bound = 1}), InvalidArgument);
  EXPECT_THROW((void)projection_free(set, {.loss_bound = 0}), InvalidArgument);
  EXPECT_THROW((void)projection_free(set, {.loss_bound = 1, .gradient_bound = -1}),
               InvalidArgument);
  EXPECT_THROW((void)projection_free(set, {.loss_bound = 1, .horizon = 0}), InvalidArgument);
  EXPECT_THROW((void)projection_free(set, {.loss_bound = 1, .eta = nan}), InvalidArgument);
  EXPECT_THROW((void)projection_free(set, {.loss_bound = 1, .start = {0, 0}}), InvalidArgument);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)projection_free(set, {.loss_bound = 1, .start = {1, 1, 0}});
            }),
            "the start is not in the set ball(3)");
  EXPECT_THROW((void)fkm(set, {.loss_bound = 1}), InvalidArgument);
  EXPECT_NO_THROW((void)fkm(set, {.loss_bound = 1, .delta = 0.5, .eta = 0.1}));
  EXPECT_THROW((void)fkm(set, {.loss_bound = 1, .gradient_bound = 1, .delta = 1.5}),
               InvalidArgument);
  EXPECT_THROW((void)anytime(std::unique_ptr<HorizonAlgorithm>()), InvalidArgument);
  EXPECT_THROW(Learner(std::unique_ptr<Algorithm>()), InvalidArgument);
  EXPECT_THROW(Learner(SetPtr{}), InvalidArgument);
  EXPECT_THROW(Learner(projection_free(set, {.loss_bound = 1}), {.window = 0}), InvalidArgument);
}

TEST(Learner, AStartAtAVertexIsFeasibleAndDrawnInwards) {
  Random random(8);
  for (const SetFamily& family : set_families()) {
    for (const std::size_t n : {2u, 9u}) {
      const SetPtr set = family.draw(n, random);
      Vector vertex(set->dimension());
      set->oracle()->minimise(random.normals(set->dimension())).write_to(vertex);
      const ProjectionFreeOptions options{.loss_bound = 1, .horizon = 100, .start = vertex};
      const FkmOptions fkm_options{
          .loss_bound = 1, .gradient_bound = 1, .horizon = 100, .start = vertex};
      std::vector<std::unique_ptr<Algorithm>> algorithms;
      algorithms.push_back(projection_free(set, options));
      algorithms.push_back(anytime(projection_free(set, options)));
      algorithms.push_back(fkm(set, fkm_options));
      algorithms.push_back(anytime(fkm(set, fkm_options)));
      for (auto& algorithm : algorithms) {
        Learner learner(std::move(algorithm));
        Vector x(set->dimension());
        for (int t = 0; t < 100; ++t) {
          const Play play = learner.ask();
          ASSERT_TRUE(set->contains(play.point)) << learner.spec();
          learner.tell(play.id, random.uniform(-1, 1));
          learner.recommend(x);
          ASSERT_TRUE(set->contains(x)) << learner.spec();
        }
      }
      // x_1 = p + (1 - alpha) (start - p), alpha = 1/2 at the horizon 1.
      Learner first(anytime(projection_free(set, options)));
      Vector x(set->dimension());
      first.recommend(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(x[i], (vertex[i] + set->centre()[i]) / 2, 1e-12);
      }
    }
  }
}

TEST(Learner, AnytimeRecommendsTheEpochBeforeUntilTheNewOneIsAsLong) {
  Learner learner = simple({.seed = 1});
  Vector at_the_end(4);
  Vector x(4);
  for (int t = 1; t <= 127; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, play.point[0]);
  }
  (void)learner.ask();  // round 128 begins the epoch of 128 rounds
  learner.recommend(at_the_end);
  for (int t = 129; t <= 190; ++t) {
    (void)learner.ask();
    learner.recommend(x);
    ASSERT_EQ(x, at_the_end) << t;
  }
  (void)learner.ask();  // round 191, the 64th of the epoch: as long as the one before
  learner.recommend(x);
  EXPECT_NE(x, at_the_end);
}

TEST(Learner, AlphaOfOneStaysAtTheCentre) {
  // c = r: the first epoch explores with delta = r about p.
  const SetPtr set = box(0, 1, 2);
  for (const bool projects : {false, true}) {
    Learner learner(
        projects
            ? anytime(fkm(set, {.loss_bound = 1, .constants = FkmConstants::textbook, .c = 0.5}))
            : anytime(projection_free(set, {.loss_bound = 1, .c = 0.5})));
    const Play play = learner.ask();
    EXPECT_TRUE(set->contains(play.point));
    EXPECT_NEAR(std::hypot(play.point[0] - 0.5, play.point[1] - 0.5), 0.5, 1e-15);
    learner.tell(play.id, 1);
    EXPECT_TRUE(set->contains(learner.ask().point));
  }
}

TEST(Learner, SpecsAreCanonical) {
  EXPECT_EQ(
      simple({.seed = 7}).spec(),
      "learner(anytime(projection_free(loss_bound=1, c=0.14433756729740646)), seed=7, stream=0, "
      "window=4096)");
  EXPECT_EQ(unregularized(ball(2), {.loss_bound = 2, .horizon = 9, .eta = 0.5})->spec(),
            "unregularized(loss_bound=2, c=0.5, eta=0.5, horizon=9)");
  EXPECT_EQ(
      projection_free(
          ball(2),
          {.loss_bound = 2, .c = 0.25, .constants = Constants::as_published, .start = {0, 0.5}})
          ->spec(),
      "projection_free(loss_bound=2, c=0.25, constants=as_published, start=[0, 0.5])");
  EXPECT_EQ(fkm(ball(2), {.loss_bound = 2, .gradient_bound = 3})->spec(),
            "fkm(loss_bound=2, gradient_bound=3)");
  EXPECT_EQ(fkm(ball(2), {.loss_bound = 2,
                          .constants = FkmConstants::textbook,
                          .delta = 0.5,
                          .eta = 0.125,
                          .start = {0, 0}})
                ->spec(),
            "fkm(loss_bound=2, constants=textbook, c=0.5, delta=0.5, eta=0.125, start=[0, 0])");
  Learner gains = simple({.maximize = true});
  EXPECT_NE(gains.spec().find("maximize"), std::string::npos);
}

/// A set that cannot project.
TEST(Learner, FkmRefusesSetsThatCannotProject) {
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
  EXPECT_EQ(
      message<InvalidArgument>([&] { (void)fkm(set, {.loss_bound = 1, .gradient_bound = 1}); }),
      "fkm projects, and own(1) cannot: use posterior or bbcg");
  EXPECT_NO_THROW((void)projection_free(set, {.loss_bound = 1}));
}

}  // namespace
}  // namespace keyhole::tests
