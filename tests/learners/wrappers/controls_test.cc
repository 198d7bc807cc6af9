#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "keyhole/algorithms.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

TEST(Controls, StayPlaysTheCentre) {
  Random random(5);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(5, random);
    Learner learner(stay(set));
    const Play first = learner.ask();
    learner.tell(first.id, 7);
    Vector deployed(set->dimension());
    learner.recommend(deployed);
    Vector centre = set->centre();
    set->oracle()->settle(centre);
    EXPECT_EQ(first.point, centre) << family.name;
    EXPECT_EQ(learner.ask().point, centre) << family.name;
    EXPECT_EQ(deployed, centre) << family.name;
    EXPECT_EQ(learner.summary().above_bound, 0u);
  }
}

TEST(Controls, RandomVertexPlaysTheVertexOfItsDirection) {
  const SetPtr set = simplex(6, 2);
  Learner learner(random_vertex(set), {.seed = 9, .stream = 4});
  Randomness u(set, 9, 4);
  const auto oracle = set->oracle();
  Vector counts(6);
  const int rounds = 6000;
  for (int t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    Vector vertex(6);
    oracle->minimise(u.direction(play.id)).write_to(vertex);
    ASSERT_EQ(play.point, vertex);
    for (std::size_t i = 0; i < 6; ++i) counts[i] += play.point[i] / 2;
  }
  EXPECT_EQ(learner.summary().oracle_calls, static_cast<std::uint64_t>(rounds));
  // By symmetry each vertex has probability 1/6: 1000 +- 29; 5 standard deviations.
  for (const double count : counts) EXPECT_NEAR(count, 1000, 5 * std::sqrt(6000 * 5.0 / 36));
  Vector deployed(6);
  learner.recommend(deployed);
  EXPECT_EQ(deployed, set->centre());
}

TEST(Controls, FedConstantIsTheAlgorithmToldTheConstant) {
  const SetPtr set = simplex(4);
  const auto inner = [&] { return anytime(projection_free(set, {.loss_bound = 3})); };
  for (const auto& constant : {std::optional<double>(), std::optional<double>(-0.25)}) {
    Learner fed(fed_constant(inner(), constant), {.seed = 2});
    Learner told(inner(), {.seed = 2});
    for (int t = 0; t < 300; ++t) {
      const Play a = fed.ask();
      const Play b = told.ask();
      ASSERT_EQ(a.point, b.point) << t;
      if (t % 3 == 0) continue;  // not told, nor fed
      fed.tell(a.id, std::sin(t));
      told.tell(b.id, constant.value_or(1.5));
    }
    EXPECT_EQ(fed.summary().oracle_calls, told.summary().oracle_calls);
  }
}

TEST(Controls, FedConstantKeepsTheHorizonAndTheBoundOfLosses) {
  Learner fed(fed_constant(projection_free(ball(2), {.loss_bound = 3, .horizon = 2})));
  (void)fed.ask(2);
  EXPECT_THROW((void)fed.ask(), InvalidArgument);
  fed.tell(1, 3);
  fed.tell(2, 3.5);
  EXPECT_EQ(fed.summary().above_bound, 1u);
}

TEST(Controls, SpecsAndBounds) {
  const SetPtr set = ball(2);
  EXPECT_EQ(stay(set)->spec(), "stay()");
  EXPECT_EQ(random_vertex(set)->spec(), "random_vertex()");
  const auto inner = [&] { return anytime(projection_free(set, {.loss_bound = 3})); };
  EXPECT_EQ(fed_constant(inner())->spec(),
            "fed_constant(anytime(projection_free(loss_bound=3, c=0.5)), value=1.5)");
  EXPECT_EQ(fed_constant(stay(set), -0.1)->spec(), "fed_constant(stay(), value=-0.1)");
  EXPECT_EQ(fed_constant(stay(set))->spec(), "fed_constant(stay(), value=1)");
  EXPECT_EQ(fed_constant(parameter_free(set))->spec(), "fed_constant(parameter_free(), value=1)");
  EXPECT_TRUE(std::isnan(stay(set)->regret_bound(100).value));
  EXPECT_FALSE(random_vertex(set)->regret_bound(100).holds);
  EXPECT_EQ(stay(set)->regret_bound(1).note, "no bound: a control that does not learn");
  EXPECT_EQ(random_vertex(set)->regret_bound(1).note, "no bound: a control that does not learn");
  EXPECT_EQ(fed_constant(inner())->regret_bound(1).note,
            "no bound: a control that is told a constant instead of its losses");
}

TEST(Controls, Refusals) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)fed_constant(nullptr, 1); }),
            "fed_constant needs an algorithm to feed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)fed_constant(stay(ball(2)), std::nan("")); }),
            "the constant of fed_constant must be a number of magnitude up to 1e50, not nan");
  EXPECT_THROW((void)stay(nullptr), InvalidArgument);
  EXPECT_THROW((void)random_vertex(nullptr), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
