#pragma once

// The runs whose states are kept as files under tests/golden: golden_digits --states writes them.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "keyhole/version.h"

namespace keyhole::tests {

/// A run whose state is kept.
template <class AnyLearner>
struct GoldenState {
  /// That of the learner in the table of specs, or of what else it is about.
  std::string name;
  std::function<AnyLearner()> make;
  std::uint64_t rounds;
  /// The first revision that has this learner.
  std::uint64_t first_revision = 4;

  /// Its file, which is new with each revision of the digits.
  [[nodiscard]] std::string file() const {
    return "state_" + std::to_string(trace_revision) + "_" + name + ".bin";
  }
};

inline constexpr std::uint64_t golden_window = 16;
inline constexpr std::uint64_t golden_gradient_window = 8;
inline constexpr std::uint64_t golden_pending_pairs = 5;

inline std::vector<GoldenState<Learner>> golden_states() {
  using Make = std::function<std::unique_ptr<Algorithm>()>;
  std::vector<GoldenState<Learner>> states;
  LearnerOptions options{.seed = 2019, .stream = 3, .window = golden_window};
  const auto add = [&](const char* name, std::uint64_t rounds, const Make& make) {
    states.push_back({name, [=] { return Learner(make(), options); }, rounds});
  };
  add("parameter_free", 200, [] { return parameter_free(box(0, 2, 3)); });
  add("caution", 200, [] { return parameter_free(box(0, 2, 3), {.caution = 0.1}); });
  states.back().first_revision = 5;
  add("posterior", 200, [] { return posterior(box(0, 2, 3)); });
  states.back().first_revision = 5;
  add("face", 200, [] { return face(box(0, 2, 3)); });
  states.back().first_revision = 9;
  add("linear_thompson", 200, [] { return linear_thompson(box(0, 2, 3)); });
  states.back().first_revision = 5;
  // An odd number of plays: one of the pairs is open.
  add("spsa", 101, [] { return spsa(simplex(4), {.pending_pairs = golden_pending_pairs}); });
  states.back().first_revision = 5;
  add("cma_es", 150, [] { return cma_es(ball(3, 2)); });
  states.back().first_revision = 5;
  add("projection_free", 77, [] {
    return projection_free(ball(3, 2), {.loss_bound = 1, .gradient_bound = 1, .horizon = 1000});
  });
  add("anytime", 300, [] { return anytime(projection_free(simplex(5), {.loss_bound = 1})); });
  add("unregularized", 65, [] { return anytime(unregularized(box(-1, 2, 4), {.loss_bound = 1})); });
  add("fkm", 130, [] {
    return anytime(fkm(image(solid_simplex(4), 8, -1), {.loss_bound = 1, .gradient_bound = 1}));
  });
  add("bbcg", 150,
      [] { return bbcg(ball(3), {.loss_bound = 1, .horizon = 1000, .c = 0.5, .eta = 4}); });
  // An odd number of plays: one of the pairs is open.
  add("two_point", 101, [] {
    return two_point(simplex(4),
                     {.gradient_bound = 1, .horizon = 1000, .pending_pairs = golden_pending_pairs});
  });
  add("gauge", 90,
      [] { return gauge(box(-1, 2, 3), {.loss_bound = 1, .gradient_bound = 1, .horizon = 1000}); });
  add("online_newton", 120,
      [] { return online_newton(simplex(4), {.gradient_bound = 1, .horizon = 1000}); });
  add("restarting", 100,
      [] { return restarting(fkm(simplex(4), {.loss_bound = 1, .gradient_bound = 1}), 23); });
  add("watchful", 300, [] { return watchful(parameter_free(box(0, 2, 3))); });
  add("levelled", 200, [] { return levelled(parameter_free(box(0, 2, 3)), {{"number"}}); });
  states.back().first_revision = 9;
  add("anchored", 60, [] {
    const SetPtr set = box(0, 2, 3);
    return anchored(set, projection_free(product({set, set}), {.loss_bound = 1, .horizon = 1000}));
  });
  states.back().first_revision = 9;
  add("stay", 20, [] { return stay(ball(2)); });
  add("random_vertex", 20, [] { return random_vertex(simplex(4)); });
  add("fed_constant", 100,
      [] { return fed_constant(anytime(projection_free(ball(3), {.loss_bound = 1}))); });
  options.max_step = 0.25;
  add("max_step", 150, [] { return parameter_free(ball(3)); });
  return states;
}

/// The same for learners that are told gradients.
inline std::vector<GoldenState<GradientLearner>> golden_gradient_states() {
  using Make = std::function<std::unique_ptr<GradientAlgorithm>()>;
  std::vector<GoldenState<GradientLearner>> states;
  const GradientLearnerOptions options{.seed = 2019, .stream = 3, .window = golden_gradient_window};
  const auto add = [&](const char* name, std::uint64_t rounds, const Make& make) {
    states.push_back({name, [=] { return GradientLearner(make(), options); }, rounds});
  };
  add("stochastic_ocg", 40, [] {
    return anytime(stochastic_ocg(simplex(3), {.gradient_bound = 1, .standard_deviation = 0.5}));
  });
  add("ogd", 60, [] { return ogd(ball(3), {.gradient_bound = 1}); });
  add("ocg", 60, [] { return ocg(simplex(4), {.gradient_bound = 1, .horizon = 1000}); });
  add("one_shot", 60, [] { return one_shot(simplex(4)); });
  return states;
}

/// Calls visit(state) for all of them, of either kind.
template <class Visit>
void for_each_golden_state(const Visit& visit) {
  for (const auto& state : golden_states()) visit(state);
  for (const auto& state : golden_gradient_states()) visit(state);
}

/// The next round of a run, with feedback that comes late, twice and not at all; losses from
/// + - * / alone. `losses` are those of the rounds before, and gets its own; x gets the play.
template <class AnyLearner>
void play_golden_round(AnyLearner& learner, std::vector<double>& losses, std::span<double> x) {
  const std::uint64_t t = losses.size() + 1;
  const PlayId id = learner.ask(x);
  const double square = x[0] * x[0] - 0.5 * x[t % x.size()];
  losses.push_back(square / (1 + square * square));
  if (t % 5 != 0) tell(learner, id, losses.back());
  if (t % 7 == 0) tell(learner, t - 4, losses[t - 5]);
}

/// So many rounds from the first on; their losses.
template <class AnyLearner>
std::vector<double> play_golden(AnyLearner& learner, std::uint64_t rounds) {
  std::vector<double> x(learner.set().dimension());
  std::vector<double> losses;
  while (losses.size() < rounds) play_golden_round(learner, losses, x);
  return losses;
}

}  // namespace keyhole::tests
