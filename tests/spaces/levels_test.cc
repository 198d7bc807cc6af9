// Choices of numbers and of true and false, levels, and what is fixed.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "keyhole/learner.h"
#include "keyhole/space.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Space of(decltype(SpaceParameter::domain) domain, std::vector<std::string> constraints = {}) {
  return Space({{"n", std::move(domain)}, {"x", Number{}}}, std::move(constraints));
}

std::string refused(const Space& space, const Value& value) {
  return message<InvalidArgument>([&] { (void)space.point({{"n", value}}); });
}

TEST(Levels, AChoiceHasValuesOfItsOwn) {
  const std::vector<Value> values = {std::int64_t{1}, 2.5, true, std::string("auto")};
  const Space space = of(Choice::of(values));
  EXPECT_EQ(space.set()->spec(), of(Choice{{"a", "b", "c", "d"}}).set()->spec());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Vector x = space.point({{"n", values[i]}});
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(x[k], k == i ? 1 : 0);
    EXPECT_EQ(space.likeliest(x).at("n"), values[i]);
    EXPECT_EQ(space.values(x, 1, 1).at("n"), values[i]);
  }
}

TEST(Levels, AValueOfAChoiceIsFoundByItsNumberOrItsText) {
  const Space space = of(Choice::of({std::int64_t{1}, 2.5, true}));
  for (const Value& one : {Value(1.0), Value(std::string("1")), Value(std::string("1.0"))}) {
    EXPECT_EQ(space.point({{"n", one}}), space.point({{"n", std::int64_t{1}}}));
  }
  for (const char* const yes : {"true", "True"}) {
    EXPECT_EQ(space.point({{"n", std::string(yes)}}), space.point({{"n", true}}));
  }
  EXPECT_EQ(refused(space, std::int64_t{2}),
            "the parameter 'n' must be one of 1, 2.5, true, not 2");
  EXPECT_EQ(refused(space, false), "the parameter 'n' must be one of 1, 2.5, true, not false");
  EXPECT_EQ(refused(space, Vector{1}), "the parameter 'n' must be one of 1, 2.5, true, not [1]");
  EXPECT_EQ(refused(of(Choice{{"a", "b"}}), 1.0), "the parameter 'n' must be one of its names");
}

TEST(Levels, ANameIsFoundByWhatItIsTheTextOf) {
  const Space choice = of(Choice{{"1", "true", "2.5"}});
  EXPECT_EQ(choice.point({{"n", std::int64_t{1}}}), choice.point({{"n", std::string("1")}}));
  EXPECT_EQ(choice.point({{"n", true}}), choice.point({{"n", std::string("true")}}));
  EXPECT_EQ(of(Levels{{std::string("1"), std::string("2.5")}}).point({{"n", 2.5}})[0], 1);
  EXPECT_EQ(of(Fixed{std::string("8")}).point({{"n", 8.0}}).size(), 1U);
}

TEST(Levels, ArePlacesOfAWholeNumber) {
  const std::vector<Value> values = {std::int64_t{64}, std::int64_t{128}, std::int64_t{256}, 1e3};
  const Space space = of(Levels{values});
  const Space places = of(Integer{0, 3});
  EXPECT_EQ(space.set()->spec(), places.set()->spec());
  for (std::uint64_t play = 1; play <= 2000; ++play) {
    const Vector x = {static_cast<double>(play % 61) / 20, 0.5};
    const auto place = std::get<std::int64_t>(places.values(x, 7, play).at("n"));
    EXPECT_EQ(space.values(x, 7, play).at("n"), values[static_cast<std::size_t>(place)]);
    const auto nearest = std::get<std::int64_t>(places.likeliest(x).at("n"));
    EXPECT_EQ(space.likeliest(x).at("n"), values[static_cast<std::size_t>(nearest)]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(space.point({{"n", values[i]}})[0], static_cast<double>(i));
  }
  EXPECT_EQ(space.nearest_point({{"n", 150.0}})[0], 1);
  EXPECT_EQ(space.nearest_point({{"n", std::string("-5")}})[0], 0);
  EXPECT_EQ(refused(space, 100.0), "the parameter 'n' must be one of 64, 128, 256, 1000, not 100");
  EXPECT_THROW((void)space.nearest_point({{"n", NAN}}), InvalidArgument);
}

TEST(Levels, MayBeNames) {
  const Space space = of(Levels{{std::string("low"), std::string("middle"), std::string("high")}});
  EXPECT_EQ(space.likeliest(Vector{1.2, 0}).at("n"), Value(std::string("middle")));
  EXPECT_EQ(space.point({{"n", std::string("high")}})[0], 2);
  EXPECT_THROW((void)space.nearest_point({{"n", std::string("higher")}}), InvalidArgument);
  const Space like_numbers = of(Levels{{std::string("1"), std::string("2"), std::string("max")}});
  EXPECT_EQ(like_numbers.nearest_point({{"n", std::string("2")}})[0], 1);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)like_numbers.nearest_point({{"n", 5.0}});
            }),
            "the parameter 'n' must be one of 1, 2, max, not 5");
}

