#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "bindings.h"

namespace keyhole::python {

/// What lets one thread at a time work on an object.
class Turnstile {
 public:
  /// Waits without the interpreter, so that the thread that is at work can end.
  void enter() {
    if (!mutex_.try_lock()) {
      if (owner_.load(std::memory_order_relaxed) == std::this_thread::get_id()) {
        throw Error("a learner is called from within one of its own calls, such as by its set");
      }
      const py::gil_scoped_release release;
      mutex_.lock();
    }
    owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  void leave() {
    owner_.store({}, std::memory_order_relaxed);
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
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
