// posterior in a context: the numbers that the model sees, what it says in one context, and the
// laws with contexts of every kind.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "contexts.h"
#include "learners/contexts.h"
#include "learners/posterior/model.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using algorithms::Contexts;

TEST(ContextNumbers, AreWhatTheTableSays) {
  const Contexts contexts(every_kind);
  EXPECT_EQ(contexts.given(), 3U);
  EXPECT_EQ(contexts.slopes(), 6U);
  EXPECT_EQ(contexts.size(), 9U);
  Vector psi(9);
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const double u = random.uniform(-5, 5);
    contexts.write(Vector{0.5, u, 1}, psi);
    const double angle = 2 * std::numbers::pi * u;
    const double root = std::numbers::sqrt2;
    const Vector expected = {0.5,    root * std::sin(angle),     root * std::cos(angle),    0, 1, 0,
                             -0.375, root * std::sin(2 * angle), root * std::cos(2 * angle)};
    for (std::size_t j = 0; j < 9; ++j) ASSERT_NEAR(psi[j], expected[j], 1e-13) << j << " " << u;
  }
  contexts.write(Vector{-7, 0, 3}, psi);
  EXPECT_EQ(psi[0], -3) << "clipped";
  for (const std::size_t j : {3U, 4U, 5U}) EXPECT_EQ(psi[j], 0) << "a name that was never listed";
}

TEST(ContextNumbers, ThatAreNotKnownStandAtTheMeanOfThoseSeen) {
  const Contexts contexts({"number", "choice(2)"});
  algorithms::SeenContexts seen(contexts);
  Vector psi(contexts.size());
  for (const double u : {1.0, 3.0}) {
    contexts.write(Vector{u, u == 1 ? 0.0 : not_known}, psi);
    seen.take(psi);
    EXPECT_EQ(seen.filled(psi).variances.empty(), u == 1);
  }
  contexts.write({}, psi);
  const algorithms::Psi filled = seen.filled(psi);
  EXPECT_EQ(filled.values[0], 2);
  EXPECT_EQ(filled.variances[0], 1);
  EXPECT_EQ(filled.values[1], 1) << "the first name was seen once, and always";
  EXPECT_EQ(filled.variances[1], 0);
}

TEST(ContextNumbers, RefuseOtherWords) {
  for (const char* word : {"", "numbers", "choice", "choice(1)", "choice(2", "choice(x)"}) {
    const std::string error = message<InvalidArgument>([&] { Contexts({word}); });
    EXPECT_NE(error.find("a context is \"number\", \"cyclic\""), std::string::npos) << error;
  }
}

TEST(ContextModel, SaysInOneContextWhatItSaysOfItsFeatures) {
  Random random(2);
  const Contexts contexts(every_kind);
  for (const auto curvatures : {algorithms::Curvatures::few, algorithms::Curvatures::all}) {
    const SetPtr set = box(Vector{0, 0, 0, 0}, Vector{1, 1, 1, 20});
    const auto nu = set->exploration();
    const algorithms::Frame frame(set, *nu, set->centre());
    const algorithms::Model model(frame, curvatures, contexts);
    Vector phi(model.size());
    Vector psi(contexts.size());
    Vector room(model.size_at());
    const algorithms::Model plain(frame, curvatures);
    ASSERT_EQ(plain.size(), model.size_at());
    for (int k = 0; k < 50; ++k) {
      const Vector theta = random.normals(model.size());
      const Vector z = random.normals(4);
      contexts.write(Vector{random.normal(), random.uniform(), 1}, psi);
      model.write_features(z, psi, phi);
      const double whole = inner(theta, phi);
      const std::span<const double> at = model.at(theta, psi, room);
      Vector of_z(plain.size());
      plain.write_features(z, {}, of_z);
      EXPECT_NEAR(inner(Vector(at.begin(), at.end()), of_z), whole, 1e-12);
    }
  }
}

