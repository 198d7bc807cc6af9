#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace keyhole::studies {

/// A mutex that threads get in the order in which they came. A std::mutex lets the thread that has
/// just released it have it again and again, while others wait.
class Turns {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    if (!std::exchange(taken_, true)) return;
    Waiting mine;
    waiting_.push_back(&mine);
    mine.wake.wait(lock, [&] { return mine.is_next; });
  }
  void unlock() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      taken_ = false;
      return;
    }
    Waiting& next = *waiting_.front();
    waiting_.pop_front();
    next.is_next = true;
    next.wake.notify_one();  // with the mutex held: it ends when it wakes
  }

 private:
  struct Waiting {
    std::condition_variable wake = {};
    bool is_next = false;
  };

  std::mutex mutex_;
  bool taken_ = false;
  std::deque<Waiting*> waiting_;  // in order
};

}  // namespace keyhole::studies
