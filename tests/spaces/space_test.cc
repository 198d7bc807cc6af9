// Named parameters as a set: coordinates, values, rounding at random, constraints, errors.

#include "keyhole/space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "keyhole/choices.h"
#include "keyhole/gradient_algorithms.h"
#include "keyhole/gradient_learner.h"
#include "keyhole/sets.h"
#include "keyhole/spec.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Space service() {
  return Space({{"timeout", Number{.from = 5, .to = 500, .scale = Scale::log, .unit = "ms"}},
                {"batch", Integer{.from = 1, .to = 256}},
                {"codec", Choice{{"zstd", "lz4", "none"}}},
                {"pool", Shares{{"a", "b", "c"}}}});
}

Space machine() {
  return Space({{"cpu", Number{.from = 0, .to = 8}},
                {"memory", Number{.from = 0, .to = 8}},
                {"pool", Shares{{"a", "b", "c"}}}},
               {"cpu + 2*memory <= 10", "pool.a >= 0.1 + pool.b", "cpu*3 - memory - 1 >= -2"});
}

double number_of(const Values& values, const std::string& name) {
  return std::get<double>(values.at(name));
}

TEST(Space, IsABoxAndSimplices) {
  const Space space = service();
  EXPECT_EQ(space.set()->dimension(), 8U);
  EXPECT_EQ(space.set()->hull_dimension(), 6U);
  const Vector inside = {std::log(50), 100.5, 0.2, 0.3, 0.5, 1, 0, 0};
  EXPECT_TRUE(space.set()->contains(inside));
  EXPECT_FALSE(space.set()->contains(Vector{std::log(501), 100, 0.2, 0.3, 0.5, 1, 0, 0}));
  EXPECT_FALSE(space.set()->contains(Vector{std::log(50), 100, 0.2, 0.3, 0.6, 1, 0, 0}));
  EXPECT_EQ(Space({{"x", Number{}}, {"y", Integer{1, 3}}}).set()->spec(),
            box({0, 1}, {1, 3})->spec());
  EXPECT_EQ(
      Space({{"pool", Shares{.names = {"a", "b"}, .total = 10, .least = {1}, .most = {7, 8}}}})
          .set()
          ->spec(),
      capped_simplex({1, 1}, {7, 8}, 10)->spec());
}

TEST(Space, ALearnerOnItNeedsNoSeedTwice) {
  const Space space = service();
  for (const std::uint64_t stream : {0U, 3U}) {
    Learner learner(space, {.seed = 7, .stream = stream});
    EXPECT_EQ(learner.spec(), make_learner("default", space, {.seed = 7, .stream = stream}).spec());
    for (int round = 0; round < 20; ++round) {
      const Play play = learner.ask();
      EXPECT_EQ(space.values(play, learner), space.values(play.point, 7, play.id, stream));
    }
  }
  Learner known(Space({{"x", Number{}}}, {}, {{"load", Number{}}}, {{"p99", {.most = 1}}}));
  EXPECT_EQ(known.contexts(), 1U);
  EXPECT_EQ(known.metrics(), 1U);
  const GradientLearner told(ogd(space.set(), {.gradient_bound = 1}), {.seed = 7});
  EXPECT_EQ(told.seed(), 7U);
}

TEST(Space, AValueOnALogScaleComesBack) {
  for (const double value : {1e-49, 3.7e-12, 0.001, 0.3, 0.9999, 1.0, 1.0001, 2.5, 50.0, 64.0,
                             299792458.0, 6.02e23, 1.0 / 3, 0.1 + 0.2, 4.7e49}) {
    const Space space({{"x", Number{.from = 1e-50, .to = 1e50, .scale = Scale::log}}});
    const Vector point = space.point({{"x", value}});
    const double read = number_of(space.likeliest(point), "x");
    // What has more digits than a user writes comes back as a number of the same logarithm.
    EXPECT_NEAR(read, value, 1e-13 * value);
    EXPECT_EQ(space.point({{"x", read}}), point) << value;
  }
  Random random(22);
  for (int k = 0; k < 2000; ++k) {
    const double size = std::pow(10, random.uniform(-40, 40));
    const double value = std::stod(std::to_string(std::floor(random.uniform(1, 1000000))) + "e" +
                                   std::to_string(static_cast<int>(std::log10(size))));
    const Space space({{"x", Number{.from = value / 3, .to = value * 7, .scale = Scale::log}}});
    EXPECT_EQ(number_of(space.likeliest(space.point({{"x", value}})), "x"), value);
  }
}

