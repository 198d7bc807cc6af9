#include "math/random/ars.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "math/random/ars_kernels.h"

#if defined(__linux__) && defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace keyhole::math {
namespace {

// Product with the polynomial x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
constexpr std::uint8_t times_x(std::uint8_t a) {
  return static_cast<std::uint8_t>((a << 1) ^ ((a & 0x80) != 0 ? 0x1B : 0));
}

// The S-box of AES: b = 1 / a in GF(2^8) (0 for a = 0), then the affine map
// b ^ (b <<< 1) ^ (b <<< 2) ^ (b <<< 3) ^ (b <<< 4) ^ 0x63.
// The inverse comes from the powers of the generator g = x + 1, as 1 / g^i = g^(255 - i).
constexpr std::array<std::uint8_t, 256> make_substitution() {
  std::array<std::uint8_t, 256> power{};
  power[0] = 1;
  for (std::size_t i = 1; i < 256; ++i) {
    power[i] = static_cast<std::uint8_t>(power[i - 1] ^ times_x(power[i - 1]));
  }
  std::array<std::uint8_t, 256> substitution{};
  substitution[0] = 0x63;
  for (std::size_t i = 0; i < 255; ++i) {
    const std::uint8_t b = power[255 - i];
    substitution[power[i]] = static_cast<std::uint8_t>(b ^ std::rotl(b, 1) ^ std::rotl(b, 2) ^
                                                       std::rotl(b, 3) ^ std::rotl(b, 4) ^ 0x63);
  }
  return substitution;
}

constexpr std::array<std::uint8_t, 256> substitution = make_substitution();

// SubBytes and MixColumns for a byte in row 0: its column becomes (2, 1, 1, 3) S(b). Row r is the
// same rotated by r bytes.
template <class Column>
constexpr std::array<Column, 256> make_mixed_columns() {
  std::array<Column, 256> table{};
  for (std::size_t i = 0; i < 256; ++i) {
    const std::uint32_t one = substitution[i];
    const std::uint32_t two = times_x(substitution[i]);
    table[i] = two | (one << 8) | (one << 16) | ((one ^ two) << 24);
  }
  return table;
}

constexpr auto mixed_columns = make_mixed_columns<std::uint32_t>();
constexpr auto first_columns = make_mixed_columns<std::uint64_t>();

// Byte `row` of a column; columns are little-endian 32-bit words, as the state is a little-endian
// 128-bit number.
constexpr std::uint32_t byte_at(std::uint32_t column, int row) {
  return (column >> (8 * row)) & 0xFF;
}

using State = std::array<std::uint32_t, 4>;

State to_state(std::uint64_t low, std::uint64_t high) {
  return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
          static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)};
}

// A full round; ShiftRows takes row r of column c from column c + r.
State full_round(const State& s, const State& key) {
  State next;
  for (std::size_t c = 0; c < 4; ++c) {
    next[c] = mixed_columns[byte_at(s[c], 0)] ^
              std::rotl(mixed_columns[byte_at(s[(c + 1) % 4], 1)], 8) ^
              std::rotl(mixed_columns[byte_at(s[(c + 2) % 4], 2)], 16) ^
              std::rotl(mixed_columns[byte_at(s[(c + 3) % 4], 3)], 24) ^ key[c];
  }
  return next;
}

State last_round(const State& s, const State& key) {
  State next;
  for (std::size_t c = 0; c < 4; ++c) {
    std::uint32_t column = 0;
    for (std::size_t row = 0; row < 4; ++row) {
      const std::uint32_t byte = byte_at(s[(c + row) % 4], static_cast<int>(row));
      column |= std::uint32_t{substitution[byte]} << (8 * row);
    }
    next[c] = column ^ key[c];
  }
  return next;
}

ArsKernel fastest_kernel() noexcept {
  return ars_hardware_available() ? ars_hardware : &ars_portable;
}

}  // namespace

extern const std::uint64_t* const ars_first_columns = first_columns.data();

void ars_key_schedule(std::uint64_t seed, std::uint64_t stream, int rounds,
                      std::uint64_t* round_keys) noexcept {
  for (int i = 0; i <= rounds; ++i) {
    round_keys[2 * i] = seed;
    round_keys[2 * i + 1] = stream;
    seed += 0x9E3779B97F4A7C15U;    // the golden ratio
    stream += 0xBB67AE8584CAA73BU;  // sqrt(3) - 1
  }
}

void ars_portable(const std::uint64_t* round_keys, int rounds, std::uint64_t id,
                  std::uint64_t first, std::uint64_t* words, std::size_t blocks) noexcept {
  for (std::size_t j = 0; j < blocks; ++j) {
    State s = to_state((first + j) ^ round_keys[0], id ^ round_keys[1]);
    for (int i = 1; i < rounds; ++i)
      s = full_round(s, to_state(round_keys[2 * i], round_keys[2 * i + 1]));
    s = last_round(s, to_state(round_keys[2 * rounds], round_keys[2 * rounds + 1]));
    words[2 * j] = s[0] | (std::uint64_t{s[1]} << 32);
    words[2 * j + 1] = s[2] | (std::uint64_t{s[3]} << 32);
  }
}

bool ars_hardware_available() noexcept {
  if (ars_hardware == nullptr) return false;
#if defined(__linux__) && defined(__aarch64__)
  constexpr unsigned long aes = 1UL << 3;  // HWCAP_AES of the Linux ABI
  return (getauxval(AT_HWCAP) & aes) != 0;
#elif defined(__APPLE__) && defined(__aarch64__)
  return true;  // every one of them has the instructions
#elif defined(__x86_64__)
  return __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("sse4.1") != 0;
#else
  return false;
#endif
}

Ars::Ars(std::uint64_t seed, std::uint64_t stream) noexcept {
  static_assert(sizeof(round_keys_) == (ars_rounds + 1) * 2 * sizeof(std::uint64_t));
  ars_key_schedule(seed, stream, ars_rounds, round_keys_.data());
}

void Ars::words(std::uint64_t id, std::uint64_t first,
                std::span<std::uint64_t> words) const noexcept {
  assert(words.size() % 2 == 0);
  static const ArsKernel kernel = fastest_kernel();
  kernel(round_keys_.data(), ars_rounds, id, first, words.data(), words.size() / 2);
}

}  // namespace keyhole::math
