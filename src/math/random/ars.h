// Random words without state: the counter-based generator ARS-7.
//
// A block of 128 random bits is a pure function of a 128-bit key and a 128-bit counter, so any word
// of any stream can be had at once, in any order, on any thread, and nothing but the key has to be
// saved:
//
//   k_0 = key,  k_{i+1} = k_i + (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)  in each half mod 2^64
//   s_0 = counter ^ k_0
//   s_i = MixColumns(ShiftRows(SubBytes(s_{i-1}))) ^ k_i,  i = 1 .. 6
//   block = ShiftRows(SubBytes(s_6)) ^ k_7
//
// This is AES with seven rounds and a cheap (Weyl) key schedule: a permutation of the counters for
// every key, with good statistics and with hardware support on nearly every machine. It is not
// meant for secrets. Reference: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1,
// 2, 3", SC 2011; same words as ars4x32 of Random123.

#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace keyhole::math {

// The generator under one key. Immutable, 128 bytes, safe to share between threads.
//
//   Ars generator(/*seed=*/42, /*stream=*/0);
//   std::array<std::uint64_t, 4> words;
//   generator.words(/*id=*/7, /*first=*/0, words);  // the blocks at counters (0, 7) and (1, 7)
class Ars {
 public:
  // The key is (low = seed, high = stream): different pairs are different keys, 0 and 2^64 - 1
  // included.
  Ars(std::uint64_t seed, std::uint64_t stream) noexcept;

  // words[2j] and words[2j + 1] are the low and the high half of the block at the counter (low =
  // first + j mod 2^64, high = id). The size must be even: a half-used block would invite its other
  // half to be used twice.
  void words(std::uint64_t id, std::uint64_t first, std::span<std::uint64_t> words) const noexcept;

  // k_0 .. k_7, low lane first, for kernels.
  [[nodiscard]] const std::uint64_t* round_keys() const noexcept { return round_keys_.data(); }

 private:
  std::array<std::uint64_t, 16> round_keys_;
};

}  // namespace keyhole::math
