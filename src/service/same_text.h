#pragma once

#include <cstddef>

namespace keyhole::service {

/// Whether two texts are equal. As many characters are read wherever they differ, so that the time
/// does not say where; only a different length ends it sooner.
template <class Text>
[[nodiscard]] bool is_same(const Text& a, const Text& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace keyhole::service