TEST(Space, ValuesAreThoseOfThePoint) {
  const Space space = service();
  const Values values = space.values(Vector{std::log(50), 100, 0, 1, 0, 0.5, 0.25, 0.25}, 1, 1);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_EQ(values[0].first, "timeout");
  EXPECT_NEAR(std::get<double>(values[0].second), 50, 1e-12);
  EXPECT_EQ(std::get<std::int64_t>(values.at("batch")), 100);
  EXPECT_EQ(message<InvalidArgument>([&] { (void)values.at("bach"); }),
            "there is no value of 'bach'; did you mean 'batch'?");
  EXPECT_EQ(std::get<std::string>(values[2].second), "lz4");
  EXPECT_EQ(std::get<Vector>(values[3].second), (Vector{0.5, 0.25, 0.25}));
}

TEST(Space, TheEndsOfARangeAreExact) {
  const Space space({{"x", Number{.from = 0.3, .to = 7.1, .scale = Scale::log}}});
  Vector v(1);
  for (const auto& [d, end] : {std::pair{1.0, 0.3}, {-1.0, 7.1}}) {
    space.set()->oracle()->minimise(Vector{d}).write_to(v);
    EXPECT_EQ(number_of(space.values(v, 1, 1), "x"), end);
  }
}

TEST(Space, WholeNumbersHaveTheCoordinateAsTheirMean) {
  const Space space({{"n", Integer{-3, 4}}});
  for (const double x : {-3.0, -2.75, -0.5, 0.1, 3.999, 4.0}) {
    constexpr int plays = 40000;
    double sum = 0;
    for (int play = 1; play <= plays; ++play) {
      const auto n = static_cast<double>(std::get<std::int64_t>(
          space.values(Vector{x}, 7, static_cast<std::uint64_t>(play))[0].second));
      EXPECT_TRUE(n == std::floor(x) || n == std::floor(x) + 1) << n;
      EXPECT_GE(n, -3);
      EXPECT_LE(n, 4);
      sum += n;
    }
    const double share = x - std::floor(x);
    // Five standard errors: a false alarm once in two million.
    EXPECT_NEAR(sum / plays, x, 5 * std::sqrt(share * (1 - share) / plays) + 1e-12) << x;
  }
}

TEST(Space, ChoicesAreDrawnWithTheirProbabilities) {
  const Space space({{"c", Choice{{"a", "b", "c", "d"}}}});
  const Vector p = {0.1, 0, 0.65, 0.25};
  constexpr int plays = 40000;
  std::map<std::string, int> counts;
  for (int play = 1; play <= plays; ++play) {
    ++counts[std::get<std::string>(space.values(p, 3, static_cast<std::uint64_t>(play))[0].second)];
  }
  EXPECT_EQ(counts.count("b"), 0U);
  for (const auto& [name, share] : {std::pair{"a", 0.1}, {"c", 0.65}, {"d", 0.25}}) {
    EXPECT_NEAR(counts[name] / double{plays}, share, 5 * std::sqrt(share * (1 - share) / plays));
  }
}

TEST(Space, ParametersAreDrawnIndependently) {
  const Space space({{"m", Integer{0, 1}}, {"n", Integer{0, 1}}});
  constexpr int plays = 40000;
  int both = 0;
  for (int play = 1; play <= plays; ++play) {
    const Values values = space.values(Vector{0.5, 0.5}, 11, static_cast<std::uint64_t>(play));
    both += std::get<std::int64_t>(values[0].second) * std::get<std::int64_t>(values[1].second) > 0;
  }
  EXPECT_NEAR(both / double{plays}, 0.25, 5 * std::sqrt(0.25 * 0.75 / plays));
}

