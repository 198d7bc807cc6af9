// ARS with the processor's AES instructions: see aes_blocks.h for what that asks of this file.

#include "math/lanes.h"
#include "math/random/aes_blocks.h"
#include "math/random/ars_kernels.h"

namespace keyhole::math {

#if defined(KEYHOLE_AES)

namespace {

// `width` blocks side by side: a round takes several cycles, but a new one can start in every
// cycle.
template <int width>
[[gnu::always_inline]] inline void encrypt(const std::uint64_t* round_keys, int rounds,
                                           std::uint64_t id, std::uint64_t first,
                                           std::uint64_t* words) {
  Words s[width];
  Words key = load_lanes<Words>(round_keys);
  for (unsigned j = 0; j < width; ++j) s[j] = begin(Words{first, id} + Words{j, 0}, key);
  for (int i = 1; i < rounds; ++i) {
    const Words key_before = key;
    key = load_lanes<Words>(round_keys + 2 * i);
    for (int j = 0; j < width; ++j) s[j] = full_round(s[j], key_before, key);
  }
  const Words last_key = load_lanes<Words>(round_keys + 2 * rounds);
  for (int j = 0; j < width; ++j) s[j] = last_round(s[j], key, last_key);
  for (int j = 0; j < width; ++j) store_lanes(words + 2 * j, s[j]);
}

[[gnu::always_inline]] inline void encrypt_all(const std::uint64_t* round_keys, int rounds,
                                               std::uint64_t id, std::uint64_t first,
                                               std::uint64_t* words, std::size_t blocks) {
  std::size_t j = 0;
  for (; j + 8 <= blocks; j += 8) encrypt<8>(round_keys, rounds, id, first + j, words + 2 * j);
  for (; j < blocks; ++j) encrypt<1>(round_keys, rounds, id, first + j, words + 2 * j);
}

void ars_with_instructions(const std::uint64_t* round_keys, int rounds, std::uint64_t id,
                           std::uint64_t first, std::uint64_t* words, std::size_t blocks) noexcept {
  // A known number of rounds lets the compiler keep the keys in registers.
  if (rounds == ars_rounds) {
    encrypt_all(round_keys, ars_rounds, id, first, words, blocks);
  } else {
    encrypt_all(round_keys, rounds, id, first, words, blocks);
  }
}

}  // namespace

extern const ArsKernel ars_hardware = &ars_with_instructions;

#else

extern const ArsKernel ars_hardware = nullptr;

#endif

}  // namespace keyhole::math
