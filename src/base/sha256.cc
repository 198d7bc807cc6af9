#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace keyhole::base {
namespace {

// Names and steps as in FIPS 180-4, section 6.2.
using Sha256Word = std::uint32_t;

constexpr std::size_t sha256_block = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Sha256Word, 64> sha256_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256State {
 public:
  void take(std::string_view bytes) {
    std::array<Sha256Word, 64> w{};
    for (std::size_t t = 0; t < sha256_block; ++t) {
      w[t / 4] = w[t / 4] << 8U | static_cast<unsigned char>(bytes[t]);
    }
    for (std::size_t t = 16; t < 64; ++t) {
      const Sha256Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
      const Sha256Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
      w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = hash_;
    for (std::size_t t = 0; t < 64; ++t) {
      const Sha256Word s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const Sha256Word t1 = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t];
      const Sha256Word s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const Sha256Word t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const std::array<Sha256Word, 8> step = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < step.size(); ++i) hash_[i] += step[i];
  }

  [[nodiscard]] std::string text() const {
    std::string hex;
    for (const Sha256Word word : hash_) {
      for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 0xfU];
    }
    return hex;
  }

 private:
  // Likewise of the square roots of the first eight primes.
  std::array<Sha256Word, 8> hash_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace

std::string sha256(std::string_view bytes) { return sha256({}, bytes); }

std::string sha256(std::string_view first, std::string_view second) {
  Sha256State state;
  std::string open;  // what is no whole block yet
  for (std::string_view bytes : {first, second}) {
    if (!open.empty()) {
      const std::size_t some = std::min(sha256_block - open.size(), bytes.size());
      open += bytes.substr(0, some);
      bytes.remove_prefix(some);
      if (open.size() < sha256_block) continue;
      state.take(open);
      open.clear();
    }
    for (; bytes.size() >= sha256_block; bytes.remove_prefix(sha256_block)) {
      state.take(bytes.substr(0, sha256_block));
    }
    open = bytes;
  }
  // What is left, a bit 1, zeros, and the length in bits in the last eight bytes.
  open += '\x80';
  while (open.size() % sha256_block != sha256_block - 8) open += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(first.size() + second.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) open += static_cast<char>(bits >> shift & 0xffU);
  for (std::size_t k = 0; k < open.size(); k += sha256_block) {
    state.take(std::string_view{open}.substr(k, sha256_block));
  }
  return state.text();
}

}  // namespace keyhole::base