TEST(Space, ValuesArePureFunctionsOfSeedAndPlay) {
  const Space space = service();
  const Vector point = {3, 100.5, 0.3, 0.3, 0.4, 0.2, 0.3, 0.5};
  bool differs_by_play = false;
  bool differs_by_seed = false;
  for (std::uint64_t play = 1; play <= 20; ++play) {
    EXPECT_EQ(space.values(point, 5, play), service().values(point, 5, play));
    differs_by_play = differs_by_play || space.values(point, 5, play) != space.values(point, 5, 1);
    differs_by_seed =
        differs_by_seed || space.values(point, 5, play) != space.values(point, 6, play);
  }
  EXPECT_TRUE(differs_by_play);
  EXPECT_TRUE(differs_by_seed);
}

TEST(Space, LikeliestIsNearest) {
  const Space space = service();
  const Values values = space.likeliest(Vector{3, 100.5001, 0.3, 0.3, 0.4, 0.2, 0.3, 0.5});
  EXPECT_EQ(std::get<std::int64_t>(values[1].second), 101);
  EXPECT_EQ(std::get<std::string>(values[2].second), "none");
}

TEST(Space, ConstraintsHoldForThePointsAndForNoOthers) {
  const Space space = machine();
  EXPECT_EQ(space.set()->hull_dimension(), 4U);
  Random random(4);
  int inside = 0;
  for (int k = 0; k < 20000; ++k) {
    const double a = random.uniform();
    const double b = (1 - a) * random.uniform();
    const Vector x = {8 * random.uniform(), 8 * random.uniform(), a, b, 1 - a - b};
    const double least = std::min({10 - x[0] - 2 * x[1], x[2] - 0.1 - x[3], 3 * x[0] - x[1] + 1});
    if (std::abs(least) < 1e-6) continue;
    EXPECT_EQ(space.set()->contains(x), least > 0);
    inside += least > 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 1000);
}

TEST(Space, AnEqualityMakesItFlat) {
  const Space space({{"x", Number{.from = 0, .to = 4}}, {"y", Number{.from = 0, .to = 4}}},
                    {"x + y = 5"});
  EXPECT_EQ(space.set()->hull_dimension(), 1U);
  EXPECT_TRUE(space.set()->contains(Vector{2, 3}));
}

TEST(Space, ValuesBecomeThePoint) {
  const Space space = service();
  const Vector x =
      space.point({{"codec", std::string("lz4")}, {"timeout", 50.0}, {"batch", std::int64_t{32}}});
  EXPECT_NEAR(x[0], std::log(50), 1e-15);
  EXPECT_EQ(x[1], 32);
  EXPECT_EQ((Vector{x[2], x[3], x[4]}), (Vector{0, 1, 0}));
  EXPECT_NEAR(x[5], 1.0 / 3, 1e-15);
  EXPECT_TRUE(space.set()->contains(x));
  const Values back = space.likeliest(x);
  EXPECT_NEAR(number_of(back, "timeout"), 50, 1e-12);
  EXPECT_EQ(std::get<std::int64_t>(back[1].second), 32);
  EXPECT_EQ(space.point({{"batch", 32.0}})[1], 32);  // a whole number by another name
  EXPECT_TRUE(machine().set()->contains(machine().point({{"cpu", 4.0}, {"memory", 3.0}})));
}

/// Places in such a range are beyond 2^53.
TEST(Space, WholeNumbersMayBeAsFarApartAsTheyAreExact) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const Space space({{"n", Integer{-most, most}}});
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    const auto n = static_cast<std::int64_t>(static_cast<double>(most) * (k % 2 == 0 ? 1 : 1e-15) *
                                             (2 * random.uniform() - 1));
    const std::vector<double> x = space.point({{"n", n}});
    EXPECT_EQ(space.likeliest(x).at("n"), Value(n));
    EXPECT_EQ(space.values(x, 1, 1).at("n"), Value(n));
  }
  for (const std::int64_t end : {-most, 1 - most, most - 1, most}) {
    EXPECT_EQ(space.likeliest(space.point({{"n", end}})).at("n"), Value(end));
  }
  EXPECT_THROW((void)space.point({{"n", 0.5}}), InvalidArgument);
  int above = 0;
  for (std::uint64_t play = 1; play <= 1000; ++play) {
    const auto n = std::get<std::int64_t>(space.values(std::vector{0.5}, 1, play).at("n"));
    ASSERT_TRUE(n == 0 || n == 1) << n;
    above += static_cast<int>(n);
  }
  EXPECT_NEAR(above, 500, 80);  // five deviations
}

