// A checksum and fingerprint for bytes that nobody has an interest in forging: the hash FNV-1a with
// 64 bits.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace keyhole::base {

// h_0 = 14695981039346656037,  h_{i+1} = (h_i xor byte_i) * 1099511628211 mod 2^64.
//
// A single changed byte always changes the hash: with the running value fixed, different bytes give
// different values (xor and the product with an odd number are bijections), and from then on, with
// the bytes fixed, every step is a bijection of the running value, so the difference can never
// vanish again. Two or more changed bytes go unnoticed with probability about 2^-64. Bytes, not
// numbers: the caller fixes the byte order. Pure, thread-safe.
constexpr std::uint64_t fnv1a(std::span<const std::byte> bytes) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3;
  }
  return hash;
}

// The 16 hexadecimal digits of a hash.
inline std::string hash_text(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace keyhole::base
