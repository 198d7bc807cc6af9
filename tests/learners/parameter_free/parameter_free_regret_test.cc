// How much parameter_free loses: regret on a target that jitters in a ball of dimension 10, over
// seeds, with the error bar of the mean.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "catalogue.h"
#include "keyhole/hindsight.h"

namespace keyhole::tests {
namespace {

/// Of a sample: its mean and the standard error of that.
struct Mean {
  double value = 0;
  double error = 0;
};

Mean mean_of(const std::vector<double>& sample) {
  const auto count = static_cast<double>(sample.size());
  double sum = 0;
  double squares = 0;
  for (const double number : sample) {
    sum += number;
    squares += number * number;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1))};
}

/// What becomes of the losses of a run on their way to the learner.
struct Feedback {
  /// The number told in the place of the loss of round t.
  std::function<double(std::uint64_t t, double loss)> told = [](auto, double loss) { return loss; };
  /// After how many rounds; negative for never.
  std::function<int(Random&)> delay = [](auto&) { return 0; };
};

/// The average over the rounds of the loss above that of the best fixed point; of what is played,
/// and of the centre.
struct Regret {
  double played;
  double of_centre;
};

Regret regret(const TrackingOptions& options, std::uint64_t rounds, std::uint64_t seed,
              const Feedback& feedback = {}) {
  const SetPtr set = ball(10);
  const auto problem = tracking(set, options, {seed});
  const auto total = problem->total();
  Learner learner(parameter_free(set), {.seed = seed, .window = 8192});
  Random random(seed);
  std::vector<std::vector<std::pair<PlayId, double>>> due(rounds + 1);
  std::vector<double> y(10);
  double played = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    problem->draw(t);
    total->add();
    const double loss = problem->value(y);
    played += loss;
    const int delay = feedback.delay(random);
    const std::uint64_t arrival = t + static_cast<std::uint64_t>(std::max(delay, 0));
    if (delay >= 0 && arrival <= rounds) {
      due[arrival].push_back({id, feedback.told(t, loss)});
    }
    for (const auto& [of, number] : due[t]) learner.tell(of, number);
  }
  const auto T = static_cast<double>(rounds);
  const FixedPoint best = best_fixed_point(*set, *total, {.tolerance = 1e-6 * T});
  return {(played - best.value) / T, (total->value(set->centre()) - best.value) / T};
}

std::vector<double> played(const TrackingOptions& options, std::uint64_t rounds,
                           std::uint64_t seeds, const Feedback& feedback = {}) {
  std::vector<double> sample;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sample.push_back(regret(options, rounds, seed, feedback).played);
  }
  return sample;
}

TEST(ParameterFreeRegret, AConstantDoesNotMatter) {
  const std::vector<double> plain = played({}, 4096, 8);
  const std::vector<double> raised = played({.offset = 1000}, 4096, 8);
  std::vector<double> differences;
  for (std::size_t k = 0; k < plain.size(); ++k) differences.push_back(raised[k] - plain[k]);
  const Mean mean = mean_of(plain);              // measured: 0.020 +- 0.004
  const Mean difference = mean_of(differences);  // 3e-13 +- 4e-13: roundings
  EXPECT_LE(std::abs(difference.value) + 2 * difference.error, 0.1 * mean.value);
}

/// The mean over 32 seeds with the loss of one round a million times too large.
Mean with_one_absurd_loss(std::uint64_t when) {
  const auto told = [=](std::uint64_t t, double loss) { return t == when ? 1e6 * loss : loss; };
  return mean_of(played({.noise = 0.1}, 1 << 13, 32, {.told = told}));
}

TEST(ParameterFreeRegret, OneAbsurdLossDoesLittle) {
  const Mean plain = mean_of(played({.noise = 0.1}, 1 << 13, 32));  // 256 seeds: 0.0402 +- 0.0006
  EXPECT_LT(plain.error, 0.1 * plain.value);
  // Measured, +- 0.002: 0.0402, 0.0415, 0.0429, 0.0398, 0.0397, 0.0397, 0.0390, 0.0391. The first
  // sixteen are judged together, the others by the spread of those before.
  for (const std::uint64_t when : {1U, 2U, 3U, 6U, 10U, 16U, 100U, 4000U}) {
    EXPECT_LE(with_one_absurd_loss(when).value, 1.2 * plain.value) << when;
  }
}

/// Delays uniform on 0, ..., most - 1, and three of ten never.
Feedback late_and_missing(int most) {
  return {.delay = [=](Random& random) {
    return random.uniform() < 0.3 ? -1 : static_cast<int>(random.integer(0, most - 1));
  }};
}

TEST(ParameterFreeRegret, LearnsFromLateFeedback) {
  std::vector<double> shares;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const Regret found = regret({}, 1 << 14, seed, late_and_missing(1000));
    shares.push_back(found.played / found.of_centre);
  }
  const Mean share = mean_of(shares);  // measured: 0.097 +- 0.005
  EXPECT_LE(share.value, 0.15);
  EXPECT_LE(share.error, 0.02);
}

TEST(ParameterFreeRegret, DelaysOfAQuarterOfTheRoundsCostLessThanTwoAndAHalfTimesAsMuch) {
  const std::uint64_t rounds = 20000;
  const TrackingOptions options{.noise = 0.1};
  const std::vector<double> prompt = played(options, rounds, 32);
  const std::vector<double> late = played(options, rounds, 32, late_and_missing(5000));
  // Measured: about 0.03 and 0.06. Without noise it is 0.005 and 0.04: there what is learned late
  // is all that there is, see docs/parameter_free.md. The seeds of a pair are the same.
  std::vector<double> above;
  for (std::size_t k = 0; k < prompt.size(); ++k) above.push_back(late[k] - 2.5 * prompt[k]);
  const Mean mean = mean_of(above);
  EXPECT_LE(mean.value + 2 * mean.error, 0);
}

TEST(ParameterFreeRegret, StaysWhereThereIsNothingToLearn) {
  // The centre is best, and the noise has the standard deviation 1. 64 seeds: 0.027 +- 0.001.
  const Mean above = mean_of(played({.distance = 0, .jitter = 0, .noise = 1}, 1 << 14, 8));
  EXPECT_LE(above.value + 2 * above.error, 0.1);
}

}  // namespace
}  // namespace keyhole::tests
