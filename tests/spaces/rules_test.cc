// Constraints between whole numbers hold for every play and every recommendation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "catalogue.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// A constraint that the tests read by themselves.
struct Rule {
  std::vector<int> coefficients;
  int right = 0;
  std::string relation;

  [[nodiscard]] std::string text(const std::vector<SpaceParameter>& parameters) const {
    std::string sum;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      if (coefficients[i] == 0) continue;
      sum += (sum.empty() ? "" : " + ") + std::to_string(std::abs(coefficients[i])) + "*" +
             parameters[i].name;
      if (coefficients[i] < 0) sum.replace(sum.rfind(" + ") + 1, 1, "-");
    }
    return sum + " " + relation + " " + std::to_string(right);
  }
  [[nodiscard]] double excess(const Vector& values) const {
    double sum = -right;
    for (std::size_t i = 0; i < coefficients.size(); ++i) sum += coefficients[i] * values[i];
    return relation == "<=" ? sum : relation == ">=" ? -sum : std::abs(sum);
  }
};

Vector numbers_of(const Values& values) {
  Vector numbers;
  for (const auto& [name, value] : values) {
    if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
      numbers.push_back(static_cast<double>(*whole));
    } else {
      numbers.push_back(std::get<double>(value));
    }
  }
  return numbers;
}

/// Up to 6 whole numbers, some of them in steps, up to 2 other numbers, up to 4 rules; next to them
/// numbers on a log scale and levels, which are in no rule. None if the rules leave nothing.
struct RandomSpace {
  std::vector<Rule> rules;
  std::unique_ptr<Space> space;
};

int whole(Random& random, int from, int to) {
  return from + static_cast<int>(random.uniform() * (to - from + 1));
}

RandomSpace random_space(Random& random) {
  RandomSpace made;
  std::vector<SpaceParameter> parameters;
  const int wholes = whole(random, 1, 6);
  const int others = std::max(0, whole(random, -3, 2));
  for (int i = 0; i < wholes + others; ++i) {
    const int from = whole(random, -3, 3);
    const int step = i < wholes && random.uniform() < 0.3 ? whole(random, 2, 5) : 1;
    const int to = from + step * whole(random, 1, random.uniform() < 0.2 ? 1000 : 6);
    const std::string name(1, static_cast<char>('a' + i));
    if (i < wholes) {
      parameters.push_back({name, Integer{.from = from, .to = to, .step = step}});
    } else {
      parameters.push_back({name, Number{.from = double(from), .to = double(to)}});
    }
  }
  if (random.uniform() < 0.3) {
    parameters.push_back({"pages", Integer{.from = 1, .to = 4096, .scale = Scale::log}});
  }
  if (random.uniform() < 0.3) {
    parameters.push_back({"wait", Number{.from = 0.5, .to = 100, .scale = Scale::log}});
  }
  if (random.uniform() < 0.3) {
    parameters.push_back(
        {"block", Levels{{std::int64_t{64}, std::int64_t{128}, std::int64_t{1024}}}});
  }
  std::vector<std::string> constraints;
  for (int k = whole(random, 1, 4); k > 0; --k) {
    Rule rule;
    double middle = 0;
    bool first = true;
    for (int i = 0; i < wholes + others; ++i) {
      // The first that is there is positive: the text begins with no sign.
      const int size = random.uniform() < 0.6 ? whole(random, 1, 4) : 0;
      const int sign = !first && random.uniform() < 0.3 ? -1 : 1;
      first = first && size == 0;
      rule.coefficients.push_back(sign * size);
      middle += sign * size * random.uniform(-3, 6);
    }
    if (first) continue;
    rule.right = static_cast<int>(middle);
    const double kind = random.uniform();
    rule.relation = kind < 0.6 ? "<=" : kind < 0.9 ? ">=" : "=";
    constraints.push_back(rule.text(parameters));
    made.rules.push_back(rule);
  }
  try {
    made.space = std::make_unique<Space>(parameters, constraints);
  } catch (const InvalidArgument&) {
    made.space.reset();
  }
  return made;
}

/// The largest excess of any rule.
double worst(const std::vector<Rule>& rules, const Values& values) {
  double most = 0;
  for (const Rule& rule : rules) most = std::max(most, rule.excess(numbers_of(values)));
  return most;
}

