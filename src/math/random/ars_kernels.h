// The two ways to compute ARS blocks: in plain C++ and with the processor's AES instructions. Both
// give the same words; only ars.cc, which chooses, and the tests, which compare, look at this
// header.

#pragma once

#include <cstddef>
#include <cstdint>

namespace keyhole::math {

inline constexpr int ars_rounds = 7;

// Writes the halves of the blocks at the counters (low = first + j, high = id), j < blocks, to
// words[2j] and words[2j + 1]. The number of rounds is an argument because the published test
// vectors have ten.
using ArsKernel = void (*)(const std::uint64_t* round_keys, int rounds, std::uint64_t id,
                           std::uint64_t first, std::uint64_t* words, std::size_t blocks) noexcept;

// Writes k_0 .. k_rounds, low lane first: 2 (rounds + 1) words.
void ars_key_schedule(std::uint64_t seed, std::uint64_t stream, int rounds,
                      std::uint64_t* round_keys) noexcept;

void ars_portable(const std::uint64_t* round_keys, int rounds, std::uint64_t id,
                  std::uint64_t first, std::uint64_t* words, std::size_t blocks) noexcept;

// What a byte in the first row of the first column becomes in a round, before the key is added: a
// column (2, 1, 1, 3) S(b).
extern const std::uint64_t* const ars_first_columns;

// Null where this build has no such code. It must only be called if ars_hardware_available().
extern const ArsKernel ars_hardware;

// Whether this build has the hardware kernel and this processor can run it.
bool ars_hardware_available() noexcept;

}  // namespace keyhole::math
