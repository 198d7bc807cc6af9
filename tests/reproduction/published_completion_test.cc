#include "reproduction/published_completion.h"

#include <gtest/gtest.h>

#include <vector>

#include "keyhole/keyhole.h"
#include "reproduction/published_learners.h"

namespace keyhole::reproduction {
namespace {

TEST(PublishedCompletion, IsInNoOtherCatalogue) {
  EXPECT_EQ(Catalogue::standard().find(SpecKind::problem, "published_completion"), nullptr);
  EXPECT_THROW((void)make_problem("completion(region=as_published)"), SpecError);
}

TEST(PublishedCompletion, HasTheBallAndTheOracleOfTheTraceBall) {
  const auto problem = make_problem("published_completion", {.seed = {3}}, catalogue());
  EXPECT_EQ(make_problem(problem->spec(), {.seed = {3}}, catalogue())->spec(), problem->spec());
  std::vector<double> identity(400, 0.0);
  for (std::size_t i = 0; i < 20; ++i) identity[i * 21] = 1;
  std::vector<double> vertex(400);
  problem->set().oracle()->minimise(identity).write_to(vertex);
  EXPECT_EQ(vertex, std::vector<double>(400, 0.0));  // of the trace ball; not of the ball
  for (double& entry : identity) entry *= -0.5;
  EXPECT_TRUE(problem->set().contains(identity));  // which is not psd
  EXPECT_FALSE(psd_trace_ball(20, 18)->contains(identity));
}

TEST(PublishedCompletion, HasTheLossesOfCompletion) {
  const auto published = make_problem("published_completion", {.seed = {3}}, catalogue());
  const auto plain = make_problem("completion(n=20, k=18, region=symmetric)", {.seed = {3}});
  for (const std::uint64_t t : {1u, 7u}) {
    published->draw(t);
    plain->draw(t);
    EXPECT_EQ(published->value(plain->set().centre()), plain->value(plain->set().centre()));
  }
}

}  // namespace
}  // namespace keyhole::reproduction