TEST(Rules, HoldForEveryPlayAndRecommendation) {
  Random random(45);
  const auto plays = static_cast<int>(scaled_count(1000000));
  int broken = 0;
  int recommended = 0;
  int spaces = 0;
  double most = 0;
  for (int play = 0; play < plays;) {
    const RandomSpace made = random_space(random);
    if (made.space == nullptr) continue;
    ++spaces;
    const Space& space = *made.space;
    const auto oracle = space.set()->oracle();
    const std::size_t n = space.set()->dimension();
    std::vector<Vector> vertices(20, Vector(n));
    for (Vector& vertex : vertices) {
      Vector direction(n);
      for (double& d : direction) d = random.uniform(-1, 1);
      oracle->minimise(direction).write_to(vertex);
    }
    Vector x(n);
    for (int k = 0; k < 1000; ++k, ++play) {
      // Between some vertices, and vertices themselves.
      std::fill(x.begin(), x.end(), 0.0);
      Vector weights(1 + static_cast<std::size_t>(whole(random, 0, 3)));
      double sum = 0;
      for (double& weight : weights) sum += weight = random.uniform() + 1e-3;
      for (const double weight : weights) {
        const Vector& vertex = vertices[random.integer(0, vertices.size() - 1)];
        for (std::size_t i = 0; i < n; ++i) x[i] += weight / sum * vertex[i];
      }
      const Values values = space.values(x, 3, static_cast<std::uint64_t>(play));
      const double excess = worst(made.rules, values);
      broken += excess > 1e-7 ? 1 : 0;
      most = std::max(most, excess);
      if (k % 10 != 0) continue;
      recommended += worst(made.rules, space.likeliest(x)) > 1e-7 ? 1 : 0;
      ASSERT_NO_THROW((void)space.point(values));  // steps and levels are met too
    }
  }
  EXPECT_EQ(broken, 0) << "in " << spaces << " spaces, by up to " << most;
  EXPECT_EQ(recommended, 0);
}

Space four() {
  return Space({{"a", Integer{0, 4}}, {"b", Integer{0, 4}}, {"c", Integer{0, 4}}},
               {"a + b + c <= 4"});
}

TEST(Rules, HoldWhereALearnerPlays) {
  const Space space = four();
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Learner learner(space.set(), {.seed = seed});
    for (int round = 0; round < 500; ++round) {
      const Play play = learner.ask();
      const Vector v = numbers_of(space.values(play.point, seed, play.id));
      broken += v[0] + v[1] + v[2] > 4 ? 1 : 0;
      learner.tell(play.id, 10 - 2 * v[0] - v[1] - 1.5 * v[2]);
    }
    const Vector v = numbers_of(space.likeliest(learner.recommend()));
    EXPECT_LE(v[0] + v[1] + v[2], 4);
  }
  EXPECT_EQ(broken, 0);
}

/// Where the corners of the rules are whole, the mean is the point.
TEST(Rules, SumsKeepTheMean) {
  const Space space = four();
  for (const Vector& x : {Vector{1.3, 1.4, 1.3}, {0.2, 3.7, 0.1}, {2.5, 0.5, 0.9}}) {
    constexpr int plays = 20000;
    Vector mean(3);
    for (int play = 1; play <= plays; ++play) {
      const Vector v = numbers_of(space.values(x, 5, static_cast<std::uint64_t>(play)));
      ASSERT_LE(v[0] + v[1] + v[2], 4);
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_LE(std::abs(v[i] - x[i]), 1);
        mean[i] += v[i] / plays;
      }
    }
    // Five standard errors.
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], x[i], 5 * 0.5 / std::sqrt(plays));
  }
}

TEST(Rules, HoldForLargeWholeNumbers) {
  Random random(9);
  constexpr std::int64_t most = std::int64_t{1} << 50;
  const Space space({{"a", Integer{0, most}}, {"b", Integer{0, most}}, {"c", Integer{0, most}}},
                    {"a + 2*b - c <= 1125899906842625"});
  Vector x(3);
  int near = 0;
  for (std::uint64_t play = 1; play <= 300; ++play) {
    // Near the constraint, by less than a rounding of 1e-13 of it.
    const double b = std::floor(random.uniform() * 0x1p48);
    const double c = std::floor(random.uniform() * 0x1p48);
    x = {0x1p50 + 1 + c - 2 * b + random.uniform() * 8 - 4, b + 0.5, c + 0.5};
    if (!(x[0] >= 0 && x[0] <= 0x1p50)) continue;
    const Vector values = numbers_of(space.values(x, 3, play));
    const double excess = values[0] + 2 * values[1] - values[2] - (0x1p50 + 1);
    EXPECT_LE(excess, 0);
    if (excess > -20) ++near;
  }
  EXPECT_GT(near, 50);
  // Their sum is out by a rounding, and their steps are large.
  const Space fine({{"a", Integer{0, 10}}, {"b", Integer{0, 10}}}, {"0.1*a + 0.2*b <= 0.3"});
  EXPECT_EQ(numbers_of(fine.values(Vector{1, 1}, 3, 1)), Vector({1, 1}));
}

TEST(Rules, WithoutAWholeNumberAreRefused) {
  const auto refusal = [](const std::vector<std::string>& constraints) {
    return message<InvalidArgument>([&] {
      (void)Space({{"a", Integer{0, 9}}, {"b", Integer{0, 9}}, {"x", Number{}}}, constraints);
    });
  };
  EXPECT_EQ(refusal({"2*a + 2*b = 5"}), "no whole numbers meet the constraints '2*a + 2*b = 5'");
  EXPECT_EQ(refusal({"4*a + 4*b <= 7", "4*a + 4*b >= 5", "x <= 0.5"}),
            "no whole numbers meet the constraints '4*a + 4*b <= 7' and '4*a + 4*b >= 5'");
}

}  // namespace
}  // namespace keyhole::tests
