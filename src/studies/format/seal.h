#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace keyhole::studies {

/// The hash of a log before its first frame.
inline constexpr std::uint64_t first_seal = 0x243F6A8885A308D3;  // the fraction of pi

/// A running hash with 64 bits of bytes that nobody has an interest in forging. With h the hash so
/// far, it takes their number and then 8 bytes at a time, the lowest first and the last ones filled
/// up with zeros: h becomes the upper half of (h xor word) * multiplier, xor the lower half. One
/// multiplication serves 8 bytes, so that a long log is read as fast as its learner can follow.
[[nodiscard]] inline std::uint64_t sealed(std::uint64_t hash, std::string_view bytes) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  __extension__ using Product = unsigned __int128;
  const auto take = [&](std::uint64_t word) {
    const Product product = static_cast<Product>(hash ^ word) * multiplier;
    hash = static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
  };
  take(bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = bytes.size() < sizeof word ? bytes.size() : sizeof word;
    std::memcpy(&word, bytes.data(), count);
    take(word);
    bytes.remove_prefix(count);
  }
  return hash;
}

/// The bits of a point, as they are in a log.
[[nodiscard]] inline std::string_view bits_of(std::span<const double> point) {
  return {reinterpret_cast<const char*>(point.data()), point.size_bytes()};
}

/// 32 bits of a hash of a point: two points with the same one are the same point.
[[nodiscard]] inline std::uint32_t witness_of(std::span<const double> point) {
  const std::uint64_t hash = sealed(first_seal, bits_of(point));
  return static_cast<std::uint32_t>(hash ^ hash >> 32U);
}

}  // namespace keyhole::studies
