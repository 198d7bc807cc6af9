#pragma once

// What allocations.h counts, and which allocation fails; for all files of a program that has it.

#include <atomic>
#include <cstdint>

namespace keyhole::tests {

/// How many there were.
inline std::atomic<std::uint64_t> allocations{0};  // NOLINT
/// How many will succeed before one fails; negative if none is to fail.
inline std::atomic<std::int64_t> allocations_left{-1};  // NOLINT
/// Whether those after it fail too, until allocations_left is set again.
inline std::atomic<bool> memory_stays_used_up{false};  // NOLINT
/// How many have failed.
inline std::atomic<std::uint64_t> failed_allocations{0};  // NOLINT

/// Counts one; whether it fails.
inline bool allocation_fails() {
  ++allocations;
  if (allocations_left < 0) return false;
  if (allocations_left > 0) {
    --allocations_left;
    return false;
  }
  if (!memory_stays_used_up) allocations_left = -1;
  ++failed_allocations;
  return true;
}

/// While it lives, an allocation fails: that of a number, from 0 on, and those after it if memory
/// stays used up. What the test itself does meanwhile must allocate nothing.
class MemoryFails {
 public:
  MemoryFails(std::int64_t at, bool stays) {
    failed_allocations = 0;
    memory_stays_used_up = stays;
    allocations_left = at;
  }
  MemoryFails(const MemoryFails&) = delete;
  MemoryFails& operator=(const MemoryFails&) = delete;
  ~MemoryFails() { allocations_left = -1; }
};

}  // namespace keyhole::tests
