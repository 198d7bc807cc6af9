// posterior with names that it chooses: the laws, that it finds the best name with its best
// numbers, and what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "contexts.h"
#include "keyhole/space.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Two choices, of three names and of two, and two numbers between them.
const SetPtr& two_choices() {
  static const SetPtr set = product({simplex(3), box(0, 1, 2), simplex(2)});
  return set;
}

Learner choosing(const LearnerOptions& options, PosteriorOptions own = {}) {
  own.choices = {"0-2", "5-6"};
  return Learner(posterior(two_choices(), own), options);
}

/// Whether each choice has one name.
bool is_named(const Vector& x) {
  const auto vertex = [](std::span<const double> shares) {
    return std::count(shares.begin(), shares.end(), 1.0) == 1 &&
           std::accumulate(shares.begin(), shares.end(), 0.0) == 1;
  };
  return vertex(std::span(x).first(3)) && vertex(std::span(x).last(2));
}

/// The third name and the second are best, with the numbers at 0.9 and 0.1. With other names they
/// are best elsewhere.
double decided_loss(const Vector& x) {
  const double first = 0.2 * x[0] + 0.5 * x[1] + 0.9 * x[2];
  const double off = x[3] - first;
  const double other = x[4] - (x[5] == 1 ? 0.7 : 0.1);
  return off * off + other * other + 0.3 * x[0] + 0.2 * x[1] + 0.1 * x[5];
}

TEST(ChoicesLaws, EveryPlayHasNamesAndEveryRoundResumes) {
  Random random(3);
  for (const bool within : {false, true}) {
    PosteriorOptions own{.contexts = every_kind};
    if (within) own.limits = {{.most = 2}};
    const LearnerOptions options{.seed = 5, .window = 64};
    Learner whole = choosing(options, own);
    Learner resumed = choosing(options, own);
    Vector y(7);
    Vector y_resumed(7);
    for (PlayId t = 1; t <= 150; ++t) {
      const State state = whole.state();
      Learner fresh = choosing(options, own);
      fresh.restore(State::from_bytes(state.bytes()));
      ASSERT_EQ(fresh.state(), state);
      ASSERT_EQ(resumed.state(), state) << t;
      resumed = std::move(fresh);
      const Context context = drawn_context(random);
      whole.recommend(context, y);
      resumed.recommend(context, y_resumed);
      ASSERT_EQ(y, y_resumed) << t;
      ASSERT_TRUE(two_choices()->contains(y));
      ASSERT_EQ(whole.recommend(), resumed.recommend());
      ASSERT_EQ(whole.state(), state) << "to recommend changes nothing";
      ASSERT_EQ(whole.ask(context, y), resumed.ask(context, y_resumed));
      ASSERT_EQ(y, y_resumed) << t;
      ASSERT_TRUE(two_choices()->contains(y)) << t;
      ASSERT_TRUE(is_named(y)) << t;
      const double loss = decided_loss(y) + 0.1 * random.normal();
      const double metric = y[3] + 0.1 * random.normal();
      for (Learner* learner : {&whole, &resumed}) {
        if (t % 5 != 0) learner->tell(t, loss);
        if (within) learner->measure(t, {metric});
        if (t > 7 && (t - 7) % 5 == 0) learner->tell(t - 7, 0.3);
      }
    }
  }
}

TEST(ChoicesLaws, TheScaleOfTheLossesChangesNoPlay) {
  for (const double scale : {1024.0, 0x1p-20}) {
    Random random(4);
    Learner one = choosing({.seed = 1});
    Learner other = choosing({.seed = 1});
    Vector x(7);
    Vector y(7);
    for (PlayId t = 1; t <= 400; ++t) {
      one.ask(x);
      other.ask(y);
      ASSERT_EQ(x, y) << t;
      const double loss = decided_loss(x) + 0.1 * random.normal();
      one.tell(t, loss);
      other.tell(t, scale * loss);
    }
  }
}

TEST(Choices, TheBestNamesAreFoundWithTheirBestNumbers) {
  Random random(5);
  Learner learner = choosing({.seed = 2});
  Vector x(7);
  double late = 0;
  for (PlayId t = 1; t <= 3000; ++t) {
    learner.ask(x);
    if (t > 2000) late += decided_loss(x) / 1000;
    learner.tell(t, decided_loss(x) + 0.1 * random.normal());
  }
  EXPECT_LT(late, 0.02) << "staying costs 0.57, the second best names 0.1";
  x = learner.recommend();
  EXPECT_TRUE(is_named(x));
  EXPECT_EQ(x[2] + x[6], 2);
  EXPECT_NEAR(x[3], 0.9, 0.06);
  EXPECT_NEAR(x[4], 0.1, 0.06);
  EXPECT_NEAR(learner.status().belief.gain,
              decided_loss(Vector{1. / 3, 1. / 3, 1. / 3, .5, .5, .5, .5}), 0.25);
}

