#include "learners/published.h"

#include <gtest/gtest.h>

#include <vector>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

std::size_t plays_outside(std::unique_ptr<Algorithm> algorithm) {
  Learner learner(std::move(algorithm), {.seed = 3});
  std::vector<double> x(learner.set().dimension());
  std::size_t outside = 0;
  for (int t = 0; t < 200; ++t) {
    const PlayId id = learner.ask(x);
    if (!learner.set().contains(x)) ++outside;
    learner.tell(id, x[0]);
  }
  return outside;
}

TEST(PublishedSetting, WithoutShrinkingPlaysLeaveTheSet) {
  const SetPtr set = box(0, 1, 4);
  const algorithms::PublishedSetting unsafe{.unsafe_no_shrink = true};
  EXPECT_GT(
      plays_outside(anytime(algorithms::projection_free(set, {.loss_bound = 1, .c = 1}, unsafe))),
      10U);
  EXPECT_GT(
      plays_outside(anytime(algorithms::unregularized(set, {.loss_bound = 1, .c = 1}, unsafe))),
      10U);
  EXPECT_GT(plays_outside(anytime(algorithms::fkm(
                set, {.loss_bound = 1, .constants = FkmConstants::textbook, .c = 1}, unsafe))),
            10U);
  EXPECT_EQ(plays_outside(anytime(algorithms::projection_free(set, {.loss_bound = 1}, {}))), 0U);
}

TEST(PublishedSetting, HasNoBoundAndStandsInTheSpec) {
  const SetPtr set = box(0, 1, 4);
  const ProjectionFreeOptions options{.loss_bound = 1, .gradient_bound = 1, .c = 1};
  const auto unsafe = algorithms::projection_free(set, options, {.unsafe_no_shrink = true});
  EXPECT_FALSE(unsafe->regret_bound(1).holds);
  EXPECT_NE(unsafe->spec().find("unsafe_no_shrink=true"), std::string::npos) << unsafe->spec();
  const auto counted = algorithms::projection_free(
      set, {.loss_bound = 1, .gradient_bound = 1, .c = 0.1}, {.estimator_dimension = 7});
  EXPECT_FALSE(counted->regret_bound(1).holds);
  EXPECT_NE(counted->spec().find("estimator_dimension=7"), std::string::npos) << counted->spec();
}

// The estimate n / delta f u is proportional to n, and eta to 1 / n: with loss 1 in both cases the
// sum of gradients is 7/4 as large for n = 7 as for n = 4, which shows in the steps of fkm.
TEST(PublishedSetting, CountsWithTheDimensionGiven) {
  const SetPtr set = ball(4, 100);
  const auto moved = [&](const algorithms::PublishedSetting& setting) {
    Learner learner(
        algorithms::fkm(set, {.loss_bound = 1, .horizon = 2, .delta = 1, .eta = 0.01}, setting));
    std::vector<double> x(4);
    learner.tell(learner.ask(x), 1);
    learner.ask(x);
    learner.recommend(x);
    return x;
  };
  const auto four = moved({});
  const auto seven = moved({.estimator_dimension = 7});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(seven[i], four[i] * 7 / 4, 1e-12);
}

TEST(PublishedSetting, IsForExperimentsOnly) {
  const AlgorithmContext context{.set = box(0, 1, 4), .loss_bound = 1, .horizon = 10};
  for (const std::string key : {"unsafe_no_shrink=true", "estimator_dimension=7"}) {
    for (const std::string learner : {"projection_free", "unregularized"}) {
      const std::string spec = learner + "(c=0.1, " + key + ")";
      const std::string text =
          message<SpecError>([&] { static_cast<void>(make_algorithm(spec, context)); });
      EXPECT_NE(text.find("is for experiments only"), std::string::npos) << text;
      AlgorithmContext experiment = context;
      experiment.experiment = true;
      EXPECT_NO_THROW(static_cast<void>(make_algorithm(spec, experiment)));
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
