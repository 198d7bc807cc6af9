#pragma once

// Regret relative to that of staying at the centre, over seeds.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "keyhole/hindsight.h"
#include "keyhole/keyhole.h"
#include "keyhole/spec.h"

namespace keyhole::tests {

/// The regret of a run of a learner, and of staying at the centre, after each power of two from 64.
struct Curves {
  std::vector<double> played;
  std::vector<double> of_centre;
};

inline Curves run_of(const std::string& learner_spec, const std::string& problem_spec,
                     std::uint64_t rounds, std::uint64_t seed) {
  const auto problem = make_problem(problem_spec, {.seed = {.seed = seed, .stream = 1}});
  const SetPtr set = problem->shared_set();
  Learner learner = make_learner(learner_spec, set, {.seed = seed});
  auto total = problem->total();
  Curves curves;
  std::vector<double> y(set->dimension());
  double played = 0;
  double past = 0;         // the best of the segments before
  double past_centre = 0;  // the centre's losses there
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    problem->draw(t);
    total->add();
    const double loss = problem->value(y);
    played += loss;
    learner.tell(id, loss);
    const bool ends = t % problem->segment() == 0;
    const bool looked_at = t >= 64 && (t & (t - 1)) == 0;
    if (!ends && !looked_at) continue;
    const double best = best_fixed_point(*set, *total, {.tolerance = 1e-6}).value;
    const double of_centre = total->value(set->centre());
    if (looked_at) {
      curves.played.push_back(played - past - best);
      curves.of_centre.push_back(past_centre + of_centre - past - best);
    }
    if (!ends) continue;
    past += best;
    past_centre += of_centre;
    total = problem->total();
  }
  return curves;
}

/// Of the means over the seeds: regret over the centre's, at the end and the largest.
struct Relative {
  double last = 0;
  double largest = 0;
};

inline Relative relative(const std::string& learner, const std::string& problem,
                         std::uint64_t rounds, std::uint64_t seeds) {
  std::vector<double> played;
  std::vector<double> of_centre;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Curves curves = run_of(learner, problem, rounds, seed);
    played.resize(curves.played.size());
    of_centre.resize(curves.played.size());
    for (std::size_t k = 0; k < played.size(); ++k) {
      played[k] += curves.played[k];
      of_centre[k] += curves.of_centre[k];
    }
  }
  Relative result;
  for (std::size_t k = 0; k < played.size(); ++k) {
    result.last = played[k] / of_centre[k];
    result.largest = std::max(result.largest, result.last);
  }
  return result;
}

}  // namespace keyhole::tests
