#pragma once

// bbcg and two_point on tracking(ball(10)): regret and linear minimisations after T rounds, each
// with the constants of its theorem for that T, next to what the theorem says of them. The losses
// are 1-strongly convex. Both plays of a pair of two_point meet the same loss, and T counts plays.

#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "slopes.h"

namespace keyhole::bench {

/// A learner for T rounds, and what its theorem says.
struct BlockCase {
  std::unique_ptr<HorizonAlgorithm> algorithm;
  /// The expected number of linear minimisations.
  double calls = 0;
};

struct BlockLearner {
  const char* name;
  const char* exponent;
  /// How many plays meet the same loss.
  std::uint64_t plays;
  std::function<BlockCase(const SetPtr& set, const LossBounds& bounds, std::uint64_t T)> make;
};

inline std::vector<BlockLearner> block_learners() {
  const auto with_blocks = [](const std::optional<double>& alpha) {
    return [=](const SetPtr& set, const LossBounds& bounds, std::uint64_t T) -> BlockCase {
      auto algorithm = bbcg(set, {.loss_bound = bounds.loss,
                                  .gradient_bound = bounds.gradient,
                                  .horizon = T,
                                  .strong_convexity = alpha});
      const double calls = algorithm->expected_oracle_calls(T);
      return {std::move(algorithm), calls};
    };
  };
  const auto with_pairs = [](TwoPointStep step) {
    return [=](const SetPtr& set, const LossBounds& bounds, std::uint64_t T) -> BlockCase {
      const bool descends = step == TwoPointStep::gradient_descent;
      return {two_point(set, {.gradient_bound = bounds.gradient, .horizon = T, .step = step}),
              descends ? 0 : static_cast<double>(T) / 2};
    };
  };
  return {
      {"bbcg", "3/4", 1, with_blocks({})},
      {"bbcg, strong_convexity=1", "2/3", 1, with_blocks(1)},
      {"two_point", "3/4", 2, with_pairs(TwoPointStep::conditional_gradient)},
      {"two_point, step=gradient_descent", "1/2", 2, with_pairs(TwoPointStep::gradient_descent)}};
}

/// Regret and linear minimisations of one run.
inline std::pair<double, double> run_on_tracking(std::unique_ptr<HorizonAlgorithm> algorithm,
                                                 std::uint64_t plays, std::uint64_t seed) {
  const SetPtr set = algorithm->shared_set();
  const std::uint64_t T = algorithm->horizon();
  const auto problem = tracking(set, {}, {.seed = seed});
  const auto total = problem->total();
  Learner learner(std::move(algorithm), {.seed = seed});
  Vector y(set->dimension());
  double cost = 0;
  for (std::uint64_t t = 1; t <= T; ++t) {
    const PlayId id = learner.ask(y);
    if ((t - 1) % plays == 0) problem->draw((t - 1) / plays + 1);
    total->add();
    const double loss = problem->value(y);
    cost += loss;
    learner.tell(id, loss);
  }
  return {cost - best_fixed_point(*set, *total, {}).value,
          static_cast<double>(learner.summary().oracle_calls)};
}

inline void print_block_table(const BlockLearner& learner) {
  const SetPtr set = ball(10);
  const LossBounds bounds = tracking(set, {}, {})->bounds();
  std::printf(
      "tracking on ball(10), %s, mean of %d runs and 95 %% interval\n%10s%24s%14s%14s%14s\n",
      learner.name, static_cast<int>(seeds), "T", "regret", "theorem", "calls", "theorem");
  Regrets regrets;
  Regrets bound;
  for (unsigned power = 10; power <= 18; ++power) {
    const std::uint64_t T = std::uint64_t{1} << power;
    const BlockCase theory = learner.make(set, bounds, T);
    Vector runs;
    Vector calls;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto [regret, called] =
          run_on_tracking(learner.make(set, bounds, T).algorithm, learner.plays, seed);
      runs.push_back(regret);
      calls.push_back(called);
    }
    bound.push_back(Vector(seeds, theory.algorithm->regret_bound(T).value));
    std::printf("%10llu%13.1f +- %7.1f%14.0f%14.1f%14.0f\n", static_cast<unsigned long long>(T),
                mean_without(runs, seeds), half_interval(runs), bound.back().front(),
                mean_without(calls, seeds), theory.calls);
    std::fflush(stdout);
    regrets.push_back(std::move(runs));
  }
  const auto later = [](const Regrets& all) { return Regrets(all.begin() + 4, all.end()); };
  std::printf("%10s%13.3f +- %7.3f%14.3f\n", "slope", slope(regrets, seeds),
              slope_half_interval(regrets), slope(bound, seeds));
  std::printf("%10s%13.3f +- %7.3f%14.3f%14s: %s\n\n", "from 2^14", slope(later(regrets), seeds),
              slope_half_interval(later(regrets)), slope(later(bound), seeds), "theory",
              learner.exponent);
}

inline void print_block_tables() {
  for (const BlockLearner& learner : block_learners()) print_block_table(learner);
}

}  // namespace keyhole::bench