/// A loss on box(0, 1, 3) whose best point moves with a number.
double moving_loss(const Context& c, const Vector& x) {
  const double u = std::isnan(c[0]) ? 0 : std::clamp(c[0], -3.0, 3.0);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = x[i] - (0.5 + 0.1 * u * (i == 1 ? -1 : 1));
    sum += off * off;
  }
  return sum + u;
}

Learner contextual(const SetPtr& set, const LearnerOptions& options, PosteriorOptions own = {}) {
  own.contexts = every_kind;
  return Learner(posterior(set, own), options);
}

TEST(ContextLaws, EveryPlayIsInTheSetAndEveryRoundResumes) {
  Random random(3);
  for (const SetPtr& set : {box(0, 1, 3), simplex(4), ball(3)}) {
    for (const double reach : {1.0, 0.4}) {
      const LearnerOptions options{.seed = 5, .window = 64};
      PosteriorOptions own;
      if (reach < 1) own.reach = reach;
      Learner whole = contextual(set, options, own);
      Learner resumed = contextual(set, options, own);
      std::vector<double> y(set->dimension());
      std::vector<double> y_resumed(y);
      for (PlayId t = 1; t <= 150; ++t) {
        const State state = whole.state();
        Learner fresh = contextual(set, options, own);
        fresh.restore(State::from_bytes(state.bytes()));
        ASSERT_EQ(fresh.state(), state);
        ASSERT_EQ(resumed.state(), state) << set->spec() << " at " << t;
        resumed = std::move(fresh);
        const Context context = drawn_context(random);
        whole.recommend(context, y);
        resumed.recommend(context, y_resumed);
        ASSERT_EQ(y, y_resumed) << t;
        ASSERT_TRUE(set->contains(y));
        ASSERT_EQ(whole.state(), state) << "to recommend changes nothing";
        ASSERT_EQ(whole.ask(context, y), resumed.ask(context, y_resumed));
        ASSERT_EQ(y, y_resumed) << set->spec() << " at " << t;
        ASSERT_TRUE(set->contains(y)) << set->spec() << " at " << t;
        const double loss = moving_loss(context, y) + 0.1 * random.normal();
        for (Learner* learner : {&whole, &resumed}) {
          if (t % 5 != 0) learner->tell(t, loss);
          if (t > 7 && (t - 7) % 5 == 0) learner->tell(t - 7, 0.3);
        }
      }
    }
  }
}

TEST(ContextLaws, TheScaleOfTheLossesChangesNoPlay) {
  for (const double scale : {1024.0, 0x1p-20}) {
    Random random(4);
    Learner one = contextual(box(0, 1, 3), {.seed = 1});
    Learner other = contextual(box(0, 1, 3), {.seed = 1});
    Vector x(3);
    Vector y(3);
    for (PlayId t = 1; t <= 400; ++t) {
      const Context context = drawn_context(random);
      one.ask(context, x);
      other.ask(context, y);
      ASSERT_EQ(x, y) << t;
      const double loss = moving_loss(context, x) + 0.1 * random.normal();
      one.tell(t, loss);
      other.tell(t, scale * loss);
    }
  }
}

TEST(ContextLaws, NothingKnownIsTheSameAsNoContextToday) {
  Learner one = contextual(box(0, 1, 3), {.seed = 1});
  Learner other = contextual(box(0, 1, 3), {.seed = 1});
  Vector x(3);
  Vector y(3);
  for (PlayId t = 1; t <= 300; ++t) {
    one.ask(x);
    other.ask(Context{not_known, not_known, not_known}, y);
    ASSERT_EQ(x, y);
    one.tell(t, x[0]);
    other.tell(t, x[0]);
  }
}

