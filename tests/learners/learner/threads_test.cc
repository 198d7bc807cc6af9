// Two learners that share a set in two threads equal two learners alone; run under the thread
// sanitizer too.

#include <gtest/gtest.h>

#include <thread>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

template <class Make>
State run(const SetPtr& set, const Make& make, std::uint64_t seed) {
  auto learner = make(set, 500, {.seed = seed});
  std::vector<double> x(set->dimension());
  for (int t = 0; t < 500; ++t) {
    const PlayId id = learner.ask(x);
    tell(learner, id, x[0] - 0.3 * x[x.size() - 1]);
  }
  return learner.state();
}

TEST(Threads, LearnersShareASet) {
  Random random(1);
  for (const SetFamily& sets : set_families()) {
    const SetPtr set = sets.draw(7, random);
    for_each_learner([&](const std::string& name, const auto& make) {
      if (!plays_on(name, *set)) return;
      std::vector<State> together(2, run(set, make, 0));
      {
        std::jthread first([&] { together[0] = run(set, make, 1); });
        std::jthread second([&] { together[1] = run(set, make, 2); });
      }
      EXPECT_EQ(together[0], run(set, make, 1)) << name << " on " << sets.name;
      EXPECT_EQ(together[1], run(set, make, 2)) << name << " on " << sets.name;
    });
  }
}

TEST(Threads, InterleavedLearnersEqualLearnersAlone) {
  const SetPtr set = simplex(5);
  const auto make = [&](std::uint64_t seed) {
    return Learner(anytime(projection_free(set, {.loss_bound = 1})), {.seed = seed});
  };
  Learner a = make(1);
  Learner b = make(2);
  Learner a_alone = make(1);
  Learner b_alone = make(2);
  const auto round = [](Learner& learner) {
    const Play play = learner.ask();
    learner.tell(play.id, play.point[0]);
  };
  for (int t = 0; t < 200; ++t) {
    round(a);
    round(b);
  }
  for (int t = 0; t < 200; ++t) round(b_alone);
  for (int t = 0; t < 200; ++t) round(a_alone);
  EXPECT_EQ(a.state(), a_alone.state());
  EXPECT_EQ(b.state(), b_alone.state());
}

}  // namespace
}  // namespace keyhole::tests