TEST(Levels, ALearnerFindsTheBest) {
  const Space space({{"block", Levels{{std::int64_t{4}, std::int64_t{64}, std::int64_t{128},
                                       std::int64_t{4096}, std::int64_t{1} << 20U}}}});
  const std::uint64_t seed = 3;
  Learner learner(space.set(), {.seed = seed});
  for (int t = 0; t < 400; ++t) {
    const Play play = learner.ask();
    const Value block = space.values(play.point, seed, play.id).at("block");
    const auto k = static_cast<double>(std::get<std::int64_t>(block));
    learner.tell(play.id, std::abs(std::log2(k) - 12) / 10);
  }
  EXPECT_EQ(space.likeliest(learner.recommend()).at("block"), Value(std::int64_t{4096}));
}

TEST(Levels, WhatIsFixedHasNoCoordinate) {
  const Space space({{"mode", Fixed{std::string("fast")}},
                     {"x", Number{}},
                     {"n", Fixed{std::int64_t{8}}},
                     {"k", Integer{0, 4}},
                     {"on", Fixed{true}}},
                    {"x + k <= 3"});
  const Space without({{"x", Number{}}, {"k", Integer{0, 4}}}, {"x + k <= 3"});
  EXPECT_EQ(space.set()->spec(), without.set()->spec());
  for (std::uint64_t play = 1; play <= 100; ++play) {
    const Vector x = {0.5, 1.25};
    const Values values = space.values(x, 7, play);
    EXPECT_EQ(values.at("mode"), Value(std::string("fast")));
    EXPECT_EQ(values.at("n"), Value(std::int64_t{8}));
    EXPECT_EQ(values.at("on"), Value(true));
    EXPECT_EQ(values.at("k"), without.values(x, 7, play).at("k"));
  }
  const Vector x = space.point({{"x", 0.25}, {"n", 8.0}, {"k", 2.0}});
  EXPECT_EQ(x, (Vector{0.25, 2}));
  EXPECT_EQ(refused(space, 9.0), "the parameter 'n' is fixed at 8, and cannot be 9");
  EXPECT_NEAR(space.nearest_point({{"x", 0.25}, {"n", 9.0}, {"k", 2.0}})[0], 0.25, 1e-9);
  EXPECT_EQ(space.point({})[0], space.set()->centre()[0]);
}

TEST(Levels, WhatMakesNoSenseIsRefused) {
  const auto error = [](const auto& domain, std::vector<std::string> constraints = {}) {
    return message<InvalidArgument>([&] { (void)of(domain, std::move(constraints)); });
  };
  EXPECT_EQ(error(Levels{{64.0}}),
            "the parameter 'n': a parameter with levels needs at least two "
            "levels");
  EXPECT_EQ(error(Levels{{64.0, 128.0, 64.0}}), "the parameter 'n': the level '64' is there twice");
  EXPECT_EQ(error(Levels{{128.0, 64.0}}),
            "the parameter 'n': levels must be numbers that rise, or names, not 128, 64");
  EXPECT_EQ(error(Levels{{1.0, std::string("two")}}),
            "the parameter 'n': levels must be numbers that rise, or names, not 1, two");
  EXPECT_EQ(error(Levels{{false, true}}),
            "the parameter 'n': levels must be numbers that rise, or names, not false, true");
  EXPECT_EQ(error(Levels{{1.0, INFINITY}}),
            "the parameter 'n': a number must be of magnitude up to 1e50, not inf");
  EXPECT_EQ(error(Choice::of({1.0, std::string("1")})),
            "the parameter 'n': the name '1' is there twice");
  EXPECT_EQ(error(Fixed{Vector{1}}),
            "the parameter 'n': a value must be a number, a name, or true or false, not a list");
  EXPECT_EQ(error(Choice{.names = {"a", "b"}, .values = {1.0, 2.0}}),
            "the parameter 'n': the names of a choice must be the texts of its values: make it "
            "with Choice::of");
  EXPECT_EQ(error(Levels{{64.0, 128.0}}, {"n <= 100"}),
            "the constraint 'n <= 100': 'n' has levels, and the learner sees their places alone");
  EXPECT_EQ(error(Fixed{64.0}, {"n + x <= 100"}),
            "the constraint 'n + x <= 100': 'n' is fixed: write its value");
  EXPECT_EQ(message<InvalidArgument>([] {
              Space({{"n", Fixed{1.0}}});
            }),
            "all parameters are fixed: nothing is left to choose");
}

TEST(Levels, AContextMayBeAChoiceOfNumbers) {
  const Space space({{"x", Number{}}}, {}, {{"shard", Choice::of({1.0, 2.0, 4.0})}});
  EXPECT_EQ(space.context({{"shard", std::int64_t{4}}})[0], 2);
  EXPECT_EQ(space.context({{"shard", std::string("2")}})[0], 1);
  EXPECT_EQ(space.context({{"shard", 3.0}})[0], 3);  // another one
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)space.context({{"shard", Vector{1}}});
            }),
            "the context 'shard' must be one of its values, not a list");
  EXPECT_EQ(message<InvalidArgument>([] {
              const Space numbers({{"x", Number{}}}, {}, {{"load", Number{}}});
              (void)numbers.context({{"load", true}});
            }),
            "the context 'load' must be a number, not true");
}

}  // namespace
}  // namespace keyhole::tests
