// Parts of the canonical description of an algorithm.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/number_text.h"

namespace keyhole::algorithms {

/// ", name=value", or nothing without a value.
inline std::string option_text(const char* name, const std::optional<double>& value) {
  return value ? ", " + std::string(name) + "=" + base::number_text(*value) : "";
}

/// ", name=value" of a number that differs from its default, else nothing.
inline std::string option_text(const char* name, double value, double otherwise) {
  return option_text(name, value == otherwise ? std::nullopt : std::optional(value));
}

/// ", start=[...]", or nothing if the start is the centre.
inline std::string start_text(const std::vector<double>& start) {
  return start.empty() ? "" : ", start=" + base::list_text(start, false);
}

}  // namespace keyhole::algorithms