/// A unit ball, each of whose calls fails in turn.
TEST(ContextLaws, AnOracleThatThrowsLeavesALearnerAsItWasOrRefusing) {
  std::size_t left = std::numeric_limits<std::size_t>::max();
  bool has_failed = false;
  const auto minimise = [&](std::span<const double> d, std::span<double> v) {
    if (left-- == 0) {
      has_failed = true;
      throw std::runtime_error("the oracle is away");
    }
    for (std::size_t i = 0; i < 3; ++i) v[i] = -d[i] / math::norm(d);
  };
  const SetPtr set = own_set({.dimension = 3, .minimise = minimise, .name = "ball"});
  Learner sound = contextual(set, {.seed = 4});
  Learner learner = contextual(set, {.seed = 4});
  Random random(7);
  Vector x(3);
  Vector y(3);
  std::size_t failures = 0;
  for (PlayId t = 1; t <= 120; ++t) {
    const Context context = drawn_context(random);
    const State before = sound.state();
    for (std::size_t call = 0;; ++call) {
      learner.restore(before);
      has_failed = false;
      left = call;
      try {
        learner.ask(context, y);
      } catch (const std::runtime_error&) {
      }
      left = std::numeric_limits<std::size_t>::max();
      if (!has_failed) break;
      ++failures;
      std::optional<State> state;
      try {
        state = learner.state();
      } catch (const Error&) {
      }
      if (state) {
        ASSERT_EQ(*state, before) << "call " << call << " of ask " << t;
      } else {
        ASSERT_THROW(learner.ask(context, y), Error);
        ASSERT_THROW(learner.recommend(context, y), Error);
        ASSERT_THROW(learner.tell(1, 0), Error);
      }
    }
    sound.ask(context, x);
    ASSERT_EQ(x, y) << t;
    ASSERT_EQ(learner.state(), sound.state()) << t;
    sound.tell(t, moving_loss(context, x) + 0.1 * random.normal());
  }
  EXPECT_GT(failures, 100U);
}

/// Fifty plays are out before the first of their losses is told, and these come in any order.
TEST(ContextLaws, LateLossesAreLearnedInTheContextsOfTheirPlays) {
  Random random(8);
  Learner learner = contextual(box(0, 1, 3), {.seed = 2});
  Learner backwards = contextual(box(0, 1, 3), {.seed = 2});
  Vector x(3);
  Vector y(3);
  for (int batch = 0; batch < 40; ++batch) {
    std::vector<std::pair<PlayId, double>> losses;
    for (int k = 0; k < 50; ++k) {
      const Context context = {random.normal(), random.uniform(), std::floor(3 * random.uniform())};
      const PlayId play = learner.ask(context, x);
      ASSERT_EQ(backwards.ask(context, y), play);
      ASSERT_EQ(x, y) << play;
      losses.emplace_back(play, moving_loss(context, x) + 0.1 * random.normal());
    }
    for (const auto& [play, loss] : losses) learner.tell(play, loss);
    std::reverse(losses.begin(), losses.end());
    for (const auto& [play, loss] : losses) backwards.tell(play, loss);
  }
  ASSERT_EQ(learner.state(), backwards.state());
  EXPECT_EQ(learner.summary().late, 0U);
  // It would be 0.2 off if nothing was learned of the context.
  for (const double u : {-2.0, 0.0, 2.0}) {
    const Vector best = learner.recommend(Context{u, 0.3, 1});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(best[i], 0.5 + 0.1 * u * (i == 1 ? -1 : 1), 0.15) << u;
    }
  }
}

