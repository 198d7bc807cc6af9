#pragma once

#include <chrono>
#include <string>

namespace keyhole::base {

/// "2027-01-31T00:00:00Z".
[[nodiscard]] std::string time_text(std::chrono::sys_seconds time);

}  // namespace keyhole::base
