// The laws over the catalogue of sets: every play is feasible, and every state continues exactly.

#include "catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "instances.h"

namespace keyhole::tests {
namespace {

class CatalogueLaws : public ::testing::TestWithParam<InstanceFamily> {};

/// Calls sweep(name, make) for every learner that can play on the set: all but those that project
/// where the set does not, and those that plays_on() excepts.
template <class Sweep>
std::size_t for_each_that_plays(const SetPtr& set, const Sweep& sweep) {
  std::size_t count = 0;
  for_each_learner([&](const std::string& name, const auto& make) {
    if (!plays_on(name, *set)) return;
    if (!set->can_project()) {
      try {
        (void)make(set, 1000, LearnerOptions{});
      } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("project"), std::string::npos) << error.what();
        return;
      }
    }
    ++count;
    sweep(name, make);
  });
  return count;
}

TEST_P(CatalogueLaws, AHundredThousandPlaysAreFeasible) {
  const auto wanted = scaled_count(1e5);
  const std::uint64_t rounds = std::max<std::uint64_t>(60, scaled_count(500));
  Random random(31);
  std::uint64_t plays = 0;
  for (std::uint64_t k = 0; plays < wanted; ++k) {
    const SetPtr set = GetParam().draw(random.integer(2, 8), random).set;
    const std::size_t learners =
        for_each_that_plays(set, [&](const std::string& name, const auto& make) {
          auto learner = make(set, rounds, {.seed = k});
          std::vector<double> y(set->dimension());
          for (std::uint64_t t = 1; t <= rounds; ++t) {
            const PlayId id = learner.ask(y);
            ++plays;
            ASSERT_TRUE(set->contains(y)) << name << " on " << set->spec() << ", round " << t;
            tell(learner, id, pushing_loss(k, t, y, random));
          }
          learner.recommend(y);
          ASSERT_TRUE(set->contains(y)) << name << " on " << set->spec();
        });
    ASSERT_GE(learners, set->can_project() ? 25u : 15u);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(CatalogueLaws, StatesContinueByteForByte) {
  const std::uint64_t rounds = std::max<std::uint64_t>(10, scaled_count(30));
  Random random(32);
  const SetPtr set = GetParam().draw(random.integer(2, 8), random).set;
  const SetPtr again = make_set(set->spec());  // as after a restart
  for_each_that_plays(set, [&](const std::string& name, const auto& make) {
    const auto loss = [](PlayId id) { return static_cast<double>(id % 7) / 7 - 0.4; };
    auto whole = make(set, rounds, LearnerOptions{.seed = 5});
    auto resumed = make(again, rounds, LearnerOptions{.seed = 5});
    std::vector<double> y(set->dimension());
    std::vector<double> y_resumed(set->dimension());
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      const State state = whole.state();
      ASSERT_EQ(resumed.state(), state) << name << " on " << set->spec() << " at " << t;
      auto fresh = make(again, rounds, LearnerOptions{.seed = 5});
      fresh.restore(State::from_bytes(state.bytes()));
      resumed = std::move(fresh);
      ASSERT_EQ(whole.ask(y), resumed.ask(y_resumed));
      ASSERT_EQ(y, y_resumed) << name << " on " << set->spec() << " at " << t;
      if (t % 5 == 0) continue;
      tell(whole, t, loss(t));
      tell(resumed, t, loss(t));
    }
  });
}

/// Those, and the older ones that the other sweeps leave out, since they cannot project.
std::vector<InstanceFamily> swept_families() {
  std::vector<InstanceFamily> all = catalogue_instances();
  for (const SetFamily& family : set_families_without_projection()) {
    all.push_back({family.name, [draw = family.draw](std::size_t n, Random& random) {
                     return Instance{draw(n, random), {}};
                   }});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, CatalogueLaws, ::testing::ValuesIn(swept_families()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace keyhole::tests
