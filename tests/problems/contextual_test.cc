// contextual: losses whose best point depends on what is known before a play.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

std::vector<ContextualOptions> scenes() {
  return {{.scene = Scene::prices},
          {.scene = Scene::prices, .change = 20},
          {.scene = Scene::loads, .noise = 0},
          {.scene = Scene::hours},
          {.scene = Scene::weekdays},
          {.scene = Scene::routes},
          {.scene = Scene::targets, .shift = 2},
          {.scene = Scene::targets, .numbers = 20, .moving = 2}};
}

TEST(Contextual, IsAProblem) {
  for (const ContextualOptions& options : scenes()) check_problem(*contextual(options, {3, 1}));
}

TEST(Contextual, HasAContextForEveryRound) {
  const std::vector<std::string> first = {"choice(4)", "choice(4)", "number", "cyclic",
                                          "choice(7)", "number",    "number", "number"};
  const std::vector<std::size_t> counts = {1, 1, 1, 1, 1, 3, 5, 20};
  for (std::size_t k = 0; k < scenes().size(); ++k) {
    const auto problem = contextual(scenes()[k], {3, 1});
    SCOPED_TRACE(problem->spec());
    ASSERT_EQ(problem->contexts().size(), counts[k]);
    EXPECT_EQ(problem->contexts().front(), first[k]);
    std::set<double> seen;
    double squares = 0;
    for (std::uint64_t t = 1; t <= 2880; ++t) {
      problem->draw(t);
      ASSERT_EQ(problem->context().size(), counts[k]);
      seen.insert(problem->context()[0]);
      squares += problem->context()[0] * problem->context()[0] / 2880;
    }
    if (first[k] == "number") {
      EXPECT_NEAR(squares, 1, 0.25) << "of about unit size";
    } else {
      EXPECT_EQ(seen.size(), first[k] == "choice(4)" ? 4U : first[k] == "choice(7)" ? 7U : 1440U);
    }
  }
}

TEST(Contextual, KnowsTheBestPointOfEveryRound) {
  for (const ContextualOptions& options : scenes()) {
    const auto problem = contextual(options, {4, 1});
    SCOPED_TRACE(problem->spec());
    EXPECT_EQ(problem->segment(), 1U);
    Random random(1);
    std::vector<double> least(problem->set().dimension());
    for (std::uint64_t t = 1; t <= 200; ++t) {
      problem->draw(t);
      const auto total = problem->total();
      total->add();
      ASSERT_TRUE(total->guess(least));
      ASSERT_TRUE(problem->set().contains(least));
      for (int k = 0; k < 20; ++k) {
        const std::vector<double> x = random_point(problem->set(), random, k % 2 == 0);
        std::vector<double> near(x);
        for (std::size_t i = 0; i < x.size(); ++i) near[i] = least[i] + 0.05 * (x[i] - least[i]);
        ASSERT_LE(problem->value(least), problem->value(x) + 1e-12);
        ASSERT_LE(problem->value(least), problem->value(near) + 1e-12);
      }
    }
  }
}

TEST(Contextual, ChangesAfterTheRoundThatIsSaid) {
  const auto one = contextual({.noise = 0}, {5, 1});
  const auto other = contextual({.noise = 0, .change = 50}, {5, 1});
  const std::vector<double> x(5, 0.4);
  for (std::uint64_t t = 1; t <= 100; ++t) {
    one->draw(t);
    other->draw(t);
    EXPECT_EQ(one->context()[0], other->context()[0]);
    EXPECT_EQ(one->value(x) == other->value(x), t <= 50) << t;
  }
}

TEST(Contextual, KeepsItsContextWhereItIsObserved) {
  const auto plain = contextual({}, {6, 1});
  const auto problem = observed(contextual({}, {6, 1}), {.noise = 1}, {6, 2});
  EXPECT_EQ(problem->contexts(), plain->contexts());
  for (std::uint64_t t = 1; t <= 20; ++t) {
    plain->draw(t);
    problem->draw(t);
    EXPECT_EQ(problem->context()[0], plain->context()[0]);
  }
}

TEST(Contextual, SaysWhatIsWrong) {
  const auto error = [](const ContextualOptions& options) {
    return message<InvalidArgument>([&] { (void)contextual(options, {}); });
  };
  EXPECT_EQ(error({.scene = Scene::routes, .change = 5}),
            "the change of contextual is for prices alone");
  EXPECT_EQ(error({.numbers = 6}), "numbers, moving and shift of contextual are for targets alone");
  EXPECT_EQ(error({.scene = Scene::targets, .numbers = 2, .moving = 3}),
            "contextual cannot have 3 of 2 numbers move its best point");
}

}  // namespace
}  // namespace keyhole::tests
