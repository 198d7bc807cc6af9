#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace keyhole::studies {

/// Waits again and again for something that others hold, longer each time, up to a limit. What is
/// held for microseconds is tried again at once.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(double seconds) : seconds_(seconds) {}

  /// Waits a little; false if the limit is reached.
  [[nodiscard]] bool wait() {
    if (tries_++ < quick_tries) {
      std::this_thread::yield();
      return true;
    }
    const auto now = Clock::now();
    if (tries_ == quick_tries + 1) begin_ = now;
    if (std::chrono::duration<double>(now - begin_).count() >= seconds_) return false;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest);
    return true;
  }

 private:
  static constexpr int quick_tries = 32;
  static constexpr std::chrono::microseconds longest{2000};

  double seconds_;
  int tries_ = 0;
  Clock::time_point begin_ = {};
  std::chrono::microseconds pause_{30};
};

}  // namespace keyhole::studies
