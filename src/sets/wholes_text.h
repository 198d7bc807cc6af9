// Lists of whole numbers in specs.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/number_text.h"

namespace keyhole::sets {

/// "[0, 2, 1]".
[[nodiscard]] inline std::string wholes_text(std::span<const std::size_t> values) {
  return base::list_text(std::vector<double>(values.begin(), values.end()), false);
}

}  // namespace keyhole::sets
