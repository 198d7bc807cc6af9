#pragma once

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

namespace keyhole::experiment {

/// From now on the first SIGINT (Ctrl-C) or SIGTERM sets the flag, which is false until then,
/// instead of ending the process; the next one of its kind has its usual effect. One flag a
/// process. A thread may take a while to set it: who must know what was sent has Interrupts.
[[nodiscard]] const std::atomic<bool>& stop_on_interrupt();

/// Like that flag, while it lives, but certain: a signal that was sent is seen from then on, by
/// every thread. Must be made before all threads: one that was there might take the signal. The
/// programs that they start should unblock the two signals.
class Interrupts {
 public:
  /// Throws Error if the system does not give what it needs.
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// Whether one was sent before this call. Thread-safe.
  [[nodiscard]] bool seen() const;

 private:
  void watch();
  /// Takes a signal that is pending; false if none is.
  bool take();
  void close();

  int signals_ = -1;
  int end_ = -1;
  sigset_t mask_before_ = {};
  mutable std::mutex mutex_;
  bool seen_ = false;  // under the mutex a signal is either pending or this is true
  std::thread watcher_;
};

}  // namespace keyhole::experiment
