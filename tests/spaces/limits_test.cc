// What is measured besides the loss, by name, and how far it may go.

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/algorithms.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"
#include "spaces/metrics.h"
#include "studies/json/space_json.h"
#include "thrown.h"

namespace keyhole::tests::space_limits {
namespace {

Space service() {
  return Space({{"threads", Integer{1, 64}}}, {}, {{"load", Number{}}},
               {{"p99", {.most = 200}, "ms"},
                {"hits", {.least = 0.9, .each = 0.99}},
                {"spend", {.most = 1000, .over_all = true}}});
}

std::string refusal(std::vector<SpaceLimit> limits) {
  return message<InvalidArgument>([&] {
    (void)Space({{"x", Number{}}}, {}, {{"load", Number{}}}, limits);
  });
}

std::string misuse(const Values& values) {
  return message<InvalidArgument>([&] { (void)service().metrics(values); });
}

TEST(SpaceLimits, AreWhatTheLearnerIsTold) {
  const Space space = service();
  ASSERT_EQ(space.bounds().size(), 3U);
  EXPECT_EQ(space.bounds()[1], (Limit{.least = 0.9, .each = 0.99}));
  const Metrics metrics = space.metrics({{"spend", 900}, {"p99", 183.5}});
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_EQ(metrics[0], 183.5);
  EXPECT_TRUE(std::isnan(metrics[1]));
  EXPECT_EQ(metrics[2], 900);
  EXPECT_EQ(spaces::metric_values(space, metrics), (Values{{"p99", 183.5}, {"spend", 900.0}}));
  EXPECT_TRUE(std::isnan(space.metrics({{"p99", NAN}})[0]));
  EXPECT_TRUE(Space({{"x", Number{}}}).metrics({}).empty());
  Learner learner(posterior(space.set(), {.limits = space.bounds()}));
  learner.tell(learner.ask().id, {.loss = 1, .metrics = metrics});
}

TEST(SpaceLimits, AreNamedInErrors) {
  EXPECT_EQ(misuse({{"p98", 183}}), "there is no metric 'p98'; did you mean 'p99'?");
  EXPECT_EQ(misuse({{"threads", 8}}), "there is no metric 'threads'");
  EXPECT_EQ(misuse({{"p99", "fast"}}), "the metric 'p99' must be a number, not 'fast'");
  EXPECT_EQ(misuse({{"p99", std::vector<double>{1, 2}}}),
            "the metric 'p99' must be a number, not a list");
  EXPECT_EQ(misuse({{"p99", INFINITY}}),
            "the metric 'p99' must be a number of magnitude up to 1e50, not inf");
  EXPECT_EQ(misuse({{"p99", 1}, {"p99", 1}}), "the metric 'p99' is there twice");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)Space({{"x", Number{}}}).metrics({{"p99", 1}});
            }),
            "there is no metric 'p99': the space has none");
}

TEST(SpaceLimits, BadOnesAreRefused) {
  EXPECT_EQ(refusal({{"x", {.most = 1}}}),
            "the limit 'x' has the name of a parameter: give one of them another name");
  EXPECT_EQ(refusal({{"load", {.most = 1}}}),
            "the limit 'load' has the name of a context: give one of them another name");
  EXPECT_EQ(refusal({{"y", {.most = 1}}, {"y", {.least = 1}}}), "two limits are called 'y'");
  EXPECT_EQ(refusal({{"a b", {.most = 1}}}),
            "the limit 'a b' must have a name of letters, digits and underscores that does not "
            "begin with a digit");
  EXPECT_EQ(refusal({{"count", {.most = 1}}}),
            "the limit 'count': the name means something else where a loss is told");
  EXPECT_EQ(refusal({{"y", {}}}), "the limit 'y': give most or least, one of the two");
  EXPECT_EQ(refusal({{"y", {.most = 2, .least = 1}}}),
            "the limit 'y': give most or least, one of the two");
  EXPECT_EQ(refusal({{"y", {.most = NAN}}}),
            "the limit 'y': most and least must be numbers of magnitude up to 1e50");
  EXPECT_EQ(refusal({{"y", {.most = 1, .each = 1}}}),
            "the limit 'y': each must be a probability from 0.5 to 1 - 1e-9, not 1");
  EXPECT_EQ(refusal({{"y", {.most = 1, .each = 0.9, .over_all = true}}}),
            "the limit 'y': a limit over all rounds is on their mean, and each is of those of each "
            "round");
}

TEST(SpaceLimits, MakeAnotherSpace) {
  const Space with = service();
  EXPECT_EQ(with, Space(with.parameters(), {}, with.contexts(), with.limits()));
  EXPECT_FALSE(with == Space(with.parameters(), {}, with.contexts()));
}

TEST(SpaceLimits, GoThroughJson) {
  const studies::Json json = studies::space_json(service());
  EXPECT_EQ(json["limits"].dump(),
            R"([{"name":"p99","most":200.0,"unit":"ms"},{"name":"hits","least":0.9,"each":0.99},)"
            R"({"name":"spend","most":1000.0,"over":"all"}])");
  EXPECT_EQ(studies::read_space(json), service());
  EXPECT_FALSE(studies::space_json(Space({{"x", Number{}}})).contains("limits"));
}

}  // namespace
}  // namespace keyhole::tests::space_limits
