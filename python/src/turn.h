#pragma once

#include <atomic>
#include <thread>

#include "bindings.h"

namespace keyhole::python {

/// What lets one thread at a time work on an object, in the order in which they came: a mutex would
/// let a thread that is always at work keep all others waiting.
class Turnstile {
 public:
  /// Waits without the interpreter, so that the thread that is at work can end.
  void enter() {
    const std::thread::id self = std::this_thread::get_id();
    if (owner_.load(std::memory_order_relaxed) == self) {
      throw Error("a learner is called from within one of its own calls, such as by its set");
    }
    const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (called_.load(std::memory_order_acquire) != number) {
      const py::gil_scoped_release release;
      for (std::uint64_t now = called_; now != number; now = called_) called_.wait(now);
    }
    owner_.store(self, std::memory_order_relaxed);
  }
  void leave() {
    owner_.store({}, std::memory_order_relaxed);
    called_.fetch_add(1, std::memory_order_release);
    called_.notify_all();
  }

 private:
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> called_ = 0;
  std::atomic<std::thread::id> owner_;
};

/// The time of a call.
class Turn {
 public:
  explicit Turn(Turnstile& turnstile) : turnstile_(turnstile) { turnstile_.enter(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { turnstile_.leave(); }

 private:
  Turnstile& turnstile_;
};

}  // namespace keyhole::python