std::string refusal(std::vector<SpaceParameter> parameters,
                    std::vector<std::string> constraints = {}) {
  return message<InvalidArgument>([&] { (void)Space(parameters, constraints); });
}

TEST(Space, BadParametersAreNamed) {
  EXPECT_EQ(refusal({}), "a space needs at least one parameter");
  EXPECT_EQ(refusal({{"x", Number{}}, {"x", Number{}}}), "two parameters are called 'x'");
  EXPECT_EQ(refusal({{"2x", Number{}}}),
            "the parameter '2x' must have a name of letters, digits and underscores that does not "
            "begin with a digit");
  EXPECT_EQ(refusal({{"x", Number{.from = 5, .to = 5}}}),
            "the parameter 'x': from (5) must be below to (5)");
  EXPECT_EQ(refusal({{"x", Number{.from = 0, .to = 5, .scale = Scale::log}}}),
            "the parameter 'x': on a log scale from must be at least 1e-50, not 0");
  EXPECT_EQ(refusal({{"x", Number{1e9, std::nextafter(1e9, 2e9), Scale::log}}}),
            "the parameter 'x': on a log scale from and to must be further apart");
  EXPECT_EQ(refusal({{"x", Number{.from = 0, .to = NAN}}}),
            "the parameter 'x': from and to must be numbers of magnitude up to 1e50");
  EXPECT_EQ(refusal({{"n", Integer{5, 4}}}), "the parameter 'n': from (5) must be below to (4)");
  EXPECT_EQ(refusal({{"n", Integer{0, std::int64_t{1} << 60}}}),
            "the parameter 'n': whole numbers must be from -2^53 to 2^53");
  EXPECT_EQ(refusal({{"c", Choice{{"a"}}}}),
            "the parameter 'c': a choice needs at least two names");
  EXPECT_EQ(refusal({{"c", Choice{{"a", "b", "a"}}}}),
            "the parameter 'c': the name 'a' is there twice");
  EXPECT_EQ(refusal({{"c", Choice{{"a", ""}}}}), "the parameter 'c': a name is empty");
  EXPECT_EQ(refusal({{"p", Shares{.names = {"a", "b"}, .total = -1}}}),
            "the parameter 'p': the total must be a number from 1e-50 to 1e50, not -1");
  EXPECT_EQ(refusal({{"p", Shares{.names = {"a", "b", "c"}, .least = {0.1, 0.2}}}}),
            "the parameter 'p': least must be one number, or one for each of the 3 names, not 2");
  EXPECT_EQ(refusal({{"p", Shares{.names = {"a", "b"}, .least = {0.5}}}}),
            "the parameter 'p': the least shares sum to 1, which leaves nothing of the total 1 to "
            "decide");
  EXPECT_EQ(refusal({{"p", Shares{.names = {"a", "b"}, .most = {0.5}}}}),
            "the parameter 'p': the largest shares sum to 1, which leaves nothing to decide: the "
            "total is 1");
  EXPECT_EQ(refusal({{"p", Shares{.names = {"a", "b"}, .least = {0.2}, .most = {0.1, 1}}}}),
            "the parameter 'p': the share of 'a' must be from least to most within 0 to 1, not "
            "from 0.2 to 0.1");
}

