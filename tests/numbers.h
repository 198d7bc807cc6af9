#pragma once

#include <limits>

namespace keyhole::tests {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace keyhole::tests
