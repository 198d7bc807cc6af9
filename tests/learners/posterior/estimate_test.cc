// What posterior believes of points: next to the truth, in contexts, with names, of gains.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Loss = std::function<double(const Vector& x, const Context& context)>;

void play(Learner& learner, int rounds, const Loss& loss, double noise = 0.1) {
  Random random(5);
  Vector x(learner.set().dimension());
  for (int t = 0; t < rounds; ++t) {
    const Context context(learner.contexts(), random.uniform(-1, 1));
    const PlayId id = context.empty() ? learner.ask(x) : learner.ask(context, x);
    learner.tell(id, loss(x, context) + noise * random.normal());
  }
}

double bowl(const Vector& x, const Context& /*context*/) {
  return 2 + (x[0] - 0.5) * (x[0] - 0.5) + 2 * (x[1] + 0.25) * (x[1] + 0.25);
}

TEST(Estimates, AreNearTheTruthByTheirErrors) {
  int off = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Learner learner(posterior(box(-1, 1, 2)), {.seed = seed});
    play(learner, 1000, bowl);
    const Vector best = learner.recommend();
    std::vector<Vector> points = {best};
    for (const double step : {-0.4, -0.2, 0.2, 0.4}) {
      points.push_back({best[0] + step, best[1]});
      points.push_back({best[0], best[1] + step});
    }
    const auto estimates = learner.estimate(points);
    ASSERT_EQ(estimates.size(), points.size());
    EXPECT_NEAR(estimates[0].excess, 0, 1e-12);
    EXPECT_NEAR(estimates[0].excess_error, 0, 1e-6);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& [loss, loss_error, excess, excess_error] = estimates[k];
      const double truth = bowl(points[k], {});
      EXPECT_LT(loss_error, 1);
      off += std::abs(loss - truth) > 2 * loss_error ? 1 : 0;
      ++count;
      if (k == 0) continue;
      EXPECT_GT(excess_error, 0);
      off += std::abs(excess - (truth - bowl(best, {}))) > 2 * excess_error ? 1 : 0;
      ++count;
    }
  }
  // 5 % of independent ones: their share has a standard deviation of less than 2 % in 20 runs.
  EXPECT_LT(off, 0.12 * count) << "of " << count;
}

TEST(Estimates, OfGainsAreGains) {
  Learner losses(posterior(box(-1, 1, 2)), {.seed = 3});
  Learner gains(posterior(box(-1, 1, 2)), {.seed = 3, .maximize = true});
  for (int t = 0; t < 200; ++t) {
    const Play play = losses.ask();
    ASSERT_EQ(gains.ask().point, play.point);
    losses.tell(play.id, bowl(play.point, {}));
    gains.tell(play.id, -bowl(play.point, {}));
  }
  const Estimate loss = losses.estimate({{1, 1}})[0];
  const Estimate gain = gains.estimate({{1, 1}})[0];
  EXPECT_GT(loss.excess, 1);
  EXPECT_EQ(gain.loss, -loss.loss);
  EXPECT_EQ(gain.excess, -loss.excess);
  EXPECT_EQ(gain.loss_error, loss.loss_error);
  EXPECT_EQ(gain.excess_error, loss.excess_error);
}

TEST(Estimates, AreThoseOfAContext) {
  Learner learner(posterior(box(-1, 1, 2), {.contexts = {"number"}}), {.seed = 2});
  play(learner, 3000, [](const Vector& x, const Context& context) {
    return (x[0] - context[0] / 2) * (x[0] - context[0] / 2) + x[1] * x[1] + context[0];
  });
  for (const double known : {-0.8, 0.8}) {
    const std::vector<Estimate> here = learner.estimate({{0.4, 0}, {-0.4, 0}}, {known});
    EXPECT_NEAR(here[0].loss, (0.4 - known / 2) * (0.4 - known / 2) + known, 0.1) << known;
    EXPECT_NEAR(here[0].excess - here[1].excess, -0.8 * known, 0.15) << known;
    EXPECT_NEAR(here[known > 0 ? 0 : 1].excess, 0, 0.05) << known;
  }
  EXPECT_NEAR(learner.estimate({{0.4, 0}})[0].loss, 0.16, 0.1) << "on the average";
  EXPECT_THROW((void)learner.estimate({{0.4, 0}}, {1, 2}), InvalidArgument);
}

