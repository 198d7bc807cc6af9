// A round of ARS (ars.h) by the processor's AES instructions, for files that are compiled for a
// processor that has them; KEYHOLE_AES says whether the compiler took that up. Such a file must not
// use inline functions of other headers, unless they are always inlined: the linker might keep that
// file's copy, with instructions that the rest of the program must not execute.

#pragma once

#include "math/lanes.h"

#if defined(__aarch64__) && !defined(__AARCH64EB__) && \
    (defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO))
#include <arm_neon.h>
#define KEYHOLE_AES
#elif defined(__x86_64__) && defined(__AES__)
#include <wmmintrin.h>
#define KEYHOLE_AES
#endif

#if defined(KEYHOLE_AES)

namespace keyhole::math {

#if defined(__aarch64__)

// These instructions add the round key first, so the keys come one round earlier than in the
// formula: none at the start, k_{i-1} in round i, and k_rounds at the very end.
[[gnu::always_inline]] inline Words begin(Words counter, Words) { return counter; }

[[gnu::always_inline]] inline Words full_round(Words s, Words key_before, Words) {
  return reinterpret_cast<Words>(vaesmcq_u8(
      vaeseq_u8(reinterpret_cast<uint8x16_t>(s), reinterpret_cast<uint8x16_t>(key_before))));
}

[[gnu::always_inline]] inline Words last_round(Words s, Words key_before, Words key) {
  return key ^ reinterpret_cast<Words>(vaeseq_u8(reinterpret_cast<uint8x16_t>(s),
                                                 reinterpret_cast<uint8x16_t>(key_before)));
}

#else

// These instructions add the round key last, as the formula does.
[[gnu::always_inline]] inline Words begin(Words counter, Words key) { return counter ^ key; }

[[gnu::always_inline]] inline Words full_round(Words s, Words, Words key) {
  return reinterpret_cast<Words>(
      _mm_aesenc_si128(reinterpret_cast<__m128i>(s), reinterpret_cast<__m128i>(key)));
}

[[gnu::always_inline]] inline Words last_round(Words s, Words, Words key) {
  return reinterpret_cast<Words>(
      _mm_aesenclast_si128(reinterpret_cast<__m128i>(s), reinterpret_cast<__m128i>(key)));
}

#endif

}  // namespace keyhole::math

#endif
