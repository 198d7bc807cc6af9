#pragma once

#include <cstdint>
#include <vector>

namespace keyhole::experiment {

/// The rounds at which average losses are recorded: 2^(k/16) rounded, k = 0, 1, ..., and the last.
[[nodiscard]] std::vector<std::uint64_t> fine_grid(std::uint64_t rounds);

/// The rounds at which regret is computed: 1, 2, 4, ..., the checkpoints that are no later than the
/// last round, and the last.
[[nodiscard]] std::vector<std::uint64_t> regret_grid(
    std::uint64_t rounds, const std::vector<std::uint64_t>& checkpoints = {});

}  // namespace keyhole::experiment