TEST(Space, BadConstraintsAreQuoted) {
  const auto of = [](const std::string& constraint) {
    return refusal({{"cpu", Number{}},
                    {"wait", Number{.from = 1, .to = 2, .scale = Scale::log}},
                    {"pool", Shares{{"a", "b"}}}},
                   {constraint});
  };
  EXPECT_EQ(of("cpo <= 1"),
            "the constraint 'cpo <= 1': there is no parameter 'cpo'; did you mean 'cpu'?");
  EXPECT_EQ(of("wait <= 1"),
            "the constraint 'wait <= 1': 'wait' is on a log scale, where a constraint is not "
            "linear");
  EXPECT_EQ(of("pool <= 1"),
            "the constraint 'pool <= 1': 'pool' has several numbers: write 'pool.a'");
  EXPECT_EQ(of("pool.d <= 1"), "the constraint 'pool.d <= 1': 'pool' has no 'd'");
  EXPECT_EQ(of("cpu.x <= 1"),
            "the constraint 'cpu.x <= 1': 'cpu' is one number and has no 'cpu.x'");
  EXPECT_EQ(of("cpu < 1"),
            "the constraint 'cpu < 1' cannot be read at character 5: expected <=, >= or =");
  EXPECT_EQ(of("cpu <= "),
            "the constraint 'cpu <= ' cannot be read at character 8: a number or a parameter is "
            "missing");
  EXPECT_EQ(of("2* <= 1"),
            "the constraint '2* <= 1' cannot be read at character 4: a parameter is missing");
  EXPECT_EQ(of("cpu*cpu <= 1"),
            "the constraint 'cpu*cpu <= 1' cannot be read at character 5: a number is missing: the "
            "product of two parameters is not linear");
  EXPECT_EQ(of("cpu <= 1 2"),
            "the constraint 'cpu <= 1 2' cannot be read at character 10: there is something behind "
            "its end");
  EXPECT_EQ(of("cpu - cpu <= 1"),
            "the constraint 'cpu - cpu <= 1' cannot be read at character 15: no parameter is left "
            "in it");
  EXPECT_NE(of("cpu <= 1e999").find("this is no number"), std::string::npos);
  EXPECT_NE(of("cpu >= 3").find("the constraints do not leave a set to play on: "),
            std::string::npos);
  EXPECT_NE(of("cpu >= 3").find("cpu >= 3", 60), std::string::npos) << of("cpu >= 3");
}

TEST(Space, BadValuesNameTheParameter) {
  const auto of = [](const Space& space, const Values& values) {
    return message<InvalidArgument>([&] { (void)space.point(values); });
  };
  const Space space = service();
  EXPECT_EQ(of(space, {{"timout", 1.0}}),
            "there is no parameter 'timout'; did you mean 'timeout'?");
  EXPECT_EQ(of(space, {{"timeout", 1.0}}), "the parameter 'timeout' must be from 5 to 500, not 1");
  EXPECT_EQ(of(space, {{"timeout", 10}, {"batch", 8}, {"timeout", 20}}),
            "the parameter 'timeout' is there twice");
  EXPECT_EQ(of(space, {{"timeout", std::string("long")}}),
            "the parameter 'timeout' must be a number");
  EXPECT_EQ(of(space, {{"batch", 1.5}}),
            "the parameter 'batch' must be a whole number from 1 to 256, not 1.5");
  EXPECT_EQ(of(space, {{"codec", std::string("lz5")}}),
            "the parameter 'codec' has no 'lz5'; did you mean 'lz4'?");
  EXPECT_EQ(of(space, {{"codec", 1.0}}), "the parameter 'codec' must be one of its names");
  EXPECT_EQ(of(space, {{"pool", Vector{1}}}),
            "the parameter 'pool' must have a share for each of its 3 names");
  EXPECT_EQ(of(space, {{"pool", Vector{1, 1, 0}}}),
            "the parameter 'pool' must have shares that sum to 1, not 2");
  EXPECT_EQ(of(space, {{"pool", Vector{1.5, -0.5, 0}}}),
            "the parameter 'pool' must have a share of 'a' from 0 to 1, not 1.5");
  EXPECT_EQ(of(machine(), {{"cpu", 8.0}, {"memory", 4.0}}),
            "the values break the constraint 'cpu + 2*memory <= 10'");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)space.values(Vector{1}, 1, 1); }),
            "the point has 1 coordinates, and the space 8");
}

}  // namespace
}  // namespace keyhole::tests