TEST(Choices, OfAFrontAreThoseThatAreRecommended) {
  Random random(8);
  Learner learner = choosing({.seed = 6}, {.limits = {{.most = 2}}});
  Vector x(7);
  for (PlayId t = 1; t <= 2000; ++t) {
    learner.ask(x);
    const double metric = 1 - x[3] + 0.1 * random.normal();
    learner.tell(t, {.loss = decided_loss(x) + 0.1 * random.normal(), .metrics = {metric}});
  }
  const std::vector<FrontPoint> front = learner.front(0);
  ASSERT_FALSE(front.empty());
  for (const FrontPoint& one : front) {
    EXPECT_TRUE(two_choices()->contains(one.point));
    EXPECT_EQ(one.point[2] + one.point[6], 2);
  }
}

TEST(Choices, ThatAreTaughtAreUsed) {
  Random random(6);
  Learner learner = choosing({.seed = 3});
  for (int k = 0; k < 800; ++k) {
    Vector x(7);
    x[static_cast<std::size_t>(3 * random.uniform())] = 1;
    x[3] = random.uniform();
    x[4] = random.uniform();
    x[random.uniform() < 0.5 ? 5 : 6] = 1;
    learner.learn(x, decided_loss(x) + 0.1 * random.normal());
  }
  const Vector best = learner.recommend();
  EXPECT_EQ(best[2] + best[6], 2);
  EXPECT_NEAR(best[3], 0.9, 0.08);
  EXPECT_NEAR(best[4], 0.1, 0.08);
}

TEST(Choices, StayAtTheNamesOfTheStartUntilOthersAreKnownToBeBetter) {
  const Vector start = {0, 1, 0, 0.25, 0.75, 1, 0};
  Random random(7);
  Learner learner = choosing({.seed = 4}, {.start = start});
  EXPECT_EQ(learner.recommend(), start);
  Vector x(7);
  for (PlayId t = 1; t <= 500; ++t) {
    learner.ask(x);
    learner.tell(t, random.normal());
    ASSERT_TRUE(is_named(x));
  }
  EXPECT_EQ(learner.recommend(), start) << "nothing is to be gained";
}

/// A number and a name, from the first name on.
Learner choosing_one_name(double number, std::uint64_t seed, PosteriorOptions own = {}) {
  own.start = {number, 1, 0};
  own.choices = {"1-2"};
  return Learner(posterior(product({box(0, 1, 1), simplex(2)}), own), {.seed = seed});
}

TEST(Choices, ThatBreakALimitEverywhereAreLeft) {
  for (const bool over_all : {false, true}) {
    for (const double excess : {0.5, 2.0, 5.0}) {
      Learner learner = choosing_one_name(0.5, 3, {.limits = {{.most = 1, .over_all = over_all}}});
      Random random(9);
      Vector x(3);
      int broken = 0;
      for (PlayId t = 1; t <= 1000; ++t) {
        learner.ask(x);
        const double metric = x[2] * (1 + excess) + x[1] * 0.2 + 0.1 * x[0];
        if (t > 500) broken += metric > 1 ? 1 : 0;
        const double off = x[0] - 0.5;
        learner.tell(t, {.loss = x[1] + off * off + 0.1 * random.normal(),
                         .metrics = {metric + 0.1 * random.normal()}});
      }
      EXPECT_EQ(broken, 0) << excess << over_all;
      EXPECT_EQ(learner.recommend()[1], 1) << excess;
      const LimitStatus limit = learner.status().limits.at(0);
      EXPECT_FALSE(limit.none_is_within);
      EXPECT_FALSE(limit.start_is_over);
      EXPECT_NEAR(limit.recommended, 0.25, 0.1);
    }
  }
}

TEST(Choices, ThatAreWithinALimitAreFound) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Learner learner = choosing_one_name(0.5, seed, {.limits = {{.most = 1}}});
    Random random(seed);
    Vector x(3);
    for (PlayId t = 1; t <= 600; ++t) {
      learner.ask(x);
      const double off = x[0] - 0.5;
      learner.tell(t, {.loss = x[1] + off * off + 0.1 * random.normal(),
                       .metrics = {0.85 * x[2] + 0.1 * x[0] + 0.1 * random.normal()}});
    }
    found += learner.recommend()[2] == 1 ? 1 : 0;
  }
  EXPECT_GE(found, 9) << "it is half a standard deviation of the noise below the limit";
}

TEST(Choices, OfAStartThatIsOverALimitAreLeft) {
  Learner learner = choosing_one_name(0.5, 3, {.limits = {{.most = 1}}});
  Random random(10);
  Vector x(3);
  for (PlayId t = 1; t <= 1000; ++t) {
    learner.ask(x);
    learner.tell(t, {.loss = x[2] + 0.1 * random.normal(),
                     .metrics = {2 * x[1] + 0.5 * x[2] + 0.1 * random.normal()}});
  }
  EXPECT_EQ(learner.recommend()[2], 1) << "it costs more, but the start breaks the limit";
  const LimitStatus limit = learner.status().limits.at(0);
  EXPECT_TRUE(limit.start_is_over);
  EXPECT_FALSE(limit.none_is_within);
  EXPECT_NEAR(limit.recommended, 0.5, 0.1);
}

