#include <gtest/gtest.h>

#include "catalogue.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_gradient_learner;
using keyhole::testing::check_learner;
using keyhole::testing::LearnerCheckOptions;
using keyhole::testing::Report;

TEST(BuiltInLearners, KeepTheContractOnEverySet) {
  Random random(3);
  Turns turns;
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(random.integer(family.smallest_dimension, 12), random);
    for (const LearnerFamily& learner : learner_families()) {
      if (!turns.next() || !learner.plays_on(*set)) continue;
      const std::uint64_t rounds = learner.hears_within;
      const auto on = [&](std::uint64_t seed, const SetPtr& any) {
        return Learner(learner.make(any, rounds), {.seed = seed});
      };
      const auto make = [&](std::uint64_t seed) { return on(seed, set); };
      const LearnerCheckOptions options{
          .rounds = rounds, .random = learner.random, .learns = learner.learns, .on = on};
      const Report report = check_learner(make, options);
      EXPECT_TRUE(report.ok()) << learner.name << " on " << set->spec() << "\n" << report.text();
    }
  }
}

TEST(BuiltInLearners, KeepTheContractWhenTheWindowIsShort) {
  for (const LearnerFamily& learner : learner_families()) {
    const LearnerCheckOptions options{
        .rounds = 30 + learner.hears_within, .random = learner.random, .learns = learner.learns};
    for (const std::uint64_t window : {std::uint64_t{1}, std::uint64_t{3}}) {
      if (window > 1 && test_scale() < 1) continue;
      const auto make = [&](std::uint64_t seed) {
        return Learner(learner.make(simplex(4), options.rounds), {.seed = seed, .window = window});
      };
      const Report report = check_learner(make, options);
      EXPECT_TRUE(report.ok()) << learner.name << ", window " << window << "\n" << report.text();
    }
  }
}

TEST(BuiltInLearners, ScaleWithTheLosses) {
  const SetPtr set = image(solid_simplex(3), 6, -1);
  const auto with_bounds = [&](std::uint64_t seed, double scale, auto algorithm) {
    return Learner(algorithm(scale), {.seed = seed});
  };
  const std::vector<std::function<std::unique_ptr<HorizonAlgorithm>(double)>> algorithms = {
      [&](double M) { return projection_free(set, {.loss_bound = M, .horizon = 200}); },
      [&](double M) { return unregularized(set, {.loss_bound = M, .horizon = 200}); },
      [&](double M) { return fkm(set, {.loss_bound = M, .gradient_bound = M, .horizon = 200}); },
      [&](double G) { return two_point(set, {.gradient_bound = G, .horizon = 200}); },
      [&](double M) {
        return bbcg(set, {.loss_bound = M, .gradient_bound = M, .horizon = 200, .epsilon = 0.1});
      },
      [&](double M) {
        return fkm(set, {.loss_bound = M, .horizon = 200, .constants = FkmConstants::textbook});
      },
      [&](double G) { return online_newton(set, {.gradient_bound = G, .horizon = 200}); },
      [&](double M) { return gauge(set, {.loss_bound = M, .gradient_bound = M, .horizon = 200}); }};
  for (const auto& algorithm : algorithms) {
    const auto scaled = [&](std::uint64_t seed, double scale) {
      return with_bounds(seed, scale, algorithm);
    };
    const auto make = [&](std::uint64_t seed) { return scaled(seed, 1); };
    const Report report = check_learner(make, {.scaled = scaled});
    EXPECT_TRUE(report.ok()) << make(0).spec() << "\n" << report.text();
  }
}

TEST(BuiltInLearners, OfGradientsKeepTheContractOnEverySet) {
  Random random(4);
  Turns turns;
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(random.integer(family.smallest_dimension, 12), random);
    for (const GradientLearnerFamily& learner : gradient_learner_families()) {
      if (!turns.next()) continue;
      const std::uint64_t rounds = learner.hears_within;
      for (const std::uint64_t window : {std::uint64_t{1}, std::uint64_t{64}}) {
        const auto on = [&](std::uint64_t seed, const SetPtr& any) {
          return GradientLearner(learner.make(any, rounds), {.seed = seed, .window = window});
        };
        const auto make = [&](std::uint64_t seed) { return on(seed, set); };
        const Report report =
            check_gradient_learner(make, {.rounds = rounds, .random = learner.random, .on = on});
        EXPECT_TRUE(report.ok()) << learner.name << " on " << set->spec() << "\n" << report.text();
      }
    }
  }
}

TEST(BuiltInLearners, OfGradientsScaleWithTheGradients) {
  const SetPtr set = image(solid_simplex(3), 6, -1);
  const std::vector<std::function<std::unique_ptr<GradientAlgorithm>(double)>> algorithms = {
      [&](double G) { return ogd(set, {.gradient_bound = G}); },
      [&](double G) { return ocg(set, {.gradient_bound = G, .horizon = 200}); },
      [&](double G) {
        return ocg(set,
                   {.gradient_bound = G, .horizon = 200, .constants = OcgConstants::optimized});
      },
      [&](double) { return one_shot(set); },
      [&](double G) {
        return anytime(stochastic_ocg(set, {.gradient_bound = G, .standard_deviation = 3 * G}));
      }};
  for (const auto& algorithm : algorithms) {
    const auto scaled = [&](std::uint64_t seed, double scale) {
      return GradientLearner(algorithm(scale), {.seed = seed});
    };
    const auto make = [&](std::uint64_t seed) { return scaled(seed, 1); };
    const bool random = algorithm(1)->spec().find("stochastic") != std::string::npos;
    const Report report = check_gradient_learner(make, {.random = random, .scaled = scaled});
    EXPECT_TRUE(report.ok()) << make(0).spec() << "\n" << report.text();
  }
}

}  // namespace
}  // namespace keyhole::tests
