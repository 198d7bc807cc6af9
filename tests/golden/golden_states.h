#pragma once

// The runs whose states are kept as files under tests/golden: golden_digits --states writes them.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "catalogue.h"
#include "keyhole/keyhole.h"

namespace keyhole::tests {

struct GoldenState {
  std::string file;
  std::function<Learner()> make;
  std::uint64_t rounds;
};

inline std::vector<GoldenState> golden_states() {
  const LearnerOptions options{.seed = 2019, .stream = 3, .window = 16};
  return {
      {"state_4_parameter_free.bin", [=] { return Learner(parameter_free(box(0, 2, 3)), options); },
       200},
      {"state_4_projection_free.bin",
       [=] {
         return Learner(
             projection_free(ball(3, 2), {.loss_bound = 1, .gradient_bound = 1, .horizon = 1000}),
             options);
       },
       77},
      {"state_4_anytime.bin",
       [=] { return Learner(anytime(projection_free(simplex(5), {.loss_bound = 1})), options); },
       300},
      {"state_4_unregularized.bin",
       [=] { return Learner(anytime(unregularized(box(-1, 2, 4), {.loss_bound = 1})), options); },
       65},
      {"state_4_fkm.bin",
       [=] {
         return Learner(
             anytime(fkm(image(solid_simplex(4), 8, -1), {.loss_bound = 1, .gradient_bound = 1})),
             options);
       },
       130},
  };
}

/// The same for a learner that is told gradients.
inline constexpr const char* golden_gradient_file = "state_4_stochastic_ocg.bin";
inline constexpr std::uint64_t golden_gradient_rounds = 40;
inline GradientLearner golden_gradient_learner() {
  return GradientLearner(
      anytime(stochastic_ocg(simplex(3), {.gradient_bound = 1, .standard_deviation = 0.5})),
      {.seed = 2019, .stream = 3, .window = 8});
}

/// Plays with feedback that comes late, twice and not at all; losses from + - * / alone.
template <class AnyLearner>
void play_golden(AnyLearner& learner, std::uint64_t rounds) {
  std::vector<double> x(learner.set().dimension());
  std::vector<double> losses;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(x);
    const double square = x[0] * x[0] - 0.5 * x[t % x.size()];
    losses.push_back(square / (1 + square * square));
    if (t % 5 != 0) tell(learner, id, losses.back());
    if (t % 7 == 0) tell(learner, t - 4, losses[t - 5]);
  }
}

}  // namespace keyhole::tests