// With each name another number is best. The start is the best point of all.
TEST(Choices, AreRecommendedWithTheirOwnNumbers) {
  int far = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Learner learner = choosing_one_name(0.2, seed);
    Random random(seed);
    const auto loss = [](const Vector& x) {
      const double of_first = x[0] - 0.2;
      const double of_second = x[0] - 0.8;
      return 10 * (x[1] * of_first * of_first + x[2] * of_second * of_second);
    };
    Vector x(3);
    for (PlayId t = 1; t <= 1500; ++t) {
      learner.ask(x);
      learner.tell(t, loss(x) + random.normal());
      if (t % 100 == 0 && loss(learner.recommend()) > 1) ++far;
    }
  }
  EXPECT_LE(far, 3) << "of 180; the number of one name with the other costs 3.6";
}

// In one context the number is best at 0, where the first name is; in the other at 1.
TEST(Choices, AreRecommendedForEachContext) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Learner learner = choosing_one_name(0.5, seed, {.contexts = {"choice(2)"}});
    Random random(seed);
    Vector x(3);
    for (PlayId t = 1; t <= 2000; ++t) {
      const double context = random.uniform() < 0.5 ? 0 : 1;
      learner.ask(Context{context}, x);
      const double of_name = x[1] * x[0] + x[2] * (1.2 - x[0]);
      learner.tell(t, of_name + 3 * (1 - 2 * context) * x[0] + 0.1 * random.normal());
    }
    for (const std::size_t context : {0, 1}) {
      const Vector best = learner.recommend(Context{static_cast<double>(context)});
      EXPECT_EQ(best[1 + context], 1) << context;
      EXPECT_NEAR(best[0], static_cast<double>(context), 0.1);
    }
  }
}

TEST(Choices, ThatDoNotFitAreRefused) {
  const auto error = [](const SetPtr& set, PosteriorOptions own) {
    return message<InvalidArgument>([&] { (void)posterior(set, own); });
  };
  const auto refused = [&](const SetPtr& set, const PosteriorOptions& own, const char* why) {
    const std::string said = error(set, own);
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  for (const char* text : {"", "1", "2-1", "0-2x", "a-b", "0-", "-1-2"}) {
    refused(two_choices(), {.choices = {text}}, "is a text such as \"0-3\"");
  }
  refused(two_choices(), {.choices = {"3-4"}}, "is no simplex that product(");
  refused(two_choices(), {.choices = {"0-1"}}, "is no simplex that product(");
  refused(box(0, 1, 3), {.choices = {"0-2"}}, "is no simplex");
  refused(simplex(3), {.choices = {"0-2"}}, "need other numbers to decide for");
  refused(product({simplex(3), box(0, 1, 1)}), {.choices = {"0-2", "0-2"}}, "named twice");
  refused(product({simplex(33), box(0, 1, 1)}), {.choices = {"0-32"}}, "at most 32 combinations");
  refused(two_choices(), {.reach = 0.5, .choices = {"0-2"}}, "choices or a reach, not both");
  refused(product({simplex(2), box(0, 1, 600)}), {.choices = {"0-1"}}, "in up to 512 dimensions");
}

TEST(SpaceChoices, AreThoseThatADefaultLearnerChooses) {
  const Choice four{{"a", "b", "c", "d"}};
  const SpaceParameter number{"x", Number{0, 1}};
  const auto words = [](std::vector<SpaceParameter> all, std::vector<std::string> rules = {}) {
    return Space(std::move(all), std::move(rules)).choice_words();
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words({number, {"c", four}}), Words({"1-4"}));
  EXPECT_EQ(words({{"c", four}, number, {"d", four}}), Words({"0-3", "5-8"}));
  EXPECT_EQ(words({{"c", four}, number, {"d", four}, {"e", four}}), Words({"0-3", "5-8"}))
      << "three would have 64 combinations";
  EXPECT_EQ(words({{"c", four}}), Words());
  EXPECT_EQ(words({{"c", four}, number}, {"x + c.a <= 1"}), Words());
  EXPECT_EQ(words({{"s", Shares{{"a", "b"}}}, {"c", four}}), Words({"2-5"}));
  std::vector<SpaceParameter> many = {{"c", four}};
  for (int k = 0; k < 60; ++k) many.push_back({"x" + std::to_string(k), Number{0, 1}});
  EXPECT_EQ(words(many), Words()) << "61 times 5 coefficients";
}

}  // namespace
}  // namespace keyhole::tests
