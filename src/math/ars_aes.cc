// ARS with the processor's AES instructions. This file alone is compiled for a processor that has
// them, so it must not use inline functions of other headers: the linker might keep this file's
// copy, with instructions that the rest of the program must not execute.

#include "math/ars_kernels.h"

#if defined(__aarch64__) && !defined(__AARCH64EB__) && \
    (defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO))
#define KEYHOLE_ARS_ARM
#include <arm_neon.h>
#elif defined(__x86_64__) && defined(__AES__)
#define KEYHOLE_ARS_X86
#include <wmmintrin.h>
#endif

namespace keyhole::math {

#if defined(KEYHOLE_ARS_ARM) || defined(KEYHOLE_ARS_X86)

namespace {

#if defined(KEYHOLE_ARS_ARM)

using Block = uint8x16_t;

Block load(const std::uint64_t* p) { return vreinterpretq_u8_u64(vld1q_u64(p)); }

void store(std::uint64_t* p, Block b) { vst1q_u64(p, vreinterpretq_u64_u8(b)); }

Block counter(std::uint64_t low, std::uint64_t high) {
  return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

// These instructions add the round key first, so the keys come one round earlier than in the
// formula: none at the start, k_{i-1} in round i, and k_rounds at the very end.
Block begin(Block c, Block) { return c; }
Block full_round(Block s, Block key_before, Block) { return vaesmcq_u8(vaeseq_u8(s, key_before)); }
Block last_round(Block s, Block key_before, Block key) {
  return veorq_u8(vaeseq_u8(s, key_before), key);
}

#else

using Block = __m128i;

Block load(const std::uint64_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

void store(std::uint64_t* p, Block b) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), b); }

Block counter(std::uint64_t low, std::uint64_t high) {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

// These instructions add the round key last, as the formula does.
Block begin(Block c, Block key) { return _mm_xor_si128(c, key); }
Block full_round(Block s, Block, Block key) { return _mm_aesenc_si128(s, key); }
Block last_round(Block s, Block, Block key) { return _mm_aesenclast_si128(s, key); }

#endif

// `width` blocks side by side: a round takes several cycles, but a new one can start in every
// cycle.
template <int width>
[[gnu::always_inline]] inline void encrypt(const std::uint64_t* round_keys, int rounds,
                                           std::uint64_t id, std::uint64_t first,
                                           std::uint64_t* words) {
  Block s[width];
  Block key = load(round_keys);
  for (int j = 0; j < width; ++j) s[j] = begin(counter(first + static_cast<unsigned>(j), id), key);
  for (int i = 1; i < rounds; ++i) {
    const Block key_before = key;
    key = load(round_keys + 2 * i);
    for (int j = 0; j < width; ++j) s[j] = full_round(s[j], key_before, key);
  }
  const Block last_key = load(round_keys + 2 * rounds);
  for (int j = 0; j < width; ++j) s[j] = last_round(s[j], key, last_key);
  for (int j = 0; j < width; ++j) store(words + 2 * j, s[j]);
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
