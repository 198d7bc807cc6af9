#pragma once

#include <atomic>

namespace keyhole::experiment {

/// From now on the first SIGINT (Ctrl-C) or SIGTERM sets the flag, which is false until then,
/// instead of ending the process; the next one of its kind has its usual effect. One flag a
/// process.
[[nodiscard]] const std::atomic<bool>& stop_on_interrupt();

}  // namespace keyhole::experiment
