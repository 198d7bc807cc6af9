#pragma once

#include <cstdint>
#include <vector>

namespace keyhole::experiment {

/// The rounds at which average losses are recorded: 2^(k/16) rounded, k = 0, 1, ..., and the last.
[[nodiscard]] std::vector<std::uint64_t> fine_grid(std::uint64_t rounds);

/// The rounds at which regret is computed: 1, 2, 4, ... and the last.
[[nodiscard]] std::vector<std::uint64_t> octaves(std::uint64_t rounds);

}  // namespace keyhole::experiment
