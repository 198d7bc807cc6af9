#pragma once

#include <atomic>
#include <cstdint>

#include "experiment/experiment.h"
#include "experiment/hindsight.h"
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
/// it cannot go on. Who is left out in the trial does not play. The result depends on the
/// other arguments than `watch` alone. Thread-safe.
[[nodiscard]] Part run_unit(const Experiment& experiment, const Catalogue& catalogue,
                            std::size_t problem, std::uint64_t repeat, UnitWatch& watch,
                            const Trial& trial = {});

/// The hash of what a part belongs to: the text of the experiment and the revision of the digits.
[[nodiscard]] std::uint64_t experiment_hash(const Experiment& experiment);

}  // namespace keyhole::experiment
