#pragma once

#include <atomic>
#include <cstdint>

#include "experiment/experiment.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// The time of a round of a player alone, its ask and tell, on the problem of the first repeat: the
/// median of blocks of rounds (block_times.h), over all rounds, or as many as fit in that many
/// seconds of its own (or four times as many in all, with what the losses take). The time that the
/// clock itself takes is subtracted. Returns early if told to stop.
[[nodiscard]] double seconds_per_round(const Experiment& experiment, const Catalogue& catalogue,
                                       std::size_t problem, std::size_t player, double seconds,
                                       const std::atomic<bool>& stop);

}  // namespace keyhole::experiment
