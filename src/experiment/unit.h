#pragma once

#include <atomic>
#include <cstdint>

#include "experiment/experiment.h"
#include "experiment/measures/hindsight.h"
#include "experiment/part.h"
#include "experiment/trial.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// What a unit of work looks at, and what it reports to, while it runs. Shared among threads.
struct UnitWatch {
  /// Whether to stop at the next round.
  std::atomic<bool> stop = false;
  /// How many rounds of the experiment have been played.
  std::atomic<std::uint64_t> rounds = 0;
};

/// Runs all players of a problem in one repeat, in lockstep: each loss is drawn once and served to
/// all of them. Regret is against the best fixed point of the rounds so far, or of each segment of
/// them; see Hindsight.
/// Throws Stopped if watch.stop is set meanwhile, RunError (naming problem, repeat and player) if
/// it cannot go on. Who is left out in the trial does not play. Of a part that is known already
/// only those play who are missing in it. The result depends on the other arguments than `watch`
/// alone, and not on what is known. Thread-safe.
[[nodiscard]] Part run_unit(const Experiment& experiment, const Catalogue& catalogue,
                            std::size_t problem, std::uint64_t repeat, UnitWatch& watch,
                            const Trial& trial = {}, const Part* known = nullptr);

/// Whether all play in a part who should.
[[nodiscard]] bool is_complete(const Part& part, const Trial& trial);

/// The hash of all that decides what a player does on a problem, but for the player: rounds, seed,
/// checkpoints, the problem and how it is posed, and the revision of the digits. Names, repeats and
/// other players do not count, so that an experiment can be extended.
[[nodiscard]] std::uint64_t problem_hash(const Experiment& experiment, std::size_t problem);

/// The hash of the text of the experiment and the revision of the digits.
[[nodiscard]] std::uint64_t experiment_hash(const Experiment& experiment);

}  // namespace keyhole::experiment
