#pragma once

#include <cstddef>
#include <span>

namespace keyhole::problems {

/// Turns independent uniform numbers into a selection: `wanted` of them become 1, the others 0,
/// every selection as likely as any other. With w of the v numbers left still wanted, the next one
/// is taken with probability w / v (Knuth, "The Art of Computer Programming", volume 2, 3.4.2,
/// Algorithm S).
inline void select(std::size_t wanted, std::span<double> uniforms) {
  for (std::size_t e = 0; e < uniforms.size(); ++e) {
    const auto left = static_cast<double>(uniforms.size() - e);
    const bool taken = left * uniforms[e] < static_cast<double>(wanted);
    uniforms[e] = taken ? 1 : 0;
    wanted -= taken ? 1 : 0;
  }
}

}  // namespace keyhole::problems