TEST(Context, IsUsed) {
  Random random(5);
  Learner told = contextual(box(0, 1, 3), {.seed = 2});
  Learner untold(box(0, 1, 3), {.seed = 2});
  double cost = 0;
  double cost_untold = 0;
  double least = 0;
  Vector x(3);
  for (PlayId t = 1; t <= 2000; ++t) {
    const Context context = {std::clamp(random.normal(), -3.0, 3.0), random.uniform(),
                             std::floor(3 * random.uniform())};
    const double noise = 0.1 * random.normal();
    told.ask(context, x);
    cost += moving_loss(context, x);
    told.tell(t, moving_loss(context, x) + noise);
    untold.ask(x);
    cost_untold += moving_loss(context, x);
    untold.tell(t, moving_loss(context, x) + noise);
    least += context[0];
  }
  EXPECT_LT(cost - least, 0.6 * (cost_untold - least));
  // The best point is 0.5 +- 0.1 u.
  for (const double u : {-2.0, 0.0, 2.0}) {
    const Vector best = told.recommend(Context{u, 0.3, 1});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(best[i], 0.5 + 0.1 * u * (i == 1 ? -1 : 1), 0.06) << u;
    }
  }
}

TEST(Context, OfPastLossesIsUsed) {
  Random random(6);
  Learner learner = contextual(box(0, 1, 3), {.seed = 3});
  for (int k = 0; k < 600; ++k) {
    const Context context = {random.normal(), not_known, 0};
    const Vector x = {random.uniform(), random.uniform(), random.uniform()};
    learner.learn(context, x, moving_loss(context, x) + 0.1 * random.normal());
  }
  for (const double u : {-2.0, 2.0}) {
    const Vector best = learner.recommend(Context{u, not_known, 0});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(best[i], 0.5 + 0.1 * u * (i == 1 ? -1 : 1), 0.08) << u;
    }
  }
}

TEST(Context, ARecommendationThatFailsChangesNothing) {
  bool fails = false;
  const auto minimise = [&fails](std::span<const double> d, std::span<double> v) {
    if (fails) throw std::runtime_error("the oracle is away");
    for (std::size_t i = 0; i < 3; ++i) v[i] = -d[i] / math::norm(d);
  };
  const SetPtr set = own_set({.dimension = 3, .minimise = minimise, .name = "ball"});
  Learner learner = contextual(set, {.seed = 4});
  Learner other = contextual(set, {.seed = 4});
  Random random(7);
  Vector x(3);
  const auto play = [&](int rounds) {
    for (int k = 0; k < rounds; ++k) {
      const Context context = drawn_context(random);
      const PlayId id = learner.ask(context, x);
      other.ask(context, x);
      const double loss = moving_loss(context, x) + 0.1 * random.normal();
      learner.tell(id, loss);
      other.tell(id, loss);
    }
  };
  play(300);
  fails = true;
  EXPECT_THROW(learner.recommend(Context{1.5, 0.2, 1}, x), std::runtime_error);
  fails = false;
  play(50);
  EXPECT_EQ(learner.state(), other.state()) << "with its count of oracle calls";
}

TEST(Context, ThatDoesNotFitIsRefused) {
  Learner learner = contextual(box(0, 1, 3), {});
  Learner plain(box(0, 1, 3));
  Vector x(3);
  const auto error = [&](Learner& of, const Context& context) {
    return message<InvalidArgument>([&] { of.ask(context, x); });
  };
  EXPECT_EQ(error(plain, {1}), "posterior() takes no context");
  EXPECT_NE(error(learner, {1}).find("has 3 numbers, not 1"), std::string::npos);
  EXPECT_NE(error(learner, {1, 1, std::numeric_limits<double>::infinity()}).find("NaN stands for"),
            std::string::npos);
  EXPECT_EQ(learner.asked(), 0U);
  EXPECT_THROW((void)learner.recommend(Context{1}), InvalidArgument);
  EXPECT_THROW(learner.learn(Context{1}, x, 0), InvalidArgument);
  const std::string many = message<InvalidArgument>([] {
    (void)posterior(box(0, 1, 100), {.contexts = {"number", "choice(30)", "number"}});
  });
  EXPECT_EQ(many,
            "posterior has one coefficient for each of 101 numbers of a point and 33 of a context: "
            "3333, and 2048 at most; leave out contexts, first context 2, choice(30), which has 30 "
            "of these numbers");
  EXPECT_THROW((void)posterior(box(0, 1, 600), {.contexts = {"number"}}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
