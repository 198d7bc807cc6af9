#include "reproduction/published_learners.h"

#include <gtest/gtest.h>

#include <vector>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::reproduction {
namespace {

std::unique_ptr<Algorithm> made(const std::string& spec, const SetPtr& set) {
  return std::get<std::unique_ptr<Algorithm>>(
      make_algorithm(spec, {.set = set, .loss_bound = 1, .horizon = 200}, catalogue()));
}

std::vector<std::vector<double>> plays_of(std::unique_ptr<Algorithm> algorithm) {
  Learner learner(std::move(algorithm), {.seed = 3});
  std::vector<std::vector<double>> plays;
  for (int t = 0; t < 200; ++t) {
    plays.emplace_back(learner.set().dimension());
    const PlayId id = learner.ask(plays.back());
    learner.tell(id, plays.back()[0]);
  }
  return plays;
}

std::size_t plays_outside(const std::string& spec, const SetPtr& set) {
  std::size_t outside = 0;
  for (const auto& play : plays_of(made(spec, set))) outside += set->contains(play) ? 0 : 1;
  return outside;
}

TEST(PublishedLearners, WithoutShrinkingPlaysLeaveTheSet) {
  const SetPtr set = box(0, 1, 4);
  for (const std::string family : {"projection_free", "unregularized", "fkm"}) {
    const std::string inner = "published_" + family + "(c=1, unsafe_no_shrink=true)";
    EXPECT_GT(plays_outside("anytime(" + inner + ")", set), 10U) << family;
    EXPECT_EQ(plays_outside("anytime(published_" + family + "(c=0.25))", set), 0U) << family;
  }
}

TEST(PublishedLearners, PlayTheDigitsOfTheBuiltInsOtherwise) {
  for (const SetPtr& set : {ball(3), box(0, 1, 4), simplex(5)}) {
    const std::string c = "c=0.1";
    for (const std::string family : {"projection_free", "unregularized"}) {
      EXPECT_EQ(plays_of(made("anytime(published_" + family + "(" + c + "))", set)),
                plays_of(made("anytime(" + family + "(" + c + "))", set)));
    }
    EXPECT_EQ(plays_of(made("anytime(published_fkm(" + c + "))", set)),
              plays_of(made("anytime(fkm(constants=textbook, " + c + "))", set)));
  }
}

// The estimate n / delta f u is proportional to n, and eta to 1 / n: only their product is played,
// so that the dimension that the paper counts with shows in the roundings alone.
TEST(PublishedLearners, CountWithTheDimensionGiven) {
  const SetPtr set = ball(4);
  for (const std::string family : {"projection_free", "unregularized", "fkm"}) {
    const std::string name = "published_" + family;
    const auto of_hull = plays_of(made(name + "(c=0.1)", set));
    EXPECT_EQ(plays_of(made(name + "(c=0.1, estimator_dimension=4)", set)), of_hull);
    const auto seven = plays_of(made(name + "(c=0.1, estimator_dimension=7)", set));
    EXPECT_NE(seven, of_hull);
    for (std::size_t t = 0; t < seven.size(); ++t) {
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(seven[t][i], of_hull[t][i], 1e-12);
    }
  }
}

TEST(PublishedLearners, HaveNoBoundAndReadBack) {
  const SetPtr set = box(0, 1, 4);
  const auto unsafe = made("published_unregularized(unsafe_no_shrink=true, start=0.5)", set);
  EXPECT_FALSE(unsafe->regret_bound(1).holds);
  EXPECT_EQ(unsafe->spec(),
            "published_unregularized(loss_bound=1, start=[0.5, 0.5, 0.5, 0.5], "
            "unsafe_no_shrink=true, horizon=200)");
  EXPECT_EQ(made(unsafe->spec(), set)->spec(), unsafe->spec());
}

TEST(PublishedLearners, AreInNoOtherCatalogue) {
  EXPECT_EQ(Catalogue::standard().find(SpecKind::learner, "published_fkm"), nullptr);
  for (const std::string key : {"unsafe_no_shrink=true", "estimator_dimension=7"}) {
    const std::string spec = "projection_free(c=0.1, " + key + ")";
    EXPECT_NE(tests::message<SpecError>([&] { (void)made(spec, ball(2)); }).find("unknown key"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace keyhole::reproduction
