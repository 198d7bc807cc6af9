#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace keyhole::studies {

/// Locks a mutex within so many seconds, if it can. One that is free is had without a look at the
/// clock.
template <class Mutex>
[[nodiscard]] std::unique_lock<Mutex> locked(Mutex& mutex, double seconds) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) (void)lock.try_lock_for(std::chrono::duration<double>(seconds));
  return lock;
}

/// Waits again and again for something that others hold, up to a limit. What is held for
/// microseconds is tried again soon; who has waited for long tries less often.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(double seconds) : limit_(seconds) {}

  /// Waits a little; false if the limit is reached.
  [[nodiscard]] bool wait() {
    const std::chrono::duration<double> waited = Clock::now() - begin_;
    if (waited >= limit_) return false;
    std::this_thread::sleep_for(std::clamp<std::chrono::duration<double>>(
        waited / 10, std::chrono::microseconds(5), std::chrono::milliseconds(5)));
    return true;
  }

 private:
  std::chrono::duration<double> limit_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace keyhole::studies
