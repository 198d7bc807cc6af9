#include "math/team.h"

#include <system_error>
#include <utility>

namespace keyhole::math {
namespace {

// Looks for a change of `value` for some tens of microseconds, which is less than it takes to wake
// a thread that sleeps, and sleeps then.
template <class Value>
void await_change(const std::atomic<Value>& value, Value from) noexcept {
  constexpr int looks = 4000;
  for (int k = 0; k < looks; ++k) {
    if (value.load(std::memory_order_acquire) != from) return;
    if (k % 64 == 63) std::this_thread::yield();
  }
  while (value.load(std::memory_order_acquire) == from) value.wait(from);
}

}  // namespace

// The other constructor has made a team, so the destructor ends the workers if this one throws.
Team::Team(unsigned threads, const Start& start) : Team() {
  workers_.reserve(threads);
  try {
    for (unsigned k = 1; k < threads; ++k) workers_.push_back(start([this] { serve(); }));
  } catch (const std::system_error&) {
    // Those that are there do the work: the digits do not depend on how many they are.
  }
}

std::thread Team::start_thread(std::function<void()> task) { return std::thread(std::move(task)); }

Team::~Team() {
  is_over_ = true;
  pieces_.fetch_add(1, std::memory_order_release);
  pieces_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::share_out(std::size_t parts) {
  parts_ = parts;
  next_.store(0, std::memory_order_relaxed);
  busy_.store(workers_.size(), std::memory_order_relaxed);
  pieces_.fetch_add(1, std::memory_order_release);
  pieces_.notify_all();
  take_parts();
  for (std::size_t busy = busy_.load(std::memory_order_acquire); busy != 0;
       busy = busy_.load(std::memory_order_acquire)) {
    await_change(busy_, busy);
  }
  if (has_failed_.exchange(false)) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::take_parts() noexcept {
  for (;;) {
    const std::size_t part = next_.fetch_add(1, std::memory_order_relaxed);
    if (part >= parts_) return;
    try {
      call_(work_, part);
    } catch (...) {
      if (!has_failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
}

void Team::serve() noexcept {
  for (std::uint64_t seen = 0;; ++seen) {
    await_change(pieces_, seen);
    if (is_over_) return;
    take_parts();
    busy_.fetch_sub(1, std::memory_order_release);
    busy_.notify_one();
  }
}

}  // namespace keyhole::math
