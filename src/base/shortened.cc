#include "base/shortened.h"

#include <algorithm>

namespace keyhole::base {

std::size_t length_of_letter(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  if (byte(0) < 0xc2 || byte(0) > 0xf4) return 0;
  const std::size_t length = byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80) return 0;
  }
  // Longer than need be, halves of pairs, and beyond the last letter.
  if (byte(0) == 0xe0 && byte(1) < 0xa0) return 0;
  if (byte(0) == 0xed && byte(1) >= 0xa0) return 0;
  if (byte(0) == 0xf0 && byte(1) < 0x90) return 0;
  return byte(0) == 0xf4 && byte(1) >= 0x90 ? 0 : length;
}

std::string shortened(std::string_view text, std::size_t enough) {
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    if (k >= enough) return result + "...";
    const std::size_t length = length_of_letter(text.substr(k));
    if (length > 0) {
      result += text.substr(k, length);
    } else {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[k]);
      result += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    }
    k += std::max(length, std::size_t{1});
  }
  return result;
}

}  // namespace keyhole::base
