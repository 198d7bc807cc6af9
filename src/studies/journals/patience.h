#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace keyhole::studies {

/// A mutex that threads wait for up to a limit. Who has it may take it again. The thread sanitizer
/// of gcc 12 does not see who waits for a std::timed_mutex, so this is made of what it sees.
class PatientMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [&] { return is_free(); });
    take();
  }
  [[nodiscard]] bool try_lock() {
    const std::lock_guard lock(mutex_);
    return is_free() && take();
  }
  [[nodiscard]] bool try_lock_for(std::chrono::duration<double> limit) {
    std::unique_lock lock(mutex_);
    return released_.wait_for(lock, limit, [&] { return is_free(); }) && take();
  }
  void unlock() {
    const std::lock_guard lock(mutex_);
    if (--depth_ == 0) released_.notify_one();
  }

 private:
  [[nodiscard]] bool is_free() const {
    return depth_ == 0 || holder_ == std::this_thread::get_id();
  }
  bool take() {
    holder_ = std::this_thread::get_id();
    ++depth_;
    return true;
  }

  std::mutex mutex_;
  std::condition_variable released_;
  std::thread::id holder_;  // if depth > 0
  std::size_t depth_ = 0;
};

/// Locks a mutex within so many seconds, if it can. One that is free is had without a look at the
/// clock.
[[nodiscard]] inline std::unique_lock<PatientMutex> locked(PatientMutex& mutex, double seconds) {
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
