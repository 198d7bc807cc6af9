// The law: every asked point is in its set, for every set, learner and seed.

#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue.h"
#include "math/spectral/extreme_pairs.h"

namespace keyhole::tests {
namespace {

TEST(Feasible, EveryPlayOfEveryLearnerOnEverySet) {
  const std::uint64_t instances = scaled_count(10);
  const std::uint64_t rounds = 1000;
  std::uint64_t plays = 0;
  std::uint64_t infeasible = 0;
  Random random(20190416);
  for (const SetFamily& sets : set_families()) {
    const std::uint64_t before = plays;
    for_each_learner([&](const std::string& name, const auto& make) {
      for (std::uint64_t k = 0; k < instances; ++k) {
        // Small dimensions are where corners are sharp: half of the instances have them.
        const std::size_t n = std::max(sets.smallest_dimension,
                                       k % 2 == 0 ? random.integer(1, 12) : random.integer(1, 200));
        const SetPtr set = sets.draw(n, random);
        if (!plays_on(name, *set)) continue;
        auto learner = make(set, rounds, {.seed = k});
        std::vector<double> y(set->dimension());
        for (std::uint64_t t = 1; t <= rounds; ++t) {
          const PlayId id = learner.ask(y);
          if (!set->contains(y)) {
            if (++infeasible <= 5) {
              ADD_FAILURE() << name << " on " << sets.name << ", dimension " << n << ", round "
                            << t;
            }
          }
          ++plays;
          tell(learner, id, pushing_loss(k, t, y, random));
        }
        learner.recommend(y);
        EXPECT_TRUE(set->contains(y)) << name << " on " << sets.name;
      }
    });
    EXPECT_GE(plays - before, scaled_count(1e5)) << sets.name;
  }
  EXPECT_EQ(infeasible, 0u);
  EXPECT_GE(plays, scaled_count(1e6));
  RecordProperty("plays", std::to_string(plays));
}

TEST(Feasible, SetsThatCannotProject) {
  Random random(8);
  const auto play = [&](const SetPtr& set, auto learner, unsigned kind) {
    std::vector<double> y(set->dimension());
    for (std::uint64_t t = 1; t <= 1000; ++t) {
      const PlayId id = learner.ask(y);
      ASSERT_TRUE(set->contains(y)) << learner.spec() << " on " << set->spec() << ", round " << t;
      tell(learner, id, pushing_loss(kind, t, y, random));
    }
    learner.recommend(y);
    ASSERT_TRUE(set->contains(y)) << learner.spec() << " on " << set->spec();
  };
  for (const SetFamily& sets : set_families_without_projection()) {
    for (unsigned k = 0; k < scaled_count(20); ++k) {
      const std::size_t n = k % 2 == 0 ? random.integer(2, 12) : random.integer(2, 100);
      const SetPtr set = sets.draw(n, random);
      play(set, Learner(projection_free(set, {.loss_bound = 1, .horizon = 1000})), k);
      play(set, Learner(anytime(unregularized(set, {.loss_bound = 1}))), k);
      play(set, Learner(random_vertex(set)), k);
      play(set, Learner(bbcg(set, {.loss_bound = 1, .horizon = 1000, .eta = 1})), k);
      play(set, Learner(two_point(set, {.gradient_bound = 1, .horizon = 1000})), k);
      play(set, GradientLearner(ocg(set, {.gradient_bound = 1, .horizon = 1000})), k);
    }
  }
}

TEST(Feasible, MatricesWhoseVerticesLanczosFinds) {
  Random random(7);
  const std::size_t n = math::largest_direct_order + 1;
  for (const SetPtr& set : {nuclear_ball(n, n + 4, 3), symmetric_nuclear_ball(n, 3),
                            psd_trace_ball(n, 3), psd_trace_ball(n, 3, {.certified = true})}) {
    Learner learner(projection_free(set, {.loss_bound = 1, .horizon = 100}));
    std::vector<double> y(set->dimension());
    for (std::uint64_t t = 1; t <= scaled_count(100); ++t) {
      const PlayId id = learner.ask(y);
      ASSERT_TRUE(set->contains(y)) << set->spec() << ", round " << t;
      learner.tell(id, random.uniform(-1, 1));
    }
  }
}

TEST(Feasible, FarFromTheOriginWhereRoundingsAreLarge) {
  for (const double away : {1e6, 1e7, 1e8, 1e9}) {
    const SetPtr set = box(away, away + 1, 3);
    for (const double c : {1e-8, 1e-6, 0.5}) {
      Learner learner(unregularized(set, {.loss_bound = 1, .horizon = 2000, .c = c}));
      for (int t = 0; t < 2000; ++t) {
        const Play play = learner.ask();
        ASSERT_TRUE(set->contains(play.point)) << away << " " << c << " " << t;
        learner.tell(play.id, 0.5);
      }
    }
  }
}

TEST(Feasible, PlaysNeedTheShrinking) {
  // The law is not kept by settling alone: a play without the factor 1 - alpha leaves the set.
  const SetPtr set = box(0, 1, 3);
  const auto oracle = set->oracle();
  std::vector<double> y = {1.01, 0.5, 0.5};
  oracle->settle(y);
  EXPECT_FALSE(set->contains(y));
}

}  // namespace
}  // namespace keyhole::tests
