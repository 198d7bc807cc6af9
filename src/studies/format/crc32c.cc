#include "studies/format/crc32c.h"

#include <array>

namespace keyhole::studies {
namespace {

/// table[k][b] is the remainder of the byte b with k bytes of zeros behind it, by the polynomial
/// 0x1EDC6F41, its bits reversed. With eight of them eight bytes are taken at a time (Kounavis and
/// Berry, "A systematic approach to building high performance software-based CRC generators",
/// 2005).
using Table = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Table remainders() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0x82F63B78U : 0);
    table[0][byte] = rest;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t rest = table[k - 1][byte];
      table[k][byte] = (rest >> 8U) ^ table[0][rest & 255U];
    }
  }
  return table;
}

constexpr Table table = remainders();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t rest = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    rest = table[7][byte(0) ^ (rest & 255U)] ^ table[6][byte(1) ^ (rest >> 8U & 255U)] ^
           table[5][byte(2) ^ (rest >> 16U & 255U)] ^ table[4][byte(3) ^ (rest >> 24U)] ^
           table[3][byte(4)] ^ table[2][byte(5)] ^ table[1][byte(6)] ^ table[0][byte(7)];
  }
  for (; !bytes.empty(); bytes.remove_prefix(1)) {
    rest = table[0][(rest ^ byte(0)) & 255U] ^ (rest >> 8U);
  }
  return ~rest;
}

}  // namespace keyhole::studies