TEST(Estimates, KnowTheNamesThatAreChosen) {
  const SetPtr set = product({simplex(3), box(0, 1, 1)});
  Learner learner(posterior(set, {.choices = {"0-2"}}), {.seed = 4});
  const auto loss = [](const Vector& x, const Context& /*context*/) {
    const double best = 0.1 * x[0] + 0.5 * x[1] + 0.9 * x[2];
    return (x[3] - best) * (x[3] - best) + 0.5 * x[0] + 0.2 * x[1];
  };
  play(learner, 4000, loss);
  const Vector best = learner.recommend();
  ASSERT_EQ(best[2], 1);
  const std::vector<Vector> points = {{0, 0, 1, 0.7}, {0, 1, 0, 0.5}, {1, 0, 0, 0.1}};
  const std::vector<Estimate> estimates = learner.estimate(points);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& [at, at_error, excess, excess_error] = estimates[k];
    EXPECT_NEAR(at, loss(points[k], {}), 4 * at_error + 0.05) << k;
    EXPECT_NEAR(excess, loss(points[k], {}) - loss(best, {}), 4 * excess_error + 0.05) << k;
  }
}

TEST(Estimates, ChangeNothingAndAreNaNWhereNothingIsBelieved) {
  Learner learner(posterior(box(-1, 1, 2)));
  EXPECT_TRUE(std::isnan(learner.estimate({{0, 0}})[0].loss)) << "before the first losses";
  play(learner, 100, bowl);
  const State state = learner.state();
  const std::uint64_t calls = learner.summary().oracle_calls;
  EXPECT_EQ(learner.estimate({{0.5, 0}, {1, 1}}).size(), 2U);
  EXPECT_TRUE(learner.estimate({}).empty());
  EXPECT_EQ(learner.state(), state);
  EXPECT_EQ(learner.summary().oracle_calls, calls);

  Learner other(parameter_free(box(-1, 1, 2)));
  play(other, 100, bowl);
  const std::vector<Estimate> nothing = other.estimate({{0, 0}, {1, 1}});
  ASSERT_EQ(nothing.size(), 2U);
  for (const Estimate& one : nothing) {
    for (const double number : {one.loss, one.loss_error, one.excess, one.excess_error}) {
      EXPECT_TRUE(std::isnan(number));
    }
  }
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)learner.estimate({{0, 2}});
            }),
            "the point to estimate is not in the set " + learner.set().spec());
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)learner.estimate({{0, 0}, {0}});
            }),
            "a point of " + learner.set().spec() + " has 2 coordinates, not 1");
}

TEST(Estimates, DisturbNoPlay) {
  const SetPtr set = product({simplex(3), box(0, 1, 1)});
  const PosteriorOptions options = {.contexts = {"number"}, .choices = {"0-2"}};
  Learner plain(posterior(set, options), {.seed = 6});
  Learner looked_at(posterior(set, options), {.seed = 6});
  Random random(1);
  for (int t = 0; t < 300; ++t) {
    const Context context = {random.uniform(-1, 1)};
    const Play play = plain.ask(context);
    (void)looked_at.estimate({{0, 1, 0, random.uniform()}}, {random.uniform(-1, 1)});
    ASSERT_EQ(looked_at.ask(context).point, play.point) << t;
    (void)looked_at.estimate({{1, 0, 0, random.uniform()}});
    const double loss = (play.point[3] - 0.5) * (play.point[3] - 0.5) + context[0];
    plain.tell(play.id, loss);
    looked_at.tell(play.id, loss);
  }
  EXPECT_EQ(looked_at.state(), plain.state());
}

}  // namespace
}  // namespace keyhole::tests
