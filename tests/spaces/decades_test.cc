// Whole numbers on a log scale and in steps: coordinates, rounding, what a learner finds.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "keyhole/learner.h"
#include "keyhole/space.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

std::int64_t whole_of(const Values& values) { return std::get<std::int64_t>(values[0].second); }

TEST(Decades, AWholeNumberOnALogScaleComesBack) {
  const std::int64_t most = std::int64_t{1} << 46U;
  const Space space({{"n", Integer{.from = 1, .to = most, .scale = Scale::log}}});
  Random random(45);
  for (int k = 0; k < 20000; ++k) {
    const auto n = k < 2000 ? k + 1 : static_cast<std::int64_t>(std::exp2(random.uniform(0, 46)));
    const Vector x = space.point({{"n", n}});
    EXPECT_NEAR(x[0], std::log(static_cast<double>(n)), 1e-14);
    EXPECT_EQ(whole_of(space.likeliest(x)), n);
    EXPECT_EQ(whole_of(space.values(x, 1, static_cast<std::uint64_t>(k))), n);
  }
  for (const std::int64_t n : {most, most - 1, most - 2}) {
    EXPECT_EQ(whole_of(space.likeliest(space.point({{"n", n}}))), n);
  }
}

TEST(Decades, RoundingKeepsTheMeanOfTheLogarithm) {
  const Space space({{"n", Integer{.from = 1, .to = 65536, .scale = Scale::log}}});
  for (const double n : {1.0, 1.3, 1.9, 3.5, 63.25, 1000.5, 65535.1, 65536.0}) {
    constexpr int plays = 40000;
    const double x = std::log(n);
    double sum = 0;
    for (int play = 1; play <= plays; ++play) {
      const std::int64_t drawn =
          whole_of(space.values(Vector{x}, 7, static_cast<std::uint64_t>(play)));
      ASSERT_LE(std::abs(static_cast<double>(drawn) - n), 1 + 1e-9);
      sum += std::log(static_cast<double>(drawn));
    }
    // Five standard errors, where the two numbers are as far apart as their logarithms.
    const double gap = std::log1p(1 / std::floor(n + 1e-9));
    EXPECT_NEAR(sum / plays, x, 5 * 0.5 * gap / std::sqrt(plays) + 1e-12) << n;
  }
}

TEST(Decades, TheNearestIsNearestOnItsScale) {
  const Space space({{"n", Integer{.from = 1, .to = 9, .scale = Scale::log}}});
  EXPECT_EQ(whole_of(space.likeliest(Vector{std::log(1.41)})), 1);
  EXPECT_EQ(whole_of(space.likeliest(Vector{std::log(1.42)})), 2);
}

TEST(Decades, StepsAreTheOnlyValues) {
  const Space space({{"block", Integer{.from = 16, .to = 256, .step = 16}}});
  EXPECT_EQ(space.set()->spec(), Space({{"x", Integer{16, 256}}}).set()->spec());
  constexpr int plays = 40000;
  double sum = 0;
  for (int play = 1; play <= plays; ++play) {
    const std::int64_t drawn =
        whole_of(space.values(Vector{42}, 3, static_cast<std::uint64_t>(play)));
    ASSERT_TRUE(drawn == 32 || drawn == 48) << drawn;
    sum += static_cast<double>(drawn);
  }
  EXPECT_NEAR(sum / plays, 42, 5 * 8 / std::sqrt(plays));
  EXPECT_EQ(whole_of(space.likeliest(Vector{42})), 48);
  EXPECT_EQ(space.point({{"block", std::int64_t{48}}})[0], 48);
  EXPECT_EQ(space.nearest_point({{"block", 57.0}})[0], 64);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)space.point({{"block", 50.0}});
            }),
            "the parameter 'block' must be a whole number from 16 to 256 in steps of 16, not 50");
}

TEST(Decades, BadRangesAreRefused) {
  const auto refusal = [](const Integer& integer) {
    return message<InvalidArgument>([&] { (void)Space({{"n", integer}}); });
  };
  EXPECT_EQ(refusal({.from = 0, .to = 9, .scale = Scale::log}),
            "the parameter 'n': on a log scale whole numbers must be from 1 to 2^46");
  EXPECT_EQ(refusal({.from = 1, .to = std::int64_t{1} << 47U, .scale = Scale::log}),
            "the parameter 'n': on a log scale whole numbers must be from 1 to 2^46");
  EXPECT_EQ(refusal({.from = 1, .to = 9, .step = 0}),
            "the parameter 'n': the step must be at least 1, not 0");
  EXPECT_EQ(refusal({.from = 1, .to = 9, .step = std::numeric_limits<std::int64_t>::max()}),
            "the parameter 'n': the step must be at most to - from (8), not 9223372036854775807");
  EXPECT_EQ(refusal({.from = 16, .to = 250, .step = 16}),
            "the parameter 'n': to (250) must be some steps of 16 from 16, such as 240 or 256");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)Space({{"n", Integer{.from = 1, .to = 9, .scale = Scale::log}}}, {"n <= 4"});
            }),
            "the constraint 'n <= 4': 'n' is on a log scale, where a constraint is not linear");
}

/// What 200 rounds recommend for a buffer: each byte costs memory, each filling a call.
std::int64_t buffer_found(Scale scale, std::uint64_t seed) {
  const Space space({{"buffer", Integer{.from = 1, .to = 65536, .scale = scale}}});
  Learner learner(space.set(), {.seed = seed});
  for (int round = 0; round < 200; ++round) {
    const Play play = learner.ask();
    const auto n = static_cast<double>(whole_of(space.values(play.point, seed, play.id)));
    learner.tell(play.id, n / 64 + 64 / n);
  }
  return whole_of(space.likeliest(learner.recommend()));
}

/// The example of docs/decades.md. It costs 2 at 64, where it is best, and 64 at 1.
TEST(Decades, ABufferSizeIsFound) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto n = static_cast<double>(buffer_found(Scale::log, seed));
    EXPECT_LE(n / 64 + 64 / n, 2 * 1.03) << n;
    EXPECT_EQ(buffer_found(Scale::linear, seed), 1);  // what the log scale is for
  }
}

/// Of powers of two the learner sees the exponent.
TEST(Decades, APowerOfTwoIsFoundExactly) {
  const Space space({{"exponent", Integer{.from = 0, .to = 16}}});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Learner learner(space.set(), {.seed = seed});
    for (int round = 0; round < 200; ++round) {
      const Play play = learner.ask();
      const auto exponent = whole_of(space.values(play.point, seed, play.id));
      const double n = std::exp2(static_cast<double>(exponent));
      learner.tell(play.id, n / 64 + 64 / n);
    }
    EXPECT_EQ(whole_of(space.likeliest(learner.recommend())), 6) << seed;
  }
}

}  // namespace
}  // namespace keyhole::tests
