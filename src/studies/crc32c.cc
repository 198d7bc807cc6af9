#include "studies/crc32c.h"

#include <array>

namespace keyhole::studies {
namespace {

/// The remainders of single bytes by the polynomial 0x1EDC6F41, its bits reversed.
constexpr std::array<std::uint32_t, 256> remainders() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0x82F63B78U : 0);
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> table = remainders();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t rest = ~before;
  for (const char byte : bytes) {
    rest = table[(rest ^ static_cast<unsigned char>(byte)) & 255U] ^ (rest >> 8U);
  }
  return ~rest;
}

}  // namespace keyhole::studies
