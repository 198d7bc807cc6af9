// What posterior believes of its gain: that the truth is within two errors as often as
// docs/posterior.md says, where the model is right and where it is not; and that looking changes
// nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// What is believed after some rounds of a loss with noise, next to the truth.
struct Looked {
  int outside = 0;  // in how many runs the true gain was outside of two errors
  Vector errors;    // over what is to be gained
};

/// For a loss of a point and a target, uniform in the unit box, that is 0 there; noise is in units
/// of what is to be gained, or of 1 if the loss is 0 everywhere.
Looked look(const SetPtr& set, const std::function<double(const Vector&, const Vector&)>& loss,
            double noise, int rounds, int runs) {
  Looked looked;
  for (int run = 0; run < runs; ++run) {
    const auto seed = static_cast<std::uint64_t>(4100 + run);
    Random random(seed);
    Vector target(set->dimension());
    for (double& value : target) value = random.uniform();
    Learner learner(set, {.seed = seed});
    const double of_start = loss(learner.recommend(), target);
    const double unit = of_start > 0 ? of_start : 1;
    for (int t = 0; t < rounds; ++t) {
      const Play play = learner.ask();
      learner.tell(play.id, loss(play.point, target) + noise * unit * random.normal());
    }
    const Belief belief = learner.status().belief;
    const double gain = of_start - loss(learner.recommend(), target);
    looked.outside += std::abs(belief.gain - gain) > 2 * belief.gain_error + 1e-9 * unit ? 1 : 0;
    looked.errors.push_back(belief.gain_error / unit);
  }
  std::sort(looked.errors.begin(), looked.errors.end());
  return looked;
}

double tied(const Vector& x, const Vector& target) {
  const double a = x[0] - target[0];
  const double b = x[1] - target[1];
  return (a - b) * (a - b) + 0.1 * (a * a + b * b);
}
double kinks(const Vector& x, const Vector& target) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - target[i]);
  return sum;
}

/// At most 8 % of the runs, of which 100 have a standard error of 2.7 %: two more are 13.4 %. The
/// variance of the model alone leaves 37, 31 and 16 outside.
TEST(Belief, TheTrueGainIsWithinTwoErrors) {
  constexpr int runs = 100;
  const Looked of_tied = look(box(0, 1, 2), tied, 0.5, 300, runs);
  const Looked of_kinks = look(box(0, 1, 3), kinks, 0.1, 100, runs);
  const Looked of_nothing = look(
      box(0, 1, 5), [](const Vector&, const Vector&) { return 0.0; }, 1, 1000, runs);
  EXPECT_LE(of_tied.outside, 13);
  EXPECT_LE(of_kinks.outside, 13);
  EXPECT_LE(of_nothing.outside, 13);
  // A gain that is seen well is believed: the median of the error is below half of it.
  EXPECT_LT(of_tied.errors[runs / 2], 0.5);
  EXPECT_LT(of_kinks.errors[runs / 2], 0.5);
  EXPECT_LT(of_nothing.errors[runs / 2], 0.5);
}

/// While the start is recommended nothing is gained, and the error says what there may be.
TEST(Belief, TheStartGainsNothing) {
  Learner learner(box(0, 1, 5), {.seed = 3});
  const Vector start = learner.recommend();
  Random random(3);
  int at_start = 0;
  for (int t = 1; t <= 400; ++t) {
    learner.tell(learner.ask().id, random.normal());
    const Belief belief = learner.status().belief;
    if (t < 50 || learner.recommend() != start) continue;
    ++at_start;
    EXPECT_EQ(belief.gain, 0);
    EXPECT_GT(belief.gain_error, 0);
  }
  EXPECT_GT(at_start, 100);
}

TEST(Belief, IsTheSameAfterAPauseAndChangesNoPlay) {
  const Vector target = {0.2, 0.7, 0.4};
  for (const bool contexts : {false, true}) {
    const auto make = [&] {
      PosteriorOptions options;
      if (contexts) options.contexts = {"number"};
      return Learner(posterior(box(0, 1, 3), options), {.seed = 5});
    };
    Learner looked_at = make();
    Learner left_alone = make();
    Random random(5);
    Vector x(3);
    for (int t = 0; t < 300; ++t) {
      const double load = random.normal();
      const double noise = 0.1 * random.normal();
      const auto play = [&](Learner& learner) {
        const PlayId id = contexts ? learner.ask(Context{load}, x) : learner.ask(x);
        learner.tell(id, kinks(x, target) + load + noise);
        return x;
      };
      const Vector first = play(looked_at);
      static_cast<void>(looked_at.status());
      EXPECT_EQ(play(left_alone), first);
    }
    Learner restored = make();
    const State state = left_alone.state();
    restored.restore(State::from_bytes(state.bytes()));
    const Belief belief = looked_at.status().belief;
    EXPECT_GT(belief.gain, 0);
    EXPECT_GT(belief.gain_error, 0);
    for (const Learner* one : {&left_alone, &restored}) {
      EXPECT_EQ(one->status().belief.gain, belief.gain);
      EXPECT_EQ(one->status().belief.gain_error, belief.gain_error);
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
