// What is known when a play is asked for, by name.

#include "spaces/contexts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "keyhole/algorithms.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests::space_contexts {
namespace {

Space service() {
  return Space({{"threads", Integer{1, 64}}, {"cache", Number{.from = 0, .to = 8}}}, {},
               {{"load", Number{.from = 0, .to = 5000, .unit = "req/s"}},
                {"rate", Number{.from = 1, .to = 100, .scale = Scale::log}},
                {"hour", Cyclic{24}},
                {"segment", Choice{{"new", "old"}}},
                {"day", Clock{Clock::Every::week}}});
}

std::string refusal(std::vector<SpaceContext> contexts) {
  return message<InvalidArgument>([&] { (void)Space({{"x", Number{}}}, {}, contexts); });
}

std::string misuse(const Values& values) {
  return message<InvalidArgument>([&] { (void)service().context(values); });
}

TEST(SpaceContexts, AreNumbersOfUnitSize) {
  const Space space = service();
  const Context middle = space.context(
      {{"segment", "old"}, {"load", 2500.0}, {"rate", 10.0}, {"hour", 6}, {"day", 3.5}});
  ASSERT_EQ(middle.size(), 5U);
  EXPECT_EQ(middle[0], 0);
  EXPECT_NEAR(middle[1], 0, 1e-15);
  EXPECT_EQ(middle[2], 0.25);
  EXPECT_EQ(middle[3], 1);
  EXPECT_EQ(middle[4], 0.5);
  EXPECT_DOUBLE_EQ(space.context({{"load", 5000}})[0], std::numbers::sqrt3);
  EXPECT_DOUBLE_EQ(space.context({{"rate", 1}})[1], -std::numbers::sqrt3);
  EXPECT_EQ(space.context({{"hour", -6}})[2], 0.75);  // without whole turns
  EXPECT_EQ(space.context({{"hour", 30}})[2], 0.25);
}

TEST(SpaceContexts, WhatIsNotKnownIsNaN) {
  const Space space = service();
  for (const Values& values :
       {Values{}, Values{{"segment", ""}}, Values{{"load", NAN}}, Values{{"segment", NAN}}}) {
    for (const double number : space.context(values)) EXPECT_TRUE(std::isnan(number));
    EXPECT_EQ(space.clipped(values), 0U);
  }
  EXPECT_TRUE(Space({{"x", Number{}}}).context({}).empty());
}

TEST(SpaceContexts, TakeNamesThatWereNeverListedForOne) {
  const Space space = service();
  EXPECT_EQ(space.context({{"segment", "old"}})[3], 1);
  for (const char* const name : {"lost", "New"}) {
    EXPECT_EQ(space.context({{"segment", name}})[3], 2) << name;
    EXPECT_EQ(space.clipped({{"segment", name}}), 1U) << name;
    EXPECT_TRUE(std::isnan(space.context({{"segment", name}})[0]));
  }
  EXPECT_EQ(space.clipped({{"segment", "old"}}), 0U);
  // As values it has a text that is none of the names, which reads back.
  for (const Choice& choice :
       {Choice{{"new", "old"}}, Choice{{"another", "another_"}}, Choice::of({1.0, true})}) {
    const Space own({{"x", Number{}}}, {}, {{"segment", choice}});
    const std::vector<double> numbers = spaces::context_numbers(own, {{"segment", "lost"}});
    const Values values = spaces::context_values(own, numbers);
    EXPECT_EQ(values.at("segment"), Value(choice.names[0] == "another" ? "another__" : "another"));
    EXPECT_EQ(spaces::context_numbers(own, values), numbers);
  }
}

TEST(SpaceContexts, TakeNumbersForNamesOfTheSameText) {
  const Space space({{"x", Number{}}}, {}, {{"shard", Choice{{"1", "2"}}}});
  EXPECT_EQ(space.context({{"shard", std::int64_t{2}}})[0], 1);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)space.context({{"shard", 3.0}});
            }),
            "the context 'shard' must be a name, such as '1', and is no text");
}

/// The best point with them is 0.7 away from the average of those with the names. Each of ten seeds
/// must be within 0.25.
TEST(SpaceContexts, LearnWhatIsBestWithNamesThatWereNeverListed) {
  const Space space({{"x", Number{.from = -1, .to = 1}}}, {}, {{"segment", Choice{{"a", "b"}}}});
  const char* const names[] = {"a", "b", "lost"};
  const double best[] = {0.5, 0.1, -0.4};
  const double level[] = {0, 3, -5};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Learner learner(posterior(space.set(), {.contexts = space.context_words()}), {.seed = seed});
    Random random(seed);
    for (int k = 0; k < 3000; ++k) {
      const auto which = static_cast<std::size_t>(3 * random.uniform());
      const Play play = learner.ask(space.context({{"segment", names[which]}}));
      const double off = play.point[0] - best[which];
      learner.tell(play.id, level[which] + off * off + 0.1 * random.normal());
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Context known = space.context({{"segment", names[k]}});
      EXPECT_NEAR(learner.recommend(known)[0], best[k], 0.25) << names[k] << " " << seed;
    }
  }
}

