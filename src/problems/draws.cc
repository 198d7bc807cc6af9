#include "problems/draws.h"

#include <algorithm>
#include <array>

namespace keyhole::problems {

void Draws::uniforms(Purpose purpose, std::uint64_t t, std::span<double> u) const noexcept {
  // Normal numbers take their words from counters that begin with bit 63 or the purpose in bits 62
  // to 56: bit 62 is free for the uniform ones.
  const std::uint64_t start = std::uint64_t{1} << 62 | std::uint64_t{static_cast<unsigned>(purpose)}
                                                           << 56;
  std::array<std::uint64_t, 64> words{};
  for (std::size_t first = 0; first < u.size(); first += words.size()) {
    generator_.words(t, start + first / 2, words);
    const std::size_t count = std::min(words.size(), u.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      u[first + i] = static_cast<double>(words[i] >> 11) * 0x1p-53;
    }
  }
}

}  // namespace keyhole::problems