TEST(SpaceContexts, ClipWhatIsFarOutside) {
  const Space space = service();
  EXPECT_EQ(space.clipped({{"load", 6000}}), 0U);  // outside, and not far
  EXPECT_GT(space.context({{"load", 6000}})[0], std::numbers::sqrt3);
  const Values far = {{"load", 1e9}, {"rate", -1.0}, {"hour", 1e9}};
  EXPECT_EQ(space.clipped(far), 2U);
  EXPECT_EQ(space.context(far)[0], 3);
  EXPECT_EQ(space.context(far)[1], -3);
  EXPECT_EQ(space.context({{"rate", 0}})[1], -3);
}

TEST(SpaceContexts, HaveTheWordsOfTheLearner) {
  const Space space = service();
  EXPECT_EQ(space.context_words(),
            (std::vector<std::string>{"number", "number", "cyclic", "choice(2)", "cyclic"}));
  Learner learner(posterior(space.set(), {.contexts = space.context_words()}));
  EXPECT_EQ(learner.ask(space.context({{"load", 812.0}})).id, 1U);
  EXPECT_TRUE(space.set()->contains(learner.recommend(space.context({{"segment", "new"}}))));
}

TEST(SpaceContexts, AreNamedInErrors) {
  EXPECT_EQ(misuse({{"laod", 812}}), "there is no context 'laod'; did you mean 'load'?");
  EXPECT_EQ(misuse({{"threads", 8}}), "there is no context 'threads'");
  EXPECT_EQ(misuse({{"load", "high"}}), "the context 'load' must be a number, not 'high'");
  EXPECT_EQ(misuse({{"hour", std::vector<double>{1, 2}}}),
            "the context 'hour' must be a number, not a list");
  EXPECT_EQ(misuse({{"segment", 1}}),
            "the context 'segment' must be a name, such as 'new', and is no text");
  EXPECT_EQ(misuse({{"load", 1}, {"hour", 2}, {"load", 3}}), "the context 'load' is there twice");
  EXPECT_EQ(misuse({{"load", INFINITY}}),
            "the context 'load' must be a number of magnitude up to 1e50, not inf");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)Space({{"x", Number{}}}).context({{"y", 1}});
            }),
            "there is no context 'y': the space has none");
}

TEST(SpaceContexts, BadOnesAreRefused) {
  EXPECT_EQ(refusal({{"x", Number{}}}),
            "the context 'x' has the name of a parameter: give one of them another name");
  EXPECT_EQ(refusal({{"y", Number{}}, {"y", Clock{}}}), "two contexts are called 'y'");
  EXPECT_EQ(refusal({{"a b", Clock{}}}),
            "the context 'a b' must have a name of letters, digits and underscores that does not "
            "begin with a digit");
  EXPECT_EQ(refusal({{"y", Cyclic{0}}}),
            "the context 'y': the period must be a number from 1e-50 to 1e50, not 0");
  EXPECT_EQ(refusal({{"y", Number{.from = 2, .to = 1}}}),
            "the context 'y': from (2) must be below to (1)");
  EXPECT_EQ(refusal({{"y", Choice{{"a"}}}}), "the context 'y': a choice needs at least two names");
}

TEST(SpaceContexts, MakeAnotherSpace) {
  const Space with = service();
  EXPECT_EQ(with, Space(with.parameters(), {}, with.contexts()));
  EXPECT_FALSE(with == Space(with.parameters()));
}

TEST(SpaceContexts, GoThroughTheNumbersOfALog) {
  const Space space = service();
  const Values given = {{"load", 1e6}, {"hour", 30.5}, {"segment", "old"}, {"day", 6.25}};
  EXPECT_EQ(keyhole::spaces::context_values(space, spaces::context_numbers(space, given)), given);
  EXPECT_TRUE(spaces::context_values(space, spaces::context_numbers(space, {})).empty());
}

TEST(SpaceContexts, AClockGoesByUtc) {
  constexpr double noon_of_a_wednesday = 1'700'049'600;  // 2023-11-15
  EXPECT_EQ(spaces::clock_number({Clock::Every::day}, noon_of_a_wednesday), 12);
  EXPECT_EQ(spaces::clock_number({Clock::Every::week}, noon_of_a_wednesday), 2.5);
  EXPECT_EQ(spaces::clock_number({Clock::Every::week}, 0), 3);  // a Thursday
  EXPECT_NEAR(spaces::clock_number({Clock::Every::day}, -1), 24 - 1 / 3600.0, 1e-9);
}

}  // namespace
}  // namespace keyhole::tests::space_contexts
